#include "learn/rank/rank.h"

#include <math.h>
#include <string.h>

#include "data/labels.h"
#include "learn/warp.h"
#include "model/sparse_rows.h"

/* ---- labels ----------------------------------------------------------- */

static akin_status copy_names(ak_rank *r, akin_ctx *ctx, const akin_rows *rows)
{
    AK_CHECK(ak_label_names_check(ctx, rows->n_label_names, rows->label_names));
    AK_CHECK(AK_NEW(ctx, rows->n_label_names, &r->names));
    r->n = rows->n_label_names;  // the names start as NULL
    for (int64_t l = 0; l < r->n; ++l)
        AK_CHECK(ak_strdup(ctx, rows->label_names[l], &r->names[l]));
    return AKIN_OK;
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
                           "%s%slabel '%s' of the rows is not one of the "
                           "%" PRId64 " of the model",
                           data->name ? data->name : "", data->name ? ": " : "",
                           rows->label_names[l], r->n));
    AK_TRY(AK_NEW(ctx, n, &r->map));
    memcpy(r->map, map, (size_t)n * sizeof *map);
done:
    ak_scratch_end(ctx, mark);
    return st;
}

static double mean_square(const akin_rows *rows)
{
    double sum = 0.0;
    for (int64_t i = 0; i < rows->n; ++i) {
        const int32_t *cols;
        const float *vals;
        const int64_t n = akin_rows_row(&cols, &vals, rows, i);
        for (int64_t k = 0; k < n; ++k)
            sum += (double)vals[k] * (double)vals[k];
    }
    return sum / (double)ak_max_i64(rows->n, 1);
}

akin_status ak_rank_begin_constant(ak_rank *r, akin_ctx *ctx,
                                   const ak_rank_rule *rule, const char *ybar,
                                   const akin_supervision *data,
                                   const ak_tensors *resume)
{
    AK_CHECK(ak_rank_begin(r, ctx, rule, ybar, data, resume));
    r->constant = sqrt(r->square / (double)ak_max_i64(r->d, 1));
    if (!(r->constant > 0.0))
        r->constant = 1.0;
    ++r->d;
    return AKIN_OK;
}

akin_status ak_rank_begin(ak_rank *r, akin_ctx *ctx, const ak_rank_rule *rule,
                          const char *ybar, const akin_supervision *data,
                          const ak_tensors *resume)
{
    const akin_rows *rows = data->rows;
    *r = (ak_rank){.rule = rule,
                   .d = rows->d,
                   .one = strcmp(ybar, "one") == 0,
                   .warp = data->sampling == AKIN_WARP,
                   .root = ak_rng_new(akin_ctx_seed(ctx), AK_STREAM_LABELS)};
    if (resume != NULL)
        AK_CHECK(ak_state_count(resume, ctx, "examples", &r->seen));
    if (resume != NULL && ak_tensors_get_note(resume, "square") != NULL)
        AK_CHECK(ak_tensors_need_f64(resume, ctx, "square", &r->square));
    else
        r->square = mean_square(rows);
    AK_CHECK(resume ? ak_label_names_take(&r->names, &r->n, ctx, resume)
                    : copy_names(r, ctx, rows));
    AK_CHECK(map_labels(r, ctx, data));
    AK_CHECK(AK_NEW(ctx, r->n, &r->scores));
    AK_CHECK(AK_NEW(ctx, r->n, &r->has));
    AK_CHECK(AK_NEW(ctx, r->n, &r->labels));
    AK_CHECK(AK_NEW(ctx, r->n + 1, &r->u_cols));
    AK_CHECK(AK_NEW(ctx, r->n + 1, &r->u_vals));
    r->u = (ak_spvec){0, r->u_cols, r->u_vals};
    return AKIN_OK;
}

void ak_rank_end(ak_rank *r)
{
    for (int64_t l = 0; r->names != NULL && l < r->n; ++l)
        akin_free(r->names[l]);
    akin_free(r->names);
    akin_free(r->map);
    akin_free(r->scores);
    akin_free(r->has);
    akin_free(r->labels);
    ak_spvec_buffer_free(&r->x_memory);
    akin_free(r->u_cols);
    akin_free(r->u_vals);
}

/* ---- the loss --------------------------------------------------------- */

/* (2); -1 when there is no such label. */
static int64_t best_wrong(const ak_rank *r)
{
    int64_t best = -1;
    for (int64_t l = 0; l < r->n; ++l)
        if (!r->has[l] && (best < 0 || r->scores[l] > r->scores[best]))
            best = l;
    return best;
}

/* The labels of a row as numbers here, increasing. */
static void set_labels(ak_rank *r, const int32_t *labels, int64_t count)
{
    for (int64_t k = 0; k < count; ++k) {
        const int32_t l = r->map[labels[k]];
        int64_t at = k;
        for (; at > 0 && r->labels[at - 1] > l; --at)
            r->labels[at] = r->labels[at - 1];
        r->labels[at] = l;
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
static void loss_of_all(ak_rank *r, int64_t count)
{
    for (int64_t k = 0; k < count; ++k)
        r->has[r->labels[k]] = 1;
    r->ybar = best_wrong(r);
    for (int64_t k = 0; k < count; ++k) {
        const int32_t l = r->labels[k];
        r->has[l] = 0;
        if (r->ybar < 0)
            continue;
        const double h = 1.0 - r->scores[l] + r->scores[r->ybar];
        if (h <= 0.0)
            continue;
        r->loss += h;  // (3); a NaN stays in the sum
        r->u_cols[r->u.n] = l;
        r->u_vals[r->u.n++] = 1.0;
        ++r->violations;
    }
    r->weight = (double)r->violations;
    if (r->violations > 0)
        add_to_u(r, r->ybar, r->one ? -1.0 : -r->weight);
}

/* Number j of the labels that the row does not have. */
static int64_t wrong_label(const ak_rank *r, int64_t count, int64_t j)
{
    for (int64_t k = 0; k < count && r->labels[k] <= j; ++k)
        ++j;
    return j;
}

/* The same by draws, with WARP. */
static void loss_of_draws(ak_rank *r, void *state, int64_t count)
{
    const ak_rank_rule *rule = r->rule;
    const int64_t P = r->n - count;
    ak_rng rng = ak_rng_split(r->root, (uint64_t)r->seen);
    for (int64_t k = 0; k < count && P > 0; ++k) {
        const double s = rule->score(state, r->x, r->labels[k]);
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
            add_to_u(r, r->labels[k], w);
            add_to_u(r, y, -w);
            break;
        }
    }
}

/* A row, and the constant column. */
static akin_status take_row(ak_rank *r, akin_ctx *ctx, const akin_rows *rows,
                            int64_t i)
{
    AK_CHECK(ak_spvec_reserve(&r->x_memory, ctx, rows->d + 1));
    AK_CHECK(ak_spvec_take_row(&r->x, ctx, &r->x_memory, rows, i));
    if (r->constant > 0.0) {
        r->x_memory.cols[r->x.n] = (int32_t)(r->d - 1);
        r->x_memory.vals[r->x.n] = r->constant;
        ++r->x.n;
    }
    return AKIN_OK;
}

akin_status ak_rank_observe(void *state, akin_ctx *ctx, const akin_rows *rows,
                            const int64_t *which, int64_t count,
                            akin_learn_info *info)
{
    ak_rank *r = state;
    const ak_rank_rule *rule = r->rule;
    for (int64_t i = 0; i < count; ++i) {
        const int32_t *labels;
        const int64_t n = akin_rows_labels(&labels, rows, which[i]);
        AK_CHECK(ak_ctx_poll(ctx));
        AK_CHECK(take_row(r, ctx, rows, which[i]));
        r->x2 = ak_spvec_norm2(r->x);
        set_labels(r, labels, n);
        clear(r);
        if (rule->prepare != NULL)
            rule->prepare(state, r->x);
        if (r->warp) {
            loss_of_draws(r, state, n);
        } else {
            rule->scores(state, r->x, r->scores);
            loss_of_all(r, n);
        }
        if (!isfinite(r->loss))
            return AKIN_ENUMERIC;
        r->u2 = ak_spvec_norm2(r->u);
        ++r->seen;
        if (r->violations > 0)
            AK_CHECK(rule->step(state, ctx));
        ak_learn_count(info, r->loss, r->violations > 0);
    }
    return AKIN_OK;
}

akin_status ak_rank_save(const ak_rank *r, akin_ctx *ctx, ak_tensors *t)
{
    if (r->constant > 0.0)
        AK_CHECK(ak_tensors_note_f64(t, ctx, "square", r->square));
    return ak_label_names_put(t, ctx, r->n, r->names);
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

static ak_labels labels_of(const ak_rank *r)
{
    return (ak_labels){r->n, r->names};
}

akin_status ak_rank_model(akin_model **out, akin_ctx *ctx, const ak_rank *r,
                          const double *W)
{
    const ak_mark mark = ak_scratch_begin(ctx);
    const int64_t d = r->constant > 0.0 ? r->d - 1 : r->d;
    akin_model *m = NULL;
    double *b = NULL;
    akin_status st = AKIN_OK;
    AK_TRY(ak_ranker_new(&m, ctx, labels_of(r), d, W));
    if (r->constant > 0.0) {
        AK_TRY(AK_SCRATCH(ctx, r->n, &b));
        for (int64_t l = 0; l < r->n; ++l)
            b[l] = r->constant * W[d * r->n + l];
        AK_TRY(ak_ranker_set_offsets(m, ctx, b));
    }
    *out = m;
    m = NULL;
done:
    akin_model_free(m);
    ak_scratch_end(ctx, mark);
    return st;
}

/* ---- the mean --------------------------------------------------------- */

akin_status ak_rank_late_begin(double **late, akin_ctx *ctx, const ak_rank *r,
                               const char *average, const ak_tensors *resume)
{
    const bool is_kept = resume ? ak_tensors_find(resume, "late") != NULL
                                : strcmp(average, "all") == 0;
    if (!is_kept)
        return AKIN_OK;
    AK_CHECK(ak_alloc(ctx, r->d, (size_t)r->n * sizeof **late, late));
    return resume ? ak_sparse_rows_take(resume, ctx, "late", r->d, r->n, *late)
                  : AKIN_OK;
}

void ak_rank_late_add(const ak_rank *r, double eta, double *late)
{
    if (late != NULL)
        ak_rank_add(r, (double)(r->seen - 1) * eta, late);
}

void ak_rank_late_mean(const ak_rank *r, const double *M, const double *late,
                       double *mean)
{
    const double T = (double)ak_max_i64(r->seen, 1);
    for (int64_t i = 0; i < r->d * r->n; ++i)
        mean[i] = late ? M[i] - late[i] / T : M[i];  // (6)
}

akin_status ak_rank_late_save(const ak_rank *r, akin_ctx *ctx,
                              const double *late, ak_tensors *t)
{
    return late ? ak_sparse_rows_put(t, ctx, "late", r->d, r->n, 0.0, late)
                : AKIN_OK;
}

/* ---- W = A B' --------------------------------------------------------- */

/* The full matrix gives all scores at once. */
static void factors_prepare(void *state, ak_spvec x)
{
    ak_rank_factors *s = state;
    if (s->is_ready)
        s->rule->prepare(state, x);
    else
        ak_zero_times(&s->zero, x, s->rank.scores);
}

static double factors_score(void *state, ak_spvec x, int64_t label)
{
    const ak_rank_factors *s = state;
    (void)x;
    return s->is_ready ? s->rule->score(state, label) : s->rank.scores[label];
}

static void factors_scores(void *state, ak_spvec x, double *scores)
{
    const ak_rank_factors *s = state;
    (void)x;
    for (int64_t l = 0; s->is_ready && l < s->rank.n; ++l)
        scores[l] = s->rule->score(state, l);
}

/* The step of a start from zero. */
static akin_status zero_step(ak_rank_factors *s, akin_ctx *ctx)
{
    const ak_mark mark = ak_scratch_begin(ctx);
    const double eta = s->rule->eta(s);
    double *A = NULL, *B = NULL;
    akin_status st = AKIN_OK;
    if (eta > 0.0)
        AK_TRY(ak_zero_step(&s->zero, ctx, eta, s->rank.u, s->rank.x, &A, &B));
    if (A == NULL)
        goto done;
    AK_TRY(s->rule->set(s, ctx, A, B));
    s->is_ready = true;
    ak_zero_free(&s->zero);
done:
    ak_scratch_end(ctx, mark);
    return st;
}

static akin_status factors_step(void *state, akin_ctx *ctx)
{
    ak_rank_factors *s = state;
    return s->is_ready ? s->rule->step(state, ctx) : zero_step(s, ctx);
}

void ak_rank_factors_end(ak_rank_factors *s)
{
    ak_rank_end(&s->rank);
    ak_zero_free(&s->zero);
}

/* Row l of A is that of the label with the same name. */
static akin_status copy_A(double *A, akin_ctx *ctx, const akin_model *m,
                          const ak_rank *r, const char *path)
{
    const ak_labels from = ak_model_labels(m);
    const int64_t k = akin_model_rank(m);
    int32_t *map = NULL;
    AK_CHECK(ak_label_map(ctx, r->n, r->names, from.n, from.names, &map));
    for (int64_t l = 0; l < r->n; ++l) {
        if (map[l] < 0)
            return ak_fail(ctx, AKIN_EINVAL, "%s: the start has no label '%s'",
                           path, r->names[l]);
        memcpy(A + l * k, ak_ranker_A(m) + map[l] * k, (size_t)k * sizeof *A);
    }
    return AKIN_OK;
}

static akin_status start_file(double **A, akin_ctx *ctx, const char *path,
                              akin_side side, const ak_rank *r, int64_t k)
{
    akin_model *m = NULL;
    akin_status st = AKIN_OK;
    AK_TRY(akin_model_load(&m, ctx, path));
    if (!ak_model_is_ranker(m))
        AK_TRY(ak_fail(ctx, AKIN_EINVAL,
                       "%s: cannot start from a model of kind %s (expected "
                       "ranker)",
                       path, akin_model_kind(m)));
    AK_TRY(ak_start_fits(m, ctx, path, AKIN_LEFT, r->d, k));
    AK_TRY(AK_SCRATCH(ctx, (side == AKIN_LEFT ? r->n : r->d) * k, A));
    if (side == AKIN_LEFT)
        AK_TRY(copy_A(*A, ctx, m, r, path));
    else
        memcpy(*A, ak_ranker_B(m), (size_t)(r->d * k) * sizeof **A);
done:
    akin_model_free(m);
    return st;
}

/* n x k for the left factor (labels), d x k for the right one; NULL: the
 * identity. */
static akin_status start_factor(double **A, akin_ctx *ctx, const char *start,
                                akin_side side, const ak_rank *r, int64_t k)
{
    if (k > r->n)
        return ak_fail(ctx, AKIN_EINVAL,
                       "`rank` %" PRId64 " is more than the %" PRId64 " labels",
                       k, r->n);
    static const char *const words[] = {"auto", "identity", "principal",
                                        "gauss", "zero"};
    for (int i = 0; i < 5; ++i)
        if (strcmp(start, words[i]) == 0)
            return ak_start_factor(A, ctx, start, NULL, side,
                                   side == AKIN_LEFT ? r->n : r->d, k);
    return start_file(A, ctx, start, side, r, k);
}

static akin_status start_factors(ak_rank_factors *s, akin_ctx *ctx,
                                 const char *start)
{
    const ak_mark mark = ak_scratch_begin(ctx);
    double *A = NULL, *B = NULL;
    akin_status st = AKIN_OK;
    s->is_ready = strcmp(start, "zero") != 0;
    if (!s->is_ready)
        start = "identity";  // for its checks
    AK_TRY(start_factor(&A, ctx, start, AKIN_LEFT, &s->rank, s->k));
    AK_TRY(start_factor(&B, ctx, start, AKIN_RIGHT, &s->rank, s->k));
    if (s->is_ready)
        AK_TRY(s->rule->set(s, ctx, A, B));
done:
    ak_scratch_end(ctx, mark);
    return st;
}

static akin_status load_factors(ak_rank_factors *s, akin_ctx *ctx,
                                const ak_tensors *t)
{
    s->is_ready = !ak_zero_is_saved(t);
    return s->is_ready ? s->rule->load(s, ctx, t)
                       : ak_zero_load(&s->zero, ctx, t);
}

akin_status ak_rank_factors_begin(ak_rank_factors *s, akin_ctx *ctx,
                                  const ak_online_input *in,
                                  const ak_rank_factors_rule *rule, int64_t k,
                                  const char *ybar, const char *start)
{
    static const ak_rank_rule ranks = {factors_prepare, factors_scores,
                                       factors_score, factors_step};
    s->rule = rule;
    s->k = k;
    AK_CHECK(ak_rank_begin(&s->rank, ctx, &ranks, ybar, in->data, in->resume));
    ak_zero_init(&s->zero, s->rank.n, s->rank.d, k, false);
    return in->resume ? load_factors(s, ctx, in->resume)
                      : start_factors(s, ctx, start);
}

akin_status ak_rank_factors_model(akin_model **out, akin_ctx *ctx, void *state)
{
    const ak_rank_factors *s = state;
    const ak_mark mark = ak_scratch_begin(ctx);
    const int64_t d = s->rank.d, k = s->k;
    double *A = NULL, *B = NULL;
    int64_t rank = 0;
    akin_status st = AKIN_OK;
    AK_TRY(AK_SCRATCH(ctx, s->rank.n * k, &A));
    AK_TRY(AK_SCRATCH(ctx, d * k, &B));
    if (s->is_ready)
        s->rule->copy(state, A, B);
    else
        AK_TRY(ak_zero_factors(&s->zero, ctx, A, B, &rank));
    AK_TRY(ak_ranker_new_factored(out, ctx, labels_of(&s->rank), d, k, A, B));
done:
    ak_scratch_end(ctx, mark);
    return st;
}

akin_status ak_rank_factors_save(const void *state, akin_ctx *ctx,
                                 ak_tensors *t)
{
    const ak_rank_factors *s = state;
    AK_CHECK(ak_rank_save(&s->rank, ctx, t));
    return s->is_ready ? s->rule->save(state, ctx, t)
                       : ak_zero_save(&s->zero, ctx, t);
}
