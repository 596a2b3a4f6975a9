/* Pairs drawn from a grid: distinct, of the right kind, the whole grid when all
 * are drawn, and without bias. */
#include <math.h>
#include <string.h>

#include "context.h"

#include <akin/learn.h>

#include "learn/cross/rsl.h"

enum { NL = 30, NR = 50, D = 4, K = 2, CLASSES = 4, SEEDS = 400 };

/* Rows with one label each, or where `several` with up to two. */
static akin_rows *make_rows(ak_rng *rng, int64_t n, bool several)
{
    static const char *const names[CLASSES] = {"a", "b", "c", "d"};
    float x[NR * D];
    int32_t labels[2 * NR];
    int64_t offsets[NR + 1] = {0}, at = 0;
    akin_rows *rows = NULL;
    for (int64_t i = 0; i < n * D; ++i)
        x[i] = (float)ak_rng_normal(rng);
    for (int64_t i = 0; i < n; ++i) {
        const int64_t count = several ? ak_rng_below(rng, 3) : 1;
        const int64_t first = ak_rng_below(rng, CLASSES + 1 - count);
        for (int64_t k = 0; k < count; ++k)
            labels[at++] = (int32_t)(first + k);
        offsets[i + 1] = at;
        for (int64_t j = 0; j < D && count > 0; ++j)
            x[i * D + j] += j == first;
    }
    assert_int_equal(akin_rows_new_dense(&rows, ctx, n, D, x), AKIN_OK);
    assert_int_equal(
        akin_rows_set_label_lists(ctx, rows, offsets, labels, names, CLASSES),
        AKIN_OK);
    return rows;
}

typedef struct scene {
    akin_rows *rows[2];
    akin_supervision *data;
    ak_pairs grid;
} scene;

static void make(scene *s, uint64_t seed, bool several)
{
    ak_rng rng = ak_rng_new(seed, AK_STREAM_SYNTH);
    s->rows[0] = make_rows(&rng, NL, several);
    s->rows[1] = make_rows(&rng, NR, several);
    assert_int_equal(
        akin_supervision_new(&s->data, ctx, s->rows[0], s->rows[1], NULL),
        AKIN_OK);
    assert_int_equal(ak_pairs_of(&s->grid, ctx, s->data), AKIN_OK);
    for (int match = 0; match < 2; ++match)
        s->grid.weight[match] /= (double)s->grid.count;
}

static void drop(scene *s)
{
    akin_supervision_free(s->data);
    akin_rows_free(s->rows[0]);
    akin_rows_free(s->rows[1]);
}

static void draw(ak_rsl_pairs *out, const scene *s, int64_t count,
                 uint64_t seed)
{
    assert_int_equal(ak_rsl_draw(out, ctx, &s->grid, s->grid.weight, count,
                                 ak_rng_new(seed, AK_STREAM_PAIRS)),
                     AKIN_OK);
}

static void drawn_pairs_are_distinct_and_of_the_grid(void **state)
{
    (void)state;
    for (uint64_t seed = 1; seed <= 20; ++seed) {
        const ak_mark mark = ak_scratch_begin(ctx);
        scene s;
        ak_rsl_pairs q;
        int64_t matching = 0;
        double total = 0.0;
        make(&s, seed, seed % 2);
        const int64_t count = 2 + (int64_t)seed * 30;
        draw(&q, &s, count, seed);
        assert_int_equal(q.count, count < s.grid.count ? count : s.grid.count);
        for (int64_t i = 0; i < s.grid.side[0].n; ++i) {
            bool seen[NR] = {false};
            for (int64_t t = q.left_at[i]; t < q.left_at[i + 1]; ++t) {
                const int32_t j = q.right_of[t];
                const bool match = ak_pairs_match(&s.grid, i, j);
                assert_false(seen[j]);
                seen[j] = true;
                assert_int_equal(q.w[t] > 0.0, match);
                matching += match;
                total += fabs(q.w[t]);
            }
        }
        assert_int_equal(q.left_at[s.grid.side[0].n], q.count);
        assert_true(matching >= ak_min_i64(q.count / 2, s.grid.n_match));
        assert_true(fabs(total - 1.0) < 1e-12);  // all of the grid's weight
        for (int64_t j = 0; j < s.grid.side[1].n; ++j)
            for (int64_t a = q.right_at[j]; a < q.right_at[j + 1]; ++a)
                assert_int_equal(q.right_of[q.pair_of[a]], j);
        drop(&s);
        ak_scratch_end(ctx, mark);
    }
}

/* The objective over a list, at a point that is the same for all. */
static void begin(ak_rsl *p, const scene *s, const ak_rsl_pairs *q)
{
    ak_rng rng = ak_rng_new(7, AK_STREAM_START);
    *p = (ak_rsl){.shape = {D, D, K}, .loss = AK_RSL_LOG, .lambda = 0.01};
    for (int side = 0; side < 2; ++side) {
        const ak_grid_side *g = &s->grid.side[side];
        assert_int_equal(
            ak_rsl_side_rows(&p->side[side], ctx, s->rows[side], g->rows, g->n),
            AKIN_OK);
    }
    p->pairs = *q;
    assert_int_equal(ak_rsl_begin(p, ctx), AKIN_OK);
    assert_int_equal(ak_rsl_random(p, ctx, &rng), AKIN_OK);
}

enum { SIZE = 1 + (K + D + D) * K };

static void figures(ak_rsl *p, double *out)
{
    const ak_objective J = ak_rsl_objective(p);
    out[0] = p->now.value;
    assert_int_equal(J.gradient(p, ctx, out + 1), AKIN_OK);
}

static void grid_figures(const scene *s, double *out)
{
    ak_rsl p;
    ak_rsl_pairs q = {.count = s->grid.count, .grid = &s->grid};
    memcpy(q.weight, s->grid.weight, sizeof q.weight);
    begin(&p, s, &q);
    figures(&p, out);
}

static void all_pairs_drawn_are_the_grid(void **state)
{
    (void)state;
    for (int several = 0; several < 2; ++several) {
        const ak_mark mark = ak_scratch_begin(ctx);
        double want[SIZE], got[SIZE];
        scene s;
        ak_rsl_pairs q;
        ak_rsl p;
        make(&s, 3, several);
        grid_figures(&s, want);
        draw(&q, &s, s.grid.count, 1);
        assert_int_equal(q.count, s.grid.count);
        begin(&p, &s, &q);
        figures(&p, got);
        for (int i = 0; i < SIZE; ++i)
            assert_true(fabs(got[i] - want[i]) < 1e-12);
        drop(&s);
        ak_scratch_end(ctx, mark);
    }
}

/* The mean over seeds is within 4.5 standard errors of the grid, for the value
 * and each number of the gradient. */
static void drawing_has_no_bias(void **state)
{
    (void)state;
    for (int several = 0; several < 2; ++several) {
        const ak_mark mark = ak_scratch_begin(ctx);
        double want[SIZE], sum[SIZE] = {0}, squares[SIZE] = {0};
        scene s;
        make(&s, 5, several);
        grid_figures(&s, want);
        for (uint64_t seed = 1; seed <= SEEDS; ++seed) {
            const ak_mark inner = ak_scratch_begin(ctx);
            double got[SIZE];
            ak_rsl_pairs q;
            ak_rsl p;
            draw(&q, &s, 37, seed);
            begin(&p, &s, &q);
            figures(&p, got);
            for (int i = 0; i < SIZE; ++i) {
                sum[i] += got[i];
                squares[i] += got[i] * got[i];
            }
            ak_scratch_end(ctx, inner);
        }
        for (int i = 0; i < SIZE; ++i) {
            const double mean = sum[i] / SEEDS;
            const double variance = squares[i] / SEEDS - mean * mean;
            const double se = sqrt(fmax(variance, 0.0) / SEEDS);
            assert_true(fabs(mean - want[i]) <= 4.5 * se + 1e-12);
        }
        drop(&s);
        ak_scratch_end(ctx, mark);
    }
}

/* Learning from drawn pairs: the same model for one thread and for three, and
 * the model of the grid when all pairs are asked for. */
static void learn(akin_model **m, const scene *s, int64_t sample,
                  int64_t threads, int64_t *examples)
{
    akin_learn_info info;
    akin_options *o = NULL;
    akin_ctx_set_threads(ctx, threads);
    akin_supervision_sample(s->data, sample, 1);
    assert_int_equal(akin_options_new(&o, ctx, "rsl"), AKIN_OK);
    assert_int_equal(akin_learn(m, ctx, o, s->data, &info), AKIN_OK);
    *examples = info.examples;
    akin_options_free(o);
}

static void threads_change_nothing(void **state)
{
    static const int64_t samples[] = {200, 0, 100000};
    scene s;
    double score[3][2];
    (void)state;
    make(&s, 6, false);
    for (int i = 0; i < 3; ++i)
        for (int way = 0; way < 2; ++way) {
            static const int64_t ij[] = {3, 5};
            akin_model *m = NULL;
            int64_t examples = 0;
            learn(&m, &s, samples[i], way ? 3 : 1, &examples);
            assert_int_equal(examples, i == 0 ? 200 : s.grid.count);
            assert_int_equal(akin_model_score(&score[i][way], ctx, m, s.rows[0],
                                              s.rows[1], ij, 1,
                                              AKIN_BY_DEFAULT),
                             AKIN_OK);
            akin_model_free(m);
        }
    assert_true(score[0][0] == score[0][1]);
    assert_true(score[1][0] == score[2][0] && score[1][0] == score[1][1]);
    assert_true(score[0][0] != score[1][0]);
    drop(&s);
}

/* Progress that cancels at call `last`. */
typedef struct watch {
    int calls, last;
    int64_t done;  // iterations reported so far
} watch;

static int watch_progress(void *arg, const akin_progress *p)
{
    watch *w = arg;
    if (strcmp(p->what, "iterations") == 0) {
        assert_true(p->done >= w->done);  // over both lists of pairs
        w->done = p->done;
    }
    return ++w->calls == w->last;
}

static void a_cancelled_run_has_a_model(void **state)
{
    akin_options *o = NULL;
    akin_model *m = NULL;
    akin_status st = AKIN_ECANCELLED;
    scene s;
    (void)state;
    make(&s, 6, false);
    akin_ctx_set_threads(ctx, 1);
    akin_supervision_sample(s.data, 200, 1);
    assert_int_equal(akin_options_new(&o, ctx, "rsl"), AKIN_OK);
    for (int last = 1; m == NULL && st == AKIN_ECANCELLED; ++last) {
        static const int64_t ij[] = {3, 5};
        watch w = {0, last, 0};
        double score = NAN;
        akin_ctx_set_progress(ctx, watch_progress, &w);
        st = akin_learn(&m, ctx, o, s.data, NULL);
        akin_ctx_set_progress(ctx, NULL, NULL);
        if (m != NULL)
            assert_int_equal(akin_model_score(&score, ctx, m, s.rows[0],
                                              s.rows[1], ij, 1,
                                              AKIN_BY_DEFAULT),
                             AKIN_OK);
        assert_true(m == NULL || isfinite(score));
    }
    assert_non_null(m);
    akin_model_free(m);
    akin_options_free(o);
    drop(&s);
}

int main(void)
{
    const struct CMUnitTest cases[] = {
        CONTEXT_CASE(drawn_pairs_are_distinct_and_of_the_grid),
        CONTEXT_CASE(all_pairs_drawn_are_the_grid),
        CONTEXT_CASE(drawing_has_no_bias),
        CONTEXT_CASE(threads_change_nothing),
        CONTEXT_CASE(a_cancelled_run_has_a_model),
    };
    return cmocka_run_group_tests(cases, NULL, NULL);
}
