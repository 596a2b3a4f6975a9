/* Names of columns: from a header, through a recipe, to files and back. */
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "context.h"
#include "data/recipe/recipe.h"
#include "data/rows.h"

static akin_rows *read_text(const char *path, const char *text,
                            const char *column)
{
    const akin_read_options o = {.size = sizeof o, .label_column = column};
    akin_rows *r = NULL;
    if (text != NULL) {
        FILE *f = fopen(path, "wb");
        assert_non_null(f);
        fputs(text, f);
        fclose(f);
    }
    if (akin_rows_read(&r, ctx, path, &o) != AKIN_OK)
        fail_msg("%s", akin_ctx_message(ctx));
    unlink(path);
    return r;
}

static void called(const akin_rows *r, int64_t j, const char *name)
{
    const char *got = akin_rows_column_name(r, j);
    if (name == NULL)
        assert_null(got);
    else
        assert_string_equal(got, name);
}

static const char table[] = "size,kind,\"big, \"\"or\"\" not\",,last\n"
                            "1,a,2,3,4\n5,b,6,7,9\n";

static void a_header_names_columns(void **state)
{
    (void)state;
    akin_rows *r = read_text("test-names.csv", table, "kind");
    called(r, 0, "size");
    called(r, 1, "big, \"or\" not");
    called(r, 2, NULL);
    called(r, 3, "last");
    called(r, 4, NULL);
    called(r, -1, NULL);
    akin_rows_free(r);
    r = read_text("test-names.csv", "1,2\n3,4\n", NULL);
    called(r, 0, NULL);
    akin_rows_free(r);
}

/* Written as `path` and read again; column 2 had no name. */
static void there_and_back(const char *path, const char *label,
                           const char *third)
{
    const int64_t which[] = {1};
    akin_rows *r = read_text("test-names.csv", table, "kind");
    akin_rows *one = NULL, *back;
    assert_int_equal(akin_rows_select(&one, ctx, r, which, 1), AKIN_OK);
    assert_int_equal(akin_rows_write(ctx, one, path), AKIN_OK);
    back = read_text(path, NULL, label);
    called(back, 0, "size");
    called(back, 1, "big, \"or\" not");
    called(back, 2, third);
    called(back, 3, "last");
    assert_int_equal(back->n, 1);
    assert_int_equal(back->d, 4);
    assert_string_equal(akin_rows_label_name(back, 0), label ? "b" : "a");
    akin_rows_free(r);
    akin_rows_free(one);
    akin_rows_free(back);
}

static void files_keep_them(void **state)
{
    (void)state;
    there_and_back("test-back.csv", "label", "c2");
    there_and_back("test-back.tsv", "label", "c2");
    there_and_back("test-back.safetensors", NULL, NULL);
}

/* Two columns of these names, written as csv: the first line. */
static void first_line(const char *a, const char *b, bool labels,
                       const char *line)
{
    static const float x[] = {1, 2};
    static const int32_t zero = 0;
    const char *const names[] = {a, b}, *const label = "x";
    char text[80];
    akin_rows *r = NULL;
    assert_int_equal(akin_rows_new_dense(&r, ctx, 1, 2, x), AKIN_OK);
    if (labels)
        assert_int_equal(akin_rows_set_labels(ctx, r, &zero, &label, 1),
                         AKIN_OK);
    assert_int_equal(akin_rows_set_columns(ctx, r, names, 2), AKIN_OK);
    assert_int_equal(akin_rows_write(ctx, r, "test-line.csv"), AKIN_OK);
    akin_rows_free(r);
    FILE *f = fopen("test-line.csv", "rb");
    assert_non_null(fgets(text, sizeof text, f));
    fclose(f);
    unlink("test-line.csv");
    assert_string_equal(text, line);
}

static void a_header_is_read_as_one(void **state)
{
    (void)state;
    first_line("a", "b", false, "a,b\n");
    first_line("a", "b", true, "a,b,label\n");
    first_line("a", "", false, "a,c1\n");
    first_line("label", "label_", true, "label,label_,label__\n");
    first_line("label", "b", false, "label,b\n");
    first_line("7", "8", true, "7,8,label\n");
    first_line("7", "8", false, "1,2\n");  // else a row of 7 and 8
}

static void a_recipe_keeps_them(void **state)
{
    (void)state;
    const akin_recipe_options su = {sizeof su, "none", "su", "none", 0};
    akin_rows *r = read_text("test-names.csv", table, "kind");
    akin_rows *plain = NULL, *out = NULL;
    akin_recipe *recipe = NULL, *back = NULL;
    assert_int_equal(akin_recipe_fit(&recipe, ctx, r, NULL), AKIN_OK);
    assert_int_equal(akin_recipe_save(ctx, recipe, "test-r.safetensors"),
                     AKIN_OK);
    assert_int_equal(akin_recipe_load(&back, ctx, "test-r.safetensors"),
                     AKIN_OK);
    unlink("test-r.safetensors");
    assert_string_equal(akin_recipe_column_name(back, 3), "last");
    assert_null(akin_recipe_column_name(back, 2));
    assert_int_equal(akin_rows_new_dense(&plain, ctx, 2, 4, r->vals), AKIN_OK);
    assert_int_equal(akin_recipe_apply(&out, ctx, back, plain), AKIN_OK);
    called(out, 0, "size");  // the recipe knows, these rows did not
    akin_rows_free(out);
    akin_recipe_free(back);
    akin_recipe_free(recipe);

    assert_int_equal(akin_recipe_fit(&recipe, ctx, r, &su), AKIN_OK);
    assert_int_equal(akin_recipe_apply(&out, ctx, recipe, r), AKIN_OK);
    called(out, 0, NULL);  // a component
    assert_null(akin_recipe_column_name(recipe, 0));
    akin_rows_free(out);
    akin_recipe_free(recipe);
    akin_rows_free(plain);
    akin_rows_free(r);
}

static void other_names_are_refused(void **state)
{
    (void)state;
    akin_rows *r = read_text("test-ab.csv", "a,b\n1,2\n", NULL);
    akin_rows *other = read_text("test-ba.csv", "b,a\n2,1\n", NULL);
    akin_rows *out = NULL;
    akin_recipe *recipe = NULL;
    assert_int_equal(akin_recipe_fit(&recipe, ctx, r, NULL), AKIN_OK);
    assert_int_equal(akin_recipe_apply(&out, ctx, recipe, r), AKIN_OK);
    akin_rows_free(out);
    assert_int_equal(akin_recipe_apply(&out, ctx, recipe, other), AKIN_ESHAPE);
    assert_string_equal(akin_ctx_message(ctx),
                        "column 0 is named b; the recipe expects a");
    akin_recipe_free(recipe);
    akin_rows_free(other);
    akin_rows_free(r);
}

static void more_names_than_columns_are_refused(void **state)
{
    (void)state;
    static const float x[] = {1, 2};
    const char *const names[] = {"a", "b", "c"};
    akin_rows *r = NULL;
    assert_int_equal(akin_rows_new_dense(&r, ctx, 1, 2, x), AKIN_OK);
    assert_int_equal(akin_rows_set_columns(ctx, r, names, 3), AKIN_EINVAL);
    assert_string_equal(akin_ctx_message(ctx), "3 names for 2 columns");
    assert_int_equal(akin_rows_set_columns(ctx, r, names, 1), AKIN_OK);
    called(r, 0, "a");
    called(r, 1, NULL);
    assert_int_equal(akin_rows_set_columns(ctx, r, NULL, 0), AKIN_OK);
    called(r, 0, NULL);
    akin_rows_free(r);
}

/* A tensor of names that is not what it should be. */
static void taken(const char *text, int64_t bytes, int64_t d,
                  akin_status wanted)
{
    ak_tensors *t = NULL;
    ak_columns c = {0};
    assert_int_equal(ak_tensors_new(&t, ctx), AKIN_OK);
    assert_int_equal(
        ak_tensors_put_vector(t, ctx, "x", AK_DTYPE_U8, bytes, text), AKIN_OK);
    assert_int_equal(ak_columns_take(&c, ctx, t, "x", d), wanted);
    ak_columns_free(&c);
    ak_tensors_free(t);
}

static void damaged_names_are_refused(void **state)
{
    (void)state;
    taken("a\0b", 4, 2, AKIN_OK);
    taken("a\0b", 4, 3, AKIN_OK);
    taken("a\0b", 4, 1, AKIN_EFORMAT);
    taken("a\0b", 3, 2, AKIN_EFORMAT);
    taken("", 0, 0, AKIN_OK);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        CONTEXT_CASE(a_header_names_columns),
        CONTEXT_CASE(files_keep_them),
        CONTEXT_CASE(a_header_is_read_as_one),
        CONTEXT_CASE(a_recipe_keeps_them),
        CONTEXT_CASE(other_names_are_refused),
        CONTEXT_CASE(more_names_than_columns_are_refused),
        CONTEXT_CASE(damaged_names_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
