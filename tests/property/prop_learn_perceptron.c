/* Perceptrons of dense rows, at their defaults: they find a class that lies
 * between two others, which needs a constant column; rows times a constant give
 * the same order of labels; and learning in two parts equals learning at once.
 */
#include <math.h>

#include "parts.h"
#include "support.h"

#include <akin/learn.h>

#include "data/supervision/supervision.h"
#include "model/model.h"

enum { D = 3, N = 150, CLASSES = 3 };

static const char *const names[] = {"perceptron", "group-perceptron"};

/* Classes side by side along the first column. */
static akin_rows *line(akin_ctx *ctx, uint64_t seed, float scale)
{
    float values[N * D];
    int32_t labels[N];
    const char *const letters[CLASSES] = {"a", "b", "c"};
    akin_rows *rows = NULL;
    ak_rng rng = ak_rng_new(seed, 9);
    for (int i = 0; i < N; ++i) {
        labels[i] = i % CLASSES;
        for (int j = 0; j < D; ++j)
            values[i * D + j] = scale *
                                (float)((j == 0 ? 4.0 * (labels[i] - 1) : 0.0) +
                                        ak_rng_normal(&rng));
    }
    assert_int_equal(akin_rows_new_dense(&rows, ctx, N, D, values), AKIN_OK);
    assert_int_equal(akin_rows_set_labels(ctx, rows, labels, letters, CLASSES),
                     AKIN_OK);
    return rows;
}

static akin_options *options_of(akin_ctx *ctx, const char *name, bool published)
{
    akin_options *o = NULL;
    assert_int_equal(akin_options_new(&o, ctx, name), AKIN_OK);
    if (published)
        assert_int_equal(akin_options_as_published(ctx, o), AKIN_OK);
    return o;
}

static akin_model *learn(akin_ctx *ctx, const akin_options *o,
                         const akin_rows *rows)
{
    akin_supervision *data = NULL;
    akin_model *m = NULL;
    assert_int_equal(akin_supervision_new(&data, ctx, rows, NULL, NULL), 0);
    assert_int_equal(akin_learn(&m, ctx, o, data, NULL), AKIN_OK);
    akin_supervision_free(data);
    return m;
}

static void scores_of(const akin_model *m, const akin_rows *rows,
                      double *scores)
{
    double room[8];
    for (int64_t i = 0; i < N; ++i)
        m->kind->label_scores(m, rows, i, scores + i * CLASSES, room);
}

static int right(const akin_model *m, const akin_rows *rows)
{
    double scores[N * CLASSES];
    int n = 0;
    scores_of(m, rows, scores);
    for (int i = 0; i < N; ++i) {
        const double *s = scores + i * CLASSES;
        const int best = s[0] > s[1] ? (s[0] > s[2] ? 0 : 2)
                                     : (s[1] > s[2] ? 1 : 2);
        n += best == i % CLASSES;
    }
    return n;
}

static void the_class_in_the_middle(void **state)
{
    akin_ctx *ctx = *state;
    for (int l = 0; l < 2; ++l)
        for (uint64_t seed = 1; seed <= 3; ++seed) {
            akin_rows *train = line(ctx, 2 * seed, 1.0f);
            akin_rows *test = line(ctx, 2 * seed + 1, 1.0f);
            int found[2];
            for (int published = 0; published < 2; ++published) {
                akin_options *o = options_of(ctx, names[l], published);
                akin_model *m = learn(ctx, o, train);
                found[published] = right(m, test);
                akin_model_free(m);
                akin_options_free(o);
            }
            assert_true(found[0] > 0.9 * N);
            assert_true(found[1] < 0.8 * N);
            akin_rows_free(train);
            akin_rows_free(test);
        }
}

static void scale_does_not_matter(void **state)
{
    akin_ctx *ctx = *state;
    for (int l = 0; l < 2; ++l) {
        double scores[2][N * CLASSES];
        for (int k = 0; k < 2; ++k) {
            akin_rows *rows = line(ctx, 5, k ? 32.0f : 1.0f);
            akin_options *o = options_of(ctx, names[l], false);
            akin_model *m = learn(ctx, o, rows);
            scores_of(m, rows, scores[k]);
            akin_model_free(m);
            akin_options_free(o);
            akin_rows_free(rows);
        }
        for (int i = 0; i < N * CLASSES; ++i)
            assert_true(fabs(scores[0][i] - scores[1][i]) < 1e-9);
    }
}

static void parts_equal_the_whole(void **state)
{
    akin_ctx *ctx = *state;
    akin_rows *rows = line(ctx, 7, 1.0f);
    akin_supervision *data = NULL;
    int64_t which[N];
    for (int i = 0; i < N; ++i)
        which[i] = (7 * i) % N;
    assert_int_equal(akin_supervision_new(&data, ctx, rows, NULL, NULL), 0);
    for (int l = 0; l < 2; ++l) {
        double scores[2][N * CLASSES];
        akin_options *o = options_of(ctx, names[l], false);
        for (int parts = 1; parts <= 2; ++parts) {
            akin_model *m = learn_in_parts(ctx, o, data, which, N, 1, parts);
            scores_of(m, rows, scores[parts - 1]);
            akin_model_free(m);
        }
        assert_memory_equal(scores[0], scores[1], sizeof scores[0]);
        akin_options_free(o);
    }
    akin_supervision_free(data);
    akin_rows_free(rows);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_class_in_the_middle),
        cmocka_unit_test(scale_does_not_matter),
        cmocka_unit_test(parts_equal_the_whole),
    };
    return cmocka_run_group_tests(tests, support_set_up, support_tear_down);
}
