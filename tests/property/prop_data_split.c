/* Splits and held-out parts: disjoint, complete, of the right size, and the
 * same for the same seed. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "base/rng.h"
#include "data/captions/bags.h"
#include "data/supervision/supervision.h"

enum { MAX_ROWS = 200, LABELS = 6 };

typedef struct instance {
    akin_rows rows;
    int64_t offsets[MAX_ROWS + 1];
    int32_t labels[2 * MAX_ROWS];
    double fraction;
} instance;

static void draw(instance *x, uint64_t seed)
{
    ak_rng r = ak_rng_new(seed, AK_STREAM_SYNTH);
    const int64_t n = 20 + ak_rng_below(&r, MAX_ROWS - 20);
    int64_t at = 0;
    for (int64_t i = 0; i < n; ++i) {
        const int64_t first = ak_rng_below(&r, LABELS + 1);
        if (first < LABELS)
            x->labels[at++] = (int32_t)first;
        if (first < LABELS - 1 && ak_rng_below(&r, 4) == 0)
            x->labels[at++] = LABELS - 1;
        x->offsets[i + 1] = at;
    }
    x->fraction = 0.1 + 0.8 * ak_rng_unit(&r);
    x->rows = (akin_rows){.n = n,
                          .label_offsets = x->offsets,
                          .labels = x->labels,
                          .n_label_names = LABELS};
}

/* Rows of class c (by first label, LABELS: none) among some rows. */
static int64_t of_class(const instance *x, const int64_t *rows, int64_t n,
                        int32_t c)
{
    int64_t count = 0;
    for (int64_t i = 0; i < n; ++i) {
        const int64_t row = rows ? rows[i] : i;
        const int64_t at = x->offsets[row];
        count += (at < x->offsets[row + 1] ? x->labels[at] : LABELS) == c;
    }
    return count;
}

static void assert_parts(const int64_t *a, int64_t na, const int64_t *b,
                         int64_t nb, int64_t n)
{
    assert_int_equal(na + nb, n);
    for (int64_t row = 0, i = 0, j = 0; row < n; ++row) {
        const bool in_a = i < na && a[i] == row;
        const bool in_b = j < nb && b[j] == row;
        assert_true(in_a != in_b);
        i += in_a;
        j += in_b;
    }
}

static void rows_are_split(void **state)
{
    (void)state;
    akin_ctx *ctx = NULL;
    akin_ctx_new(&ctx, NULL);
    for (uint64_t seed = 1; seed <= 100; ++seed)
        for (int by_class = 0; by_class < 2; ++by_class) {
            static instance x;
            int64_t *a, *b, *a2, *b2, na, nb, n2;
            draw(&x, seed);
            akin_ctx_set_seed(ctx, seed);
            assert_int_equal(akin_split(&a, &na, &b, &nb, ctx, &x.rows,
                                        x.fraction, by_class),
                             AKIN_OK);
            assert_parts(a, na, b, nb, x.rows.n);
            assert_true(fabs((double)na - x.fraction * (double)x.rows.n) <= 1);
            for (int32_t c = 0; by_class && c <= LABELS; ++c) {
                const double want = x.fraction *
                                    (double)of_class(&x, NULL, x.rows.n, c);
                const double got = (double)of_class(&x, a, na, c);
                if (fabs(got - want) > 1.0)
                    fail_msg("seed %d class %d: %g of %g", (int)seed, c, got,
                             want);
            }
            akin_split(&a2, &n2, &b2, &nb, ctx, &x.rows, x.fraction, by_class);
            assert_int_equal(n2, na);
            assert_memory_equal(a, a2, (size_t)na * sizeof *a);
            akin_free(a2);
            akin_free(b2);
            akin_ctx_set_seed(ctx, seed + 1000);
            akin_split(&a2, &n2, &b2, &nb, ctx, &x.rows, x.fraction, by_class);
            assert_memory_not_equal(a, a2, (size_t)na * sizeof *a);
            akin_free(a);
            akin_free(b);
            akin_free(a2);
            akin_free(b2);
        }
    akin_ctx_free(ctx);
}

static void wrong_fractions_are_refused(void **state)
{
    (void)state;
    static instance x;
    akin_ctx *ctx = NULL;
    akin_supervision *s = NULL, *rest = NULL, *held = NULL;
    int64_t *a, *b, na, nb;
    draw(&x, 1);
    akin_ctx_new(&ctx, NULL);
    assert_int_equal(akin_split(&a, &na, &b, &nb, ctx, &x.rows, 1.5, 0),
                     AKIN_EINVAL);
    assert_int_equal(akin_split(&a, &na, &b, &nb, ctx, &x.rows, NAN, 0),
                     AKIN_EINVAL);
    assert_int_equal(akin_split(&a, &na, &b, &nb, ctx, &x.rows, 1.0, 1),
                     AKIN_OK);
    assert_int_equal(nb, 0);
    akin_free(a);
    akin_free(b);
    akin_supervision_new(&s, ctx, &x.rows, NULL, NULL);
    assert_int_equal(akin_supervision_hold_out(&rest, &held, ctx, s, 1.0),
                     AKIN_EINVAL);
    assert_int_equal(akin_supervision_hold_out(&rest, &held, ctx, s, 1e-9),
                     AKIN_EINVAL);
    x.rows.n_label_names = 0;
    assert_int_equal(akin_split(&a, &na, &b, &nb, ctx, &x.rows, 0.5, 1),
                     AKIN_EINVAL);
    akin_supervision_free(s);
    akin_ctx_free(ctx);
}

static void labels_are_held_by_class(void **state)
{
    (void)state;
    akin_ctx *ctx = NULL;
    akin_ctx_new(&ctx, NULL);
    for (uint64_t seed = 1; seed <= 100; ++seed) {
        static instance x;
        akin_supervision *s = NULL, *rest = NULL, *held = NULL;
        draw(&x, seed);
        akin_ctx_set_seed(ctx, seed);
        akin_supervision_new(&s, ctx, &x.rows, NULL, NULL);
        akin_supervision_sample(s, 7, 3);
        assert_int_equal(
            akin_supervision_hold_out(&rest, &held, ctx, s, x.fraction),
            AKIN_OK);
        assert_int_equal(rest->kind, AKIN_LABELS);
        assert_int_equal(held->kind, AKIN_LABELS);
        assert_int_equal(rest->sample, 7);
        assert_int_equal(held->passes, 3);
        assert_parts(rest->known, rest->n_known, held->held_out,
                     held->n_held_out, x.rows.n);
        assert_int_equal(held->n_known, held->n_held_out);
        assert_int_equal(of_class(&x, held->held_out, held->n_held_out, LABELS),
                         0);
        for (int32_t c = 0; c < LABELS; ++c) {
            const int64_t all = of_class(&x, NULL, x.rows.n, c);
            const int64_t left = of_class(&x, rest->known, rest->n_known, c);
            const double want = (1.0 - x.fraction) * (double)all;
            assert_true(all == 0 || left > 0);
            assert_true(fabs((double)left - want) <= 1.0 || left == 1);
        }
        assert_int_equal(akin_supervision_examples(rest) +
                             akin_supervision_examples(held),
                         akin_supervision_examples(s));
        akin_supervision_free(rest);
        akin_supervision_free(held);
        akin_supervision_free(s);
    }
    akin_ctx_free(ctx);
}

static void examples_are_held_one_by_one(void **state)
{
    (void)state;
    enum { N = 4000 };
    static int64_t numbers[3 * N];
    static instance x;
    akin_ctx *ctx = NULL;
    akin_supervision *s = NULL, *rest = NULL, *held = NULL;
    draw(&x, 3);
    for (int64_t i = 0; i < N; ++i) {
        numbers[3 * i] = i % x.rows.n;
        numbers[3 * i + 1] = i / x.rows.n % x.rows.n;
    }
    akin_ctx_new(&ctx, NULL);
    akin_supervision_new(&s, ctx, &x.rows, NULL, NULL);
    akin_supervision_set(ctx, s, AKIN_TRIPLETS, numbers, N);
    assert_int_equal(akin_supervision_hold_out(&rest, &held, ctx, s, 0.25),
                     AKIN_OK);
    assert_int_equal(rest->count + held->count, N);
    assert_in_range(held->count, 900, 1100);
    for (int64_t i = 0, j = 0; i + j < N;) {
        const int64_t *want = numbers + 3 * (i + j);
        if (i < rest->count && memcmp(rest->numbers + 3 * i, want, 24) == 0)
            ++i;
        else if (memcmp(held->numbers + 3 * j, want, 24) == 0)
            ++j;
        else
            fail_msg("example %d is lost", (int)(i + j));
    }
    akin_supervision_free(rest);
    akin_supervision_free(held);
    akin_supervision_free(s);
    akin_ctx_free(ctx);
}

static void photos_are_held_one_by_one(void **state)
{
    (void)state;
    enum { N = 60 };
    static instance x;
    char text[4096] = "photo,faces,names\n", line[64];
    for (int i = 0; i < N / 2; ++i) {
        snprintf(line, sizeof line, "p%d,%d;%d,n%d;n%d\n", i, 2 * i, 2 * i + 1,
                 i % 7, i % 5 + 7);
        strcat(text, line);
    }
    akin_ctx *ctx = NULL;
    akin_supervision *s = NULL, *rest = NULL, *held = NULL;
    ak_source *source = NULL;
    draw(&x, 4);
    x.rows.n = N;
    akin_ctx_new(&ctx, NULL);
    akin_supervision_new(&s, ctx, &x.rows, NULL, NULL);
    ak_source_memory(&source, ctx, "c", AK_SOURCE_TEXT, text, strlen(text));
    assert_int_equal(ak_bags_read(&s->bags, ctx, source, N), AKIN_OK);
    ak_source_close(source);
    s->kind = AKIN_BAGS;
    assert_int_equal(akin_supervision_examples(s), N / 2);
    assert_int_equal(akin_supervision_hold_out(&rest, &held, ctx, s, 0.5),
                     AKIN_OK);
    int64_t seen[N] = {0};
    for (int part = 0; part < 2; ++part) {
        const ak_bags *b = part ? held->bags : rest->bags;
        for (int64_t i = 0; i < b->n_photos; ++i) {
            const int64_t first = b->items[b->item_offsets[i]];
            char name[16];
            snprintf(name, sizeof name, "p%d", (int)(first / 2));
            assert_string_equal(b->photos[i], name);
            assert_int_equal(b->name_offsets[i + 1] - b->name_offsets[i], 2);
            assert_int_equal(b->item_offsets[i + 1] - b->item_offsets[i], 2);
            ++seen[first];
            snprintf(name, sizeof name, "n%d", (int)(first / 2 % 7));
            const int32_t *n = b->names + b->name_offsets[i];
            assert_true(strcmp(b->name_texts[n[0]], name) == 0 ||
                        strcmp(b->name_texts[n[1]], name) == 0);
        }
    }
    for (int i = 0; i < N; i += 2)
        assert_int_equal(seen[i], 1);
    akin_supervision_free(rest);
    akin_supervision_free(held);
    akin_supervision_free(s);
    akin_ctx_free(ctx);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rows_are_split),
        cmocka_unit_test(wrong_fractions_are_refused),
        cmocka_unit_test(labels_are_held_by_class),
        cmocka_unit_test(examples_are_held_one_by_one),
        cmocka_unit_test(photos_are_held_one_by_one),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
