/* Checksums of rows: the same for any layout, order, file format and number of
 * threads; sets of them give back what was put in; samples estimate shares. */
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/rng.h"
#include "context.h"
#include "data/checksums.h"

enum { ROWS = 300, DIM = 9 };

/* Whole and other numbers, many zeros, and rows that repeat others. */
static akin_rows *draw(uint64_t seed, int64_t n)
{
    ak_rng r = ak_rng_new(seed, AK_STREAM_SYNTH);
    const int64_t each = DIM * (int64_t)sizeof(float);
    akin_rows *rows = NULL;
    float *values = NULL;
    assert_int_equal(AK_NEW(ctx, n * DIM, &values), AKIN_OK);
    for (int64_t i = 0; i < n; ++i) {
        float *row = values + i * DIM;
        for (int64_t j = 0; j < DIM; ++j)
            if (ak_rng_below(&r, 3) > 0)
                row[j] = (float)(ak_rng_unit(&r) - 0.5);
        if (i > 0 && ak_rng_below(&r, 10) == 0)
            memcpy(row, values + ak_rng_below(&r, i) * DIM, (size_t)each);
    }
    values[DIM - 1] = 1.0F;  // so that sparse files have all columns
    assert_int_equal(akin_rows_new_dense(&rows, ctx, n, DIM, values), AKIN_OK);
    akin_free(values);
    return rows;
}

static void assert_same(const ak_checksums *a, const ak_checksums *b)
{
    assert_int_equal(a->n, b->n);
    assert_int_equal(a->level, b->level);
    assert_int_equal(a->rows, b->rows);
    assert_int_equal(a->repeated, b->repeated);
    assert_memory_equal(a->sums, b->sums, (size_t)a->n * sizeof *a->sums);
}

static void assert_rows_give(const ak_checksums *wanted, const akin_rows *rows)
{
    ak_checksums c;
    assert_int_equal(ak_checksums_of(&c, ctx, rows, NULL), AKIN_OK);
    assert_same(wanted, &c);
    ak_checksums_free(&c);
}

static void formats_orders_and_threads(void **state)
{
    static const char *const paths[] = {"sums.csv", "sums.svm", "sums.npy",
                                        "sums.npz", "sums.safetensors"};
    (void)state;
    for (uint64_t seed = 1; seed <= 20; ++seed) {
        akin_rows *rows = draw(seed, ROWS), *other = NULL;
        int64_t turned[ROWS];
        ak_checksums c;
        assert_int_equal(ak_checksums_of(&c, ctx, rows, NULL), AKIN_OK);
        for (int64_t i = 0; i < ROWS; ++i)
            turned[i] = ROWS - 1 - i;
        assert_int_equal(akin_rows_select(&other, ctx, rows, turned, ROWS),
                         AKIN_OK);
        assert_rows_give(&c, other);
        akin_rows_free(other);
        for (size_t k = 0; k < sizeof paths / sizeof *paths; ++k) {
            akin_ctx_set_threads(ctx, 1 + (int64_t)k);
            assert_int_equal(akin_rows_write(ctx, rows, paths[k]), AKIN_OK);
            assert_int_equal(akin_rows_read(&other, ctx, paths[k], NULL),
                             AKIN_OK);
            assert_rows_give(&c, other);
            akin_rows_free(other);
            unlink(paths[k]);
        }
        ak_checksums_free(&c);
        akin_rows_free(rows);
    }
}

/* A recipe that makes all rows alike leaves their checksums. */
static void recipe_keeps_those_of_raw_rows(void **state)
{
    akin_recipe_options o = AKIN_RECIPE_DEFAULTS;
    akin_rows *rows = draw(1, ROWS), *ready = NULL;
    akin_recipe *recipe = NULL;
    ak_checksums c;
    (void)state;
    o.weights = "binary";
    assert_int_equal(ak_checksums_of(&c, ctx, rows, NULL), AKIN_OK);
    assert_int_equal(akin_recipe_fit(&recipe, ctx, rows, &o), AKIN_OK);
    assert_int_equal(akin_recipe_apply(&ready, ctx, recipe, rows), AKIN_OK);
    assert_rows_give(&c, ready);
    ak_checksums_free(&c);
    akin_recipe_free(recipe);
    akin_rows_free(ready);
    akin_rows_free(rows);
}

static void counts_rows_that_repeat(void **state)
{
    const float values[] = {1, 2, 0, 0, 1, 2, 0, -0.0F, 2, 1, 1, 2};
    const unsigned char used[] = {0, 1, 0, 1, 1, 1};
    akin_rows *rows = NULL;
    ak_checksums c;
    ak_checksum_matches x;
    (void)state;
    assert_int_equal(akin_rows_new_dense(&rows, ctx, 6, 2, values), AKIN_OK);
    assert_int_equal(ak_checksums_of(&c, ctx, rows, used), AKIN_OK);
    assert_int_equal(c.n, 3);
    assert_int_equal(c.rows, 6);
    assert_int_equal(c.repeated, 5);
    assert_int_equal(ak_checksums_match(&x, ctx, &c, rows, NULL), AKIN_OK);
    assert_int_equal(x.sampled, 6);
    assert_int_equal(x.found, 6);
    ak_checksums_free(&c);
    akin_rows_free(rows);
}

/* Two halves joined are the whole, also where a sample is kept; half of the
 * rows are known, and the sample says so. */
static void halves_join_and_samples_estimate(void **state)
{
    const int64_t sizes[] = {ROWS, 3 * AK_CHECKSUMS_MOST};
    (void)state;
    for (int k = 0; k < 2; ++k) {
        const int64_t n = sizes[k];
        akin_rows *rows = draw(7, n);
        unsigned char *half = NULL;
        ak_checksums all, a, b;
        ak_checksum_matches x;
        assert_int_equal(AK_NEW(ctx, n, &half), AKIN_OK);
        for (int64_t i = 0; i < n; ++i)
            half[i] = i % 2 == 0;
        assert_int_equal(ak_checksums_of(&all, ctx, rows, NULL), AKIN_OK);
        assert_int_equal(ak_checksums_of(&a, ctx, rows, half), AKIN_OK);
        assert_true(all.n <= AK_CHECKSUMS_MOST);
        assert_int_equal(all.level > 0, k);
        assert_int_equal(ak_checksums_match(&x, ctx, &a, rows, NULL), AKIN_OK);
        const double share = (double)x.found / (double)x.sampled;
        assert_true(share > 0.5 && share < (k ? 0.6 : 0.7));  // some repeat
        for (int64_t i = 0; i < n; ++i)
            half[i] = !half[i];
        assert_int_equal(ak_checksums_of(&b, ctx, rows, half), AKIN_OK);
        assert_int_equal(ak_checksums_join(&a, ctx, &b), AKIN_OK);
        assert_same(&all, &a);
        ak_checksums_free(&all);
        ak_checksums_free(&a);
        ak_checksums_free(&b);
        akin_free(half);
        akin_rows_free(rows);
    }
}

static void file_gives_them_back(void **state)
{
    akin_rows *rows = draw(3, ROWS);
    ak_tensors *t = NULL;
    ak_checksums c, back = {0};
    (void)state;
    assert_int_equal(ak_checksums_of(&c, ctx, rows, NULL), AKIN_OK);
    assert_int_equal(ak_tensors_new(&t, ctx), AKIN_OK);
    assert_int_equal(ak_checksums_put(&c, ctx, t, "x."), AKIN_OK);
    assert_int_equal(ak_checksums_take(&back, ctx, t, "x."), AKIN_OK);
    assert_same(&c, &back);
    ak_checksums_free(&back);
    assert_int_equal(ak_checksums_take(&back, ctx, t, "y."), AKIN_OK);
    assert_false(back.known);
    assert_int_equal(ak_tensors_note_i64(t, ctx, "x.level", 31), AKIN_OK);
    assert_int_equal(ak_checksums_take(&back, ctx, t, "x."), AKIN_EFORMAT);
    ak_checksums_free(&back);
    ak_tensors_free(t);
    ak_checksums_free(&c);
    akin_rows_free(rows);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        CONTEXT_CASE(formats_orders_and_threads),
        CONTEXT_CASE(recipe_keeps_those_of_raw_rows),
        CONTEXT_CASE(counts_rows_that_repeat),
        CONTEXT_CASE(halves_join_and_samples_estimate),
        CONTEXT_CASE(file_gives_them_back),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
