/* An export against the index it is of: queries become vectors as its query
 * side says, and meet every item as its engine stores it. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "export/export.h"
#include "index/index.h"
#include "model/compare.h"

enum { WINDOW = 1000 };  // of a rescore, as query.py has it

/* The sum of terms of a score, the size of these, and the sum of those above
 * 0. */
typedef struct sums {
    double score, size, plus;
} sums;

typedef struct hit {
    int64_t id;
    sums s;
} hit;

typedef struct checking {
    const ak_export *e;
    const akin_index *x;
    const int64_t *ids;  // of rows of the index; NULL: their numbers
    akin_export_check *out;
    int64_t top;
    double *z, *v;  // of a query
    double *plus;   // of each item
    hit *best;      // top
    int64_t found;  // of the items that the index finds
    int64_t wanted;
} checking;

static bool has_ranks(const ak_export *e)
{
    return e->sparse && (e->engine == &ak_engine_opensearch ||
                         e->engine == &ak_engine_elasticsearch);
}

/* A number as the engine keeps it: Lucene has the upper 17 bits of one in
 * rank_features. */
static double stored(const ak_export *e, float x)
{
    uint32_t bits = 0;
    if (!has_ranks(e))
        return (double)x;
    memcpy(&bits, &x, sizeof bits);
    bits &= ~UINT32_C(0x7fff);
    memcpy(&x, &bits, sizeof bits);
    return (double)x;
}

static sums score_item(const checking *k, int64_t i, double square)
{
    const ak_row u = ak_row_of(k->e->items.rows, i);
    sums s = {0};
    double own = 0.0;
    for (int64_t c = 0; c < u.n; ++c) {
        const double x = stored(k->e, u.vals[c]), y = k->v[ak_row_col(&u, c)];
        s.score += x * y;
        s.size += fabs(x * y);
        s.plus += fmax(0.0, x * y);
        own += x * x;
    }
    if (k->e->distance)
        s = (sums){-fmax(0.0, square + own - 2.0 * s.score), square + own, 0.0};
    return s;
}

static int decreasing(const void *a, const void *b)
{
    return ak_compare_f64(b, a);
}

/* Engines with ranks find items by their terms above 0, and subtract those
 * below 0 from the first WINDOW of them, or as many as are asked for. An item
 * of the window has `least` or more; so many as `ties` have just that. */
typedef struct window {
    double least;
    int64_t ties;
} window;

static window find_window(const checking *k)
{
    const int64_t n = k->e->items.n, size = ak_max_i64(WINDOW, k->top);
    window w = {0.0, n};
    if (!has_ranks(k->e) || n <= size)
        return w;
    for (int64_t i = 0; i < n; ++i)
        k->plus[i] = score_item(k, i, 0.0).plus;
    qsort(k->plus, (size_t)n, sizeof *k->plus, decreasing);
    w = (window){k->plus[size - 1], size};
    while (k->plus[size - w.ties] > w.least)
        --w.ties;
    return w;
}

/* The best items of the vector k->v; returns their number. */
static int64_t rank(const checking *k)
{
    const ak_items *items = &k->e->items;
    double square = 0.0;
    int64_t n = 0;
    window w = find_window(k);
    for (int64_t c = 0; c < k->e->dim; ++c)
        square += k->v[c] * k->v[c];
    for (int64_t i = 0; i < items->n; ++i) {
        const hit h = {items->ids[i], score_item(k, i, square)};
        if (h.s.plus < w.least || (h.s.plus == w.least && w.ties-- <= 0))
            continue;
        int64_t at = n < k->top ? n : k->top;
        while (at > 0 && k->best[at - 1].s.score < h.s.score)
            --at;
        if (at == k->top)
            continue;
        n += n < k->top;
        memmove(k->best + at + 1, k->best + at,
                (size_t)(n - at - 1) * sizeof *k->best);
        k->best[at] = h;
    }
    return n;
}

/* One query: the hits of the index, and those of the export. */
static void compare(checking *k, const int64_t *rows, const double *scores,
                    int64_t n)
{
    double worst = 0.0;
    for (int64_t t = 0; t < k->top && rows[t] >= 0; ++t) {
        const int64_t id = k->ids ? k->ids[rows[t]] : rows[t];
        if (has_ranks(k->e) && !(scores[t] > 0.0))
            break;  // nothing of positive weight: the engine finds no such item
        ++k->wanted;
        for (int64_t c = 0; c < n; ++c)
            k->found += k->best[c].id == id;
        if (t >= n) {
            worst = INFINITY;
            continue;
        }
        const sums s = k->best[t].s;
        const double size = k->out->is_exact ? fmax(1.0, fabs(scores[t]))
                                             : fmax(s.size, 1e-30);
        worst = fmax(worst, fabs(scores[t] - s.score) / size);
    }
    k->out->difference = fmax(k->out->difference, worst);
    k->out->equal += worst <= k->out->tolerance;
}

/* What the engine keeps of a number decides how near scores can be. */
static void set_tolerance(const ak_export *e, akin_export_check *out)
{
    out->is_exact = !e->half && !has_ranks(e);
    out->tolerance = has_ranks(e) ? 1.0 / 256.0 : e->half ? 1.0 / 1024.0 : 1e-5;
}

/* Row i of the vectors that the model itself gives. */
static void take_embedded(const checking *k, const akin_rows *rows, int64_t i)
{
    const ak_row u = ak_row_of(rows, i);
    double square = 0.0;
    memset(k->v, 0, (size_t)k->e->dim * sizeof *k->v);
    for (int64_t c = 0; c < u.n; ++c) {
        k->v[ak_row_col(&u, c)] = (double)u.vals[c];
        square += (double)u.vals[c] * (double)u.vals[c];
    }
    if (k->e->query.length != AK_LENGTH_NONE && square > 0.0)
        for (int64_t c = 0; c < k->e->dim; ++c)
            k->v[c] /= sqrt(square);
}

static akin_status check_fit(const ak_export *e, akin_ctx *ctx,
                             const akin_index *x)
{
    if (e->items.n != akin_index_present(x))
        return ak_fail(ctx, AKIN_ESHAPE,
                       "%s: %" PRId64 " items (the index has %" PRId64 ")",
                       e->folder, e->items.n, akin_index_present(x));
    if (e->dim != ak_index_dim(x))
        return ak_fail(ctx, AKIN_ESHAPE,
                       "%s: vectors of %" PRId64
                       " numbers (those of the index have %" PRId64 ")",
                       e->folder, e->dim, ak_index_dim(x));
    return AKIN_OK;
}

/* The queries in the learned space, where the export does not place them. */
static akin_status embed_queries(akin_rows **out, akin_ctx *ctx,
                                 const akin_index *x, const akin_rows *queries)
{
    akin_rows *ready = NULL;
    akin_status st = AKIN_OK;
    AK_TRY(akin_model_prepare(&ready, ctx, x->model, queries, AKIN_LEFT));
    AK_TRY(ak_model_embed(out, ctx, x->model, ready, AKIN_LEFT));
done:
    akin_rows_free(ready);
    return st;
}

static akin_status run(checking *k, akin_ctx *ctx, const akin_rows *queries)
{
    const ak_mark mark = ak_scratch_begin(ctx);
    akin_search_options o = AKIN_SEARCH_DEFAULTS;
    akin_rows *embedded = NULL;
    int64_t *rows = NULL;
    double *scores = NULL;
    akin_status st = AKIN_OK;
    o.top = k->top;
    o.effort = k->x->n;
    o.by = k->e->distance                         ? AKIN_BY_DISTANCE
           : k->e->query.length == AK_LENGTH_NONE ? AKIN_BY_DOT
                                                  : AKIN_BY_COSINE;
    AK_TRY(akin_index_search(&rows, &scores, ctx, k->x, queries, &o));
    if (!k->e->query.known)
        AK_TRY(embed_queries(&embedded, ctx, k->x, queries));
    AK_TRY(AK_SCRATCH(ctx, k->e->query.d, &k->z));
    AK_TRY(AK_SCRATCH(ctx, k->e->dim, &k->v));
    AK_TRY(AK_SCRATCH(ctx, k->top + 1, &k->best));
    AK_TRY(AK_SCRATCH(ctx, k->e->items.n, &k->plus));
    for (int64_t i = 0; i < queries->n; ++i) {
        const int64_t bad =
            embedded
                ? -1
                : ak_query_side_apply(&k->e->query, queries, i, k->z, k->v);
        if (bad >= 0)  // line 1 is the header
            AK_TRY(ak_fail(ctx, AKIN_EFORMAT,
                           "%s/features.csv:%" PRId64
                           ": too large a number: query %" PRId64
                           " is not finite as a vector",
                           k->e->folder, bad + 2, i));
        if (embedded != NULL)
            take_embedded(k, embedded, i);
        compare(k, rows + i * k->top, scores + i * k->top, rank(k));
        AK_TRY(ak_ctx_tick(ctx, "queries", i + 1, queries->n, NAN));
    }
done:
    akin_free(rows);
    akin_free(scores);
    akin_rows_free(embedded);
    ak_scratch_end(ctx, mark);
    return st;
}

akin_status akin_export_verify(akin_export_check *out, akin_ctx *ctx,
                               const akin_index *x, const char *folder,
                               const akin_rows *queries,
                               const akin_export_check_options *options)
{
    akin_export_check_options o = AKIN_EXPORT_CHECK_DEFAULTS;
    akin_export_check made = {0};
    ak_export e = {0};
    akin_status st = AKIN_OK;
    ak_options_take(&o, sizeof o, options);
    if (o.top < 1)
        AK_TRY(ak_fail(ctx, AKIN_EINVAL,
                       "`top` is %" PRId64 " (must be at least 1)", o.top));
    AK_TRY(ak_export_open(&e, ctx, folder));
    AK_TRY(check_fit(&e, ctx, x));
    set_tolerance(&e, &made);
    checking k = {.e = &e,
                  .x = x,
                  .ids = o.ids,
                  .out = &made,
                  .top = ak_max_i64(1, ak_min_i64(o.top, e.items.n))};
    AK_TRY(run(&k, ctx, queries));
    made.queries = queries->n;
    made.items = e.items.n;
    made.recall = k.wanted > 0 ? (double)k.found / (double)k.wanted : 1.0;
    strcpy(made.to, e.engine->name);
    *out = made;
done:
    ak_export_free(&e);
    return st;
}
