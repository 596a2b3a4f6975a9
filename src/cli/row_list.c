#include "cli/row_list.h"

#include <errno.h>
#include <stdlib.h>

akin_status cli_row_list(app *a, int64_t **rows, int64_t *count,
                         const char *flag, const char *text)
{
    int64_t most = 1;
    const char *at = text;
    akin_status st = AKIN_OK;
    *count = 0;
    if (text == NULL)
        return AKIN_OK;
    for (const char *c = text; *c != '\0'; ++c)
        most += *c == ',';
    APP_TRY(APP_NEW(a, most, rows));
    for (int64_t k = 0; k < most; ++k) {
        char *end = NULL;
        errno = 0;
        (*rows)[k] = *at >= '0' && *at <= '9' ? strtoll(at, &end, 10) : -1;
        if (end == NULL || errno == ERANGE || (*end != ',' && *end != '\0'))
            APP_TRY(app_fail(a, AKIN_EINVAL,
                             "--%s needs row numbers, as in 12,408,77 (not "
                             "'%s')",
                             flag, text));
        at = end + 1;
    }
    *count = most;
done:
    return st;
}
