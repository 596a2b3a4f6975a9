/* Measures without learning of rows in shards: one pass over all of them.
 *
 * Where the base of the columns is not given, a shard without a column 0 seems
 * to count from 1. So rows are counted by what their shard seems to count
 * from, and if any shard counts from 0, all do. */
#include <math.h>
#include <string.h>

#include "base/comm.h"
#include "data/recipe/recipe.h"
#include "model/compare.h"
#include "model/diagonal.h"

typedef struct counts {
    int64_t n, d;  // rows, columns
    double *df;    // d, rows that have the column
} counts;

typedef struct tally {
    counts from[2];       // by what columns are counted from
    akin_recipe *recipe;  // of the first rows of this rank; NULL: no tfidf
} tally;

static akin_status widen(counts *c, akin_ctx *ctx, int64_t d)
{
    if (d <= c->d && c->df != NULL)
        return AKIN_OK;
    AK_CHECK(ak_resize(ctx, d + 1, sizeof *c->df, &c->df));
    for (int64_t j = c->d; j <= d; ++j)
        c->df[j] = 0.0;
    c->d = d;
    return AKIN_OK;
}

static akin_status count_rows(counts *c, akin_ctx *ctx, const akin_rows *rows)
{
    AK_CHECK(widen(c, ctx, ak_max_i64(c->d, rows->d)));
    c->n += rows->n;
    for (int64_t i = 0; i < rows->n; ++i) {
        const ak_row row = ak_row_of(rows, i);
        for (int64_t k = 0; k < row.n; ++k)
            c->df[ak_row_col(&row, k)] += row.vals[k] != 0.0F;
    }
    return AKIN_OK;
}

static akin_status count_shard(tally *t, akin_ctx *ctx, const char *data,
                               const akin_read_options *read, int64_t shard,
                               int64_t n_shards, bool tfidf)
{
    akin_recipe_options o = AKIN_RECIPE_DEFAULTS;
    akin_rows *rows = NULL;
    akin_status st = AKIN_OK;
    AK_TRY(akin_rows_read_shard(&rows, ctx, data, shard, n_shards, read));
    if (rows == NULL)
        goto done;
    o.weights = "tfidf";
    o.norm = "l2";
    if (tfidf && t->recipe == NULL) {
        ak_ctx_mute_begin(ctx);
        st = akin_recipe_fit(&t->recipe, ctx, rows, &o);
        ak_ctx_mute_end(ctx);
    }
    if (st == AKIN_OK)
        st = count_rows(&t->from[rows->index_base != AKIN_BASE_0], ctx, rows);
done:
    akin_rows_free(rows);
    return st;
}

/* The counts of all ranks; sums of whole numbers are exact. */
static akin_status add_ranks(counts *c, akin_ctx *ctx)
{
    const ak_mark mark = ak_scratch_begin(ctx);
    const int64_t ranks = akin_ctx_ranks(ctx), rank = akin_ctx_rank(ctx);
    const size_t *at;
    unsigned char *all;
    akin_status st = AKIN_OK;
    AK_TRY(widen(c, ctx, c->d));
    AK_TRY(ak_comm_collect(ctx, c, sizeof *c, &all, &at));
    for (int64_t r = 0; r < ranks; ++r) {
        counts other;
        memcpy(&other, all + at[r], sizeof other);
        AK_TRY(widen(c, ctx, ak_max_i64(c->d, other.d)));
        c->n += r != rank ? other.n : 0;
    }
    AK_TRY(
        ak_comm_collect(ctx, c->df, (size_t)c->d * sizeof *c->df, &all, &at));
    for (int64_t r = 0; r < ranks; ++r)
        for (int64_t j = 0; r != rank && j < c->d; ++j) {
            double df;
            memcpy(&df, all + at[r] + (size_t)j * sizeof df, sizeof df);
            c->df[j] += df;
        }
done:
    ak_scratch_end(ctx, mark);
    return st;
}

/* All rows, in from[0] or, where nothing counts from 0, in from[1]. */
static akin_status settle(tally *t, akin_ctx *ctx, akin_read_options *read,
                          counts **all)
{
    counts *zero = &t->from[0], *one = &t->from[1];
    AK_CHECK(add_ranks(zero, ctx));
    AK_CHECK(add_ranks(one, ctx));
    *all = zero->n > 0 ? zero : one;
    if (zero->n > 0 && one->n > 0) {
        const int64_t d = read->dim > 0 ? read->dim : one->d + 1;
        AK_CHECK(widen(zero, ctx, ak_max_i64(zero->d, d)));
        zero->n += one->n;
        for (int64_t j = 0; j < one->d; ++j)
            zero->df[j + 1] += one->df[j];
    }
    if (zero->n > 0)
        read->index_base = AKIN_BASE_0;
    else if (read->index_base == AKIN_BASE_AUTO)
        read->index_base = AKIN_BASE_1;
    read->dim = (*all)->d;
    return AKIN_OK;
}

/* The recipe of the first rows, with the columns and counts of all. */
static akin_status complete(akin_recipe *r, akin_ctx *ctx, const counts *all,
                            int64_t base)
{
    AK_CHECK(ak_resize(ctx, all->d, sizeof *r->idf, &r->idf));
    r->d = all->d;
    if (r->index_base != AKIN_BASE_AUTO)
        r->index_base = base;
    for (int64_t j = 0; j < all->d; ++j)
        r->idf[j] = all->df[j] > 0.0 ? log((double)all->n / all->df[j]) : 0.0;
    return AKIN_OK;
}

static akin_status make(akin_model **out, akin_ctx *ctx, const char *name,
                        tally *t, const counts *all, int64_t base)
{
    akin_rows columns = {.d = all->d};
    if (t->recipe == NULL)
        return akin_model_builtin(out, ctx, name, &columns);
    AK_CHECK(complete(t->recipe, ctx, all, base));
    AK_CHECK(ak_diagonal_new(out, ctx, all->d, NULL, AKIN_BY_DOT));
    (*out)->recipe[AKIN_LEFT] = t->recipe;
    t->recipe = NULL;
    return ak_model_set_note(*out, ctx, "learner", name);
}

/* That of the first rank that has rows: it alone knows what stands before
 * them. */
static akin_status share_model(akin_model **m, akin_ctx *ctx, bool has_rows)
{
    const ak_mark mark = ak_scratch_begin(ctx);
    const int64_t ranks = akin_ctx_ranks(ctx);
    uint8_t *own = NULL;
    unsigned char *all;
    const size_t *at;
    size_t n = 0;
    int64_t r = 0;
    akin_status st = AKIN_OK;
    if (ranks == 1)
        return AKIN_OK;
    if (has_rows)
        AK_TRY(akin_model_save_memory(&own, &n, ctx, *m));
    AK_TRY(ak_comm_collect(ctx, own, n, &all, &at));
    while (at[r + 1] == at[r])
        ++r;
    akin_model_free(*m);
    *m = NULL;
    AK_TRY(akin_model_load_memory(m, ctx, all + at[r], at[r + 1] - at[r]));
done:
    akin_free(own);
    ak_scratch_end(ctx, mark);
    return st;
}

/* Count the shards of this rank, which alone reads them. */
static akin_status count_own(tally *t, akin_ctx *ctx, const char *name,
                             const char *data, const akin_read_options *read,
                             int64_t n_shards)
{
    const struct akin_comm *ranks = ak_ctx_comm(ctx);
    const ak_rank_range own = ak_comm_own(ctx, n_shards, 1);
    const bool tfidf = strcmp(name, "tfidf") == 0;
    akin_status st = AKIN_OK;
    akin_ctx_set_comm(ctx, NULL);
    for (int64_t s = own.begin; s < own.end && st == AKIN_OK; ++s)
        st = count_shard(t, ctx, data, read, s, n_shards, tfidf);
    akin_ctx_set_comm(ctx, ranks);
    return ak_comm_agree(ctx, st);
}

akin_status akin_model_builtin_shards(akin_model **out, akin_ctx *ctx,
                                      const char *name, const char *data,
                                      int64_t n_shards, akin_read_options *read)
{
    tally t = {0};
    counts *all;
    akin_model *m = NULL;
    akin_status st = AKIN_OK;
    if (!akin_model_is_builtin(name) || strcmp(name, "mahalanobis") == 0)
        AK_TRY(ak_fail(ctx, AKIN_EINVAL,
                       "the measure '%s' is not for shards (expected "
                       "euclidean, cosine or tfidf)",
                       name));
    if (strcmp(data, "-") == 0)
        AK_TRY(ak_fail(ctx, AKIN_EINVAL,
                       "standard input is read once, and %s in shards needs "
                       "to read twice",
                       name));
    AK_TRY(count_own(&t, ctx, name, data, read, n_shards));
    const bool has_rows = t.from[0].n + t.from[1].n > 0;
    AK_TRY(settle(&t, ctx, read, &all));
    if (all->n == 0)
        AK_TRY(ak_fail(ctx, AKIN_EFORMAT, "%s: no rows", data));
    AK_TRY(ak_comm_agree(
        ctx,
        has_rows ? make(&m, ctx, name, &t, all, read->index_base) : AKIN_OK));
    AK_TRY(share_model(&m, ctx, has_rows));
    *out = m;
    m = NULL;
done:
    akin_model_free(m);
    akin_recipe_free(t.recipe);
    akin_free(t.from[0].df);
    akin_free(t.from[1].df);
    return st;
}
