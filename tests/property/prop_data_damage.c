/* Every prefix and every single-byte change of a small file of examples,
 * captions or a recipe: accepted, or refused in one line that names the file.
 */
#include <akin/text.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "context.h"
#include "data/captions/bags.h"
#include "data/recipe/recipe.h"
#include "data/supervision/lines.h"

static const char name[] = "damaged";
static const char path[] = "prop_data_damage.safetensors";

typedef akin_status read_fn(const char *bytes, size_t n);

static akin_status read_lines(const char *bytes, size_t n, akin_knowledge what)
{
    ak_lines l = {.form = ak_line_form_of(what, 20, 20)};
    int64_t *numbers = NULL, count = 0;
    akin_status st =
        ak_source_memory(&l.source, ctx, name, AK_SOURCE_TEXT, bytes, n);
    if (st == AKIN_OK)
        st = ak_lines_all(&l, ctx, &numbers, &count);
    akin_free(numbers);
    ak_source_close(l.source);
    return st;
}

static akin_status read_pairs(const char *bytes, size_t n)
{
    return read_lines(bytes, n, AKIN_PAIRS);
}

static akin_status read_quadruplets(const char *bytes, size_t n)
{
    return read_lines(bytes, n, AKIN_QUADRUPLETS);
}

static akin_status read_captions(const char *bytes, size_t n)
{
    ak_source *source = NULL;
    ak_bags *bags = NULL;
    akin_status st =
        ak_source_memory(&source, ctx, name, AK_SOURCE_TEXT, bytes, n);
    if (st == AKIN_OK)
        st = ak_bags_read(&bags, ctx, source, 20);
    ak_bags_free(bags);
    ak_source_close(source);
    return st;
}

static akin_status read_recipe(const char *bytes, size_t n)
{
    ak_tensors *t = NULL;
    akin_recipe *r = NULL;
    akin_status st = ak_tensors_parse(&t, ctx, name, bytes, n);
    if (st == AKIN_OK)
        st = ak_recipe_take(&r, ctx, t, "recipe.");
    akin_recipe_free(r);
    ak_tensors_free(t);
    return st;
}

static void assert_fine(akin_status st, const char *what, size_t at)
{
    if (st == AKIN_OK)
        return;
    if (akin_status_exit(st) != 2 ||
        strncmp(akin_ctx_message(ctx), name, sizeof name - 1) != 0)
        fail_msg("%s at %zu: %s, \"%s\"", what, at, akin_status_name(st),
                 akin_ctx_message(ctx));
}

/* `step`: 1 tries every value of each byte, more only some. */
static void damage(read_fn *read, const char *bytes, size_t n, int step)
{
    assert_int_equal(read(bytes, n), AKIN_OK);
    for (size_t k = 0; k < n; ++k) {
        char *copy = malloc(k + 1);  // of its size, so that ASan sees more
        memcpy(copy, bytes, k);
        assert_fine(read(copy, k), "prefix", k);
        free(copy);
    }
    char *copy = malloc(n);
    memcpy(copy, bytes, n);
    for (size_t k = 0; k < n; ++k) {
        for (int c = 0; c < 256; c += step) {
            copy[k] = (char)c;
            assert_fine(read(copy, n), "change", k);
        }
        copy[k] = bytes[k];
    }
    free(copy);
}

static void examples_may_be_damaged(void **state)
{
    (void)state;
    const char pairs[] = "i,j,s\r\n0,1,1\r\n# c\r\n12, 3 ,-1\n";
    const char quadruplets[] = "0 1 2 3\n4\t5 6 19 # x\n";
    damage(read_pairs, pairs, sizeof pairs - 1, 1);
    damage(read_quadruplets, quadruplets, sizeof quadruplets - 1, 1);
}

static void captions_may_be_damaged(void **state)
{
    (void)state;
    const char csv[] = "photo,faces,names\na,4; 0,\"Zo\xc3\xab \"\"Z\"\";B\"\n"
                       "\"b, c\",2,Bob\nd,,\n";
    const char json[] = "{\"photo\": \"a\", \"faces\": [4, 0], \"names\": "
                        "[\"Zo\\u00eb\", \"B\"]}\n"
                        "{\"names\": [], \"photo\": \"b\", \"faces\": []}\n";
    damage(read_captions, csv, sizeof csv - 1, 1);
    damage(read_captions, json, sizeof json - 1, 1);
}

/* Takes the recipe. */
static void damage_recipe(akin_recipe *r)
{
    static char bytes[4096];
    assert_int_equal(akin_recipe_save(ctx, r, path), AKIN_OK);
    akin_recipe_free(r);
    FILE *f = fopen(path, "rb");
    const size_t n = fread(bytes, 1, sizeof bytes, f);
    fclose(f);
    damage(read_recipe, bytes, n, 13);
    remove(path);
}

static void recipes_may_be_damaged(void **state)
{
    (void)state;
    const float values[] = {1, 2, 0, 4, 1, 1};
    const char *scales[] = {"zscore", "su"};
    akin_rows *rows = NULL;
    akin_rows_new_dense(&rows, ctx, 3, 2, values);
    for (int k = 0; k < 2; ++k) {
        akin_recipe_options o = AKIN_RECIPE_DEFAULTS;
        akin_recipe *r = NULL;
        o.weights = "tfidf";
        o.scale = scales[k];
        assert_int_equal(akin_recipe_fit(&r, ctx, rows, &o), AKIN_OK);
        damage_recipe(r);
    }
    akin_rows_free(rows);
}

static void text_recipes_may_be_damaged(void **state)
{
    (void)state;
    const float values[] = {1, 2, 0, 4, 1, 1};
    const char *const terms[] = {"orbit", "zo\xc3\xab"};
    const char *const classes[] = {"space", "zoo"};
    const int32_t labels[] = {0, 1, 1};
    akin_text_options o = AKIN_TEXT_DEFAULTS;
    akin_recipe_options then = AKIN_RECIPE_DEFAULTS;
    akin_rows *rows = NULL;
    akin_recipe *r = NULL;
    o.features = 1;
    then.weights = "tfidf";
    assert_int_equal(akin_rows_new_dense(&rows, ctx, 3, 2, values), AKIN_OK);
    assert_int_equal(akin_rows_set_columns(ctx, rows, terms, 2), AKIN_OK);
    assert_int_equal(akin_rows_set_labels(ctx, rows, labels, classes, 2),
                     AKIN_OK);
    assert_int_equal(akin_text_fit(&r, ctx, rows, &o, &then), AKIN_OK);
    damage_recipe(r);
    akin_rows_free(rows);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        CONTEXT_CASE(examples_may_be_damaged),
        CONTEXT_CASE(captions_may_be_damaged),
        CONTEXT_CASE(recipes_may_be_damaged),
        CONTEXT_CASE(text_recipes_may_be_damaged),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
