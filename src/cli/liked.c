#include "cli/liked.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cli/pictures.h"
#include "cli/row_list.h"

/* One flag at work. */
typedef struct list {
    app *a;
    akin_collection *c;
    cli_liked *out;
    const char **files;  // pictures that are not in the collection
    int64_t n_files;
} list;

akin_status cli_describe(app *a, akin_collection *c, const char *const *files,
                         int64_t n, akin_rows **out)
{
    akin_status st = AKIN_OK;
    APP_TRY(akin_collection_describe(out, a->ctx, c, files, n));
    if (akin_rows_nonzeros(*out) == 0)
        app_remark(a, "%s: there is nothing to be described in it", files[0]);
done:
    return st;
}

/* A row, a name or a file; the last trouble is in the app when it is none. */
static akin_status take_one(list *l, const char *text)
{
    akin_status st =
        cli_picture_row(l->a, l->c, text, &l->out->rows[l->out->n]);
    if (st == AKIN_OK)
        ++l->out->n;
    else if (text[0] != '\0' && access(text, F_OK) == 0) {
        l->files[l->n_files++] = text;
        st = AKIN_OK;
    }
    return st;
}

/* `text` is cut up at its commas, unless it is a name as a whole. */
static akin_status take_value(list *l, char *text)
{
    akin_status st = take_one(l, text);
    char *name;
    if (st == AKIN_OK || strchr(text, ',') == NULL)
        return st;
    st = AKIN_OK;
    while (st == AKIN_OK && (name = strsep(&text, ",")) != NULL)
        st = take_one(l, name);
    return st;
}

static akin_status append_rows(app *a, cli_liked *out, const char *flag,
                               const char *text)
{
    int64_t *rows = NULL, n = 0;
    akin_status st = AKIN_OK;
    APP_TRY(cli_row_list(a, &rows, &n, flag, text));
    for (int64_t k = 0; k < n; ++k)
        out->rows[out->n++] = rows[k];
done:
    free(rows);
    return st;
}

/* Bytes of all values together, each with an end of its own. */
static int64_t room_of(const app *a, const char *flag)
{
    const char *text;
    int64_t room = 0;
    for (int64_t k = 0; (text = app_value_at(a, flag, k)) != NULL; ++k)
        room += (int64_t)strlen(text) + 1;
    return room;
}

akin_status cli_liked_read(app *a, cli_liked *out, akin_collection *c,
                           const char *flag)
{
    const int64_t room = room_of(a, flag);
    list l = {.a = a, .c = c, .out = out};
    char *copy = NULL, *at;
    const char *text;
    akin_status st = AKIN_OK;
    if (room == 0)
        return AKIN_OK;
    APP_TRY(APP_NEW(a, room, &out->rows));
    APP_TRY(APP_NEW(a, room, &l.files));
    APP_TRY(app_alloc(a, room, 1, &copy));
    at = copy;
    for (int64_t k = 0; (text = app_value_at(a, flag, k)) != NULL; ++k) {
        strcpy(at, text);
        APP_TRY(c ? take_value(&l, at) : append_rows(a, out, flag, text));
        at += strlen(text) + 1;
    }
    if (l.n_files > 0)
        APP_TRY(cli_describe(a, c, l.files, l.n_files, &out->others));
done:
    free(copy);
    free(l.files);
    return st;
}

void cli_liked_free(cli_liked *l)
{
    free(l->rows);
    akin_rows_free(l->others);
    *l = (cli_liked){0};
}
