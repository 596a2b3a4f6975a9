/* Every prefix and every single-byte change of an index: refused in one line
 * that names the file. Only a blank behind the header may become another. A
 * file that is opened without reading its postings is refused when it is
 * searched, or finds what it did. */
#include <akin/index.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/file.h"
#include "base/rng.h"
#include "context.h"
#include "index/index.h"

static const char name[] = "damaged";
static const char path[] = "prop_index_damage.index";

static char *saved(const char *model, const char *approximate, bool sparse,
                   size_t *n)
{
    static const int64_t offsets[5] = {0, 2, 4, 5, 7}, gone[1] = {2};
    static const int32_t cols[7] = {0, 1, 1, 2, 0, 0, 2};
    static const float vals[12] = {1, 2, 3, 4, 5, 6, 7, 8, 9, 1, 2, 4};
    akin_index_options o = AKIN_INDEX_DEFAULTS;
    akin_rows *rows = NULL;
    akin_model *m = NULL;
    akin_index *x = NULL;
    char *bytes = NULL;
    o.approximate = approximate;
    o.links = 2;
    assert_int_equal(
        sparse ? akin_rows_new_sparse(&rows, ctx, 4, 3, offsets, cols, vals)
               : akin_rows_new_dense(&rows, ctx, 4, 3, vals),
        AKIN_OK);
    assert_int_equal(akin_model_builtin(&m, ctx, model, rows), AKIN_OK);
    assert_int_equal(akin_index_build(&x, ctx, m, rows, &o), AKIN_OK);
    assert_int_equal(akin_index_remove(ctx, x, gone, 1), AKIN_OK);
    assert_int_equal(akin_index_save(ctx, x, path), AKIN_OK);
    assert_int_equal(ak_file_read(ctx, path, &bytes, n), AKIN_OK);
    unlink(path);
    akin_index_free(x);
    akin_model_free(m);
    akin_rows_free(rows);
    return bytes;
}

static akin_status load(const char *bytes, size_t n)
{
    ak_tensors *t = NULL;
    akin_index *x = NULL;
    akin_status st = ak_tensors_parse(&t, ctx, name, bytes, n);
    if (st == AKIN_OK)
        st = ak_index_take(&x, ctx, t);
    akin_index_free(x);
    return st;
}

static void check_refused(akin_status st)
{
    const char *message = akin_ctx_message(ctx);
    assert_int_equal(st, AKIN_EFORMAT);
    assert_int_equal(strncmp(message, name, strlen(name)), 0);
    assert_null(strchr(message, '\n'));
}

static void check_damage(const char *model, const char *approximate,
                         bool sparse)
{
    size_t n = 0;
    uint64_t header;
    char *bytes = saved(model, approximate, sparse, &n);
    memcpy(&header, bytes, sizeof header);
    char *text_end = bytes + sizeof header + header;
    while (text_end[-1] == ' ')
        --text_end;
    assert_int_equal(load(bytes, n), AKIN_OK);
    for (size_t k = 0; k < n; ++k)
        check_refused(load(bytes, k));
    for (size_t k = 0; k < n; ++k)
        for (int bit = 0; bit < 8; ++bit) {
            const char before = bytes[k];
            bytes[k] = (char)(before ^ (1 << bit));
            const akin_status st = load(bytes, n);
            const bool blank = bytes + k >= text_end &&
                               strchr("\t\r\n", bytes[k]) != NULL;
            if (!(blank && st == AKIN_OK))
                check_refused(st);
            bytes[k] = before;
        }
    akin_free(bytes);
}

static void damage_is_refused(void **state)
{
    (void)state;
    check_damage("tfidf", "none", true);
    check_damage("euclidean", "none", false);
    if (akin_index_can("hnsw"))
        check_damage("cosine", "hnsw", false);
}

/* 300 rows over 5 columns, so that lists have several blocks; values are
 * counts, and one column has others. */
static akin_index *larger(void)
{
    ak_rng rng = ak_rng_new(7, AK_STREAM_SYNTH);
    int64_t offsets[301] = {0};
    int32_t cols[1500];
    float vals[1500];
    akin_rows *rows = NULL;
    akin_model *m = NULL;
    akin_index *x = NULL;
    for (int64_t i = 0, at = 0; i < 300; offsets[++i] = at)
        for (int32_t j = 0; j < 5; ++j)
            if (ak_rng_unit(&rng) < 0.3 * (j + 1)) {
                cols[at] = j;
                vals[at++] = (float)(1 + ak_rng_below(&rng, 9)) +
                             (j == 1 ? 0.5F : 0.0F);
            }
    assert_int_equal(
        akin_rows_new_sparse(&rows, ctx, 300, 5, offsets, cols, vals), AKIN_OK);
    assert_int_equal(akin_model_builtin(&m, ctx, "cosine", rows), AKIN_OK);
    assert_int_equal(akin_index_build(&x, ctx, m, rows, NULL), AKIN_OK);
    akin_model_free(m);
    akin_rows_free(rows);
    return x;
}

typedef struct results {
    int64_t rows[30];
    double scores[30];
} results;

/* Two queries: of columns 0 and 2, and of 1, 3 and 4. */
static akin_status search(const akin_index *x, results *r)
{
    static const int64_t offsets[3] = {0, 2, 5};
    static const int32_t cols[5] = {0, 2, 1, 3, 4};
    static const float vals[5] = {1, 2, 3, 4, 5};
    akin_search_options o = AKIN_SEARCH_DEFAULTS;
    akin_rows *q = NULL;
    int64_t *rows = NULL;
    double *scores = NULL;
    o.top = 15;
    assert_int_equal(akin_rows_new_sparse(&q, ctx, 2, 5, offsets, cols, vals),
                     AKIN_OK);
    const akin_status st = akin_index_search(&rows, &scores, ctx, x, q, &o);
    if (st == AKIN_OK) {
        memcpy(r->rows, rows, sizeof r->rows);
        memcpy(r->scores, scores, sizeof r->scores);
    }
    akin_free(rows);
    akin_free(scores);
    akin_rows_free(q);
    return st;
}

static void set_byte(size_t at, char byte)
{
    FILE *f = fopen(path, "r+b");
    assert_non_null(f);
    assert_int_equal(fseek(f, (long)at, SEEK_SET), 0);
    assert_int_equal(fputc((unsigned char)byte, f), (unsigned char)byte);
    assert_int_equal(fclose(f), 0);
}

/* The file as it is; 1: it could be searched, 0: only opened. -1: neither. */
static int use(const results *want)
{
    static const char elsewhere[] = "prop_index_damage.other";
    akin_index *x = NULL;
    results r;
    akin_status st = akin_index_load(&x, ctx, path);
    int how = -1;
    if (st == AKIN_OK) {
        st = search(x, &r);
        how = st == AKIN_OK;
    }
    if (st == AKIN_OK)
        assert_memory_equal(&r, want, sizeof r);
    else
        assert_int_equal(strncmp(akin_ctx_message(ctx), path, strlen(path)), 0);
    if (how == 0)  // nor is the damage written under a new checksum
        assert_int_equal(akin_index_save(ctx, x, elsewhere), AKIN_EFORMAT);
    akin_index_free(x);
    return how;
}

static void damage_is_never_found_in(void **state)
{
    akin_index *x = larger();
    size_t n = 0, caught = 0, missed = 0;
    results want;
    char *bytes = NULL;
    (void)state;
    assert_int_equal(search(x, &want), AKIN_OK);
    assert_int_equal(akin_index_save(ctx, x, path), AKIN_OK);
    akin_index_free(x);
    assert_int_equal(ak_file_read(ctx, path, &bytes, &n), AKIN_OK);
    assert_int_equal(use(&want), 1);
    for (size_t k = 0; k < n; ++k) {
        set_byte(k, (char)(bytes[k] ^ (1 << k % 8)));
        const int how = use(&want);
        caught += how == 0;
        missed += how == 1;
        set_byte(k, bytes[k]);
    }
    assert_true(caught > 1000);  // bytes of the postings
    assert_true(missed < 100);   // behind them, and blanks of the header
    akin_free(bytes);
    unlink(path);
}

/* Sizes that rows of this model do not have: rows are added all the same. */
static void sizes_of_another_model(void **state)
{
    static const char *const names[2] = {"row.sum", "row.self"};
    static const double ones[4] = {1.0, 1.0, 1.0, 1.0};
    static const int64_t offsets[4001] = {0};
    (void)state;
    for (int k = 0; k < 2; ++k) {
        ak_tensors *t = NULL;
        akin_rows *rows = NULL;
        akin_index *x = NULL;
        size_t n = 0;
        char *bytes = saved("cosine", "none", true, &n);
        assert_int_equal(ak_tensors_parse(&t, ctx, name, bytes, n), AKIN_OK);
        assert_int_equal(
            ak_tensors_put_vector(t, ctx, names[k], AK_DTYPE_F64, 4, ones),
            AKIN_OK);
        assert_int_equal(ak_index_take(&x, ctx, t), AKIN_OK);
        assert_int_equal(
            akin_rows_new_sparse(&rows, ctx, 4000, 3, offsets, NULL, NULL),
            AKIN_OK);
        assert_int_equal(akin_index_add(ctx, x, rows), AKIN_OK);
        assert_int_equal(akin_index_count(x), 4004);
        akin_rows_free(rows);
        akin_index_free(x);
        akin_free(bytes);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {CONTEXT_CASE(damage_is_refused),
                                       CONTEXT_CASE(sizes_of_another_model),
                                       CONTEXT_CASE(damage_is_never_found_in)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
