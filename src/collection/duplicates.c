/* Items of the same content, and items that are nearly the same.
 *
 * The same content has the same hash. Of each content one item is searched for,
 * and what is found at a cosine of `at_least` or more is nearly the same. Such
 * pairs join groups: two items may be in a group by way of a third. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "collection/collection.h"
#include "collection/derive.h"

enum { BATCH = 256, NEIGHBOURS = 16, COPIES_MOST = 1000 };

typedef struct grouping {
    akin_ctx *ctx;
    akin_collection *c;
    int64_t n;        // items, by row
    int64_t *parent;  // of a tree for each group; its root is the first row
    int64_t *first;   // the first item of the same content
    double *score;    // the largest of its pairs; NAN: it is in none
    int64_t copies;   // the most items of one content
    double at_least;
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
        g->copies = ak_max_i64(g->copies, i - begin + 1);
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

static akin_status search_batch(grouping *g, const int64_t *ids, int64_t n)
{
    akin_find_options o = AKIN_FIND_DEFAULTS;
    akin_rows *queries = NULL;
    int32_t *present = NULL;
    int64_t *rows = NULL;
    double *scores = NULL;
    akin_status st = AKIN_OK;
    o.top = NEIGHBOURS + ak_min_i64(g->copies, COPIES_MOST);
    o.by = AKIN_BY_COSINE;
    o.feedback = "none";
    AK_TRY(ak_derive_present(&queries, &present, g->ctx, &g->c->catalog,
                             &g->c->version.left, ids, n));
    if (queries->n == 0)
        goto done;
    AK_TRY(akin_collection_search(&rows, &scores, g->ctx, g->c, queries, &o));
    for (int64_t k = 0; k < queries->n * o.top; ++k) {
        const int64_t i = ak_collection_row(g->c, present[k / o.top]);
        if (rows[k] >= 0 && scores[k] >= g->at_least &&
            g->first[rows[k]] != g->first[i])
            note_pair(g, i, rows[k], scores[k]);
    }
done:
    akin_rows_free(queries);
    akin_free(present);
    akin_free(rows);
    akin_free(scores);
    return st;
}

static akin_status join_near(grouping *g)
{
    int64_t ids[BATCH], n = 0;
    for (int64_t i = 0; i < g->n; ++i) {
        if (g->first[i] == i)
            ids[n++] = ak_collection_id(g->c, i);
        if (n == BATCH || (i == g->n - 1 && n > 0)) {
            AK_CHECK(ak_ctx_tick(g->ctx, "items compared", i + 1, g->n, NAN));
            AK_CHECK(search_batch(g, ids, n));
            n = 0;
        }
    }
    return AKIN_OK;
}

/* A cosine that hardly any two different items reach: visual words vary from
 * copy to copy, words of a text less, and numbers of few columns, or of a
 * learned space, point in similar directions anyway. */
static double usual_threshold(const akin_collection *c, const akin_model *m)
{
    const bool plain = strcmp(akin_model_kind(m), "diagonal") == 0;
    if (plain && c->version.left.form == AK_FORM_WORDS)
        return 0.45;
    return plain && c->version.left.form == AK_FORM_SPARSE ? 0.8 : 0.99;
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
    const akin_collection *c = g->c;
    AK_CHECK(AK_SCRATCH(g->ctx, g->n, &g->parent));
    AK_CHECK(AK_SCRATCH(g->ctx, g->n, &g->first));
    AK_CHECK(AK_SCRATCH(g->ctx, g->n, &g->score));
    for (int64_t i = 0; i < g->n; ++i) {
        g->parent[i] = g->first[i] = i;
        g->score[i] = NAN;
    }
    AK_CHECK(join_same(g));
    if (c->version.left.id != c->version.right.id) {
        ak_log(g->ctx, AKIN_LOG_WARNING,
               "%s compares two kinds of items: near duplicates are not looked "
               "for",
               c->catalog.folder);
        return AKIN_OK;
    }
    AK_CHECK(ak_collection_segments(g->c, g->ctx));
    if (g->at_least == 0.0)
        g->at_least = usual_threshold(c, akin_index_model(c->segments[0].x));
    return join_near(g);
}

akin_status akin_collection_duplicates(akin_duplicate **out, int64_t *n,
                                       akin_ctx *ctx, akin_collection *c,
                                       double at_least)
{
    const ak_mark mark = ak_scratch_begin(ctx);
    grouping g = {.ctx = ctx, .c = c, .copies = 1, .at_least = at_least};
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
