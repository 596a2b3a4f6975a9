#include "cli/pictures.h"

#include <stdlib.h>
#include <string.h>

#include "cli/row_list.h"

akin_status cli_picture_row(app *a, akin_collection *c, const char *text,
                            int64_t *row)
{
    akin_picture p;
    akin_status st = AKIN_OK;
    if (text[0] == '\0' || text[strspn(text, "0123456789")] != '\0')
        return akin_collection_find(c, a->ctx, text, row);
    *row = strtoll(text, NULL, 10);
    APP_TRY(akin_collection_picture(c, a->ctx, *row, &p));
done:
    return st;
}

akin_status cli_picture_list(app *a, akin_collection *c, int64_t **rows,
                             int64_t *count, const char *flag, const char *text)
{
    char *copy = NULL, *at, *name;
    int64_t most = 1;
    akin_status st = AKIN_OK;
    if (c == NULL || text == NULL)
        return cli_row_list(a, rows, count, flag, text);
    for (const char *p = text; *p != '\0'; ++p)
        most += *p == ',';
    APP_TRY(APP_NEW(a, most, rows));
    APP_TRY(app_alloc(a, (int64_t)strlen(text) + 1, 1, &copy));
    at = strcpy(copy, text);
    *count = 0;
    while ((name = strsep(&at, ",")) != NULL)
        APP_TRY(cli_picture_row(a, c, name, &(*rows)[(*count)++]));
done:
    free(copy);
    return st;
}

akin_status cli_picture_model(app *a, const akin_collection *c,
                              const char *name, akin_model **out)
{
    akin_rows *rows = NULL;
    akin_status st = AKIN_OK;
    if (!akin_model_is_builtin(name))
        return akin_model_load(out, a->ctx, name);
    APP_TRY(akin_collection_rows(c, a->ctx, &rows));
    APP_TRY(akin_model_builtin(out, a->ctx, name, rows));
done:
    akin_rows_free(rows);
    return st;
}

akin_status cli_picture_shown(app *a, const char *name, char **out)
{
    const akin_status st = app_alloc(a, (int64_t)strlen(name) + 1, 1, out);
    for (size_t i = 0; st == AKIN_OK && name[i] != '\0'; ++i)
        (*out)[i] = (unsigned char)name[i] < ' ' || name[i] == 0x7f ? '?'
                                                                    : name[i];
    return st;
}
