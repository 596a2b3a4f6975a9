/* Supervision, samplers, splits, recipes, bags: each allocation fails once. */
#include <akin/synth.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "base/ctx.h"
#include "data/captions/bags.h"
#include "data/recipe/recipe.h"
#include "data/supervision/supervision.h"
#include "faulty.h"

static const char path[] = "fault_data_examples.txt";
static const char recipe_path[] = "fault_data_examples.safetensors";

enum { N = 12 };
static const float values[N][3] = {{1, 2, 0}, {0, 1, 1}, {3, 0, 0}, {0, 0, 1}};
static int64_t label_offsets[N + 1];
static int32_t labels[2 * N];
static char column_names[] = "a\0b";
static int64_t column_begins[] = {0, 2, 4};
static akin_rows dense = {.n = N,
                          .d = 3,
                          .vals = (float *)values,
                          .columns = {2, column_begins, column_names, 3, 4}};

/* Odd rows are of class 1 and, where `several`, of class 2 as well. */
static void label(bool several)
{
    int64_t at = 0;
    for (int64_t i = 0; i < N; ++i) {
        labels[at++] = (int32_t)(i % 2);
        if (several && i == 3)
            labels[at++] = 2;
        label_offsets[i + 1] = at;
    }
    dense.label_offsets = label_offsets;
    dense.labels = labels;
    dense.n_label_names = 3;
    static char *names[] = {(char *)"a", (char *)"b", (char *)"c"};
    dense.label_names = names;
}

static void write_text(const char *text)
{
    FILE *f = fopen(path, "wb");
    assert_non_null(f);
    fputs(text, f);
    fclose(f);
}

static void assert_survives(akin_status (*work)(akin_ctx *ctx, void *arg),
                            void *arg)
{
    const int64_t n = faulty_run(work, arg);
    if (n < 0)
        fail_msg("allocation %d", (int)(-1 - n));
    assert_true(n > 1);
}

static akin_status draw_and_hold(akin_supervision *s, akin_ctx *ctx)
{
    akin_supervision *rest = NULL, *held = NULL;
    ak_sampler *sampler = NULL;
    int64_t triplet[3];
    akin_status st = AKIN_OK;
    AK_TRY(akin_supervision_hold_out(&rest, &held, ctx, s, 0.5));
    if (s->kind == AKIN_BAGS)
        goto done;
    AK_TRY(ak_sampler_new(&sampler, ctx, s));
    ak_sampler_draw(sampler, 5, 1, triplet);
done:
    ak_sampler_free(sampler);
    akin_supervision_free(rest);
    akin_supervision_free(held);
    return st;
}

/* Labels, or the examples in the file. */
static akin_status supervise(akin_ctx *ctx, void *arg)
{
    const akin_knowledge what = *(const akin_knowledge *)arg;
    akin_supervision *s = NULL;
    akin_status st = AKIN_OK;
    AK_TRY(akin_supervision_new(&s, ctx, &dense, NULL, NULL));
    if (what != AKIN_LABELS)
        AK_TRY(akin_supervision_read(ctx, s, what, path));
    AK_TRY(draw_and_hold(s, ctx));
done:
    akin_supervision_free(s);
    return st;
}

static void labels_survive(void **state)
{
    (void)state;
    akin_knowledge what = AKIN_LABELS;
    label(false);
    assert_survives(supervise, &what);
    label(true);
    assert_survives(supervise, &what);
}

static void examples_survive(void **state)
{
    (void)state;
    akin_knowledge what = AKIN_TRIPLETS;
    write_text("0 1 2\n3 4 5\n6 7 8\n9 10 11\n0 2 1\n");
    assert_survives(supervise, &what);
    what = AKIN_QUADRUPLETS;
    write_text("0 1 0 2\n3 4 3 5\n6 7 6 8\n9 10 9 11\n0 2 0 1\n");
    assert_survives(supervise, &what);
    what = AKIN_PAIRS;
    write_text("0 1 1\n0 2 -1\n3 4 1\n3 5 -1\n6 7 1\n6 8 -1\n");
    assert_survives(supervise, &what);
    what = AKIN_BAGS;
    write_text("photo,faces,names\na,0;1,A;B\nb,2,B\nc,3,C\nd,4;5,A;C\n");
    assert_survives(supervise, &what);
}

static akin_status read_lists(akin_ctx *ctx, void *arg)
{
    (void)arg;
    akin_lists *l = NULL;
    akin_stream *stream = NULL;
    const int64_t *x;
    int64_t n;
    akin_status st = AKIN_OK;
    AK_TRY(akin_lists_read(&l, ctx, path, N, N));
    AK_TRY(akin_stream_open(&stream, ctx, AKIN_PAIRS, "/dev/null", N, N));
    AK_TRY(akin_stream_next(&x, &n, ctx, stream, 10));
done:
    akin_stream_close(stream);
    akin_lists_free(l);
    return st;
}

static akin_status split(akin_ctx *ctx, void *arg)
{
    (void)arg;
    int64_t *a = NULL, *b = NULL, na, nb;
    const akin_status st = akin_split(&a, &na, &b, &nb, ctx, &dense, 0.5, true);
    akin_free(a);
    akin_free(b);
    return st;
}

static akin_status synthesise(akin_ctx *ctx, void *arg)
{
    akin_synth_bags_options o = AKIN_SYNTH_BAGS_DEFAULTS;
    akin_rows *rows = NULL;
    o.rows = 20;
    akin_ctx_set_threads(ctx, 1);
    o.class_words = 2;
    const akin_status st = akin_synth_bags(&rows, ctx, arg, &o);
    akin_rows_free(rows);
    return st;
}

static void lists_and_parts_survive(void **state)
{
    (void)state;
    label(false);
    write_text("0 1\n0 2\n3 1\n");
    assert_survives(read_lists, NULL);
    assert_survives(split, NULL);
    assert_survives(synthesise, NULL);
    assert_survives(synthesise, &dense);
}

static akin_status cook(akin_ctx *ctx, void *arg)
{
    akin_recipe *r = NULL, *copy = NULL, *loaded = NULL, *again = NULL;
    akin_rows *rows = NULL;
    uint8_t *bytes = NULL;
    size_t size = 0;
    akin_status st = AKIN_OK;
    akin_ctx_set_threads(ctx, 1);
    AK_TRY(akin_recipe_fit(&r, ctx, &dense, arg));
    AK_TRY(ak_recipe_copy(&copy, ctx, r));
    AK_TRY(akin_recipe_apply(&rows, ctx, copy, &dense));
    AK_TRY(akin_recipe_save(ctx, copy, recipe_path));
    AK_TRY(akin_recipe_load(&loaded, ctx, recipe_path));
    AK_TRY(akin_recipe_save_memory(&bytes, &size, ctx, loaded));
    AK_TRY(akin_recipe_load_memory(&again, ctx, bytes, size));
done:
    akin_free(bytes);
    akin_recipe_free(again);
    akin_recipe_free(r);
    akin_recipe_free(copy);
    akin_recipe_free(loaded);
    akin_rows_free(rows);
    return st;
}

static void recipes_survive(void **state)
{
    (void)state;
    const char *scales[] = {"none", "minmax", "zscore", "su"};
    label(true);
    for (int k = 0; k < 4; ++k) {
        akin_recipe_options o = AKIN_RECIPE_DEFAULTS;
        o.weights = "tfidf";
        o.scale = scales[k];
        o.norm = "global";
        assert_survives(cook, &o);
    }
}

static int clean(void **state)
{
    (void)state;
    remove(path);
    remove(recipe_path);
    return 0;
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(labels_survive),
        cmocka_unit_test(examples_survive),
        cmocka_unit_test(lists_and_parts_survive),
        cmocka_unit_test(recipes_survive),
    };
    return cmocka_run_group_tests(tests, NULL, clean);
}
