/* akin search: the nearest rows of an index. */
#include <akin/index.h>
#include <inttypes.h>
#include <stdlib.h>

#include "app/json.h"
#include "app/text.h"
#include "cli/commands.h"
#include "cli/load.h"
#include "cli/row_list.h"

typedef struct own_flags {
    const char *index, *queries, *like, *unlike, *ignore, *score;
    int64_t top, effort;
    bool as_is;
} own_flags;

typedef struct search_flags {
    own_flags own;
    reading_flags reading;
} search_flags;

static const app_option own_options[] = {
    {"INDEX", NULL, APP_FIELD(own_flags, index),
     .help = "a file from akin index", .flags = APP_ARGUMENT | APP_NEEDED},
    {"queries", "FILE", APP_FIELD(own_flags, queries),
     .help = "rows to find the nearest of, as they were before training"},
    {"top", "K", APP_FIELD(own_flags, top), .help = "rows to list for a query",
     .min = 1, .max = 1e9},
    {"like", "ROWS", APP_FIELD(own_flags, like),
     .help = "rows of the index, as in 12,408,77: a query is the mean of "
             "itself and these, or of these alone; none of them is listed"},
    {"unlike", "ROWS", APP_FIELD(own_flags, unlike),
     .help = "half of the mean of these rows is taken off a query"},
    {"ignore", "FILE", APP_FIELD(own_flags, ignore),
     .help = "lines `query row`: rows that a query does not list"},
    {"score", "dot|cosine|distance", APP_FIELD(own_flags, score),
     .help = "how rows are compared in the learned space; without it, as the "
             "index was made for"},
    {"effort", "N", APP_FIELD(own_flags, effort),
     .help = "hnsw: candidates of a query, more of them find more", .max = 1e9,
     .zero = "auto"},
    {"as-is", NULL, APP_FIELD(own_flags, as_is),
     .help = "queries have been through the recipe already"},
};

static const app_group own_group = APP_GROUP("Index and queries", own_options,
                                             (&(const own_flags){.top = 10}));

typedef struct answer {
    int64_t n, top;
    int64_t *rows;
    double *scores;
} answer;

static akin_status print_lines(app *a, const answer *r)
{
    akin_status st = AKIN_OK;
    for (int64_t i = 0; i < r->n * r->top && st == AKIN_OK; ++i)
        if (r->rows[i] >= 0)
            st = app_print(a, "%" PRId64 " %" PRId64 " %" PRId64 " %s\n",
                           i / r->top, i % r->top + 1, r->rows[i],
                           app_real(r->scores[i]).text);
    return st;
}

static akin_status print_json(app *a, const answer *r)
{
    json_t *results = json_array();
    for (int64_t t = 0; t < r->n; ++t) {
        json_t *hits = json_array();
        for (int64_t k = t * r->top; k < (t + 1) * r->top; ++k)
            if (r->rows[k] >= 0)
                json_array_append_new(
                    hits, json_pack("{s:I, s:o}", "row", (json_int_t)r->rows[k],
                                    "score", app_json_real(r->scores[k])));
        json_array_append_new(results, json_pack("{s:I, s:o}", "query",
                                                 (json_int_t)t, "hits", hits));
    }
    return app_json_print(a, json_pack("{s:o}", "results", results));
}

static akin_status read_queries(app *a, const search_flags *f,
                                const akin_index *x, akin_rows **out)
{
    cli_shape shape = cli_shape_of_index(x, f->own.index, AKIN_LEFT);
    if (f->own.queries == NULL)
        return AKIN_OK;
    if (f->own.as_is)
        shape.dim = akin_model_dim(akin_index_model(x), AKIN_LEFT);
    return cli_read_rows(a, out, f->own.queries, &f->reading, shape);
}

static akin_status check_flags(app *a, const own_flags *f)
{
    if (f->queries != NULL || f->like != NULL)
        return AKIN_OK;
    return app_fail(a, AKIN_EINVAL,
                    "search needs --queries FILE or --like ROWS (see akin "
                    "help search)");
}

static akin_status run(app *a, const void *flags)
{
    const search_flags *f = flags;
    akin_search_options o = AKIN_SEARCH_DEFAULTS;
    int64_t *like = NULL, *unlike = NULL;
    akin_lists *ignore = NULL;
    akin_rows *queries = NULL;
    akin_index *x = NULL;
    answer r = {.n = 1, .top = f->own.top};
    akin_status st = AKIN_OK;

    APP_TRY(check_flags(a, &f->own));
    APP_TRY(cli_row_list(a, &like, &o.n_like, "like", f->own.like));
    APP_TRY(cli_row_list(a, &unlike, &o.n_unlike, "unlike", f->own.unlike));
    APP_TRY(akin_index_load(&x, a->ctx, f->own.index));
    APP_TRY(read_queries(a, f, x, &queries));
    if (queries != NULL)
        r.n = akin_rows_count(queries);
    if (f->own.ignore != NULL)
        APP_TRY(akin_lists_read(&ignore, a->ctx, f->own.ignore, r.n,
                                akin_index_count(x)));
    if (r.top > akin_index_count(x) && akin_index_count(x) > 0)
        r.top = akin_index_count(x);
    o.top = r.top;
    o.by = cli_compare(f->own.score);
    o.as_is = f->own.as_is;
    o.effort = f->own.effort;
    o.ignore = ignore;
    o.like = like;
    o.unlike = unlike;
    st = akin_index_search(&r.rows, &r.scores, a->ctx, x, queries, &o);
    APP_TRY(st == AKIN_ESHAPE && queries ? cli_in_file(a, st, f->own.queries)
                                         : st);
    APP_TRY(a->common.json ? print_json(a, &r) : print_lines(a, &r));
done:
    akin_free(a->ctx, r.rows);
    akin_free(a->ctx, r.scores);
    akin_index_free(x);
    akin_rows_free(queries);
    akin_lists_free(ignore);
    free(like);
    free(unlike);
    return st;
}

const app_command cmd_search = {
    .name = "search",
    .section = "use",
    .summary = "nearest items",
    .about = "Lines `query rank row score` on standard output, the best row "
             "of a query first, ties by row number. Queries are numbered from "
             "0, ranks from 1, rows as they were put into the index.\n"
             "--like and --unlike search by examples that are in the index, "
             "alone or together with each of --queries.",
    .examples = "akin search rows.index --queries new.svm --top 10\n"
                "akin search rows.index --like 12,408,77 --unlike 9 --top 10",
    .size = sizeof(search_flags),
    APP_PARTS({&own_group, offsetof(search_flags, own)},
              {&cli_reading_group, offsetof(search_flags, reading)}),
    .run = run,
};
