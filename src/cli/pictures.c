#include "cli/pictures.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "cli/load.h"

akin_status cli_picture_row(app *a, akin_collection *c, const char *text,
                            int64_t *row)
{
    akin_picture p;
    akin_status st = AKIN_OK;
    if (text[0] == '\0' || text[strspn(text, "0123456789")] != '\0')
        return akin_collection_find(row, a->ctx, c, text);
    *row = strtoll(text, NULL, 10);
    APP_TRY(akin_collection_picture(&p, a->ctx, c, *row));
done:
    return st;
}

bool cli_is_folder(const char *path)
{
    struct stat s;
    return stat(path, &s) == 0 && S_ISDIR(s.st_mode);
}

/* A model of a file, which may have been learned from another collection. */
static akin_status load_model(app *a, const akin_collection *c,
                              const char *name, akin_model **out)
{
    akin_images_info info;
    akin_model *m = NULL;
    akin_status st = AKIN_OK;
    APP_TRY(akin_collection_info(&info, a->ctx, c));
    APP_TRY(akin_model_load(&m, a->ctx, name));
    const int64_t dim = cli_shape_of_model(m, name, AKIN_LEFT, false).dim;
    if (dim != 0 && dim != info.words)
        APP_TRY(app_fail(a, AKIN_ESHAPE,
                         "%s: a model of %" PRId64 " columns (the collection "
                         "has %" PRId64 " words)",
                         name, dim, info.words));
    *out = m;
    m = NULL;
done:
    akin_model_free(m);
    return st;
}

akin_status cli_picture_model(app *a, const akin_collection *c,
                              const char *name, akin_model **out)
{
    akin_rows *rows = NULL;
    akin_status st = AKIN_OK;
    if (!akin_model_is_builtin(name))
        return load_model(a, c, name, out);
    APP_TRY(akin_collection_rows(&rows, a->ctx, c));
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
