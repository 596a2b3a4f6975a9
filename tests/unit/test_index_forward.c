/* The rows that an index keeps by row: damage is found when a row is used, and
 * failing allocations leave nothing behind. */
#include "index/inverted/forward.h"

#include <math.h>
#include <string.h>
#include <unistd.h>

#include "base/file.h"
#include "faulty.h"
#include "support.h"

enum { N = 40, D = 300 };

static const char path[] = "test_index_forward.tmp";

/* Row i has every (i + 1)-th column; the last rows have numbers that are not
 * counts, and one row has none. */
static akin_status make_rows(akin_rows **out, akin_ctx *ctx)
{
    static int64_t offsets[N + 1];
    static int32_t cols[N * D];
    static float vals[N * D];
    int64_t at = 0;
    for (int64_t i = 0; i < N; offsets[++i] = at)
        for (int64_t j = i % 7; j < D && i != 5; j += i + 1) {
            cols[at] = (int32_t)j;
            vals[at++] = (float)(1 + i * j % 50) + (i > 30 ? 0.25F : 0.0F);
        }
    return akin_rows_new_sparse(out, ctx, N, D, offsets, cols, vals);
}

/* Rows as postings, by row, and in a file. */
static akin_status write_rows(akin_ctx *ctx, void *arg)
{
    ak_postings none = {.n = 0}, p = {.n = 0};
    ak_forward f = {.n = 0};
    akin_rows *rows = NULL;
    ak_tensors *t = NULL;
    akin_status st = AKIN_OK;
    (void)arg;
    AK_TRY(make_rows(&rows, ctx));
    AK_TRY(ak_postings_merge(&p, ctx, &none, NULL, rows, NULL));
    AK_TRY(ak_forward_make(&f, ctx, &p, D));
    AK_TRY(ak_tensors_new(&t, ctx));
    AK_TRY(ak_forward_put(&f, ctx, t));
    AK_TRY(ak_tensors_write(t, ctx, path));
done:
    ak_tensors_free(t);
    ak_forward_free(&f);
    ak_postings_free(&p);
    akin_rows_free(rows);
    return st;
}

/* Is row i what it was? false: it is damaged. */
static bool check_row(const ak_forward *f, const akin_rows *rows, int64_t i)
{
    const ak_sparse want = ak_rows_sparse(rows, i);
    ak_forward_row row;
    uint32_t columns[AK_PACK_BLOCK];
    int64_t n;
    if (!ak_forward_begin(f, i, &row))
        return false;
    assert_int_equal(row.n, want.n);
    while (row.done < row.n) {
        const int64_t first = row.done;
        if (!ak_forward_next(f, i, &row, columns, &n))
            return false;
        for (int64_t k = 0; k < n; ++k) {
            assert_int_equal(columns[k], want.cols[first + k]);
            assert_true(ak_forward_value(&row, first + k) ==
                        want.vals[first + k]);
        }
    }
    return true;
}

/* 1: all rows are as they were, 0: a damaged one was found, -1: the file was
 * refused. */
static int use(akin_ctx *ctx, const akin_rows *rows)
{
    static const char *const later[] = {"forward", NULL};
    ak_tensors *t = NULL;
    ak_forward f = {.n = 0};
    int how = 1;
    akin_status st = ak_tensors_read_lazily(&t, ctx, path, later);
    if (st == AKIN_OK)
        st = ak_forward_take(&f, ctx, t, N, D);
    for (int64_t i = 0; i < N && st == AKIN_OK && f.at; ++i)
        if (!check_row(&f, rows, i)) {
            ak_tensors *again = NULL;
            assert_int_equal(ak_forward_fail(&f, ctx), AKIN_EFORMAT);
            assert_non_null(strstr(akin_ctx_message(ctx), "is damaged"));
            assert_int_equal(ak_tensors_new(&again, ctx), AKIN_OK);
            assert_int_equal(ak_forward_put(&f, ctx, again), AKIN_EFORMAT);
            ak_tensors_free(again);
            how = 0;
            break;
        }
    ak_forward_free(&f);
    ak_tensors_free(t);
    return st == AKIN_OK ? how : -1;
}

static void set_byte(size_t at, char byte)
{
    FILE *f = fopen(path, "r+b");
    assert_non_null(f);
    assert_int_equal(fseek(f, (long)at, SEEK_SET), 0);
    assert_int_equal(fputc((unsigned char)byte, f), (unsigned char)byte);
    assert_int_equal(fclose(f), 0);
}

static void damage_is_found(void **state)
{
    akin_ctx *ctx = *state;
    akin_rows *rows = NULL;
    size_t n = 0, caught = 0, missed = 0;
    char *bytes = NULL;
    assert_int_equal(make_rows(&rows, ctx), AKIN_OK);
    assert_int_equal(write_rows(ctx, NULL), AKIN_OK);
    assert_int_equal(use(ctx, rows), 1);
    assert_int_equal(ak_file_read(ctx, path, &bytes, &n), AKIN_OK);
    for (size_t k = 0; k < n; ++k) {
        set_byte(k, (char)(bytes[k] ^ (1 << k % 8)));
        const int how = use(ctx, rows);
        caught += how == 0;
        missed += how == 1;
        set_byte(k, bytes[k]);
    }
    assert_true(caught > 1000);  // bytes of the rows
    assert_true(missed < 100);   // behind them, and blanks of the header
    unlink(path);
    akin_free(bytes);
    akin_rows_free(rows);
}

/* A file whose checksums are right and whose rows are not. */
static void rows_that_cannot_be(void **state)
{
    static const struct {
        uint32_t words[3];
        const char *what;
    } bad[] = {
        {{2, 24, 0xffffffff}, "columns beyond the last"},
        {{1, 25, 0}, "no width"},
        {{1, 24 + 256 * 31, 0}, "no width of a value"},
        {{D + 1, 0, 0}, "more entries than columns"},
        {{4, 24, 0}, "entries beyond the end"},
    };
    (void)state;
    for (size_t k = 0; k < sizeof bad / sizeof *bad; ++k) {
        static const int64_t at[2] = {0, 3};
        uint32_t words[3 + AK_PACK_SLACK] = {0}, columns[AK_PACK_BLOCK];
        const ak_forward f = {.n = 1, .d = D, .at = at, .words = words};
        ak_forward_row row;
        int64_t n;
        memcpy(words, bad[k].words, sizeof bad[k].words);
        assert_false(ak_forward_begin(&f, 0, &row) &&
                     ak_forward_next(&f, 0, &row, columns, &n));
    }
}

static void failing_allocations(void **state)
{
    (void)state;
    assert_true(faulty_run_some(write_rows, NULL, 1) > 10);
    unlink(path);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(damage_is_found),
        cmocka_unit_test(rows_that_cannot_be),
        cmocka_unit_test(failing_allocations),
    };
    return cmocka_run_group_tests(tests, support_set_up, support_tear_down);
}
