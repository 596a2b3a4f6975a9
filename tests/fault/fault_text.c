/* Documents, vocabularies, recipes of text: each allocation fails once. */
#include <akin/text.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#include "base/ctx.h"
#include "data/recipe/recipe.h"
#include "faulty.h"
#include "text_files.h"

static void assert_survives(akin_status (*work)(akin_ctx *ctx, void *arg),
                            void *arg)
{
    const int64_t n = faulty_run(work, arg);
    if (n < 0)
        fail_msg("allocation %d", (int)(-1 - n));
    assert_true(n > 10);
}

/* Read, fit, keep, load, read again by the recipe, apply. */
static akin_status all_of_it(akin_ctx *ctx, void *arg)
{
    const char *name = arg;
    akin_text_options o = AKIN_TEXT_DEFAULTS;
    akin_rows *counts = NULL, *again = NULL, *out = NULL;
    akin_recipe *r = NULL, *loaded = NULL;
    akin_status st = AKIN_OK;
    o.features = 3;
    akin_ctx_set_threads(ctx, 1);
    AK_TRY(akin_text_read(&counts, ctx, text_path(name), NULL, &o, NULL));
    AK_TRY(akin_text_fit(&r, ctx, counts, &o, NULL));
    AK_TRY(akin_recipe_save(ctx, r, text_path("r")));
    AK_TRY(akin_recipe_load(&loaded, ctx, text_path("r")));
    AK_TRY(akin_text_read(&again, ctx, text_path(name), loaded, &o, NULL));
    AK_TRY(akin_recipe_apply(&out, ctx, loaded, again));
done:
    akin_recipe_free(r);
    akin_recipe_free(loaded);
    akin_rows_free(counts);
    akin_rows_free(again);
    akin_rows_free(out);
    return st;
}

static void folders_survive(void **state)
{
    (void)state;
    assert_survives(all_of_it, (char *)"docs");
}

static void csv_survives(void **state)
{
    (void)state;
    assert_survives(all_of_it, (char *)"docs.csv");
}

static void json_lines_survive(void **state)
{
    (void)state;
    assert_survives(all_of_it, (char *)"docs.jsonl");
}

static akin_status count_texts(akin_ctx *ctx, void *arg)
{
    (void)arg;
    const char *const texts[] = {"orbit rocket", "roses"};
    akin_rows *rows = NULL;
    akin_ctx_set_threads(ctx, 1);
    const akin_status st =
        akin_text_count(&rows, ctx, texts, NULL, 2, NULL, NULL);
    akin_rows_free(rows);
    return st;
}

static void texts_in_memory_survive(void **state)
{
    (void)state;
    assert_survives(count_texts, NULL);
}

static akin_status name_terms(akin_ctx *ctx, void *arg)
{
    (void)arg;
    const float values[] = {1, 2};
    akin_rows *rows = NULL;
    akin_status st = AKIN_OK;
    AK_TRY(akin_rows_new_dense(&rows, ctx, 1, 2, values));
    AK_TRY(akin_text_vocabulary(ctx, rows, text_path("terms")));
done:
    akin_rows_free(rows);
    return st;
}

static void vocabularies_survive(void **state)
{
    (void)state;
    text_put("terms", "orbit\nroses\n", 12);
    assert_true(faulty_run(name_terms, NULL) > 3);
}

static int begin(void **state)
{
    (void)state;
    return text_begin();
}

static int end(void **state)
{
    (void)state;
    return text_end();
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(folders_survive),
        cmocka_unit_test(csv_survives),
        cmocka_unit_test(json_lines_survive),
        cmocka_unit_test(texts_in_memory_survive),
        cmocka_unit_test(vocabularies_survive),
    };
    return cmocka_run_group_tests(tests, begin, end);
}
