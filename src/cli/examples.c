/* Whole files of examples. */
#include <stdlib.h>
#include <string.h>

#include "cli/load.h"

enum { STREAM_BLOCK = 1 << 14 };

akin_status cli_read_examples(app *a, int64_t **numbers, int64_t *count,
                              akin_knowledge what, const char *path,
                              const akin_rows *left, const akin_rows *right)
{
    const int64_t each = what == AKIN_NOTHING ? 2 : 3;
    akin_stream *stream = NULL;
    int64_t *all = NULL, n = 0, room = 0;
    akin_status st = AKIN_OK;
    APP_TRY(akin_stream_open(&stream, a->ctx, what, path, akin_rows_count(left),
                             akin_rows_count(right)));
    for (;;) {
        const int64_t *some;
        int64_t more;
        APP_TRY(akin_stream_next(&some, &more, a->ctx, stream, STREAM_BLOCK));
        if (more == 0)
            break;
        if (n + more > room) {
            room = 2 * (n + more);
            int64_t *grown = realloc(all, (size_t)(each * room) * sizeof *all);
            if (grown == NULL)
                APP_TRY(app_fail(a, AKIN_ENOMEM, "out of memory"));
            all = grown;
        }
        memcpy(all + each * n, some, (size_t)(each * more) * sizeof *all);
        n += more;
    }
    *numbers = all;
    *count = n;
    all = NULL;
done:
    free(all);
    akin_stream_close(stream);
    return st;
}
