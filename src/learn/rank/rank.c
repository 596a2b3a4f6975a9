#include "learn/rank/rank.h"

#include <math.h>
#include <string.h>

#include "data/label_names.h"
#include "learn/warp.h"

static akin_status copy_names(ak_rank *r, akin_ctx *ctx, const akin_rows *rows)
{
    akin_status st = AKIN_OK;
    AK_TRY(ak_label_names_check(ctx, rows->n_label_names, rows->label_names));
    AK_TRY(AK_NEW(ctx, rows->n_label_names, &r->names));
    r->n = rows->n_label_names;  // names not yet there are NULL
    for (int64_t l = 0; l < r->n; ++l)
        AK_TRY(ak_strdup(ctx, rows->label_names[l], &r->names[l]));
done:
    return st;
}

static akin_status map_labels(ak_rank *r, akin_ctx *ctx,
                              const akin_supervision *data)
{
    const akin_rows *rows = data->rows;
    const ak_mark mark = ak_scratch_begin(ctx);
    const int64_t n = rows->n_label_names;
    int32_t *map = NULL;
    akin_status st = AKIN_OK;
    AK_TRY(ak_label_map(ctx, n, rows->label_names, r->n, r->names, &map));
    for (int64_t l = 0; l < n; ++l)
        if (map[l] < 0)
            AK_TRY(ak_fail(ctx, AKIN_EINVAL,
                           "%s%sthe rows have label '%s', which is none of "
                           "the %" PRId64 " that the model knows",
                           data->name ? data->name : "", data->name ? ": " : "",
                           rows->label_names[l], r->n));
    AK_TRY(AK_NEW(ctx, n, &r->map));
    memcpy(r->map, map, (size_t)n * sizeof *map);
done:
    ak_scratch_end(ctx, mark);
    return st;
}

akin_status ak_rank_begin(ak_rank *r, akin_ctx *ctx, const ak_rank_rule *rule,
                          const char *ybar, const akin_supervision *data,
                          const ak_tensors *resume)
{
    const akin_rows *rows = data->rows;
    akin_status st = AKIN_OK;
    *r = (ak_rank){.rule = rule,
                   .d = rows->d,
                   .one = strcmp(ybar, "one") == 0,
                   .warp = data->sampling == AKIN_WARP,
                   .root = ak_rng_new(akin_ctx_seed(ctx), AK_STREAM_LABELS)};
    if (resume != NULL)
        AK_TRY(ak_state_count(resume, ctx, "examples", &r->seen));
    AK_TRY(resume ? ak_label_names_take(&r->names, &r->n, ctx, resume)
                  : copy_names(r, ctx, rows));
    AK_TRY(map_labels(r, ctx, data));
    AK_TRY(AK_NEW(ctx, r->n, &r->scores));
    AK_TRY(AK_NEW(ctx, r->n, &r->has));
    AK_TRY(AK_NEW(ctx, r->n, &r->own));
    AK_TRY(AK_NEW(ctx, r->n + 1, &r->u_cols));
    AK_TRY(AK_NEW(ctx, r->n + 1, &r->u_vals));
    r->u = (ak_spvec){0, r->u_cols, r->u_vals};
done:
    return st;
}

void ak_rank_end(ak_rank *r)
{
    for (int64_t l = 0; r->names != NULL && l < r->n; ++l)
        akin_free(r->names[l]);
    akin_free(r->names);
    akin_free(r->map);
    akin_free(r->scores);
    akin_free(r->has);
    akin_free(r->own);
    akin_free(r->x_cols);
    akin_free(r->x_vals);
    akin_free(r->u_cols);
    akin_free(r->u_vals);
}

static double squared(ak_spvec v)
{
    double sum = 0.0;
    for (int64_t i = 0; i < v.n; ++i)
        sum += v.vals[i] * v.vals[i];
    return sum;
}

static akin_status set_row(ak_rank *r, akin_ctx *ctx, const akin_rows *rows,
                           int64_t i)
{
    const int32_t *cols;
    const float *vals;
    const int64_t n = akin_rows_row(&cols, &vals, rows, i);
    akin_status st = AKIN_OK;
    if (n > r->x_room) {
        AK_TRY(ak_resize(ctx, 2 * n, sizeof *r->x_cols, &r->x_cols));
        AK_TRY(ak_resize(ctx, 2 * n, sizeof *r->x_vals, &r->x_vals));
        r->x_room = 2 * n;
    }
    for (int64_t k = 0; k < n; ++k) {
        r->x_cols[k] = cols ? cols[k] : (int32_t)k;
        r->x_vals[k] = (double)vals[k];
    }
    r->x = (ak_spvec){n, r->x_cols, r->x_vals};
    r->x2 = squared(r->x);
done:
    return st;
}

/* (2); -1 when there is no such label. */
static int64_t best_wrong(const ak_rank *r)
{
    int64_t best = -1;
    for (int64_t l = 0; l < r->n; ++l)
        if (!r->has[l] && (best < 0 || r->scores[l] > r->scores[best]))
            best = l;
    return best;
}

/* The labels of a row as numbers here, rising. */
static void set_own(ak_rank *r, const int32_t *labels, int64_t count)
{
    for (int64_t k = 0; k < count; ++k) {
        const int32_t l = r->map[labels[k]];
        int64_t at = k;
        for (; at > 0 && r->own[at - 1] > l; --at)
            r->own[at] = r->own[at - 1];
        r->own[at] = l;
    }
}

static void clear(ak_rank *r)
{
    r->ybar = -1;
    r->violations = 0;
    r->loss = r->weight = 0.0;
    r->u.n = 0;
}

/* u_l += w; the entries of u are few. */
static void add_to_u(ak_rank *r, int64_t l, double w)
{
    int64_t at = 0;
    while (at < r->u.n && r->u_cols[at] != l)
        ++at;
    if (at == r->u.n) {
        r->u_cols[r->u.n++] = (int32_t)l;
        r->u_vals[at] = 0.0;
    }
    r->u_vals[at] += w;
}

/* (2) to (4) from the scores of all labels. */
static void judge(ak_rank *r, int64_t count)
{
    for (int64_t k = 0; k < count; ++k)
        r->has[r->own[k]] = 1;
    r->ybar = best_wrong(r);
    for (int64_t k = 0; k < count; ++k) {
        const int32_t l = r->own[k];
        r->has[l] = 0;
        if (r->ybar < 0)
            continue;
        const double h = 1.0 - r->scores[l] + r->scores[r->ybar];
        if (h <= 0.0)
            continue;
        r->loss += h;  // (3); a NaN goes on to the sum
        r->u_cols[r->u.n] = l;
        r->u_vals[r->u.n++] = 1.0;
        ++r->violations;
    }
    r->weight = (double)r->violations;
    if (r->violations > 0)
        add_to_u(r, r->ybar, r->one ? -1.0 : -r->weight);
}

/* Number j of the labels that the row has not. */
static int64_t wrong_label(const ak_rank *r, int64_t count, int64_t j)
{
    for (int64_t k = 0; k < count && r->own[k] <= j; ++k)
        ++j;
    return j;
}

/* The same by draws. */
static void judge_warp(ak_rank *r, void *state, int64_t count)
{
    const ak_rank_rule *rule = r->rule;
    const int64_t P = r->n - count;
    ak_rng rng = ak_rng_split(r->root, (uint64_t)r->seen);
    for (int64_t k = 0; k < count && P > 0; ++k) {
        const double s = rule->score(state, r->x, r->own[k]);
        for (int64_t N = 1; N <= ak_max_i64(1, P / count); ++N) {
            const int64_t y = wrong_label(r, count, ak_rng_below(&rng, P));
            const double h = 1.0 - s + rule->score(state, r->x, y);
            if (h <= 0.0)
                continue;
            const double w = ak_warp_weight(P, N);
            r->loss += w * h;
            r->weight += w;
            r->ybar = y;
            ++r->violations;
            add_to_u(r, r->own[k], w);
            add_to_u(r, y, -w);
            break;
        }
    }
}

akin_status ak_rank_observe(void *state, akin_ctx *ctx, const akin_rows *rows,
                            const int64_t *which, int64_t count,
                            akin_learn_info *info)
{
    ak_rank *r = state;
    const ak_rank_rule *rule = r->rule;
    akin_status st = AKIN_OK;
    for (int64_t i = 0; i < count; ++i) {
        const int32_t *labels;
        const int64_t n = akin_rows_labels(&labels, rows, which[i]);
        AK_TRY(set_row(r, ctx, rows, which[i]));
        set_own(r, labels, n);
        clear(r);
        if (rule->look != NULL)
            rule->look(state, r->x);
        if (r->warp) {
            judge_warp(r, state, n);
        } else {
            rule->scores(state, r->x, r->scores);
            judge(r, n);
        }
        if (!isfinite(r->loss))
            return AKIN_ENUMERIC;
        r->u2 = squared(r->u);
        ++r->seen;
        if (r->violations > 0)
            AK_TRY(rule->step(state, ctx));
        ak_learn_count(info, r->loss, r->violations > 0);
    }
done:
    return st;
}

akin_status ak_rank_save(const ak_rank *r, akin_ctx *ctx, ak_tensors *t)
{
    return ak_label_names_put(t, ctx, r->n, r->names);
}

ak_labels ak_rank_labels(const ak_rank *r)
{
    return (ak_labels){r->n, r->names};
}

void ak_rank_add(const ak_rank *r, double eta, double *M)
{
    for (int64_t i = 0; i < r->x.n; ++i) {
        double *row = M + r->x.cols[i] * r->n;
        const double v = eta * r->x.vals[i];
        for (int64_t l = 0; l < r->u.n; ++l)
            row[r->u.cols[l]] += v * r->u.vals[l];
    }
}

double ak_rank_score(const ak_rank *r, const double *M, ak_spvec x, int64_t l)
{
    double sum = 0.0;
    for (int64_t i = 0; i < x.n; ++i)
        sum += x.vals[i] * M[x.cols[i] * r->n + l];
    return sum;
}
