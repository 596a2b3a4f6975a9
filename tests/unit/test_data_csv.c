/* csv and tsv files, and labels in files of their own. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "data/io/formats.h"

static int enter(void **state)
{
    return akin_ctx_new((akin_ctx **)state, NULL) != AKIN_OK;
}

static int leave(void **state)
{
    akin_ctx_free(*state);
    return 0;
}

static akin_status parse(akin_ctx *ctx, const char *text, const char *column,
                         akin_rows **out)
{
    const akin_read_options o = {.label_column = column};
    ak_source *s = NULL;
    *out = NULL;
    assert_int_equal(
        ak_source_memory(&s, ctx, "x.csv", AK_SOURCE_TEXT, text, strlen(text)),
        AKIN_OK);
    const akin_status st = ak_csv_parse(out, ctx, s, &o);
    ak_source_close(s);
    return st;
}

/* Read well, as n x d with the sum of all values, and the label of row 0. */
static void good(akin_ctx *ctx, const char *text, const char *column, int64_t n,
                 int64_t d, double sum, const char *label)
{
    akin_rows *r;
    const int32_t *labels;
    if (parse(ctx, text, column, &r) != AKIN_OK)
        fail_msg("%s", akin_ctx_message(ctx));
    assert_int_equal(r->n, n);
    assert_int_equal(r->d, d);
    for (int64_t k = 0; k < n * d; ++k)
        sum -= (double)r->vals[k];
    assert_true(sum < 1e-6 && sum > -1e-6);
    assert_int_equal(akin_rows_labels(&labels, r, 0), label != NULL);
    if (label != NULL)
        assert_string_equal(r->label_names[labels[0]], label);
    akin_rows_free(r);
}

static void headers_and_labels(void **state)
{
    good(*state, "1,2\n3,4", NULL, 2, 2, 10, NULL);
    good(*state, "a,b\n1,2\r\n\n3,4\n", NULL, 2, 2, 10, NULL);
    good(*state,
         "\xef\xbb\xbf"
         "1,2\n",
         NULL, 1, 2, 3, NULL);
    good(*state, " 1 ,\t\"2\" \n", NULL, 1, 2, 3, NULL);
    good(*state, "1,x\n3,y\n", "-1", 2, 1, 4, "x");
    good(*state, "1,x\n3,y\n", "1", 2, 1, 4, "x");
    good(*state, "a,class\n1,x\n3,y\n", "1", 2, 1, 4, "x");
    good(*state, "a,class\n1,x\n3,y\n", "class", 2, 1, 4, "x");
    good(*state, "a,\"class\"\n1,\"x, \"\"y\"\"\"\n", "class", 1, 1, 1,
         "x, \"y\"");
    good(*state, "7,n\nx,1\ny,3\n", "7", 2, 1, 4, "x");
    good(*state, "a,7\n1,x\n3,y\n", "7", 2, 1, 4, "x");
    good(*state, "n,v\n?,2\n,3\n", "0", 2, 1, 5, NULL);
}

static void labels_are_found_by_name(void **state)
{
    good(*state, "a,class\n1,x\n3,y\n", NULL, 2, 1, 4, "x");
    good(*state, "a,class\n1,2\n3,4\n", "none", 2, 2, 10, NULL);
    good(*state, "LABEL,a\nx,1\n", NULL, 1, 1, 1, "x");
    good(*state, "y,Class,a\n1,x,1\n", NULL, 1, 2, 2, "x");
    good(*state, "y,target,label\n1,1,x\n", NULL, 1, 2, 2, "x");
    good(*state, "y,Target\n1,x\n", NULL, 1, 1, 1, "x");
    good(*state, "1,y\n2,3\n", NULL, 1, 1, 2, "3");
    good(*state, "yy,labels\n2,3\n", NULL, 1, 2, 5, NULL);
    good(*state, "a,Species\n2,3\n", "species", 1, 1, 2, "3");
    good(*state, "class,Class\nx,2\n", "class", 1, 1, 2, "x");
    good(*state, "Class,class\n2,x\n", "class", 1, 1, 2, "x");
}

/* A recipe that was fitted to the first text reads the second. */
static void read_after(akin_ctx *ctx, const char *first, const char *column,
                       const char *second, int64_t d, const char *label)
{
    akin_rows *rows, *later = NULL;
    akin_recipe *recipe = NULL;
    akin_read_options o = {0};
    ak_source *s = NULL;
    assert_int_equal(parse(ctx, first, column, &rows), AKIN_OK);
    assert_int_equal(akin_recipe_fit(&recipe, ctx, rows, NULL), AKIN_OK);
    o.recipe = recipe;
    assert_int_equal(ak_source_memory(&s, ctx, "y.csv", AK_SOURCE_TEXT, second,
                                      strlen(second)),
                     AKIN_OK);
    assert_int_equal(ak_csv_parse(&later, ctx, s, &o), AKIN_OK);
    assert_int_equal(later->d, d);
    assert_int_equal(later->n_label_names, label != NULL);
    if (label != NULL)
        assert_string_equal(later->label_names[0], label);
    ak_source_close(s);
    akin_recipe_free(recipe);
    akin_rows_free(rows);
    akin_rows_free(later);
}

static void recipe_knows_columns_and_labels(void **state)
{
    read_after(*state, "a,kind\n1,x\n", "kind", "a,kind\n2,z\n", 1, "z");
    read_after(*state, "a,kind\n1,x\n", "kind", "a\n2\n", 1, NULL);
    read_after(*state, "a,kind\n1,x\n", "kind", "a,class\n2,z\n", 1, "z");
    read_after(*state, "a,y\n1,2\n", "none", "a,y\n2,3\n", 2, NULL);
    read_after(*state, "a,y\n1,2\n", "none", "a,y,label\n2,3,z\n", 2, "z");
    read_after(*state, "a,y\n1,2\n", NULL, "y,a\n2,3\n", 1, "2");
}

static void dim_needs_every_column(void **state)
{
    const char *text = "a,y\n1,2\n";
    for (int64_t dim = 1; dim <= 2; ++dim) {
        const akin_read_options o = {.dim = dim};
        ak_source *s = NULL;
        akin_rows *r = NULL;
        assert_int_equal(ak_source_memory(&s, *state, "x.csv", AK_SOURCE_TEXT,
                                          text, strlen(text)),
                         AKIN_OK);
        assert_int_equal(ak_csv_parse(&r, *state, s, &o), AKIN_OK);
        assert_int_equal(r->d, dim);
        ak_source_close(s);
        akin_rows_free(r);
    }
}

static void semicolons_and_tabs(void **state)
{
    good(*state, "a;b\n1;2\n", NULL, 1, 2, 3, NULL);
    good(*state, "a;b;class\n1,5;2,25;x\n", NULL, 1, 2, 3.75, "x");
    good(*state, "1,5;2,5\n-1e1;0\n", NULL, 2, 2, -6, NULL);
    good(*state, "1,5;x\n2;y\n", "-1", 2, 1, 3.5, "x");
    good(*state, "\"a,b\";c\n1;2\n", NULL, 1, 2, 3, NULL);
    good(*state, "a\tb\n1\t2\n", NULL, 1, 2, 3, NULL);
    good(*state, "1,4,x\n2,3,x;y\n", "-1", 2, 2, 10, "x");
    good(*state, "\"a;b\",c\n1,2\n", NULL, 1, 2, 3, NULL);
}

static void refused(akin_ctx *ctx, const char *text, const char *column,
                    const char *message)
{
    akin_rows *r;
    assert_int_equal(parse(ctx, text, column, &r), AKIN_EFORMAT);
    assert_null(r);
    assert_string_equal(akin_ctx_message(ctx), message);
}

static void errors_say_where(void **state)
{
    const char *number =
        "x.csv:2:3: not a number (`label_column` names a column of labels)";
    refused(*state, "1,2\n1,x", NULL, number);
    refused(*state, "1,2\n1,2x", NULL, number);
    refused(*state, "1,2\n1,", NULL,
            "x.csv:2:3: empty cell (expected a number)");
    refused(*state, "1,2\n1,nan", NULL,
            "x.csv:2:3: number is not finite in 32 bits");
    refused(*state, "1,2\n1,-1e99", NULL,
            "x.csv:2:3: number is not finite in 32 bits");
    refused(*state, "1,2\n1,2,3", NULL,
            "x.csv:2: 3 cells (expected 2, as in line 1)");
    refused(*state, "1,2\n1", NULL,
            "x.csv:2: 1 cells (expected 2, as in line 1)");
    refused(*state, "1,\"2", NULL, "x.csv:1:3: unclosed quote");
    refused(*state, "1,\"2\"3", NULL, "x.csv:1:6: text after a quoted cell");
    refused(*state, "a,b\n1,2", "c", "x.csv:1: no column \"c\" among 2");
    refused(*state, "a,class\n1,2", "clas",
            "x.csv:1: no column \"clas\" among 2 (did you mean 'class'?)");
    refused(*state, "a;b\n1,5;2\n1.5;2", NULL,
            "x.csv:2: a decimal comma, and line 3 has a decimal point "
            "(expected one of them in all lines)");
    refused(*state, "a;b\n1.234,5;2", NULL,
            "x.csv:2:1: not a number (`label_column` names a column of "
            "labels)");
    refused(*state, "a\tb\n1,5\t2", NULL,
            "x.csv:2:1: decimal comma (read only where semicolons separate "
            "cells)");
    refused(*state, "1,2\n1,2", "2", "x.csv:1: no column \"2\" among 2");
    refused(*state, "a\nb\n", "0", "x.csv:1: no column of numbers");
    refused(*state, "1,a;;b\n", "1", "x.csv:1:5: empty label");
    refused(*state, "", NULL, "x.csv: no rows");
    refused(*state, "a,b\n", NULL, "x.csv: no rows");
}

static void put(const char *path, const char *text)
{
    FILE *f = fopen(path, "wb");
    assert_non_null(f);
    fputs(text, f);
    fclose(f);
}

/* Three rows with labels from a file: the label of the last row, or NULL and
 * the status expected. */
static void labelled(akin_ctx *ctx, const char *path, const char *text,
                     const char *column, const char *last, akin_status wanted)
{
    const akin_read_options o = {
        .size = sizeof o, .labels = path, .label_column = column};
    akin_rows *r = NULL;
    put("test-three.fvecs", "");
    const float x[3] = {1, 2, 3};
    assert_int_equal(akin_rows_new_dense(&r, ctx, 3, 1, x), AKIN_OK);
    assert_int_equal(akin_rows_write(ctx, r, "test-three.fvecs"), AKIN_OK);
    akin_rows_free(r);
    r = NULL;
    put(path, text);
    const akin_status st = akin_rows_read(&r, ctx, "test-three.fvecs", &o);
    assert_int_equal(st, wanted);
    if (st == AKIN_OK) {
        const int32_t *labels;
        assert_int_equal(akin_rows_labels(&labels, r, 2), last != NULL);
        if (last != NULL)
            assert_string_equal(r->label_names[labels[0]], last);
    } else {
        assert_memory_equal(akin_ctx_message(ctx), path, strlen(path));
    }
    akin_rows_free(r);
    unlink(path);
    unlink("test-three.fvecs");
}

static void labels_of_their_own(void **state)
{
    labelled(*state, "test-l.txt", "a\nb\nc d\n", NULL, "c d", AKIN_OK);
    labelled(*state, "test-l.txt", "a\nb\n?", NULL, NULL, AKIN_OK);
    labelled(*state, "test-l.txt", "a\nb\n", NULL, NULL, AKIN_ESHAPE);
    labelled(*state, "test-l.csv", "class\n1\n2\n3\n", NULL, "3", AKIN_OK);
    labelled(*state, "test-l.csv", "1,8\n2,9\n3,9\n", NULL, "3", AKIN_OK);
    labelled(*state, "test-l.csv", "id,label\n1,8\n2,9\n3,7\n", NULL, "7",
             AKIN_OK);
    labelled(*state, "test-l.csv", "id,kind\n1,8\n2,9\n3,7\n", "kind", "7",
             AKIN_OK);
    labelled(*state, "test-l.csv", "id,kind\n1,8\n2,9\n3,7\n", "no", NULL,
             AKIN_EFORMAT);
    labelled(*state, "test-l.csv", "id;Class\n1;8\n2;9\n3;7\n", NULL, "7",
             AKIN_OK);
    labelled(*state, "test-l.csv", "7;8\n7;9\n7\n", NULL, "7", AKIN_OK);
    labelled(*state, "test-l.tsv", "id\tlabel\n1\t8\n2\t9\n3\n", NULL, NULL,
             AKIN_EFORMAT);
    labelled(*state, "test-l.npy", "nonsense", NULL, NULL, AKIN_EFORMAT);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(headers_and_labels),
        cmocka_unit_test(labels_are_found_by_name),
        cmocka_unit_test(recipe_knows_columns_and_labels),
        cmocka_unit_test(dim_needs_every_column),
        cmocka_unit_test(semicolons_and_tabs),
        cmocka_unit_test(errors_say_where),
        cmocka_unit_test(labels_of_their_own),
    };
    return cmocka_run_group_tests(tests, enter, leave);
}
