#include "tune/score.h"

#include <string.h>

#include "base/rng.h"

enum { MAX_QUERIES = 1000 };

static bool is_word(const char *a, const char *b)
{
    return strcmp(a, b) == 0;
}

/* The rows that those set aside are of. */
static const akin_rows *asking_side(const akin_supervision *s)
{
    return s->held_out_side == AKIN_RIGHT ? s->right : s->rows;
}

/* The rows set aside, at most MAX_QUERIES of them by the context's seed. */
static akin_status choose_queries(ak_tune_held *h, akin_ctx *ctx)
{
    const akin_supervision *s = h->s;
    ak_rng rng = ak_rng_new(akin_ctx_seed(ctx), AK_STREAM_VALIDATE);
    const int64_t n = s->held_out ? s->n_held_out : asking_side(s)->n;
    int64_t *rows = NULL;
    AK_CHECK(AK_SCRATCH(ctx, n, &rows));
    for (int64_t i = 0; i < n; ++i)
        rows[i] = s->held_out ? s->held_out[i] : i;
    ak_rng_shuffle(&rng, n, rows);
    h->queries = rows;
    h->n_queries = ak_min_i64(n, MAX_QUERIES);
    return AKIN_OK;
}

static const char *default_measure(akin_knowledge kind)
{
    return kind == AKIN_LABELS ? "map" : kind == AKIN_PAIRS ? "auc" : "error";
}

static bool can_measure(akin_knowledge kind, const char *measure)
{
    if (kind == AKIN_LABELS)
        return is_word(measure, "map") || is_word(measure, "error") ||
               is_word(measure, "accuracy");
    if (kind == AKIN_PAIRS)
        return is_word(measure, "auc") || is_word(measure, "error") ||
               is_word(measure, "accuracy");
    return kind == AKIN_TRIPLETS &&
           (is_word(measure, "error") || is_word(measure, "accuracy"));
}

akin_status ak_tune_held_new(ak_tune_held *out, akin_ctx *ctx,
                             const akin_supervision *held, const char *measure)
{
    *out = (ak_tune_held){.s = held, .measure = measure};
    if (measure == NULL)
        out->measure = default_measure(held->kind);
    if (!can_measure(held->kind, out->measure))
        return ak_fail(
            ctx, AKIN_EINVAL,
            "`measure` %s does not fit the supervision (labels: map, "
            "accuracy, error; pairs: auc, accuracy, error; "
            "triplets: accuracy, error)",
            out->measure);
    return held->kind == AKIN_LABELS ? choose_queries(out, ctx) : AKIN_OK;
}

/* How high a ranker puts the labels of the rows set aside, or how well these
 * find rows of the other side. */
static akin_status ask(double *map, double *accuracy, akin_ctx *ctx,
                       const akin_model *m, const ak_tune_held *h)
{
    akin_retrieval_options o = AKIN_RETRIEVAL_DEFAULTS;
    akin_rows *rows = NULL;
    akin_ranking k = {0};
    akin_retrieval r = {0};
    const bool ranks = akin_model_label_count(m) > 0;
    akin_status st = AKIN_OK;
    AK_TRY(akin_rows_select(&rows, ctx, asking_side(h->s), h->queries,
                            h->n_queries));
    o.queries = rows;
    if (ranks)
        AK_TRY(akin_eval_rank(&k, NULL, ctx, m, rows));
    else
        AK_TRY(akin_eval_retrieval(&r, NULL, ctx, m, h->s->right, &o));
    *map = ranks ? k.map : r.map;
    *accuracy = ranks ? k.precision_at[0] : r.precision_at[0];
done:
    akin_rows_free(rows);
    return st;
}

/* How well they find each other, the other side, or their labels. */
static akin_status retrieve(double *map, double *accuracy, akin_ctx *ctx,
                            const akin_model *m, const ak_tune_held *h)
{
    akin_retrieval_options o = AKIN_RETRIEVAL_DEFAULTS;
    akin_retrieval r = {0};
    if (akin_model_label_count(m) > 0 || h->s->right != NULL)
        return ask(map, accuracy, ctx, m, h);
    o.query_rows = h->queries;
    o.n_query_rows = h->n_queries;
    const akin_status st =
        akin_eval_retrieval(&r, NULL, ctx, m, h->s->rows, &o);
    *map = r.map;
    *accuracy = r.precision_at[0];
    return st;
}

/* Labels: share of the queries whose nearest other row has one of theirs, or
 * whose first label is right. */
static akin_status accuracy_of(double *accuracy, akin_ctx *ctx,
                               const akin_model *m, const ak_tune_held *h)
{
    const akin_supervision *s = h->s;
    double other = 0.0;
    if (s->kind == AKIN_LABELS)
        return retrieve(&other, accuracy, ctx, m, h);
    if (s->kind == AKIN_PAIRS)
        return akin_eval_pairs(&other, accuracy, ctx, m, s->rows,
                               s->right ? s->right : s->rows, s->numbers,
                               s->count, AKIN_BY_DEFAULT);
    const akin_status st = akin_eval_triplets(
        &other, ctx, m, s->rows, s->numbers, s->count, AKIN_BY_DEFAULT);
    *accuracy = 1.0 - other;
    return st;
}

akin_status ak_tune_score(double *score, akin_ctx *ctx, const akin_model *m,
                          const ak_tune_held *h)
{
    const akin_supervision *s = h->s;
    double accuracy = 0.0;
    if (is_word(h->measure, "map"))
        return retrieve(score, &accuracy, ctx, m, h);
    if (is_word(h->measure, "auc"))
        return akin_eval_pairs(score, &accuracy, ctx, m, s->rows,
                               s->right ? s->right : s->rows, s->numbers,
                               s->count, AKIN_BY_DEFAULT);
    const akin_status st = accuracy_of(&accuracy, ctx, m, h);
    *score = is_word(h->measure, "error") ? accuracy - 1.0 : accuracy;
    return st;
}

akin_status ak_tune_pass(int64_t *pass, akin_ctx *ctx,
                         const akin_supervision *s, bool ranks)
{
    ak_sampler *sampler = NULL;
    if (ranks || (s->kind == AKIN_LABELS && s->right != NULL)) {
        *pass = s->sample > 0 ? s->sample : akin_supervision_examples(s);
        return AKIN_OK;
    }
    if (s->kind == AKIN_NOTHING) {
        *pass = 1;
        return AKIN_OK;
    }
    const akin_status st = ak_sampler_new(&sampler, ctx, s);
    if (st == AKIN_OK)
        *pass = ak_sampler_pass(sampler);
    ak_sampler_free(sampler);
    return st;
}

static akin_status copy_known(akin_ctx *ctx, const int64_t *from, int64_t n,
                              int64_t **to, int64_t *count)
{
    if (from == NULL)
        return AKIN_OK;
    AK_CHECK(AK_NEW(ctx, n, to));
    memcpy(*to, from, (size_t)n * sizeof *from);
    *count = n;
    return AKIN_OK;
}

akin_status ak_tune_part(akin_supervision **out, akin_ctx *ctx,
                         const akin_supervision *s, int64_t pass)
{
    akin_supervision *part = NULL;
    akin_status st = AKIN_OK;
    AK_TRY(ak_supervision_like(&part, ctx, s));
    if (s->numbers != NULL)
        AK_TRY(akin_supervision_set(
            ctx, part, s->kind, s->numbers,
            s->kind == AKIN_TRIPLETS ? ak_min_i64(pass, s->count) : s->count));
    AK_TRY(copy_known(ctx, s->known, s->n_known, &part->known, &part->n_known));
    AK_TRY(copy_known(ctx, s->right_known, s->n_right_known, &part->right_known,
                      &part->n_right_known));
    akin_supervision_sample(part, pass, s->passes);
    *out = part;
    part = NULL;
done:
    akin_supervision_free(part);
    return st;
}
