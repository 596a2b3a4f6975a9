/* Items of the same content, and items that are nearly the same.
 *
 * The same content has the same hash. Of each content one item is searched for
 * by its raw features, whatever model the collection has, and what is found at
 * a score of `at_least` or more is nearly the same. Such pairs join groups: two
 * items may be in a group by way of a third. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "collection/collection.h"
#include "collection/derive.h"
#include "data/rows.h"

enum { BATCH = 256, NEIGHBOURS = 16 };

typedef struct grouping {
    akin_ctx *ctx;
    akin_collection *c;
    int64_t n;        // items, by row
    int64_t *parent;  // of a tree for each group; its root is the first row
    int64_t *first;   // the first item of the same content
    double *score;    // the largest of its pairs; NAN: it is in none
    double at_least;  // 0: as suits the features
} grouping;

static int64_t root_of(grouping *g, int64_t i)
{
    while (g->parent[i] != i) {
        g->parent[i] = g->parent[g->parent[i]];
        i = g->parent[i];
    }
    return i;
}

static void join(grouping *g, int64_t i, int64_t j)
{
    const int64_t a = root_of(g, i), b = root_of(g, j);
    g->parent[ak_max_i64(a, b)] = ak_min_i64(a, b);
}

/* ---- the same content ---- */

typedef struct hashed_item {
    unsigned char hash[AK_HASH_SIZE];
    int64_t row;
} hashed_item;

static int by_hash(const void *a, const void *b)
{
    const hashed_item *x = a, *y = b;
    const int order = memcmp(x->hash, y->hash, AK_HASH_SIZE);
    return order != 0 ? order : x->row < y->row ? -1 : 1;
}

static akin_status read_hashes(const grouping *g, hashed_item *items,
                               int64_t *n)
{
    const ak_sql *sql = &g->c->catalog.sql;
    sqlite3_stmt *q = NULL;
    bool row = true;
    akin_status st = AKIN_OK;
    *n = 0;
    AK_TRY(ak_sql_ask(sql, g->ctx, &q,
                      "SELECT id, hash FROM items WHERE hash IS NOT NULL", ""));
    for (;;) {
        AK_TRY(ak_sql_next(sql, g->ctx, q, &row));
        if (!row || *n == g->n)
            break;
        if (sqlite3_column_bytes(q, 1) != AK_HASH_SIZE)
            continue;
        memcpy(items[*n].hash, sqlite3_column_blob(q, 1), AK_HASH_SIZE);
        items[(*n)++].row = ak_collection_row(g->c, sqlite3_column_int64(q, 0));
    }
done:
    sqlite3_finalize(q);
    return st;
}

static akin_status join_same(grouping *g)
{
    hashed_item *items;
    int64_t n, begin = 0;
    AK_CHECK(AK_SCRATCH(g->ctx, g->n, &items));
    AK_CHECK(read_hashes(g, items, &n));
    if (n > 0)
        qsort(items, (size_t)n, sizeof *items, by_hash);
    for (int64_t i = 1; i < n; ++i) {
        if (memcmp(items[i].hash, items[begin].hash, AK_HASH_SIZE) != 0)
            begin = i;
        g->first[items[i].row] = items[begin].row;
        join(g, items[begin].row, items[i].row);
    }
    return AKIN_OK;
}

/* ---- nearly the same ---- */

static void note_pair(grouping *g, int64_t i, int64_t j, double score)
{
    g->score[i] = fmax(g->score[i], score);  // also of NAN
    g->score[j] = fmax(g->score[j], score);
    join(g, i, j);
}

/* The items of one space, of each content one, and the measure without
 * learning: the cosine of weighted counts. Numbers of dense rows often point
 * in similar directions, as those above 0 do. These are compared by
 * 1 - distance / w in units of the columns' standard deviations, where w is the
 * distance that two items have in the mean (as a root of squares). */
typedef struct comparison {
    grouping *g;
    ak_space space;
    akin_rows *rows;
    int32_t *ids;  // of the rows
    akin_index *x;
    double width;  // w
    double at_least;
} comparison;

static akin_status search_rows(const comparison *k, const int64_t *which,
                               int64_t n, int64_t top, int64_t **rows,
                               double **scores)
{
    akin_search_options o = AKIN_SEARCH_DEFAULTS;
    akin_rows *queries = NULL;
    akin_status st = AKIN_OK;
    const bool dense = k->space.form == AK_FORM_DENSE;
    o.top = top;
    o.by = dense ? AKIN_BY_DISTANCE : AKIN_BY_COSINE;
    AK_TRY(akin_rows_select(&queries, k->g->ctx, k->rows, which, n));
    AK_TRY(akin_index_search(rows, scores, k->g->ctx, k->x, queries, &o));
    for (int64_t i = 0; dense && i < n * top; ++i)
        (*scores)[i] = 1.0 - sqrt(fmax(0.0, -(*scores)[i])) / k->width;
done:
    akin_rows_free(queries);
    return st;
}

static akin_status join_batch(const comparison *k, const int64_t *which,
                              int64_t n)
{
    const int64_t top = ak_min_i64(NEIGHBOURS + 1, k->rows->n);  // and itself
    const akin_collection *c = k->g->c;
    int64_t *rows = NULL;
    double *scores = NULL;
    akin_status st = AKIN_OK;
    AK_TRY(search_rows(k, which, n, top, &rows, &scores));
    for (int64_t i = 0; i < n * top; ++i)
        if (rows[i] >= 0 && rows[i] != which[i / top] &&
            scores[i] >= k->at_least)
            note_pair(k->g, ak_collection_row(c, k->ids[which[i / top]]),
                      ak_collection_row(c, k->ids[rows[i]]), scores[i]);
done:
    akin_free(rows);
    akin_free(scores);
    return st;
}

static akin_status join_near(const comparison *k)
{
    int64_t which[BATCH], n = 0;
    for (int64_t i = 0; i < k->rows->n; ++i) {
        which[n++] = i;
        if (n == BATCH || i == k->rows->n - 1) {
            AK_CHECK(ak_ctx_tick(k->g->ctx, "items compared", i + 1, k->rows->n,
                                 NAN));
            AK_CHECK(join_batch(k, which, n));
            n = 0;
        }
    }
    return AKIN_OK;
}

/* ---- what is nearly the same ---- */

static int by_score(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return (x < y) - (x > y);
}

/* Where neighbours are near anyway, as among rows of few columns, items have to
 * be nearer: within a part of the distance to a neighbour of some rank, where
 * the items are dense. */
static akin_status dense_threshold(const comparison *k, double *out)
{
    enum { SAMPLE = 1000, RANK = 8 };
    const double usual = 0.95, part = 0.15, quantile = 0.1;
    const int64_t total = k->rows->n, n = ak_min_i64(total, SAMPLE);
    const int64_t top = ak_min_i64(RANK + 1, total);
    int64_t *rows = NULL, *which;
    double *scores = NULL;
    akin_status st = AKIN_OK;
    *out = usual;
    if (top < 2)
        return AKIN_OK;
    AK_TRY(AK_SCRATCH(k->g->ctx, n, &which));
    for (int64_t i = 0; i < n; ++i)
        which[i] = i * total / n;
    AK_TRY(search_rows(k, which, n, top, &rows, &scores));
    for (int64_t i = 0; i < n; ++i)
        scores[i] = scores[i * top + top - 1];
    qsort(scores, (size_t)n, sizeof *scores, by_score);
    const double near = scores[(int64_t)(quantile * (double)n)];
    *out = fmax(usual, 1.0 - part * (1.0 - near));
done:
    akin_free(rows);
    akin_free(scores);
    return st;
}

/* A score that hardly any two different items reach: visual words vary from
 * copy to copy, words of a text less. */
static akin_status choose_threshold(comparison *k)
{
    k->at_least = k->g->at_least;
    if (k->at_least > 0.0)
        return AKIN_OK;
    if (k->space.form == AK_FORM_DENSE)
        return dense_threshold(k, &k->at_least);
    k->at_least = k->space.form == AK_FORM_WORDS ? 0.45 : 0.8;
    return AKIN_OK;
}

/* ---- the rows that are compared ---- */

/* Columns of mean 0 and variance 1; those that do not vary become 0. *varying
 * is how many do. */
static akin_status standardize(akin_ctx *ctx, akin_rows *r, int64_t *varying)
{
    const double constant = 1e-9;  // of the mean; floats differ by more
    double *mean, *var;
    *varying = 0;
    AK_CHECK(AK_SCRATCH(ctx, r->d, &mean));
    AK_CHECK(AK_SCRATCH(ctx, r->d, &var));
    for (int64_t i = 0; i < r->n * r->d; ++i)
        mean[i % r->d] += (double)r->vals[i] / (double)r->n;
    for (int64_t i = 0; i < r->n * r->d; ++i) {
        const double x = (double)r->vals[i] - mean[i % r->d];
        var[i % r->d] += x * x / (double)r->n;
    }
    for (int64_t j = 0; j < r->d; ++j) {
        const double s = sqrt(var[j]);
        var[j] = s > constant * fabs(mean[j]) ? 1.0 / s : 0.0;
        *varying += var[j] > 0.0;
    }
    for (int64_t i = 0; i < r->n * r->d; ++i)
        r->vals[i] =
            (float)(((double)r->vals[i] - mean[i % r->d]) * var[i % r->d]);
    return AKIN_OK;
}

/* The measure without learning, which knows all items. */
static akin_status fit(const comparison *k, akin_model **m)
{
    akin_ctx *ctx = k->g->ctx;
    akin_rows *all = NULL;
    akin_status st = AKIN_OK;
    if (k->space.form == AK_FORM_DENSE)
        return akin_model_builtin(m, ctx, "euclidean", k->rows);
    AK_TRY(
        ak_derive_rows(&all, NULL, ctx, &k->g->c->catalog, &k->space, false));
    AK_TRY(ak_plain_model(m, ctx, all));
done:
    akin_rows_free(all);
    return st;
}

static akin_status build(comparison *k)
{
    akin_ctx *ctx = k->g->ctx;
    akin_model *m = NULL;
    int64_t varying = 0;
    akin_status st = AKIN_OK;
    if (k->space.form == AK_FORM_DENSE)
        AK_TRY(standardize(ctx, k->rows, &varying));
    k->width = sqrt(2.0 * (double)ak_max_i64(varying, 1));
    AK_TRY(fit(k, &m));
    AK_TRY(akin_index_build(&k->x, ctx, m, k->rows, NULL));
done:
    akin_model_free(m);
    return st;
}

static akin_status join_space(grouping *g, const ak_space *space)
{
    comparison k = {.g = g, .space = *space};
    int64_t *ids, n = 0;
    akin_status st = AKIN_OK;
    AK_TRY(AK_SCRATCH(g->ctx, g->n, &ids));
    for (int64_t i = 0; i < g->n; ++i)
        if (g->first[i] == i)
            ids[n++] = ak_collection_id(g->c, i);
    AK_TRY(ak_derive_present(&k.rows, &k.ids, g->ctx, &g->c->catalog, space,
                             ids, n));
    if (k.rows->n < 2)
        goto done;
    AK_TRY(build(&k));
    AK_TRY(choose_threshold(&k));
    AK_TRY(join_near(&k));
done:
    akin_rows_free(k.rows);
    akin_free(k.ids);
    akin_index_free(k.x);
    return st;
}

/* Pictures are compared by their words, not by their colours. */
static akin_status join_spaces(grouping *g)
{
    ak_space space;
    for (int64_t id = 0; id < AK_MOST_SPACES; ++id) {
        AK_CHECK(ak_space_get(&g->c->catalog, g->ctx, id, &space));
        if (space.id < 0)
            break;
        if (id == 0 || strcmp(space.name, "colours") != 0)
            AK_CHECK(join_space(g, &space));
    }
    return AKIN_OK;
}

/* ---- the groups ---- */

static int by_group(const void *a, const void *b)
{
    const akin_duplicate *x = a, *y = b;
    if (x->group != y->group)
        return x->group < y->group ? -1 : 1;
    return (x->row > y->row) - (x->row < y->row);
}

/* Groups are numbered from 0, in the order of their first items. */
static akin_status list_groups(akin_duplicate **out, int64_t *n, grouping *g)
{
    int64_t *size, groups = 0, count = 0;
    akin_duplicate *all = NULL;
    AK_CHECK(AK_SCRATCH(g->ctx, g->n, &size));
    AK_CHECK(AK_NEW(g->ctx, g->n, &all));
    for (int64_t i = 0; i < g->n; ++i)
        ++size[root_of(g, i)];
    for (int64_t i = 0; i < g->n; ++i) {
        const bool same = g->first[i] != i;
        if (size[root_of(g, i)] > 1)
            all[count++] = (akin_duplicate){root_of(g, i), i, same,
                                            same ? 1.0 : g->score[i]};
    }
    if (count > 0)
        qsort(all, (size_t)count, sizeof *all, by_group);
    for (int64_t i = 0, root = -1; i < count; ++i) {
        groups += all[i].group != root && i > 0;
        root = all[i].group;
        all[i].group = groups;
        if (isnan(all[i].score))
            all[i].score = 1.0;  // it has copies alone
    }
    *out = all;
    *n = count;
    return AKIN_OK;
}

static akin_status make_groups(grouping *g)
{
    AK_CHECK(AK_SCRATCH(g->ctx, g->n, &g->parent));
    AK_CHECK(AK_SCRATCH(g->ctx, g->n, &g->first));
    AK_CHECK(AK_SCRATCH(g->ctx, g->n, &g->score));
    for (int64_t i = 0; i < g->n; ++i) {
        g->parent[i] = g->first[i] = i;
        g->score[i] = NAN;
    }
    AK_CHECK(join_same(g));
    return join_spaces(g);
}

akin_status akin_collection_duplicates(akin_duplicate **out, int64_t *n,
                                       akin_ctx *ctx, akin_collection *c,
                                       double at_least)
{
    const ak_mark mark = ak_scratch_begin(ctx);
    grouping g = {.ctx = ctx, .c = c, .at_least = at_least};
    akin_status st = AKIN_OK;
    if (!(at_least >= 0.0 && at_least <= 1.0))
        AK_TRY(ak_fail(ctx, AKIN_EINVAL, "`at_least` is %g (expected 0 to 1)",
                       at_least));
    AK_TRY(ak_items_count(&c->catalog, ctx, &g.n));
    AK_TRY(make_groups(&g));
    AK_TRY(list_groups(out, n, &g));
done:
    ak_scratch_end(ctx, mark);
    return st;
}
