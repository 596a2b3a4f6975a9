/* Rows over the caller's arrays: the values of copied rows whatever the layout,
 * no copy where there need not be one, each array released once, and nothing
 * accepted that copied rows would not be. */
#include "faulty.h"
#include "support.h"

#include <float.h>
#include <math.h>

enum { ROUNDS = 200, MOST = 12 };

/* What is released, and how often. */
static int released;

static void release(void *user)
{
    assert_ptr_equal(user, &released);
    ++released;
}

static void assert_same_rows(const akin_rows *a, const akin_rows *b)
{
    const int64_t *x_offsets, *y_offsets;
    const int32_t *x_cols, *y_cols;
    const float *x, *y;
    const int64_t n = akin_rows_arrays(&x_offsets, &x_cols, &x, a);
    assert_int_equal(n, akin_rows_arrays(&y_offsets, &y_cols, &y, b));
    assert_int_equal(akin_rows_count(a), akin_rows_count(b));
    assert_int_equal(akin_rows_dim(a), akin_rows_dim(b));
    assert_int_equal(x_offsets == NULL, y_offsets == NULL);
    if (n > 0)
        assert_memory_equal(x, y, (size_t)n * sizeof *x);
    if (x_offsets == NULL)
        return;
    assert_memory_equal(x_offsets, y_offsets,
                        (size_t)(akin_rows_count(a) + 1) * sizeof *x_offsets);
    if (n > 0)
        assert_memory_equal(x_cols, y_cols, (size_t)n * sizeof *x_cols);
}

/* ---- dense ---- */

/* Put `values` into `bytes` in the layout that `a` describes from its first
 * number on. */
static void lay_out(const akin_dense_array *a, unsigned char *first,
                    const float *values)
{
    for (int64_t i = 0; i < a->n; ++i)
        for (int64_t j = 0; j < a->d; ++j) {
            const float x = values[i * a->d + j];
            const double y = (double)x;
            unsigned char *to = first + i * a->row_step + j * a->column_step;
            if (a->type == AKIN_FLOAT32)
                memcpy(to, &x, sizeof x);
            else
                memcpy(to, &y, sizeof y);
        }
}

/* A layout by number: rows or columns first, each forwards or backwards, with
 * or without gaps, at an odd address or not. Returns the first number. */
static unsigned char *choose_layout(akin_dense_array *a, unsigned char *bytes,
                                    int64_t which)
{
    const int64_t size = a->type == AKIN_FLOAT32 ? 4 : 8;
    const int64_t gap = which & 1 ? 3 : 0;
    const bool by_column = (which & 2) != 0;
    unsigned char *first = bytes + 64 + (which & 16 ? 1 : 0);
    a->column_step = by_column ? (a->n + gap) * size : size;
    a->row_step = by_column ? size : (a->d + gap) * size;
    if (which & 4) {
        first += (a->n - 1) * a->row_step;
        a->row_step = -a->row_step;
    }
    if (which & 8) {
        first += (a->d - 1) * a->column_step;
        a->column_step = -a->column_step;
    }
    return first;
}

static bool is_plain(const akin_dense_array *a, int64_t which)
{
    return a->type == AKIN_FLOAT32 && !(which & 16) &&
           (a->d <= 1 || a->column_step == 4) &&
           (a->n <= 1 || a->row_step == 4 * a->d);
}

static void every_layout_has_the_same_values(void **state)
{
    akin_ctx *ctx = *state;
    ak_rng rng = ak_rng_new(3, AK_STREAM_SYNTH);
    _Alignas(64) static unsigned char bytes[128 + 8 * 2 * (MOST + 3) * MOST];
    for (int round = 0; round < ROUNDS; ++round)
        for (int64_t which = 0; which < 64; ++which) {
            float values[MOST * MOST];
            akin_rows *copied = NULL, *lent = NULL;
            akin_dense_array a = AKIN_DENSE_ARRAY_DEFAULTS;
            a.n = 1 + ak_rng_below(&rng, MOST);
            a.d = 1 + ak_rng_below(&rng, MOST);
            a.type = which & 32 ? AKIN_FLOAT64 : AKIN_FLOAT32;
            a.release = release;
            a.user = &released;
            for (int64_t k = 0; k < a.n * a.d; ++k)
                values[k] = (float)(ak_rng_unit(&rng) - 0.5);
            unsigned char *first = choose_layout(&a, bytes, which);
            a.values = first;
            lay_out(&a, first, values);
            released = 0;
            assert_int_equal(
                akin_rows_new_dense(&copied, ctx, a.n, a.d, values), AKIN_OK);
            assert_int_equal(akin_rows_borrow_dense(&lent, ctx, &a), AKIN_OK);
            assert_same_rows(copied, lent);
            assert_int_equal(akin_rows_borrows(lent), is_plain(&a, which));
            assert_int_equal(released, !is_plain(&a, which));
            if (akin_rows_borrows(lent))
                assert_ptr_equal(lent->vals, a.values);
            akin_rows_free(lent);
            assert_int_equal(released, 1);
            akin_rows_free(copied);
        }
}

static void one_row_many_times(void **state)
{
    akin_ctx *ctx = *state;
    static const float row[3] = {1.0F, 2.0F, 3.0F};
    static const float all[6] = {1.0F, 2.0F, 3.0F, 1.0F, 2.0F, 3.0F};
    akin_dense_array a = AKIN_DENSE_ARRAY_DEFAULTS;
    akin_rows *copied = NULL, *lent = NULL;
    a.n = 2;
    a.d = 3;
    a.values = row;
    a.column_step = 4;
    assert_int_equal(akin_rows_borrow_dense(&lent, ctx, &a), AKIN_OK);
    assert_int_equal(akin_rows_new_dense(&copied, ctx, 2, 3, all), AKIN_OK);
    assert_same_rows(copied, lent);
    akin_rows_free(copied);
    akin_rows_free(lent);
}

static void bad_dense_arrays_are_refused_and_released(void **state)
{
    akin_ctx *ctx = *state;
    float narrow[6] = {0};
    double wide[6] = {0};
    akin_rows *rows = NULL;
    akin_dense_array a = AKIN_DENSE_ARRAY_DEFAULTS;
    a.n = 2;
    a.d = 3;
    a.values = narrow;
    a.row_step = 12;
    a.column_step = 4;
    a.release = release;
    a.user = &released;
    released = 0;
    narrow[4] = NAN;
    assert_int_equal(akin_rows_borrow_dense(&rows, ctx, &a), AKIN_EINVAL);
    assert_string_equal(akin_ctx_message(ctx), "row 1, column 1 is not finite");
    assert_int_equal(released, 1);
    a.values = wide;
    a.type = AKIN_FLOAT64;
    a.row_step = 24;
    a.column_step = 8;
    wide[2] = 2.0 * (double)FLT_MAX;
    assert_int_equal(akin_rows_borrow_dense(&rows, ctx, &a), AKIN_EINVAL);
    assert_string_equal(akin_ctx_message(ctx), "row 0, column 2 is not finite");
    assert_int_equal(released, 2);
    a.type = AKIN_INT32;
    assert_int_equal(akin_rows_borrow_dense(&rows, ctx, &a), AKIN_EINVAL);
    assert_int_equal(released, 3);
    a.type = AKIN_FLOAT64;
    a.n = -1;
    assert_int_equal(akin_rows_borrow_dense(&rows, ctx, &a), AKIN_EINVAL);
    assert_int_equal(released, 4);
    a.n = 0;
    assert_int_equal(akin_rows_borrow_dense(&rows, ctx, &a), AKIN_OK);
    assert_int_equal(released, 5);
    akin_rows_free(rows);
    assert_int_equal(released, 5);
}

/* ---- sparse ---- */

typedef struct matrix {
    int64_t n, d, count;
    int64_t offsets[MOST + 1];
    int32_t narrow_offsets[MOST + 1];
    int32_t cols[MOST * MOST];
    int64_t wide_cols[MOST * MOST];
    float vals[MOST * MOST];
    double wide_vals[MOST * MOST];
} matrix;

/* Each cell is there or not; zeros among them where `zeros`. */
static void draw(matrix *m, ak_rng *rng, bool zeros)
{
    m->n = 1 + ak_rng_below(rng, MOST);
    m->d = 1 + ak_rng_below(rng, MOST);
    m->count = 0;
    m->offsets[0] = 0;
    for (int64_t i = 0; i < m->n; ++i) {
        for (int64_t j = 0; j < m->d; ++j)
            if (ak_rng_below(rng, 3) == 0) {
                const bool zero = zeros && ak_rng_below(rng, 4) == 0;
                m->cols[m->count] = (int32_t)j;
                m->vals[m->count++] = zero ? 0.0F
                                           : (float)(0.1 + ak_rng_unit(rng));
            }
        m->offsets[i + 1] = m->count;
    }
}

/* Each row from its end to its begin. */
static void turn_rows(matrix *m)
{
    for (int64_t i = 0; i < m->n; ++i)
        for (int64_t a = m->offsets[i], b = m->offsets[i + 1] - 1; a < b;
             ++a, --b) {
            const int32_t col = m->cols[a];
            const float val = m->vals[a];
            m->cols[a] = m->cols[b];
            m->cols[b] = col;
            m->vals[a] = m->vals[b];
            m->vals[b] = val;
        }
}

static akin_csr_array array_of(matrix *m, int64_t which)
{
    akin_csr_array a = AKIN_CSR_ARRAY_DEFAULTS;
    for (int64_t i = 0; i <= m->n; ++i)
        m->narrow_offsets[i] = (int32_t)m->offsets[i];
    for (int64_t k = 0; k < m->count; ++k) {
        m->wide_cols[k] = m->cols[k];
        m->wide_vals[k] = (double)m->vals[k];
    }
    a.n = m->n;
    a.d = m->d;
    a.count = m->count;
    a.offset_type = which & 1 ? AKIN_INT64 : AKIN_INT32;
    a.column_type = which & 2 ? AKIN_INT64 : AKIN_INT32;
    a.value_type = which & 4 ? AKIN_FLOAT64 : AKIN_FLOAT32;
    a.offsets = which & 1 ? (void *)m->offsets : (void *)m->narrow_offsets;
    a.columns = which & 2 ? (void *)m->wide_cols : (void *)m->cols;
    a.values = which & 4 ? (void *)m->wide_vals : (void *)m->vals;
    a.release = release;
    a.user = &released;
    return a;
}

static void every_kind_of_number_has_the_same_values(void **state)
{
    akin_ctx *ctx = *state;
    ak_rng rng = ak_rng_new(4, AK_STREAM_SYNTH);
    static matrix m;
    for (int round = 0; round < ROUNDS; ++round)
        for (int64_t which = 0; which < 32; ++which) {
            akin_rows *copied = NULL, *lent = NULL;
            draw(&m, &rng, (which & 8) != 0);
            assert_int_equal(akin_rows_new_sparse(&copied, ctx, m.n, m.d,
                                                  m.offsets, m.cols, m.vals),
                             AKIN_OK);
            if (which & 16)
                turn_rows(&m);
            const akin_csr_array a = array_of(&m, which);
            released = 0;
            assert_int_equal(akin_rows_borrow_csr(&lent, ctx, &a), AKIN_OK);
            assert_same_rows(copied, lent);
            if (m.count > 0 && !(which & (4 | 8 | 16))) {
                assert_true(akin_rows_borrows(lent));
                assert_ptr_equal(lent->vals, m.vals);
                assert_ptr_equal(which & 2 ? NULL : lent->cols,
                                 which & 2 ? NULL : m.cols);
            }
            assert_int_equal(released, lent->lent == 0);
            akin_rows_free(lent);
            assert_int_equal(released, 1);
            akin_rows_free(copied);
        }
}

static void assert_refused(akin_ctx *ctx, akin_csr_array a, const char *message)
{
    akin_rows *rows = NULL;
    released = 0;
    assert_int_equal(akin_rows_borrow_csr(&rows, ctx, &a), AKIN_EINVAL);
    assert_string_equal(akin_ctx_message(ctx), message);
    assert_null(rows);
    assert_int_equal(released, 1);
}

static void bad_sparse_arrays_are_refused_and_released(void **state)
{
    akin_ctx *ctx = *state;
    static const matrix good = {.n = 2,
                                .d = 3,
                                .count = 3,
                                .offsets = {0, 2, 3},
                                .cols = {0, 2, 1},
                                .vals = {1.0F, 2.0F, 3.0F}};
    for (int64_t which = 0; which < 8; ++which) {
        matrix m = good;
        m.offsets[1] = 4;
        m.offsets[2] = 4;
        assert_refused(ctx, array_of(&m, which),
                       "the last offset is 4 (there are 3 columns and values)");
        m = good;
        m.offsets[0] = 1;
        assert_refused(ctx, array_of(&m, which), "the first offset is not 0");
        m = good;
        m.offsets[1] = 3;
        m.offsets[2] = 2;
        assert_refused(ctx, array_of(&m, which),
                       "the offsets must increase (row 2)");
        m = good;
        m.cols[2] = 3;
        assert_refused(ctx, array_of(&m, which),
                       "row 1 has column 3 outside 3 columns");
        m.cols[2] = -1;
        assert_refused(ctx, array_of(&m, which),
                       "row 1 has column -1 outside 3 columns");
        m = good;
        m.cols[1] = 0;
        assert_refused(ctx, array_of(&m, which),
                       "sparse rows: row 0 has column 0 twice");
        m = good;
        m.vals[2] = INFINITY;
        assert_refused(ctx, array_of(&m, which),
                       "row 1, column 1 is not finite");
    }
    matrix m = good;
    akin_csr_array a = array_of(&m, 3);
    m.wide_cols[0] = INT64_C(1) << 32;
    assert_refused(ctx, a, "row 0 has column 4294967296 outside 3 columns");
    a.column_type = AKIN_FLOAT32;
    assert_refused(ctx, a, "`column_type` must be int32 or int64");
}

/* ---- bulk reads ---- */

static void blocks_of_rows_are_copied(void **state)
{
    akin_ctx *ctx = *state;
    akin_rows *rows = class_rows(ctx, 9, 20, 30, 5, 3);
    float narrow[7 * 30], room[30];
    double wide[7 * 30];
    assert_int_equal(akin_rows_copy_float(narrow, ctx, rows, 4, 7), AKIN_OK);
    assert_int_equal(akin_rows_copy_double(wide, ctx, rows, 4, 7), AKIN_OK);
    for (int64_t i = 0; i < 7; ++i) {
        const float *x = ak_rows_full(rows, 4 + i, room);
        for (int64_t j = 0; j < 30; ++j) {
            assert_true(narrow[30 * i + j] == x[j]);
            assert_true(wide[30 * i + j] == (double)x[j]);
        }
    }
    assert_int_equal(akin_rows_copy_float(narrow, ctx, rows, 20, 0), AKIN_OK);
    assert_int_equal(akin_rows_copy_float(narrow, ctx, rows, 14, 7),
                     AKIN_EINVAL);
    assert_int_equal(akin_rows_copy_float(narrow, ctx, rows, -1, 1),
                     AKIN_EINVAL);
    akin_rows_free(rows);
}

/* ---- failing allocations ---- */

static akin_status borrow_and_free(akin_ctx *ctx, void *arg)
{
    static matrix m;
    ak_rng rng = ak_rng_new(5, AK_STREAM_SYNTH);
    const int64_t which = *(const int64_t *)arg;
    akin_rows *rows = NULL;
    draw(&m, &rng, true);
    if (which & 16)
        turn_rows(&m);
    const akin_csr_array a = array_of(&m, which);
    released = 0;
    const akin_status st = akin_rows_borrow_csr(&rows, ctx, &a);
    akin_rows_free(rows);
    return released == 1 ? st : AKIN_EINVAL;
}

static void every_failed_allocation_is_survived(void **state)
{
    (void)state;
    for (int64_t which = 0; which < 32; ++which)
        assert_in_range(faulty_run(borrow_and_free, &which), 1, 100);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_layout_has_the_same_values),
        cmocka_unit_test(one_row_many_times),
        cmocka_unit_test(bad_dense_arrays_are_refused_and_released),
        cmocka_unit_test(every_kind_of_number_has_the_same_values),
        cmocka_unit_test(bad_sparse_arrays_are_refused_and_released),
        cmocka_unit_test(blocks_of_rows_are_copied),
        cmocka_unit_test(every_failed_allocation_is_survived),
    };
    return cmocka_run_group_tests(tests, support_set_up, support_tear_down);
}
