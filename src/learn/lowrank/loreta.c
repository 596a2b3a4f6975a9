#include "learn/lowrank/loreta.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/rng.h"
#include "learn/difference.h"
#include "model/factored.h"
#include "model/sparse_rows.h"

const akin_recipe_options ak_recipe_text = {sizeof(akin_recipe_options),
                                            "auto-tfidf", "none", "l2", 0};

static akin_status make_room(akin_ctx *ctx, int64_t n, int64_t *room,
                             int32_t **cols, double **vals)
{
    akin_status st = AKIN_OK;
    if (n <= *room)
        return st;
    AK_TRY(ak_resize(ctx, 2 * n, sizeof **cols, cols));
    AK_TRY(ak_resize(ctx, 2 * n, sizeof **vals, vals));
    *room = 2 * n;
done:
    return st;
}

static double squared(int64_t n, const double *x)
{
    double sum = 0.0;
    for (int64_t i = 0; i < n; ++i)
        sum += x[i] * x[i];
    return sum;
}

/* Row i as a vector in memory that grows with it. */
static akin_status take_row(ak_spvec *x, akin_ctx *ctx, const akin_rows *rows,
                            int64_t i, int64_t *room, int32_t **to_cols,
                            double **to_vals)
{
    const int32_t *cols;
    const float *vals;
    const int64_t n = akin_rows_row(&cols, &vals, rows, i);
    akin_status st = AKIN_OK;
    AK_TRY(make_room(ctx, n, room, to_cols, to_vals));
    for (int64_t k = 0; k < n; ++k) {
        (*to_cols)[k] = cols ? cols[k] : (int32_t)k;
        (*to_vals)[k] = (double)vals[k];
    }
    *x = (ak_spvec){n, *to_cols, *to_vals};
done:
    return st;
}

akin_status ak_loreta_score(void *state, akin_ctx *ctx, const akin_rows *rows,
                            int64_t x, int64_t y, double *score)
{
    ak_loreta_head *h = state;
    ak_lesson *l = &h->lesson;
    akin_status st = AKIN_OK;
    AK_TRY(take_row(&l->q, ctx, rows, x, &l->q_room, &l->q_cols, &l->q_vals));
    AK_TRY(take_row(&l->D, ctx, rows, y, &l->D_room, &l->D_cols, &l->D_vals));
    *score = h->rule->margin(state, l);
done:
    return st;
}

void ak_loreta_set_step_scale(void *state, double scale)
{
    ((ak_loreta_head *)state)->step_scale = scale;
}

akin_status ak_lesson_set(ak_lesson *l, akin_ctx *ctx, const akin_rows *rows,
                          const int64_t *t)
{
    akin_status st = AKIN_OK;
    AK_TRY(
        take_row(&l->q, ctx, rows, t[0], &l->q_room, &l->q_cols, &l->q_vals));
    AK_TRY(make_room(ctx, ak_difference_room(rows, t[1], t[2]), &l->D_room,
                     &l->D_cols, &l->D_vals));
    l->D = (ak_spvec){ak_difference(rows, t[1], t[2], l->D_cols, l->D_vals),
                      l->D_cols, l->D_vals};
    l->q2 = squared(l->q.n, l->q.vals);
    l->D2 = squared(l->D.n, l->D.vals);
done:
    return st;
}

void ak_lesson_free(ak_lesson *l)
{
    akin_free(l->q_cols);
    akin_free(l->q_vals);
    akin_free(l->D_cols);
    akin_free(l->D_vals);
}

akin_status ak_loreta_observe(void *state, akin_ctx *ctx, const akin_rows *rows,
                              const int64_t *triplets, int64_t count,
                              akin_learn_info *info)
{
    ak_loreta_head *head = state;
    const ak_loreta_rule *rule = head->rule;
    ak_lesson *l = &head->lesson;
    const ak_mark mark = ak_scratch_begin(ctx);
    char *hold = NULL;  // the scratch of the steps stays allocated
    akin_status st = AKIN_OK;
    AK_TRY(AK_SCRATCH(ctx, 1, &hold));
    for (int64_t i = 0; i < count; ++i) {
        if (rule->fetch && i + 1 < count)
            rule->fetch(state, rows, triplets + 3 * (i + 1));
        AK_TRY(ak_lesson_set(l, ctx, rows, triplets + 3 * i));
        const double margin = rule->margin(state, l);
        if (!isfinite(margin))
            AK_TRY(AKIN_ENUMERIC);
        l->loss = fmax(0.0, 1.0 - margin);  // (3)
        if (l->loss > 0.0)
            AK_TRY(rule->step(state, ctx, l));
        ak_learn_count(info, l->loss, l->loss > 0.0);
        if (head->after != NULL)
            AK_TRY(head->after(state, ctx));
    }
done:
    ak_scratch_end(ctx, mark);
    return st;
}

akin_compare ak_loreta_compare(const char *score)
{
    return strcmp(score, "cosine") == 0 ? AKIN_BY_COSINE : AKIN_BY_DOT;
}

static akin_status start_gauss(double **A, akin_ctx *ctx, akin_side side,
                               int64_t n, int64_t k)
{
    const ak_rng root = ak_rng_new(akin_ctx_seed(ctx), AK_STREAM_START);
    ak_rng rng = ak_rng_split(root, side);
    const akin_status st = AK_SCRATCH(ctx, n * k, A);
    for (int64_t i = 0; st == AKIN_OK && i < n * k; ++i)
        (*A)[i] = ak_rng_normal(&rng);
    return st;
}

akin_status ak_loreta_start_fits(const akin_model *m, akin_ctx *ctx,
                                 const char *path, akin_side side, int64_t n,
                                 int64_t k)
{
    if (m->d[side] != n)
        return ak_fail(ctx, AKIN_ESHAPE,
                       "%s: the start has %" PRId64
                       " columns, the rows have %" PRId64,
                       path, m->d[side], n);
    if (akin_model_rank(m) != k)
        return ak_fail(ctx, AKIN_ESHAPE,
                       "%s: the start has rank %" PRId64
                       ", --rank says %" PRId64,
                       path, akin_model_rank(m), k);
    return AKIN_OK;
}

static akin_status start_file(double **A, akin_ctx *ctx, const char *path,
                              akin_side side, int64_t n, int64_t k)
{
    akin_model *m = NULL;
    akin_status st = AKIN_OK;
    AK_TRY(akin_model_load(&m, ctx, path));
    if (!ak_model_is_factored(m))
        AK_TRY(ak_fail(ctx, AKIN_EINVAL,
                       "%s: a model of kind %s cannot be a start (factored or "
                       "psd wanted)",
                       path, akin_model_kind(m)));
    AK_TRY(ak_loreta_start_fits(m, ctx, path, side, n, k));
    AK_TRY(AK_SCRATCH(ctx, n * k, A));
    memcpy(*A, side == AKIN_LEFT ? ak_factored_A(m) : ak_factored_B(m),
           (size_t)(n * k) * sizeof **A);
done:
    akin_model_free(m);
    return st;
}

akin_status ak_loreta_start(double **A, akin_ctx *ctx, const char *start,
                            akin_side side, int64_t n, int64_t k)
{
    *A = NULL;
    if (k > n)
        return ak_fail(ctx, AKIN_EINVAL,
                       "--rank %" PRId64 " is more than the %" PRId64
                       " columns of the rows (--rank %" PRId64 " or less)",
                       k, n, n);
    if (strcmp(start, "identity") == 0)
        return AKIN_OK;
    if (strcmp(start, "gauss") == 0)
        return start_gauss(A, ctx, side, n, k);
    if (strcmp(start, "zero") == 0)
        return ak_fail(ctx, AKIN_EINVAL,
                       "--start zero is not for this learner and task "
                       "(identity, gauss or a model)");
    return start_file(A, ctx, start, side, n, k);
}

akin_status ak_loreta_start_psd(double **Y, akin_ctx *ctx, const char *start,
                                int64_t n, int64_t k)
{
    double *B = NULL;
    akin_status st = AKIN_OK;
    AK_TRY(ak_loreta_start(Y, ctx, start, AKIN_LEFT, n, k));
    if (strcmp(start, "gauss") == 0)
        return AKIN_OK;
    AK_TRY(ak_loreta_start(&B, ctx, start, AKIN_RIGHT, n, k));
    if (B != NULL && memcmp(*Y, B, (size_t)(n * k) * sizeof *B) != 0)
        AK_TRY(ak_fail(ctx, AKIN_EINVAL,
                       "%s: the start has different factors on its two sides, "
                       "and this learner has one (a psd model wanted)",
                       start));
done:
    return st;
}
