#include "cli/load.h"

#include <akin/learn.h>
#include <dirent.h>
#include <inttypes.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "app/json.h"
#include "app/nearest.h"
#include "app/text.h"

static cli_shape shape_of_rows(const akin_rows *rows, const char *path)
{
    return (cli_shape){akin_rows_index_base(rows), akin_rows_dim(rows), path,
                       NULL};
}

cli_shape cli_shape_of_recipe(const akin_recipe *recipe, const char *path)
{
    if (recipe == NULL)
        return (cli_shape){0};
    return (cli_shape){akin_recipe_index_base(recipe), akin_recipe_dim(recipe),
                       path, recipe};
}

cli_shape cli_shape_of_model(const akin_model *m, const char *path,
                             akin_side side, bool as_is)
{
    cli_shape shape = cli_shape_of_recipe(akin_model_recipe(m, side), path);
    if (as_is || akin_model_recipe(m, side) == NULL)
        shape.dim = akin_model_dim(m, side);
    shape.of = path;
    return shape;
}

cli_shape cli_shape_of_index(const akin_index *x, const char *path,
                             akin_side side)
{
    cli_shape shape =
        cli_shape_of_model(akin_index_model(x), path, side, false);
    shape.index_base = akin_index_base(x);
    return shape;
}

akin_read_options cli_read_options(const reading_flags *f, cli_shape shape)
{
    akin_read_options o = AKIN_READ_DEFAULTS;
    o.index_base = shape.index_base;
    if (strcmp(f->index_base, "auto") != 0)
        o.index_base = f->index_base[0] == '0' ? AKIN_BASE_0 : AKIN_BASE_1;
    o.dim = f->dim ? f->dim : shape.dim;
    o.dim_of = f->dim ? NULL : shape.of;
    o.labels = f->labels;
    o.label_column = f->label_column;
    o.variable = f->variable;
    o.label_variable = f->label_variable;
    o.utf8_labels = f->utf8_labels;
    o.recipe = shape.recipe;
    return o;
}

/* COLLECTION, or COLLECTION/FEATURES: one of the kinds of features in it. */
static bool is_collection(const char *path, char folder[PATH_MAX],
                          const char **features)
{
    const char *slash = strrchr(path, '/');
    const size_t n = slash ? (size_t)(slash - path) : 0;
    snprintf(folder, PATH_MAX, "%s", path);
    *features = NULL;
    if (akin_collection_is(path) || n == 0 || access(path, F_OK) == 0)
        return akin_collection_is(path);
    folder[n < PATH_MAX ? n : PATH_MAX - 1] = '\0';
    *features = slash + 1;
    return akin_collection_is(folder);
}

static akin_status read_collection(app *a, akin_rows **out, const char *path,
                                   const char *features,
                                   const akin_read_options *o)
{
    akin_collection *c = NULL;
    akin_status st = AKIN_OK;
    APP_TRY(akin_collection_open(&c, a->ctx, path));
    APP_TRY(akin_collection_rows(out, a->ctx, c, features, o));
done:
    akin_collection_close(c);
    return st;
}

akin_status cli_read_rows(app *a, akin_rows **out, const char *path,
                          const reading_flags *f, cli_shape shape)
{
    const akin_read_options o = cli_read_options(f, shape);
    char folder[PATH_MAX];
    const char *features;
    const akin_status st = is_collection(path, folder, &features)
                               ? read_collection(a, out, folder, features, &o)
                               : akin_rows_read_shared(out, a->ctx, path, &o);
    if (st == AKIN_OK && o.index_base == AKIN_BASE_AUTO &&
        akin_rows_index_base(*out) == AKIN_BASE_0)
        app_remark(a, "%s: columns are numbered from 0", path);
    return st;
}

void cli_add_reading(json_t *all, const akin_rows *rows)
{
    const int64_t base = akin_rows_index_base(rows);
    if (base != AKIN_BASE_AUTO)
        json_object_set_new(all, "index_base",
                            json_integer(base == AKIN_BASE_1));
    app_json_add_text(all, "label_column", akin_rows_label_column(rows));
}

akin_status cli_in_file(app *a, akin_status st, const char *path)
{
    char why[APP_MESSAGE_SIZE];
    if (st != AKIN_EINVAL && st != AKIN_ESHAPE && st != AKIN_EFORMAT &&
        st != AKIN_ENUMERIC)
        return st;
    snprintf(why, sizeof why, "%s", app_error_text(a, st));
    return app_fail(a, st, "%s: %s",
                    strcmp(path, "-") == 0 ? "standard input" : path, why);
}

/* With --as-is, columns must have the names that the recipe gives them. */
static akin_status check_names(app *a, const cli_use *u, const akin_rows *rows,
                               const char *path, akin_side side)
{
    const akin_recipe *recipe = akin_model_recipe(u->model, side);
    const int64_t d = recipe != NULL ? akin_rows_dim(rows) : 0;
    for (int64_t j = 0; j < d && j < akin_model_dim(u->model, side); ++j) {
        const char *name = akin_rows_column_name(rows, j);
        const char *known = akin_recipe_column_name(recipe, j);
        if (name != NULL && known != NULL && strcmp(name, known) != 0)
            return app_fail(a, AKIN_ESHAPE,
                            "%s: column %" PRId64
                            " is called %s, %s knows it as %s",
                            path, j, name, u->name, known);
    }
    return AKIN_OK;
}

/* Apply the model's recipe to the rows, in place. */
static akin_status prepare(app *a, const cli_use *u, akin_rows **rows,
                           const char *path, akin_side side)
{
    akin_rows *ready = NULL;
    if (u->as_is)
        return check_names(a, u, *rows, path, side);
    const akin_status st =
        akin_model_prepare(&ready, a->ctx, u->model, *rows, side);
    if (st != AKIN_OK)
        return cli_in_file(a, st, path);
    akin_rows_free(*rows);
    *rows = ready;
    return AKIN_OK;
}

/* Widen the narrower of both to the columns of the wider one. */
static akin_status agree(app *a, cli_use *u, akin_rows *statistics,
                         const char *path)
{
    const int64_t d = akin_rows_dim(u->data), other = akin_rows_dim(statistics);
    akin_rows *narrow = d < other ? u->data : statistics;
    u->first.dim = d < other ? other : d;
    if (akin_rows_widen(a->ctx, narrow, u->first.dim) != AKIN_OK)
        return app_fail(a, AKIN_ESHAPE,
                        "%s: %s (expected %" PRId64 ", as in "
                        "--data)",
                        path, app_counted(other, "column").text, d);
    return AKIN_OK;
}

/* tfidf is for rows without weights. */
static akin_status check_raw(app *a, const char *measure, const akin_rows *rows,
                             const char *path)
{
    const char *recipe = akin_rows_recipe(rows);
    if (strcmp(measure, "tfidf") != 0 || recipe == NULL ||
        strstr(recipe, " weights=") == NULL)
        return AKIN_OK;
    return app_fail(
        a, AKIN_EINVAL,
        "%s: the rows went through a recipe already (%s), and tfidf "
        "would weight them twice (the measure cosine compares them "
        "as they are)",
        path, strchr(recipe, ' ') + 1);
}

static akin_status open_builtin(app *a, cli_use *u, const char *name,
                                const char *train)
{
    akin_rows *statistics = NULL;
    akin_status st = AKIN_OK;
    if (train != NULL) {
        reading_flags f = *u->reading;
        f.labels = NULL;  // they are those of --data
        APP_TRY(cli_read_rows(a, &statistics, train, &f,
                              (cli_shape){.index_base = u->first.index_base}));
        APP_TRY(agree(a, u, statistics, train));
    }
    APP_TRY(check_raw(a, name, u->data, u->path));
    if (statistics != NULL)
        APP_TRY(check_raw(a, name, statistics, train));
    APP_TRY(akin_model_builtin(&u->model, a->ctx, name,
                               statistics ? statistics : u->data));
done:
    akin_rows_free(statistics);
    return st;
}

akin_status cli_check_model(app *a)
{
    const char *name = app_value_at(a, "MODEL", 0);
    if (name == NULL || akin_model_is_builtin(name) ||
        akin_learner_find(name) == NULL || access(name, F_OK) == 0)
        return AKIN_OK;
    return app_fail(a, AKIN_EINVAL,
                    "%s is a learner, not a model: akin train %s ... makes one",
                    name, name);
}

/* The nearest of the files in the folder of `path`, which is written too. */
static void try_files(app_nearest *near, const char *path,
                      char folder[PATH_MAX])
{
    const char *slash = strrchr(path, '/');
    const size_t n = slash != NULL ? (size_t)(slash - path) + 1 : 0;
    struct dirent *e;
    if (n >= PATH_MAX)
        return;
    snprintf(folder, PATH_MAX, "%.*s", (int)n, path);
    DIR *d = opendir(n > 0 ? folder : ".");
    near->word = path + n;
    while (d != NULL && (e = readdir(d)) != NULL)
        if (e->d_name[0] != '.')
            app_nearest_try(near, e->d_name);
    if (d != NULL)
        closedir(d);
}

/* The message of a missing file, with the measure or the file that was
 * probably meant. */
static akin_status load_model(app *a, akin_model **out, const char *name)
{
    const char *const measures[] = {"euclidean", "cosine", "tfidf",
                                    "mahalanobis"};
    app_nearest near = {.word = name};
    char folder[PATH_MAX] = "";
    const akin_status st = akin_model_load(out, a->ctx, name);
    for (int i = 0; i < 4; ++i)
        app_nearest_try(&near, measures[i]);
    if (st == AKIN_ENOENT && near.best[0] == '\0')
        try_files(&near, name, folder);
    if (st == AKIN_ENOENT && near.best[0] != '\0')
        app_fail(a, st, "%s%s", akin_ctx_message(a->ctx),
                 app_nearest_hint(&near, folder).text);
    return st;
}

/* Read --data; where labels are to be predicted, their column may be missing.
 */
static akin_status read_data(app *a, cli_use *u, const use_flags *f,
                             cli_shape shape)
{
    akin_status st = cli_read_rows(a, &u->data, f->data, u->reading, shape);
    if (st == AKIN_EFORMAT && f->unlabelled && u->reading->label_column) {
        reading_flags plain = *u->reading;
        plain.label_column = NULL;
        st = cli_read_rows(a, &u->data, f->data, &plain, shape);
    }
    return st;
}

/* Replaces the model by its copy with left and right exchanged. */
static akin_status turn_model(app *a, akin_model **m, const char *path)
{
    akin_model *turned = NULL;
    const akin_status st =
        cli_in_file(a, akin_model_turn(&turned, a->ctx, *m), path);
    if (st == AKIN_OK) {
        akin_model_free(*m);
        *m = turned;
    }
    return st;
}

akin_status cli_load_model(app *a, akin_model **out, const char *path,
                           bool turned)
{
    akin_model *m = NULL;
    akin_status st = AKIN_OK;
    APP_TRY(load_model(a, &m, path));
    if (turned)
        APP_TRY(turn_model(a, &m, path));
    *out = m;
    m = NULL;
done:
    akin_model_free(m);
    return st;
}

akin_status cli_use_open(app *a, cli_use *u, const use_flags *f,
                         const reading_flags *reading, akin_side side,
                         const char *train)
{
    cli_shape shape = {0};
    akin_status st = AKIN_OK;
    *u = (cli_use){.path = f->data,
                   .name = f->model,
                   .reading = reading,
                   .as_is = f->as_is,
                   .builtin = akin_model_is_builtin(f->model)};
    if (!u->builtin) {
        APP_TRY(cli_load_model(a, &u->model, f->model, f->turned));
        shape = cli_shape_of_model(u->model, f->model, side, u->as_is);
    }
    APP_TRY(read_data(a, u, f, shape));
    u->first = shape_of_rows(u->data, f->data);
    if (u->builtin)
        APP_TRY(open_builtin(a, u, f->model, train));
    if (!f->raw)
        APP_TRY(prepare(a, u, &u->data, f->data, side));
done:
    return st;
}

akin_status cli_use_read(app *a, const cli_use *u, akin_rows **out,
                         const char *path, const char *labels, akin_side side)
{
    akin_rows *rows = NULL;
    reading_flags f = *u->reading;
    f.labels = labels;
    const cli_shape shape =
        u->builtin ? u->first
                   : cli_shape_of_model(u->model, u->name, side, u->as_is);
    akin_status st = AKIN_OK;
    APP_TRY(cli_read_rows(a, &rows, path, &f, shape));
    APP_TRY(prepare(a, u, &rows, path, side));
    *out = rows;
    rows = NULL;
done:
    akin_rows_free(rows);
    return st;
}

akin_status cli_use_right(app *a, const cli_use *u, akin_rows **out,
                          const char *path, const char *labels)
{
    const int64_t left = akin_model_dim(u->model, AKIN_LEFT);
    const int64_t right = akin_model_dim(u->model, AKIN_RIGHT);
    if (path != NULL)
        return cli_use_read(a, u, out, path, labels, AKIN_RIGHT);
    if (!akin_model_compares(u->model) || left == right)
        return AKIN_OK;
    return app_fail(a, AKIN_EINVAL,
                    "%s compares rows of %s, as in %s, with rows of %s "
                    "(--right FILE has these)",
                    u->name, app_counted(left, "column").text, u->path,
                    app_counted(right, "column").text);
}

void cli_use_close(cli_use *u)
{
    akin_rows_free(u->data);
    akin_model_free(u->model);
}

akin_status cli_forget_labels(app *a, akin_rows *rows)
{
    const int64_t n = akin_rows_count(rows);
    int32_t *none = NULL;
    akin_status st = AKIN_OK;
    APP_TRY(APP_NEW(a, n, &none));
    for (int64_t i = 0; i < n; ++i)
        none[i] = -1;
    APP_TRY(akin_rows_set_labels(a->ctx, rows, none, NULL, 0));
done:
    free(none);
    return st;
}

/* ---- files of examples ---- */

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

akin_status cli_no_examples(app *a, akin_knowledge kind, const char *path)
{
    char what[32];
    cli_knowledge_words(kind, what, sizeof what);
    return app_fail(a, AKIN_EFORMAT, "%s: there are no %s",
                    strcmp(path, "-") == 0 ? "standard input" : path, what);
}

/* ---- collections ---- */

/* A name that is a number goes before the number of a row. */
akin_status cli_item_row(app *a, akin_collection *c, const char *text,
                         int64_t *row)
{
    akin_item item;
    akin_status st = akin_collection_find(row, a->ctx, c, text);
    if (st == AKIN_OK || text[0] == '\0' ||
        text[strspn(text, "0123456789")] != '\0')
        return st;
    *row = strtoll(text, NULL, 10);
    st = akin_collection_item(&item, a->ctx, c, *row);
    return st;
}

bool cli_is_folder(const char *path)
{
    struct stat s;
    return stat(path, &s) == 0 && S_ISDIR(s.st_mode);
}

akin_status cli_item_model(app *a, const akin_collection *c, const char *name,
                           akin_model **out)
{
    akin_rows *rows = NULL;
    akin_status st = AKIN_OK;
    if (!akin_model_is_builtin(name))
        return load_model(a, out, name);
    APP_TRY(akin_collection_rows(&rows, a->ctx, c, NULL, NULL));
    APP_TRY(akin_model_builtin(out, a->ctx, name, rows));
done:
    akin_rows_free(rows);
    return st;
}

akin_status cli_item_set_model(app *a, const char *path, const char *model)
{
    akin_collection *c = NULL;
    akin_model *m = NULL;
    akin_status st = AKIN_OK;
    APP_TRY(akin_collection_open(&c, a->ctx, path));
    if (strcmp(model, "auto") != 0)
        APP_TRY(cli_item_model(a, c, model, &m));
    APP_TRY(cli_in_file(a, akin_collection_set_model(a->ctx, path, m), model));
    if (a->common.json)
        APP_TRY(app_json_print(
            a, APP_OBJECT(APP_KEY("model", model), APP_KEY("out", path))));
    else
        APP_TRY(app_report(a, "%s: searched by %s\n", path, model));
done:
    akin_model_free(m);
    akin_collection_close(c);
    return st;
}

akin_status cli_item_shown(app *a, const char *name, char **out)
{
    const akin_status st = app_alloc(a, (int64_t)strlen(name) + 1, 1, out);
    for (size_t i = 0; st == AKIN_OK && name[i] != '\0'; ++i)
        (*out)[i] = (unsigned char)name[i] < ' ' || name[i] == 0x7f ? '?'
                                                                    : name[i];
    return st;
}

akin_status cli_item_names(app *a, akin_index *x, int64_t first,
                           akin_collection *c, int64_t *ids)
{
    const int64_t n = akin_index_count(x) - first;
    char **names = NULL;
    akin_item item;
    akin_status st = AKIN_OK;
    APP_TRY(APP_NEW(a, n + 1, &names));
    for (int64_t i = 0; i < n; ++i) {
        APP_TRY(akin_collection_item(&item, a->ctx, c, i));
        APP_TRY(cli_item_shown(a, item.name, &names[i]));
        if (ids != NULL)
            ids[i] = item.id;
    }
    APP_TRY(
        akin_index_set_names(a->ctx, x, first, (const char *const *)names, n));
done:
    for (int64_t i = 0; i < n && names; ++i)
        free(names[i]);
    free(names);
    return st;
}
