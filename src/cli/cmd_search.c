/* akin search: the nearest rows of an index. */
#include <akin/index.h>
#include <akin/versions.h>
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "app/json.h"
#include "app/text.h"
#include "cli/collection/gallery.h"
#include "cli/commands.h"
#include "cli/load.h"

typedef struct own_flags {
    const char *index, *queries, *image, *text, *document;
    const char *model, *like, *unlike, *ignore;
    const char *score, *where, *feedback, *user, *html;
    int64_t top, effort, version;
    bool as_is, verify, exact;
} own_flags;

enum { VERIFIED = 100 };  // results of a query that --verify looks at

typedef struct search_flags {
    own_flags own;
    reading_flags reading;
} search_flags;

static const app_option own_options[] = {
    {"INDEX", NULL, APP_FIELD(own_flags, index),
     .help = "a file or folder from akin index, or a collection from akin "
             "images, documents or vectors",
     .flags = APP_ARGUMENT | APP_NEEDED},
    {"queries", "FILE", APP_FIELD(own_flags, queries),
     .help = "rows to find the nearest of, as they were before training"},
    {"image", "FILE", APP_FIELD(own_flags, image),
     .help = "a collection: a picture to find the nearest of; may be repeated, "
             "each is a query",
     .flags = APP_MANY},
    {"text", "WORDS", APP_FIELD(own_flags, text),
     .help = "a collection of documents: words to look for; may be repeated",
     .flags = APP_MANY},
    {"document", "FILE", APP_FIELD(own_flags, document),
     .help = "a collection of documents: a text to find the nearest of; may be "
             "repeated",
     .flags = APP_MANY},
    {"model", "MODEL", APP_FIELD(own_flags, model),
     .help = "a collection: search by this model, or by a measure without "
             "learning, instead of the collection's own; auto: version 0",
     .advanced = true},
    {"version", "V", APP_FIELD(own_flags, version),
     .help = "a collection: search by version V of its model (akin learn); 0 "
             "is the measure without learning",
     .max = 9e15, .advanced = true},
    {"top", "K", APP_FIELD(own_flags, top), .help = "rows to list for a query",
     .min = 1, .max = 1e9},
    {"like", "ROWS", APP_FIELD(own_flags, like),
     .help =
         "rows of the index, as in 12,408,77; of a collection also names of "
         "items and other files. A query is the mean of itself and these, or "
         "of these alone; none of them is listed. May be repeated",
     .flags = APP_MANY},
    {"unlike", "ROWS", APP_FIELD(own_flags, unlike),
     .help = "subtract half the mean of these rows from a query",
     .flags = APP_MANY},
    {"where", "CONDITION", APP_FIELD(own_flags, where),
     .help = "a collection: list only items of which it is true, as in 'date "
             ">= 2020 AND label = cat'"},
    {"html", "OUT.html", APP_FIELD(own_flags, html),
     .help = "a collection: also write the results as a page, with thumbnails "
             "or the beginnings of texts",
     .flags = APP_OUTPUT},
    {"feedback", "auto|none|mean|learn|expand", APP_FIELD(own_flags, feedback),
     .help = "a collection: how examples, and what akin feedback has of the "
             "query, count. mean: as their mean; learn: "
             "also by weights that separate them from other items; expand: "
             "also with the first answers as examples",
     .advanced = true},
    {"user", "USER", APP_FIELD(own_flags, user),
     .help = "a collection: who searches. Their model is used, if they have "
             "one (akin learn --user), and their feedback on the query has the "
             "last word",
     .advanced = true},
    {"verify", NULL, APP_FIELD(own_flags, verify),
     .help = "pictures: of the best 100, list those first whose features move "
             "together from the query to them",
     .needs = "image|like"},
    {"exact", NULL, APP_FIELD(own_flags, exact),
     .help = "miss no item of a large collection; print scores with 17 "
             "significant digits, not 6; JSON has 17"},
    {"ignore", "FILE", APP_FIELD(own_flags, ignore),
     .help = "lines `query row`: rows that a query does not list",
     .advanced = true},
    {"score", "dot|cosine|distance", APP_FIELD(own_flags, score),
     .help = "how rows are compared in the learned space; without it, as the "
             "index was made for",
     .advanced = true},
    {"effort", "N", APP_FIELD(own_flags, effort),
     .help = "hnsw: candidates of a query; more find more", .max = 1e9,
     .zero = "auto", .advanced = true},
    {"as-is", NULL, APP_FIELD(own_flags, as_is),
     .help = "queries have been through the recipe already", .advanced = true},
};

static const app_group own_group = APP_GROUP(
    "Index and queries", own_options,
    (&(const own_flags){.top = 10, .version = -1, .feedback = "auto"}));

typedef struct answer {
    int64_t n, top;
    int64_t *rows;
    double *scores;
    int64_t *agreeing;  // features that move together; NULL: not verified
} answer;

/* --like and --unlike: rows of an index, pictures of a collection, other
 * pictures. */
typedef struct examples {
    int64_t *rows;
    int64_t n;
    akin_rows *others;  // pictures that are not in the collection
} examples;

/* What is searched, and by what. */
typedef struct work {
    akin_collection *c;  // NULL: an index
    akin_model *model;
    akin_index *x;
    akin_rows *queries;
    akin_lists *ignore;
    examples like, unlike;
} work;

/* ---- results ---- */

static akin_status print_lines(app *a, const work *w, const answer *r)
{
    akin_status st = AKIN_OK;
    for (int64_t i = 0; i < r->n * r->top && st == AKIN_OK; ++i) {
        akin_item p = {0};
        char *name = NULL;
        if (r->rows[i] < 0)
            continue;
        if (w->c != NULL)
            APP_TRY(akin_collection_item(&p, a->ctx, w->c, r->rows[i]));
        else
            p.name = akin_index_name(w->x, r->rows[i]);
        if (p.name != NULL)
            APP_TRY(cli_item_shown(a, p.name, &name));
        st = app_print(a, "%" PRId64 " %" PRId64 " %" PRId64 " %s%s%s\n",
                       i / r->top, i % r->top + 1, r->rows[i],
                       app_score(a, r->scores[i]).text, name ? " " : "",
                       name ? name : "");
        free(name);
    }
done:
    return st;
}

/* Row and score; of a collection also where the picture is. */
static akin_status hit_of(app *a, const work *w, const answer *r, int64_t k,
                          json_t *hits)
{
    json_t *hit =
        APP_OBJECT(APP_KEY("row", r->rows[k]), APP_KEY("score", r->scores[k]));
    akin_item p;
    akin_status st = AKIN_OK;
    if (w->c != NULL) {
        APP_TRY(akin_collection_item(&p, a->ctx, w->c, r->rows[k]));
        APP_TRY(app_json_set(a, hit, "name", app_json_string(p.name)));
        APP_TRY(app_json_set(a, hit, "id", json_integer(p.id)));
        if (p.path != NULL)
            APP_TRY(app_json_set(a, hit, "file", app_json_string(p.path)));
    } else if (akin_index_name(w->x, r->rows[k]) != NULL) {
        APP_TRY(
            app_json_set(a, hit, "name",
                         app_json_string(akin_index_name(w->x, r->rows[k]))));
    }
    if (r->agreeing != NULL)
        APP_TRY(app_json_set(a, hit, "agreeing", json_integer(r->agreeing[k])));
    json_array_append(hits, hit);
done:
    json_decref(hit);
    return st;
}

/* A query that is a file or a text says so. */
static json_t *result_of(const app *a, int64_t t, json_t *hits)
{
    static const char *const flags[] = {"image", "text", "document"};
    json_t *result = APP_OBJECT(APP_KEY("query", t));
    for (size_t k = 0; k < sizeof flags / sizeof *flags; ++k)
        app_json_add_text(result, flags[k], app_value_at(a, flags[k], t));
    json_object_set_new(result, "hits", hits);
    return result;
}

static akin_status print_json(app *a, const work *w, const answer *r)
{
    json_t *results = json_array();
    akin_status st = AKIN_OK;
    for (int64_t t = 0; t < r->n && st == AKIN_OK; ++t) {
        json_t *hits = json_array();
        for (int64_t k = t * r->top; k < (t + 1) * r->top; ++k)
            if (r->rows[k] >= 0 && st == AKIN_OK)
                st = hit_of(a, w, r, k, hits);
        json_array_append_new(results, result_of(a, t, hits));
    }
    if (st == AKIN_OK)
        return app_json_print(a, APP_OBJECT(APP_KEY("results", results)));
    json_decref(results);
    return st;
}

/* ---- examples ---- */

/* What one flag --like or --unlike adds to. */
typedef struct example_list {
    app *a;
    const char *flag;
    akin_collection *c;   // NULL: an index
    const akin_index *x;  // then this
    examples *out;
    const char **files;  // pictures that are not in the collection
    int64_t n_files;
} example_list;

/* Pictures as rows; a note where no features are found in them. */
static akin_status describe(app *a, akin_collection *c,
                            const char *const *files, int64_t n,
                            akin_rows **out)
{
    akin_status st = AKIN_OK;
    APP_TRY(akin_collection_describe(out, a->ctx, c, files, n));
    if (akin_rows_nonzeros(*out) == 0)
        app_remark(a, "%s: no features found in it", files[0]);
done:
    return st;
}

/* A name, or else the number of a row. */
static akin_status take_row(example_list *l, const char *text)
{
    const int64_t row = akin_index_find(l->x, text);
    const bool number = text[0] != '\0' &&
                        text[strspn(text, "0123456789")] == '\0';
    if (row < 0 && !number)
        return app_fail(l->a, AKIN_EINVAL,
                        "--%s: no row of the index is called '%s'", l->flag,
                        app_shown(text));
    l->out->rows[l->out->n++] = row < 0 ? strtoll(text, NULL, 10) : row;
    return AKIN_OK;
}

/* A row, a name or a file; when it is none of these, the message is set. */
static akin_status take_one(example_list *l, const char *text)
{
    if (l->c == NULL)
        return take_row(l, text);
    akin_status st = cli_item_row(l->a, l->c, text, &l->out->rows[l->out->n]);
    if (st == AKIN_OK)
        ++l->out->n;
    else if (text[0] != '\0' && access(text, F_OK) == 0) {
        l->files[l->n_files++] = text;
        st = AKIN_OK;
    }
    return st;
}

/* Split `text` at its commas, unless the whole text is a name. */
static akin_status take_value(example_list *l, char *text)
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

static akin_status append_rows(app *a, examples *out, const char *flag,
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

/* Bytes of all values together, each with a terminating zero. */
static int64_t room_of(const app *a, const char *flag)
{
    const char *text;
    int64_t room = 0;
    for (int64_t k = 0; (text = app_value_at(a, flag, k)) != NULL; ++k)
        room += (int64_t)strlen(text) + 1;
    return room;
}

/* All values of a flag, of which each is "12,k1/a.jpg,new.jpg", or a single
 * name with commas in it. An index without names: numbers alone. */
static akin_status read_examples(app *a, examples *out, const work *w,
                                 const char *flag)
{
    const int64_t room = room_of(a, flag);
    const bool named = w->c != NULL || akin_index_has_names(w->x);
    example_list l = {.a = a, .flag = flag, .c = w->c, .x = w->x, .out = out};
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
        APP_TRY(named ? take_value(&l, at) : append_rows(a, out, flag, text));
        at += strlen(text) + 1;
    }
    if (l.n_files > 0)
        APP_TRY(describe(a, w->c, l.files, l.n_files, &out->others));
done:
    free(copy);
    free(l.files);
    return st;
}

static void free_examples(examples *l)
{
    free(l->rows);
    akin_rows_free(l->others);
    *l = (examples){0};
}

/* ---- queries and the search ---- */

/* The flag whose values are queries, NULL: --queries, or none. */
static const char *query_flag(const own_flags *f)
{
    return f->image      ? "image"
           : f->text     ? "text"
           : f->document ? "document"
                         : NULL;
}

/* Each value of the flag is a query. */
static akin_status describe_values(app *a, work *w, const char *flag)
{
    const char *values[APP_MOST_WORDS + 1];
    int64_t n = 0;
    akin_status st = AKIN_OK;
    while ((values[n] = app_value_at(a, flag, n)) != NULL)
        ++n;
    APP_TRY(akin_collection_ask(
        a->ctx, w->c, strcmp(flag, "image") == 0 ? "images" : "documents"));
    if (strcmp(flag, "text") != 0)
        return describe(a, w->c, values, n, &w->queries);
    APP_TRY(akin_collection_describe_text(&w->queries, a->ctx, w->c, values,
                                          NULL, n));
    if (akin_rows_nonzeros(w->queries) == 0)
        app_remark(a, "no document has any of these words");
done:
    return st;
}

static akin_status read_queries(app *a, const search_flags *f, work *w)
{
    cli_shape shape = {0};
    akin_status st = AKIN_OK;
    if (query_flag(&f->own) != NULL)
        return describe_values(a, w, query_flag(&f->own));
    if (f->own.queries == NULL)
        return AKIN_OK;
    if (w->c == NULL)
        shape = cli_shape_of_index(w->x, f->own.index, AKIN_LEFT);
    else {
        APP_TRY(akin_collection_index_base(&shape.index_base, a->ctx, w->c));
        shape.dim = w->model ? 0 : akin_collection_dim(w->c);
    }
    if (f->own.as_is && w->x != NULL)
        shape.dim = akin_model_dim(akin_index_model(w->x), AKIN_LEFT);
    APP_TRY(cli_read_rows(a, &w->queries, f->own.queries, &f->reading, shape));
done:
    return st;
}

static akin_status check_flags(app *a, const own_flags *f)
{
    const char *flag = query_flag(f)     ? query_flag(f)
                       : f->model        ? "model"
                       : f->version >= 0 ? "version"
                       : f->where        ? "where"
                       : f->html         ? "html"
                       : f->verify       ? "verify"
                                         : NULL;
    if (flag != NULL && access(f->index, F_OK) != 0)
        return app_fail(a, AKIN_ENOENT, "%s: %s", f->index, strerror(errno));
    if (flag != NULL &&
        (!cli_is_folder(f->index) || akin_index_is_folder(f->index)))
        return app_fail(a, AKIN_EINVAL,
                        "--%s needs a collection, and %s is not one", flag,
                        f->index);
    return AKIN_OK;
}

/* Search by another model than the collection's own. */
static akin_status use_model(app *a, const own_flags *f, work *w)
{
    const bool automatic = f->model != NULL && strcmp(f->model, "auto") == 0;
    akin_status st = AKIN_OK;
    if (f->model != NULL && !automatic) {
        APP_TRY(cli_item_model(a, w->c, f->model, &w->model));
        return cli_in_file(a, akin_collection_use(a->ctx, w->c, w->model),
                           f->model);
    }
    if (f->version < 0 && !automatic)
        return AKIN_OK;
    APP_TRY(akin_collection_version_model(&w->model, a->ctx, w->c,
                                          automatic ? 0 : f->version));
    APP_TRY(akin_collection_use(a->ctx, w->c, w->model));
done:
    return st;
}

static akin_status open_index(app *a, const own_flags *f, work *w)
{
    akin_status st = AKIN_OK;
    if (!cli_is_folder(f->index) || akin_index_is_folder(f->index))
        return akin_index_load(&w->x, a->ctx, f->index);
    APP_TRY(akin_collection_open(&w->c, a->ctx, f->index));
    if (akin_collection_is_open(w->c) == 1)
        app_remark(
            a,
            "%s: the last run was interrupted; repeat the command to resume it",
            f->index);
    APP_TRY(use_model(a, f, w));
done:
    return st;
}

/* The options that an index and a collection have alike. */
#define SHARED_OPTIONS(f, w, r)                                           \
    .top = (r)->top, .by = cli_compare((f)->score), .as_is = (f)->as_is,  \
    .effort = (f)->effort, .ignore = (w)->ignore, .like = (w)->like.rows, \
    .n_like = (w)->like.n, .unlike = (w)->unlike.rows,                    \
    .n_unlike = (w)->unlike.n

static akin_status search_index(app *a, const own_flags *f, const work *w,
                                answer *r)
{
    const akin_search_options o = {.size = sizeof o, SHARED_OPTIONS(f, w, r)};
    return akin_index_search(&r->rows, &r->scores, a->ctx, w->x, w->queries,
                             &o);
}

static akin_status search_collection(app *a, const own_flags *f, const work *w,
                                     answer *r)
{
    const akin_find_options o = {.size = sizeof o,
                                 SHARED_OPTIONS(f, w, r),
                                 .like_rows = w->like.others,
                                 .unlike_rows = w->unlike.others,
                                 .where = f->where,
                                 .feedback = f->feedback,
                                 .user = f->user,
                                 .exact = f->exact};
    return akin_collection_search(&r->rows, &r->scores, a->ctx, w->c,
                                  w->queries, &o);
}

static int64_t count_rows(const work *w)
{
    return w->x ? akin_index_count(w->x) : akin_collection_count(w->c);
}

/* The picture of query t that results are compared with: a file, or a row. */
static akin_status picture_of(app *a, const work *w, int64_t t,
                              const char **file, int64_t *row)
{
    *file = app_value_at(a, "image", t);
    *row = w->like.n > 0 ? w->like.rows[0] : -1;
    if (*file == NULL && (*row < 0 || w->like.n > 1 || w->like.others))
        return app_fail(a, AKIN_EINVAL,
                        "--verify compares with one picture (--image FILE, or "
                        "one of the collection in --like)");
    return AKIN_OK;
}

/* Put results whose features move together first, and keep `top` of each
 * query. */
static akin_status verify(app *a, const work *w, answer *r, int64_t top)
{
    akin_status st = AKIN_OK;
    APP_TRY(APP_NEW(a, r->n * r->top, &r->agreeing));
    for (int64_t t = 0; t < r->n; ++t) {
        const int64_t from = t * r->top, to = t * top;
        const char *file;
        int64_t row;
        APP_TRY(picture_of(a, w, t, &file, &row));
        APP_TRY(akin_collection_verify(
            r->rows + from, r->scores + from, r->agreeing + from, a->ctx, w->c,
            file, row, r->top < VERIFIED ? r->top : VERIFIED));
        for (int64_t k = 0; k < top; ++k) {
            r->rows[to + k] = r->rows[from + k];
            r->scores[to + k] = r->scores[from + k];
            r->agreeing[to + k] = r->agreeing[from + k];
        }
    }
    r->top = top;
done:
    return st;
}

static akin_status search(app *a, const search_flags *f, work *w, answer *r)
{
    const own_flags *own = &f->own;
    const int64_t n = count_rows(w);
    akin_status st = AKIN_OK;
    APP_TRY(read_examples(a, &w->like, w, "like"));
    APP_TRY(read_examples(a, &w->unlike, w, "unlike"));
    APP_TRY(read_queries(a, f, w));
    r->n = w->queries ? akin_rows_count(w->queries) : 1;
    const int64_t wanted = own->top > n && n > 0 ? n : own->top;
    r->top = own->verify && wanted < VERIFIED ? VERIFIED : wanted;
    if (own->ignore != NULL)
        APP_TRY(akin_lists_read(&w->ignore, a->ctx, own->ignore, r->n, n));
    st = w->c ? search_collection(a, own, w, r) : search_index(a, own, w, r);
    APP_TRY(st == AKIN_ESHAPE && own->queries ? cli_in_file(a, st, own->queries)
                                              : st);
    if (own->verify)
        APP_TRY(verify(a, w, r, wanted));
done:
    return st;
}

/* What a query was, for people. */
static const char *title_of(const app *a, const own_flags *f, int64_t t)
{
    if (query_flag(f) != NULL)
        return app_value_at(a, query_flag(f), t);
    return f->queries ? f->queries : f->like;
}

static akin_status write_page(app *a, const own_flags *f, const work *w,
                              const answer *r)
{
    gallery_results *results = NULL;
    akin_status st = AKIN_OK;
    if (f->html == NULL)
        return AKIN_OK;
    APP_TRY(APP_NEW(a, r->n, &results));
    for (int64_t t = 0; t < r->n; ++t)
        results[t] = (gallery_results){title_of(a, f, t), r->rows + t * r->top,
                                       r->scores + t * r->top, r->top};
    APP_TRY(gallery_write(a, f->html, w->c, results, r->n));
done:
    free(results);
    return st;
}

static akin_status run(app *a, const void *flags)
{
    const search_flags *f = flags;
    work w = {0};
    answer r = {0};
    akin_status st = AKIN_OK;
    APP_TRY(check_flags(a, &f->own));
    APP_TRY(open_index(a, &f->own, &w));
    APP_TRY(search(a, f, &w, &r));
    APP_TRY(write_page(a, &f->own, &w, &r));
    APP_TRY(a->common.json ? print_json(a, &w, &r) : print_lines(a, &w, &r));
done:
    akin_free(r.rows);
    akin_free(r.scores);
    free(r.agreeing);
    akin_index_free(w.x);
    akin_model_free(w.model);
    akin_collection_close(w.c);
    akin_rows_free(w.queries);
    akin_lists_free(w.ignore);
    free_examples(&w.like);
    free_examples(&w.unlike);
    return st;
}

const app_command cmd_search = {
    .name = "search",
    .section = "use",
    .summary = "nearest items",
    .about =
        "Print lines `query rank row score`, the best row of a query first; "
        "equal scores are ordered by row number. Queries are numbered from 0, "
        "ranks from 1, rows as they were put into the index.\n"
        "--like and --unlike search by examples from the index, alone or "
        "together with each of --queries.\n"
        "Names follow the score where items have any, as in a collection. "
        "--image, --document and --text search by what is in a file or text; "
        "--like and --unlike take rows, names and files.",
    .examples = "akin search photos.akin --image new.jpg --top 10\n"
                "akin search news.akin --text 'the moon landing'\n"
                "akin search photos.akin --like 12,tower/3.jpg,new.jpg\n"
                "akin search rows.index --queries new.svm --top 10\n"
                "akin search rows.index --like 12,408,77 --unlike 9 --top 10",
    .size = sizeof(search_flags),
    .needs = "queries|like|image|text|document",
    .excludes = "queries|image|text|document model|version",
    APP_PARTS({&own_group, offsetof(search_flags, own)},
              {&cli_reading_group, offsetof(search_flags, reading)}),
    .shared = true,
    .run = run,
};
