#include "cli/export/source.h"

#include <akin/versions.h>
#include <inttypes.h>
#include <stdlib.h>

#include "cli/load.h"

static akin_status take_items(app *a, export_source *s, akin_collection *c,
                              const char *path)
{
    const int64_t n = akin_index_count(s->index);
    akin_status st = AKIN_OK;
    if (akin_collection_count(c) != n)
        APP_TRY(app_fail(a, AKIN_EINVAL,
                         "%s: %" PRId64 " of %" PRId64
                         " items have rows under its model (expected all)",
                         path, n, akin_collection_count(c)));
    APP_TRY(APP_NEW(a, n + 1, &s->ids));
    APP_TRY(cli_item_names(a, s->index, 0, c, s->ids));
done:
    return st;
}

static akin_status open_collection(app *a, export_source *s, const char *path)
{
    akin_collection *c = NULL;
    akin_model *m = NULL;
    akin_rows *rows = NULL;
    akin_status st = AKIN_OK;
    APP_TRY(akin_collection_open(&c, a->ctx, path));
    s->version = akin_collection_version(c);
    APP_TRY(akin_collection_version_model(&m, a->ctx, c, s->version));
    APP_TRY(akin_collection_rows(&rows, a->ctx, c, NULL, NULL));
    APP_TRY(akin_index_build(&s->index, a->ctx, m, rows, NULL));
    APP_TRY(take_items(a, s, c, path));
done:
    akin_rows_free(rows);
    akin_model_free(m);
    akin_collection_close(c);
    return st;
}

static akin_status open_model(app *a, export_source *s, const char *path,
                              const char *data, const reading_flags *reading)
{
    const use_flags use = {.model = path, .data = data, .raw = true};
    cli_use u = {0};
    akin_status st = AKIN_OK;
    APP_TRY(cli_use_open(a, &u, &use, reading, AKIN_RIGHT, NULL));
    st = akin_index_build(&s->index, a->ctx, u.model, u.data, NULL);
    APP_TRY(st == AKIN_ESHAPE ? cli_in_file(a, st, u.path) : st);
done:
    cli_use_close(&u);
    return st;
}

akin_status export_source_open(app *a, export_source *s, const char *path,
                               const char *data, const reading_flags *reading)
{
    *s = (export_source){.version = -1};
    if (data != NULL)
        return open_model(a, s, path, data, reading);
    return akin_collection_is(path) ? open_collection(a, s, path)
                                    : akin_index_load(&s->index, a->ctx, path);
}

void export_source_close(export_source *s)
{
    akin_index_free(s->index);
    free(s->ids);
}
