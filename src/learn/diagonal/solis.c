/* SOLIS: a sparse diagonal similarity, learned online from triplets.
 *   [1] Gao, Hoi, Zhang, Zhou, Wan, Chen, Li, Zhu. SOLIS: Sparse Online
 *       Learning of Image Similarity. ACM TIST 8(5), 2017.
 *
 *   S(x, y) = sum_j w_j x_j y_j,  w = w0 at the start   (1)  [1]: w0 = 0
 *   v       = x * (x+ - x-), elementwise                (2)
 *   loss    = max(0, 1 - w.v / u)                       (3)  [1] eq. 7: u = 1
 *   g       = -v / r if loss > 0, else 0                (4)  [1]: r = 1
 *
 * Four learners differ in the update of w: solis-tg, solis-da, solis-afb and
 * solis-ada below. A round with loss > 0 is active. All four are lazy: a round
 * reads and writes only the coordinates of v, and yet gives the weights of a
 * pass over all coordinates, because soft(soft(x, a), b) = soft(x, a + b).
 *
 * Counters: t rounds so far; N steps so far (active rounds, or all rounds when
 * the clock is "all"); T the round of the last step.
 *
 * Units. With units "absolute", u = r = 1 as in [1]. With "relative", they are
 * what the triplets so far, this one included, have shown:
 *
 *   u = 4 times the mean of |w0.v|                      (5)  w0 = 1 for 0
 *   r = root of the mean of v_j^2 over all v_j != 0     (6)
 *
 * so that the start has a margin of about 1/4 and most rounds are active, a
 * weight moves by eta or less in its first step, and rows times a constant give
 * the same weights. lambda is then in units of
 *
 *   l = (number of v_j != 0 so far) / (d t),            (7)  absolute: 1
 *
 * the mean |g| of a weight of average frequency: the same lambda leaves as many
 * weights of many columns as of few. */
#include "learn/diagonal/solis.h"

#include <math.h>
#include <string.h>

#include "base/comm.h"
#include "la/clones.h"
#include "la/sparse.h"
#include "learn/diagonal/trust.h"
#include "learn/learner.h"
#include "learn/merge.h"
#include "model/diagonal.h"
#include "model/sparse_rows.h"

enum { BLOCK = 256, LINE = 64, FETCH_LEAST = 1 << 20 };

static const double MARGIN = 4.0;  // in units of the mean |w0.v|

typedef struct solis solis;

/* What one of the four provides. */
typedef struct solis_rule {
    int64_t width;  // doubles of state per coordinate
    /* The current weights of n coordinates into s->w, with w0 in s->b; then, in
     * an active round, the step along v, which is -g, on its n non-zeros. */
    void (*read)(const solis *s, int64_t n, const int32_t *cols);
    void (*step)(const solis *s, int64_t n, const int32_t *cols,
                 const double *v);
    /* The current w_j from the state of a coordinate, and where it began. */
    double (*value)(const solis *s, const double *cell, double w0);
    /* Recompute what a cell caches after a resume; NULL: nothing. */
    void (*refresh)(const solis *s, double *cell);
    /* Make the shrinking since the last update; NULL: a cell has sums. */
    void (*settle)(const solis *s, double *cell, double w0);
} solis_rule;

/* The options of all four; each has some of them. */
typedef struct solis_options {
    double eta, lambda, delta, gamma, rho;
    const char *clock, *start, *units;
    double start_weight;
} solis_options;

struct solis {
    const solis_rule *rule;
    solis_options o;
    const akin_supervision *data;
    akin_compare by;
    bool every_round;  // clock "all"
    bool relative;     // units
    int64_t d;
    int64_t t, N, T;
    double *cells;  // d x rule->width, in memory
    void *memory;
    double *w0;  // d; NULL: w0_all in every column
    double w0_all;
    double margins, squares, entries;  // sums of |w0.v|, v_j^2 and v_j != 0
    double unit, units;     // of lambda: at the last step, and over all steps
    double *w;              // scratch of a round: weights, w0, -g, and G and
    double *b, *v, *G, *h;  // 1 / H of the adaptive two; `room` doubles each,
    int64_t room;           // in one allocation
    ak_hadamards block;
    ak_merge_rows merge;  // of cells, by several ranks
    double added[6];      // get_added, and T, at the last merge
    int64_t T_before;
};

/* sign(x) max(|x| - a, 0); no fmax, which is a call. */
static inline double soft(double x, double a)
{
    const double rest = fabs(x) - a;
    return copysign(rest > 0.0 ? rest : 0.0, x);
}

static inline double start_of(const solis *s, int64_t j)
{
    return s->w0 != NULL ? s->w0[j] : s->w0_all;
}

/* ---- solis-tg: truncated gradient ------------------------------------------
 *
 *   w <- soft(w - eta g, eta lambda)                    (8)  [1] eq. 10-11
 *
 * in every step and on all coordinates. A coordinate keeps w_j as of its last
 * update and the sum N of the units (7) of all steps until then; its current
 * value is
 *
 *   soft(w_j, (N - stamp_j) eta lambda)                 (9)
 */

typedef struct tg_cell {
    double w;
    double stamp;  // `units` after the last update; 0: none
} tg_cell;

static double tg_value(const solis *s, const double *state, double w0)
{
    const tg_cell *c = (const tg_cell *)state;
    return soft(c->stamp > 0.0 ? c->w : w0,
                (s->units - c->stamp) * s->o.eta * s->o.lambda);
}

AK_CLONES
static void tg_read(const solis *s, int64_t n, const int32_t *cols)
{
    double *w = s->w;
    const double *b = s->b;
    const tg_cell *cells = (const tg_cell *)s->cells;
    const double units = s->units, shrink = s->o.eta * s->o.lambda;
    for (int64_t k = 0; k < n; ++k) {
        const tg_cell *c = &cells[cols[k]];
        w[k] = soft(c->stamp > 0.0 ? c->w : b[k],
                    (units - c->stamp) * shrink);  // (9)
    }
}

AK_CLONES
static void tg_step(const solis *s, int64_t n, const int32_t *cols,
                    const double *v)
{
    const double *w = s->w;
    tg_cell *cells = (tg_cell *)s->cells;
    const double eta = s->o.eta, shrink = s->unit * s->o.eta * s->o.lambda;
    const double stamp = s->units + s->unit;
    AK_DISTINCT
    for (int64_t k = 0; k < n; ++k) {
        tg_cell *c = &cells[cols[k]];
        c->w = soft(w[k] + eta * v[k], shrink);  // (8)
        c->stamp = stamp;
    }
}

static void tg_settle(const solis *s, double *state, double w0)
{
    *(tg_cell *)state = (tg_cell){tg_value(s, state, w0), s->units};
}

static const solis_rule tg_rule = {
    .width = sizeof(tg_cell) / sizeof(double),
    .read = tg_read,
    .step = tg_step,
    .value = tg_value,
    .settle = tg_settle,
};

/* ---- solis-da: dual averaging ----------------------------------------------
 *
 *   gbar = (1/t) sum of g over all t rounds             (10)
 *   w    = soft(w0 - f gbar, f (lambda + gamma rho / sqrt t)),
 *   f    = sqrt t / gamma                               (11)
 *
 * [1] eq. 13 to 16, where w0 = 0. Only the sum s = t gbar is kept: with T the
 * round of the last step,
 *
 *   w_j = soft(w0_j - a s_j, a (lambda T + gamma rho sqrt T)),
 *   a   = 1 / (gamma sqrt T)                            (12)
 */

typedef struct da_scale {
    double a, cut;  // these change with T only
} da_scale;

static da_scale da_scale_of(const solis *s)
{
    const double T = (double)s->T, root = sqrt(T);
    const double a = s->T > 0 ? 1.0 / (s->o.gamma * root) : 0.0;
    return (da_scale){
        a, a * (s->unit * s->o.lambda * T + s->o.gamma * s->o.rho * root)};
}

static double da_value(const solis *s, const double *cell, double w0)
{
    const da_scale f = da_scale_of(s);
    return soft(w0 - f.a * *cell, f.cut);
}

AK_CLONES
static void da_read(const solis *s, int64_t n, const int32_t *cols)
{
    const double *sums = s->cells, *b = s->b;
    const da_scale f = da_scale_of(s);
    double *w = s->w;
    for (int64_t k = 0; k < n; ++k)
        w[k] = soft(b[k] - f.a * sums[cols[k]], f.cut);  // (12)
}

static void da_step(const solis *s, int64_t n, const int32_t *cols,
                    const double *v)
{
    for (int64_t k = 0; k < n; ++k)
        s->cells[cols[k]] -= v[k];  // s += g
}

static const solis_rule da_rule = {
    .width = 1,
    .read = da_read,
    .step = da_step,
    .value = da_value,
};

/* 1 / (delta + sqrt G) of the adaptive two; 0 for a coordinate that was never
 * updated when delta = 0. */
static inline double inverse_H(double delta, double G)
{
    const double H = delta + sqrt(G);
    return H > 0.0 ? 1.0 / H : 0.0;
}

/* ---- solis-afb: adaptive forward-backward steps ----------------------------
 *
 *   G <- G + g^2,  H = delta + sqrt G                   (13)  [1] eq. 18
 *   w <- soft(w - (eta/H) g, eta lambda / H)            (14)  [1] eq. 19a
 *
 * H_j does not change while g_j = 0, so all steps since the last update of a
 * coordinate shrink it at once:
 *
 *   w_j now = soft(w_j, (N - stamp_j) eta lambda / H_j) (15)
 *
 * where a coordinate never updated (stamp 0) has H_j = delta. It stays at w0_j
 * when delta = 0. */

typedef struct afb_cell {
    double w;
    double G;
    double h;  // 1 / H, or 0 where H = 0
    double stamp;
} afb_cell;

static void afb_refresh(const solis *s, double *state)
{
    afb_cell *c = (afb_cell *)state;
    if (c->stamp != 0.0)  // has been touched
        c->h = inverse_H(s->o.delta, c->G);
}

static double afb_value(const solis *s, const double *state, double w0)
{
    const afb_cell *c = (const afb_cell *)state;
    const bool touched = c->stamp > 0.0;
    return soft(touched ? c->w : w0,
                (s->units - c->stamp) *
                    (touched ? c->h : inverse_H(s->o.delta, 0.0)) *
                    (s->o.eta * s->o.lambda));
}

/* (15) of coordinates side by side; the shrinking comes in units of its
 * factor. */
AK_CLONES
static void afb_catch_up(double shrink, int64_t n, const double *units,
                         double *w)
{
    for (int64_t k = 0; k < n; ++k)
        w[k] = soft(w[k], units[k] * shrink);
}

static void afb_read(const solis *s, int64_t n, const int32_t *cols)
{
    const afb_cell *cells = (const afb_cell *)s->cells;
    const double units = s->units, untouched = inverse_H(s->o.delta, 0.0);
    for (int64_t k = 0; k < n; ++k) {
        const afb_cell *c = &cells[cols[k]];
        const bool touched = c->stamp > 0.0;
        s->w[k] = touched ? c->w : s->b[k];
        s->G[k] = c->G;
        s->h[k] = (units - c->stamp) * (touched ? c->h : untouched);
    }
    afb_catch_up(s->o.eta * s->o.lambda, n, s->h, s->w);
}

/* (13) and (14), g = -v, of coordinates side by side. */
AK_CLONES
static void afb_move(double eta, double lambda, double delta, int64_t n,
                     const double *v, double *G, double *h, double *w)
{
    for (int64_t k = 0; k < n; ++k) {
        G[k] += v[k] * v[k];
        h[k] = inverse_H(delta, G[k]);
        w[k] = soft(w[k] + eta * h[k] * v[k], eta * lambda * h[k]);
    }
}

static void afb_step(const solis *s, int64_t n, const int32_t *cols,
                     const double *v)
{
    afb_cell *cells = (afb_cell *)s->cells;
    const double stamp = s->units + s->unit;
    afb_move(s->o.eta, s->unit * s->o.lambda, s->o.delta, n, v, s->G, s->h,
             s->w);
    for (int64_t k = 0; k < n; ++k)
        cells[cols[k]] = (afb_cell){s->w[k], s->G[k], s->h[k], stamp};
}

static void afb_settle(const solis *s, double *state, double w0)
{
    afb_cell *c = (afb_cell *)state;
    c->w = afb_value(s, state, w0);
    c->stamp = s->units;
}

static const solis_rule afb_rule = {
    .width = sizeof(afb_cell) / sizeof(double),
    .read = afb_read,
    .step = afb_step,
    .value = afb_value,
    .refresh = afb_refresh,
    .settle = afb_settle,
};

/* ---- solis-ada: adaptive dual averaging ------------------------------------
 *
 *   gbar = (1/t) sum of g over all t rounds             (16)
 *   G    = sum of g^2,  H = delta + sqrt G              (17)  [1] eq. 21
 *   w    = soft(w0 - (eta t / H) gbar, eta t lambda / H)  (18)
 *
 * [1] eq. 22a, where w0 = 0. The sums s = t gbar and G are kept: with T the
 * round of the last step,
 *
 *   w_j = soft(w0_j - (eta / H_j) s_j, (eta / H_j) lambda T)  (19)
 *
 * H_j = 0 (delta = 0, never updated) means w_j = w0_j. */

typedef struct ada_cell {
    double s;
    double G;
} ada_cell;

static double ada_cut(const solis *s)
{
    return s->unit * s->o.lambda * (double)s->T;
}

static double ada_value(const solis *s, const double *state, double w0)
{
    const ada_cell *c = (const ada_cell *)state;
    const double a = s->o.eta * inverse_H(s->o.delta, c->G);
    return soft(w0 - a * c->s, a * ada_cut(s));
}

/* h = 1 / H of n coordinates; a loop that the compiler can vectorise. */
AK_CLONES
static void inverse_Hs(double delta, int64_t n, const double *G, double *h)
{
    for (int64_t k = 0; k < n; ++k)
        h[k] = inverse_H(delta, G[k]);
}

/* (19) of coordinates side by side: w comes as s. */
AK_CLONES
static void ada_weights(double eta, double cut, int64_t n, const double *h,
                        const double *w0, double *w)
{
    for (int64_t k = 0; k < n; ++k) {
        const double a = eta * h[k];
        w[k] = soft(w0[k] - a * w[k], a * cut);
    }
}

static void ada_read(const solis *s, int64_t n, const int32_t *cols)
{
    const ada_cell *cells = (const ada_cell *)s->cells;
    for (int64_t k = 0; k < n; ++k) {
        s->w[k] = cells[cols[k]].s;
        s->G[k] = cells[cols[k]].G;
    }
    inverse_Hs(s->o.delta, n, s->G, s->h);  // (17)
    ada_weights(s->o.eta, ada_cut(s), n, s->h, s->b, s->w);
}

static void ada_step(const solis *s, int64_t n, const int32_t *cols,
                     const double *v)
{
    ada_cell *cells = (ada_cell *)s->cells;
    AK_DISTINCT
    for (int64_t k = 0; k < n; ++k) {
        ada_cell *c = &cells[cols[k]];
        c->s -= v[k];  // s += g
        c->G = s->G[k] + v[k] * v[k];
    }
}

static const solis_rule ada_rule = {
    .width = sizeof(ada_cell) / sizeof(double),
    .read = ada_read,
    .step = ada_step,
    .value = ada_value,
};

/* ---- the start ---------------------------------------------------------- */

/* The words that occur in rows that can be a positive get `weight`. */
static akin_status start_mask(solis *s, akin_ctx *ctx, const akin_rows *rows,
                              const ak_sampler *sampler, double weight)
{
    if (sampler == NULL)
        return ak_fail(
            ctx, AKIN_EINVAL,
            "`start` mask needs all examples in advance (labels or a "
            "file, not a stream)");
    const ak_mark mark = ak_scratch_begin(ctx);
    unsigned char *is_positive = NULL;
    akin_status st = AKIN_OK;
    AK_TRY(AK_SCRATCH(ctx, rows->n, &is_positive));
    AK_TRY(AK_NEW(ctx, s->d, &s->w0));
    ak_sampler_positives(sampler, is_positive);
    for (int64_t i = 0; i < rows->n; ++i) {
        const int32_t *cols;
        const float *vals;
        const int64_t n = akin_rows_row(&cols, &vals, rows, i);
        for (int64_t k = 0; is_positive[i] && k < n; ++k)
            if (vals[k] != 0.0f)
                s->w0[cols ? cols[k] : k] = weight;
    }
done:
    ak_scratch_end(ctx, mark);
    return st;
}

static akin_status start_file(solis *s, akin_ctx *ctx, const char *path)
{
    akin_model *m = NULL;
    akin_status st = AKIN_OK;
    AK_TRY(akin_model_load(&m, ctx, path));
    if (!ak_model_is_diagonal(m))
        AK_TRY(ak_fail(ctx, AKIN_EINVAL,
                       "%s: cannot start from a model of kind %s (expected "
                       "diagonal)",
                       path, akin_model_kind(m)));
    if (m->d[0] != s->d)
        AK_TRY(ak_fail(ctx, AKIN_ESHAPE,
                       "%s: the start has %" PRId64
                       " columns, the rows have %" PRId64,
                       path, m->d[0], s->d));
    AK_TRY(AK_NEW(ctx, s->d, &s->w0));
    const double *w = ak_diagonal_w(m);
    for (int64_t j = 0; j < s->d; ++j)
        s->w0[j] = w ? w[j] : 1.0;
done:
    akin_model_free(m);
    return st;
}

static akin_status start(solis *s, akin_ctx *ctx, const ak_online_input *in)
{
    s->w0_all = strcmp(s->o.start, "measure") == 0 ? 1.0 : 0.0;
    if (s->w0_all != 0.0 || strcmp(s->o.start, "zero") == 0)
        return AKIN_OK;
    if (strcmp(s->o.start, "mask") == 0)
        return start_mask(s, ctx, in->data->rows, in->sampler,
                          s->o.start_weight);
    return start_file(s, ctx, s->o.start);
}

/* ---- state in a file ---------------------------------------------------- */

/* The numbers of a state that are not counts. */
static const struct {
    const char *name;
    size_t offset;
} sums[] = {
    {"start_weight", offsetof(solis, w0_all)},
    {"margins", offsetof(solis, margins)},
    {"squares", offsetof(solis, squares)},
    {"entries", offsetof(solis, entries)},
    {"unit", offsetof(solis, unit)},
    {"units", offsetof(solis, units)},
};

enum { N_SUMS = sizeof sums / sizeof sums[0] };

static double *sum_of(const solis *s, int i)
{
    return (double *)((char *)s + sums[i].offset);
}

static akin_status solis_save(const void *state, akin_ctx *ctx, ak_tensors *t)
{
    const solis *s = state;
    AK_CHECK(ak_sparse_rows_put(t, ctx, "cells", s->d, s->rule->width, 0.0,
                                s->cells));
    if (s->w0 != NULL)
        AK_CHECK(ak_sparse_rows_put(t, ctx, "start", s->d, 1, 0.0, s->w0));
    for (int i = 0; i < N_SUMS; ++i)
        AK_CHECK(ak_tensors_note_f64(t, ctx, sums[i].name, *sum_of(s, i)));
    AK_CHECK(ak_tensors_note_i64(t, ctx, "rounds", s->t));
    AK_CHECK(ak_tensors_note_i64(t, ctx, "steps", s->N));
    return ak_tensors_note_i64(t, ctx, "last_step", s->T);
}

static akin_status load(solis *s, akin_ctx *ctx, const ak_tensors *t)
{
    AK_CHECK(
        ak_sparse_rows_take(t, ctx, "cells", s->d, s->rule->width, s->cells));
    if (ak_tensors_find(t, "start") != NULL) {
        AK_CHECK(AK_NEW(ctx, s->d, &s->w0));
        AK_CHECK(ak_sparse_rows_take(t, ctx, "start", s->d, 1, s->w0));
    }
    for (int i = 0; i < N_SUMS; ++i)
        AK_CHECK(ak_tensors_need_f64(t, ctx, sums[i].name, sum_of(s, i)));
    AK_CHECK(ak_state_count(t, ctx, "rounds", &s->t));
    AK_CHECK(ak_state_count(t, ctx, "steps", &s->N));
    AK_CHECK(ak_state_count(t, ctx, "last_step", &s->T));
    if (s->rule->refresh != NULL)
        for (int64_t j = 0; j < s->d; ++j)
            s->rule->refresh(s, s->cells + j * s->rule->width);
    return AKIN_OK;
}

/* ---- the run ------------------------------------------------------------ */

/* Aligned to a cache line, so that few cells lie in two. */
static akin_status make_cells(solis *s, akin_ctx *ctx)
{
    const size_t width = (size_t)s->rule->width * sizeof(double);
    AK_CHECK(ak_alloc(ctx, s->d + LINE, width, &s->memory));
    s->cells = (double *)(((uintptr_t)s->memory + LINE - 1) / LINE * LINE);
    return AKIN_OK;
}

static void solis_free(void *state)
{
    solis *s = state;
    if (s == NULL)
        return;
    ak_hadamards_free(&s->block);
    ak_merge_end(&s->merge);
    akin_free(s->memory);
    akin_free(s->w0);
    akin_free(s->w);
    akin_free(s);
}

/* Rows that share all columns differ in length under w: the dot product would
 * prefer the long ones. */
static akin_compare compare_by(const solis *s, const akin_rows *rows)
{
    return s->relative && rows->offsets == NULL ? AKIN_BY_COSINE : AKIN_BY_DOT;
}

static akin_status solis_begin(void **state, akin_ctx *ctx,
                               const ak_online_input *in,
                               const solis_rule *rule, solis_options o)
{
    solis *s = NULL;
    akin_status st = AKIN_OK;
    AK_TRY(AK_NEW(ctx, 1, &s));
    s->rule = rule;
    s->o = o;
    s->every_round = strcmp(o.clock, "all") == 0;
    s->relative = strcmp(o.units, "relative") == 0;
    s->unit = 1.0;
    s->data = in->data;
    s->by = compare_by(s, in->data->rows);
    s->d = akin_rows_dim(in->data->rows);
    AK_TRY(make_cells(s, ctx));
    AK_TRY(in->resume ? load(s, ctx, in->resume) : start(s, ctx, in));
    *state = s;
    s = NULL;
done:
    solis_free(s);
    return st;
}

static akin_status make_room(solis *s, akin_ctx *ctx, int64_t n)
{
    if (n <= s->room)
        return AKIN_OK;
    const akin_status st = ak_resize(ctx, 10 * n, sizeof *s->w, &s->w);
    if (st == AKIN_OK) {
        s->room = 2 * n;
        s->b = s->w + s->room;
        s->v = s->b + s->room;
        s->G = s->v + s->room;
        s->h = s->G + s->room;
    }
    return st;
}

/* w0 of n coordinates into s->b. */
static void read_start(const solis *s, int64_t n, const int32_t *cols)
{
    for (int64_t k = 0; k < n; ++k)
        s->b[k] = start_of(s, cols[k]);
}

/* Count a triplet into the sums of (5) to (7). */
static void measure(solis *s, int64_t n, const double *v)
{
    const bool from_zero = s->w0 == NULL && s->w0_all == 0.0;
    double margin = 0.0;
    for (int64_t k = 0; k < n; ++k)
        margin += (from_zero ? 1.0 : s->b[k]) * v[k];
    s->margins += fabs(margin);
    s->squares += ak_dot8(n, v, v);
    s->entries += (double)n;
}

/* The loss (3) from the weights in s->w; -1 stands for a value that is not
 * finite. */
static double loss_of(const solis *s, int64_t n, const double *v)
{
    double margin = ak_dot8(n, s->w, v);
    if (s->relative && s->margins > 0.0)
        margin *= (double)(s->t + 1) / (MARGIN * s->margins);
    return isfinite(margin) ? fmax(0.0, 1.0 - margin) : -1.0;
}

/* The step of an active round, along v / r; and what follows from it. */
static void take_step(solis *s, int64_t n, const int32_t *cols, const double *v,
                      bool active)
{
    if (s->relative)
        s->unit = s->entries / ((double)s->d * (double)(s->t + 1));
    if (active && s->relative) {
        const double scale = n > 0 ? sqrt(s->entries / s->squares) : 0.0;
        for (int64_t k = 0; k < n; ++k)
            s->v[k] = scale * v[k];
        v = s->v;
    }
    if (active)
        s->rule->step(s, n, cols, v);
    ++s->N;
    s->units += s->unit;
    s->T = s->t + 1;
}

/* The cells of a vector are scattered over a state that may exceed the caches:
 * prefetch them a round ahead. The empty instruction keeps gcc from removing a
 * function that seems to do nothing. */
static void fetch_cells(const solis *s, int64_t n, const int32_t *cols)
{
    const int64_t width = s->rule->width;
    if (s->d * width * (int64_t)sizeof *s->cells < FETCH_LEAST)
        return;
    __asm__ volatile("");
    for (int64_t k = 0; k < n; ++k)
        __builtin_prefetch(s->cells + cols[k] * width);
}

akin_status ak_solis_rounds(void *state, akin_ctx *ctx, const ak_hadamards *v,
                            akin_learn_info *info)
{
    solis *s = state;
    for (int64_t k = 0; k < v->n; ++k) {
        const int64_t n = v->counts[k], at = v->offsets[k];
        AK_CHECK(make_room(s, ctx, n));
        if (k + 1 < v->n)
            fetch_cells(s, v->counts[k + 1], v->cols + v->offsets[k + 1]);
        const int32_t *cols = v->cols + at;
        const double *vals = v->vals + at;
        read_start(s, n, cols);
        if (s->relative)
            measure(s, n, vals);
        s->rule->read(s, n, cols);
        const double loss = loss_of(s, n, vals);
        if (loss > 0.0 || s->every_round)
            take_step(s, n, cols, vals, loss > 0.0);
        ++s->t;
        if (loss < 0.0)
            return AKIN_ENUMERIC;
        ak_learn_count(info, loss, loss > 0.0);
    }
    return AKIN_OK;
}

static akin_status solis_observe(void *state, akin_ctx *ctx,
                                 const akin_rows *rows, const int64_t *triplets,
                                 int64_t count, akin_learn_info *info)
{
    ak_hadamards *h = &((solis *)state)->block;
    for (int64_t at = 0; at < count; at += h->n) {
        AK_CHECK(ak_hadamards_fill(h, ctx, rows, triplets + 3 * at, count - at,
                                   BLOCK));
        AK_CHECK(ak_solis_rounds(state, ctx, h, info));
    }
    return AKIN_OK;
}

/* ---- ranks -----------------------------------------------------------------
 *
 * The ranks have followed each other's rounds, in the order of the ranks, as
 * far as the counters and the sums of (5) to (7) go. The sums of gradients of
 * solis-da and solis-ada add up exactly: given the same active rounds and r,
 * they are those of one rank. Which rounds are active depends on the weights,
 * and these lack what the other ranks have learned since the last merge.
 *
 * solis-tg and solis-afb keep weights. The steps of all ranks on a weight add
 * up, after the shrinking (9) or (15) of the steps of all: approximate, because
 * the ranks' steps did not see each other. G of solis-afb adds up exactly. */

/* The numbers of a state that add up. */
enum { ROUNDS, STEPS, MARGINS, SQUARES, ENTRIES, UNITS, N_ADDED };

static void get_added(const solis *s, double *x)
{
    x[ROUNDS] = (double)s->t;
    x[STEPS] = (double)s->N;
    x[MARGINS] = s->margins;
    x[SQUARES] = s->squares;
    x[ENTRIES] = s->entries;
    x[UNITS] = s->units;
}

static akin_status solis_divide(void *state, akin_ctx *ctx, bool *divided)
{
    solis *s = state;
    s->merge = (ak_merge_rows){s->d, s->rule->width, s->cells, s->merge.before};
    get_added(s, s->added);
    s->T_before = s->T;
    *divided = true;
    return ak_merge_begin(&s->merge, ctx);
}

/* T, as if the rounds of a rank followed those of the ranks before it. */
static akin_status merge_last_step(solis *s, akin_ctx *ctx)
{
    const int64_t t = (int64_t)s->added[ROUNDS];
    const int64_t own[] = {s->t - t, s->T > s->T_before ? s->T - t : 0};
    const ak_mark mark = ak_scratch_begin(ctx);
    unsigned char *all = NULL;
    const size_t *offsets = NULL;
    int64_t at = t;
    akin_status st = AKIN_OK;
    AK_TRY(ak_comm_collect(ctx, own, sizeof own, &all, &offsets));
    s->T = s->T_before;
    for (int64_t r = 0; r < akin_ctx_ranks(ctx); ++r) {
        int64_t part[2];
        memcpy(part, all + offsets[r], sizeof part);
        if (part[1] > 0)
            s->T = at + part[1];
        at += part[0];
    }
    s->T_before = s->T;
done:
    ak_scratch_end(ctx, mark);
    return st;
}

static akin_status merge_counters(solis *s, akin_ctx *ctx)
{
    double x[N_ADDED];
    get_added(s, x);
    AK_CHECK(merge_last_step(s, ctx));
    AK_CHECK(ak_merge_sums(ctx, N_ADDED, s->added, x));
    s->t = (int64_t)x[ROUNDS];
    s->N = (int64_t)x[STEPS];
    s->margins = x[MARGINS];
    s->squares = x[SQUARES];
    s->entries = x[ENTRIES];
    s->units = x[UNITS];
    if (s->relative && s->T > 0)
        s->unit = s->entries / ((double)s->d * (double)s->t);  // (7)
    memcpy(s->added, x, sizeof x);
    return AKIN_OK;
}

static void settle_cell(const void *state, int64_t j, double *cell)
{
    const solis *s = state;
    if (s->rule->settle != NULL)
        s->rule->settle(s, cell, start_of(s, j));
}

static void refresh_cell(const void *state, int64_t j, double *cell)
{
    const solis *s = state;
    (void)j;
    if (s->rule->refresh != NULL)
        s->rule->refresh(s, cell);
}

static akin_status solis_merge(void *state, akin_ctx *ctx)
{
    solis *s = state;
    const ak_mark mark = ak_scratch_begin(ctx);
    ak_changes c;
    akin_status st = AKIN_OK;
    AK_TRY(ak_merge_collect(&c, ctx, &s->merge, settle_cell, NULL, s));
    AK_TRY(merge_counters(s, ctx));
    ak_merge_undo(&c, &s->merge);
    ak_merge_add(&c, &s->merge, settle_cell, refresh_cell, s);
done:
    ak_scratch_end(ctx, mark);
    return st;
}

/* lambda competes with the mean gradient. In absolute units that is small for
 * many examples over many words: a lambda that suits few examples may then
 * remove all weights. */
static void warn_if_empty(const solis *s, akin_ctx *ctx, const akin_model *m)
{
    if (s->N > 0 && akin_model_nonzeros(m) == 0)
        ak_log(ctx, AKIN_LOG_WARNING,
               "`lambda` %g is too large: all weights became zero (try %g, or "
               "akin tune)",
               s->o.lambda, s->o.lambda / 10.0);
}

static akin_status solis_model(akin_model **out, akin_ctx *ctx, void *state)
{
    const solis *s = state;
    const ak_mark mark = ak_scratch_begin(ctx);
    double *w = NULL, share = 1.0;
    akin_model *m = NULL;
    akin_status st = AKIN_OK;
    AK_TRY(AK_SCRATCH(ctx, s->d, &w));
    for (int64_t j = 0; j < s->d; ++j)
        w[j] = s->rule->value(s, s->cells + j * s->rule->width, start_of(s, j));
    if (s->relative && s->o.lambda == 0.0 && s->w0_all > 0.0)
        AK_TRY(ak_trust(&share, ctx, s->data, s->by, s->d, NULL, w));
    AK_TRY(ak_diagonal_new(&m, ctx, s->d, w, s->by));
    AK_TRY(ak_tensors_note_f64(m->notes, ctx, "trust", share));
    warn_if_empty(s, ctx, m);
    *out = m;
    m = NULL;
done:
    akin_model_free(m);
    ak_scratch_end(ctx, mark);
    return st;
}

/* ---- the learners -------------------------------------------------------- */

#define LAMBDA_OPTION(type)                                                   \
    AK_OPTION_GRID(type, lambda, 0.0, 1e6,                                    \
                   "strength of the L1 penalty: larger sets more weights to " \
                   "zero",                                                    \
                   0.0, 0.03, 0.1, 0.3, 1.0)
#define ETA_OPTION(type)                                                    \
    AK_OPTION_GRID(type, eta, 1e-12, 1e6, "step size", 0.05, 0.1, 0.2, 0.5, \
                   1.0, 2.0)
#define DELTA_OPTION(type)                                                 \
    AK_OPTION_GRID(type, delta, 0.0, 1e6,                                  \
                   "damps the first steps of a coordinate, about delta^2 " \
                   "of them",                                              \
                   1.0, 3.0, 10.0)
#define SHARED_OPTIONS(type)                                                  \
    AK_OPTION_WORD(type, clock, "active|all",                                 \
                   "rounds that count as steps: those with a loss, or all"),  \
        AK_OPTION_WORD(type, start, "measure|zero|mask|FILE",                 \
                       "initial weights: 1 (the plain measure of the "        \
                       "rows), zero, a weight for the words of the "          \
                       "positives, or a model"),                              \
        AK_OPTION(type, start_weight, 0.0, 1e6,                               \
                  "weight of the words of the positives when start is mask"), \
        AK_OPTION_WORD(type, units, "relative|absolute",                      \
                       "margin, steps and lambda relative to the triplets "   \
                       "seen, or as published")

/* What all four begin with, do, take, make and cite. */
#define SHARED(o)                                                  \
    .clock = (o)->clock, .start = (o)->start, .units = (o)->units, \
    .start_weight = (o)->start_weight
#define ONLINE(begin_)                                                     \
    {                                                                      \
        .begin = (begin_), .observe = solis_observe, .model = solis_model, \
        .save = solis_save, .divide = solis_divide, .merge = solis_merge,  \
        .free = solis_free                                                 \
    }
#define ENTRY                                                               \
    .paper = "gao2017solis",                                                \
    .takes = AKIN_LABELS | AKIN_PAIRS | AKIN_TRIPLETS, .makes = "diagonal", \
    .is_online = 1, .recipe = &ak_recipe_counts

static const akin_option tg_options[] = {
    ETA_OPTION(akin_solis_tg_options),
    LAMBDA_OPTION(akin_solis_tg_options),
    SHARED_OPTIONS(akin_solis_tg_options),
};

static akin_status tg_begin(void **state, akin_ctx *ctx,
                            const ak_online_input *in)
{
    const akin_solis_tg_options *o = (const akin_solis_tg_options *)in->options;
    return solis_begin(
        state, ctx, in, &tg_rule,
        (solis_options){.eta = o->eta, .lambda = o->lambda, SHARED(o)});
}

static const ak_online tg_online = ONLINE(tg_begin);

const ak_learner ak_learner_solis_tg = {
    .info =
        {
            .name = "solis-tg",
            .summary = "sparse diagonal similarity by truncated gradient",
            .when = "the simplest of the four; a baseline",
            .shares = AK_SHARES_STEPS,
            ENTRY,
            AK_OPTION_ROWS(akin_solis_tg_options, AKIN_SOLIS_TG_DEFAULTS,
                           tg_options),
        },
    .online = &tg_online,
};

static const akin_option da_options[] = {
    LAMBDA_OPTION(akin_solis_da_options),
    AK_OPTION_GRID(akin_solis_da_options, gamma, 1e-12, 1e6,
                   "how fast the weights may grow: smaller is faster", 0.02,
                   0.05, 0.1, 0.2, 0.5, 1.0),
    AK_OPTION_GRID(akin_solis_da_options, rho, 0.0, 1e6,
                   "extra L1 penalty that decreases with the rounds", 0.0, 1e-3,
                   1e-2, 1e-1),
    SHARED_OPTIONS(akin_solis_da_options),
};

static akin_status da_begin(void **state, akin_ctx *ctx,
                            const ak_online_input *in)
{
    const akin_solis_da_options *o = (const akin_solis_da_options *)in->options;
    return solis_begin(
        state, ctx, in, &da_rule,
        (solis_options){
            .lambda = o->lambda, .gamma = o->gamma, .rho = o->rho, SHARED(o)});
}

static const ak_online da_online = ONLINE(da_begin);

const ak_learner ak_learner_solis_da = {
    .info =
        {
            .name = "solis-da",
            .summary = "sparse diagonal similarity by dual averaging",
            .when = "least memory: one number per dimension",
            .shares = AK_SHARES_SUMS,
            ENTRY,
            AK_OPTION_ROWS(akin_solis_da_options, AKIN_SOLIS_DA_DEFAULTS,
                           da_options),
        },
    .online = &da_online,
};

static const akin_option afb_options[] = {
    ETA_OPTION(akin_solis_afb_options),
    LAMBDA_OPTION(akin_solis_afb_options),
    DELTA_OPTION(akin_solis_afb_options),
    SHARED_OPTIONS(akin_solis_afb_options),
};

static akin_status afb_begin(void **state, akin_ctx *ctx,
                             const ak_online_input *in)
{
    const akin_solis_afb_options *o =
        (const akin_solis_afb_options *)in->options;
    return solis_begin(
        state, ctx, in, &afb_rule,
        (solis_options){
            .eta = o->eta, .lambda = o->lambda, .delta = o->delta, SHARED(o)});
}

static const ak_online afb_online = ONLINE(afb_begin);

const ak_learner ak_learner_solis_afb = {
    .info =
        {
            .name = "solis-afb",
            .summary =
                "sparse diagonal similarity by adaptive forward-backward steps",
            .when = "like solis-ada; keeps more weights at the same lambda",
            .shares = AK_SHARES_STEPS,
            ENTRY,
            AK_OPTION_ROWS(akin_solis_afb_options, AKIN_SOLIS_AFB_DEFAULTS,
                           afb_options),
        },
    .online = &afb_online,
};

static const akin_option ada_options[] = {
    ETA_OPTION(akin_solis_ada_options),
    LAMBDA_OPTION(akin_solis_ada_options),
    DELTA_OPTION(akin_solis_ada_options),
    SHARED_OPTIONS(akin_solis_ada_options),
};

static akin_status ada_begin(void **state, akin_ctx *ctx,
                             const ak_online_input *in)
{
    const akin_solis_ada_options *o =
        (const akin_solis_ada_options *)in->options;
    return solis_begin(
        state, ctx, in, &ada_rule,
        (solis_options){
            .eta = o->eta, .lambda = o->lambda, .delta = o->delta, SHARED(o)});
}

static const ak_online ada_online = ONLINE(ada_begin);

const ak_learner ak_learner_solis_ada = {
    .info =
        {
            .name = "solis-ada",
            .summary = "sparse diagonal similarity by adaptive dual averaging",
            .when = "bags of words of many dimensions; a weight per word",
            .shares = AK_SHARES_SUMS,
            ENTRY,
            AK_OPTION_ROWS(akin_solis_ada_options, AKIN_SOLIS_ADA_DEFAULTS,
                           ada_options),
        },
    .online = &ada_online,
};
