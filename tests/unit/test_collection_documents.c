/* Collections of documents and of vectors, by library calls. */
#include <akin/collection.h>
#include <stdlib.h>
#include <unistd.h>

#include "context.h"
#include "text_files.h"

static int begin(void **state)
{
    return context_begin(state) != 0 || text_begin() != 0;
}

static int end(void **state)
{
    return text_end() != 0 || context_end(state) != 0;
}

#define CASE(f) cmocka_unit_test_setup_teardown(f, begin, end)

static char collection[128];

static akin_items_info make(const char *input)
{
    akin_items_info info;
    snprintf(collection, sizeof collection, "%s", text_path("c"));
    assert_int_equal(
        akin_documents_make(ctx, collection, text_path(input), NULL, &info),
        AKIN_OK);
    return info;
}

static akin_collection *open_it(void)
{
    akin_collection *c = NULL;
    assert_int_equal(akin_collection_open(&c, ctx, collection), AKIN_OK);
    return c;
}

static void assert_row(const akin_rows *rows, int64_t i, const char *expected)
{
    const int32_t *cols;
    const float *vals;
    const int64_t n = akin_rows_row(&cols, &vals, rows, i);
    char text[256] = "";
    for (int64_t k = 0; k < n; ++k)
        snprintf(text + strlen(text), sizeof text - strlen(text), "%d:%g ",
                 cols[k], (double)vals[k]);
    assert_string_equal(text, expected);
}

static void documents_are_items(void **state)
{
    (void)state;
    const akin_items_info info = make("docs");
    akin_collection *c = open_it();
    akin_rows *rows = NULL;
    akin_item item;
    assert_int_equal(info.items, 5);
    assert_int_equal(info.dim, 5);
    assert_int_equal(info.features, 10);
    assert_int_equal(info.classes, 2);
    assert_int_equal(info.left_out, 1);
    assert_int_equal(info.repaired, 1);
    assert_int_equal(info.empty, 1);
    assert_string_equal(akin_collection_kind(c), "documents");
    assert_int_equal(akin_collection_item(&item, ctx, c, 3), AKIN_OK);
    assert_string_equal(item.name, "b/2");
    assert_string_equal(item.labels, "b");
    assert_string_equal(item.snippet, "roses tulips");
    assert_int_equal(akin_collection_rows(&rows, ctx, c, NULL, NULL), AKIN_OK);
    /* Terms are numbered as they are met. */
    assert_string_equal(akin_rows_column_name(rows, 0), "orbit");
    assert_string_equal(akin_rows_column_name(rows, 2), "\xc3\xa9t\xc3\xa9");
    assert_row(rows, 0, "0:2 1:1 ");
    assert_row(rows, 4, "");
    akin_rows_free(rows);
    akin_collection_close(c);
}

/* With the words of the collection, its stop words and lengths. */
/* Rows move when an item before them goes; ids stay. */
static void items_are_known_by_id(void **state)
{
    const char *first;
    akin_collection *c;
    akin_item item;
    int64_t *rows = NULL, n = 0, row = 0, removed;
    char name[64];
    (void)state;
    make("docs");
    c = open_it();
    assert_int_equal(akin_collection_item(&item, ctx, c, 0), AKIN_OK);
    snprintf(name, sizeof name, "%s", item.name);
    first = name;
    akin_collection_close(c);
    assert_int_equal(
        akin_collection_remove(&removed, ctx, collection, &first, 1, NULL),
        AKIN_OK);
    c = open_it();
    assert_int_equal(akin_collection_row_of(&row, ctx, c, 3), AKIN_OK);
    assert_int_equal(row, 2);
    assert_int_equal(akin_collection_row_of(&row, ctx, c, 0), AKIN_EINVAL);
    assert_int_equal(akin_collection_row_of(&row, ctx, c, 5), AKIN_EINVAL);
    assert_int_equal(akin_collection_select(&rows, &n, ctx, c, "id >= 3"),
                     AKIN_OK);
    assert_int_equal(n, 2);
    assert_int_equal(rows[0], 2);
    assert_int_equal(rows[1], 3);
    akin_free(rows);
    assert_int_equal(akin_collection_select(&rows, &n, ctx, c, "id > 9"),
                     AKIN_OK);
    assert_int_equal(n, 0);
    akin_free(rows);
    assert_int_equal(akin_collection_select(&rows, &n, ctx, c, "id >"),
                     AKIN_EINVAL);
    akin_collection_close(c);
}

/* What is let go can be taken up again, with or without changes meanwhile. */
static void moments_are_let_go(void **state)
{
    akin_collection *c;
    akin_items_info info;
    int64_t removed;
    (void)state;
    make("docs");
    c = open_it();
    for (int i = 0; i < 2; ++i) {
        assert_int_equal(akin_collection_release(ctx, c), AKIN_OK);
        assert_int_equal(akin_collection_release(ctx, c), AKIN_OK);
        if (i == 1)
            assert_int_equal(akin_collection_remove(&removed, ctx, collection,
                                                    NULL, 0, "id = 1"),
                             AKIN_OK);
        assert_int_equal(akin_collection_refresh(ctx, c), AKIN_OK);
        assert_int_equal(akin_collection_info(&info, ctx, c), AKIN_OK);
        assert_int_equal(info.items, 5 - i);
    }
    akin_collection_close(c);
}

static void texts_become_rows(void **state)
{
    (void)state;
    const char *const texts[] = {"Tulips, the ORBIT of tulips", "nothing known",
                                 "rocket and more"};
    const size_t lengths[] = {27, 13, 6};
    make("docs");
    akin_collection *c = open_it();
    akin_rows *rows = NULL;
    assert_int_equal(
        akin_collection_describe_text(&rows, ctx, c, texts, lengths, 3),
        AKIN_OK);
    assert_int_equal(akin_rows_dim(rows), 5);
    assert_row(rows, 0, "0:1 4:2 ");
    assert_row(rows, 1, "");
    assert_row(rows, 2, "1:1 ");
    akin_rows_free(rows);
    text_put("query", "rocket roses rocket", 19);
    const char *file = text_path("query");
    assert_int_equal(akin_collection_describe(&rows, ctx, c, &file, 1),
                     AKIN_OK);
    assert_row(rows, 0, "1:2 3:1 ");
    akin_rows_free(rows);
    text_put("query", "a\0b", 3);
    assert_int_equal(akin_collection_describe(&rows, ctx, c, &file, 1),
                     AKIN_EFORMAT);
    akin_collection_close(c);
}

static void later_words_get_later_columns(void **state)
{
    (void)state;
    const char *const text = "orbit violets";
    akin_items_info info;
    akin_rows *rows = NULL;
    make("docs");
    text_put("docs/a/1", "orbit violets", 13);
    assert_int_equal(
        akin_documents_add(ctx, collection, text_path("docs"), NULL, &info),
        AKIN_OK);
    assert_int_equal(info.items, 5);
    assert_int_equal(info.added, 0);
    assert_int_equal(info.changed, 1);
    assert_int_equal(info.dim, 6);
    akin_collection *c = open_it();
    assert_int_equal(
        akin_collection_describe_text(&rows, ctx, c, &text, NULL, 1), AKIN_OK);
    assert_row(rows, 0, "0:1 5:1 ");
    akin_rows_free(rows);
    assert_int_equal(akin_collection_check(ctx, c), AKIN_OK);
    akin_collection_close(c);
}

static void vectors_are_items(void **state)
{
    (void)state;
    const float values[] = {1, 0, 0, 1, 1, 1};
    akin_vectors_options o = AKIN_VECTORS_DEFAULTS;
    akin_items_info info;
    akin_rows *rows = NULL, *again = NULL;
    const char *const text = "orbit";
    int64_t row;
    char names[128];
    snprintf(collection, sizeof collection, "%s", text_path("v"));
    text_put("names", "a\nb\nc\n", 6);
    snprintf(names, sizeof names, "%s", text_path("names"));
    o.names = names;
    assert_int_equal(akin_rows_new_dense(&rows, ctx, 3, 2, values), AKIN_OK);
    assert_int_equal(akin_vectors_make(ctx, collection, rows, &o, &info),
                     AKIN_OK);
    assert_int_equal(info.added, 3);
    assert_int_equal(akin_vectors_make(ctx, collection, rows, &o, &info),
                     AKIN_EINVAL);
    assert_int_equal(akin_vectors_add(ctx, collection, rows, &o, &info),
                     AKIN_OK);
    assert_int_equal(info.items, 3);
    assert_int_equal(info.changed, 0);
    akin_collection *c = open_it();
    assert_int_equal(akin_collection_find(&row, ctx, c, "c"), AKIN_OK);
    assert_int_equal(row, 2);
    assert_int_equal(akin_collection_rows(&again, ctx, c, NULL, NULL), AKIN_OK);
    assert_int_equal(akin_rows_count(again), 3);
    akin_rows_free(again);
    assert_int_equal(
        akin_collection_describe_text(&again, ctx, c, &text, NULL, 1),
        AKIN_EINVAL);
    akin_collection_close(c);
    akin_rows_free(rows);
}

/* By name; numbers are numbers; an empty one is none. */
static void items_have_fields(void **state)
{
    static const char records[] =
        "name,year,maker,note\na,1979,Ann,1e3\nb,0.5,,\"x, y\"\nc,,,\n";
    const float values[] = {1, 0, 0, 1, 1, 1};
    akin_vectors_options o = AKIN_VECTORS_DEFAULTS;
    akin_rows *rows = NULL;
    akin_field *f = NULL;
    int64_t n;
    char facts[128];
    (void)state;
    snprintf(collection, sizeof collection, "%s", text_path("v"));
    text_put("facts", records, strlen(records));
    snprintf(facts, sizeof facts, "%s", text_path("facts"));
    o.fields = facts;
    assert_int_equal(akin_rows_new_dense(&rows, ctx, 3, 2, values), AKIN_OK);
    assert_int_equal(akin_vectors_make(ctx, collection, rows, &o, NULL),
                     AKIN_OK);
    akin_rows_free(rows);
    akin_collection *c = open_it();
    assert_int_equal(akin_collection_fields(&f, &n, ctx, c, 0), AKIN_OK);
    assert_int_equal(n, 3);
    assert_string_equal(f[0].name, "maker");
    assert_string_equal(f[0].text, "Ann");
    assert_string_equal(f[1].name, "note");
    assert_null(f[1].text);
    assert_true(f[1].number == 1000.0);
    assert_true(f[2].number == 1979.0);
    assert_null(f[3].name);
    akin_fields_free(f);
    assert_int_equal(akin_collection_fields(&f, &n, ctx, c, 1), AKIN_OK);
    assert_int_equal(n, 2);
    assert_string_equal(f[0].text, "x, y");
    assert_true(f[1].number == 0.5);
    akin_fields_free(f);
    assert_int_equal(akin_collection_fields(&f, &n, ctx, c, 2), AKIN_OK);
    assert_int_equal(n, 0);
    akin_fields_free(f);
    assert_int_equal(akin_collection_fields(&f, &n, ctx, c, 3), AKIN_ESHAPE);
    akin_collection_close(c);
}

/* Queries are of the kind of the items, unless a model compares two. */
static void queries_are_of_a_kind(void **state)
{
    (void)state;
    make("docs");
    akin_collection *c = open_it();
    assert_true(akin_collection_can_ask(c, "documents"));
    assert_false(akin_collection_can_ask(c, "images"));
    assert_int_equal(akin_collection_query_dim(c), 5);
    akin_collection_close(c);
}

/* Someone who reads an earlier moment is not waited for: the alarm ends a test
 * that does. */
static void readers_are_not_waited_for(void **state)
{
    (void)state;
    akin_items_info info;
    make("docs");
    akin_collection *before = open_it();
    alarm(30);
    for (int i = 0; i < 2; ++i) {
        const char *const texts[] = {"orbit violets", "violets"};
        text_put("docs/a/1", texts[i], strlen(texts[i]));
        assert_int_equal(
            akin_documents_add(ctx, collection, text_path("docs"), NULL, &info),
            AKIN_OK);
        assert_int_equal(info.changed, 1);
    }
    alarm(0);
    assert_int_equal(akin_collection_dim(before), 5);
    assert_int_equal(akin_collection_refresh(ctx, before), AKIN_OK);
    assert_int_equal(akin_collection_dim(before), 6);
    assert_int_equal(akin_collection_count(before), 5);
    akin_collection_close(before);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        CASE(documents_are_items),
        CASE(items_are_known_by_id),
        CASE(moments_are_let_go),
        CASE(texts_become_rows),
        CASE(later_words_get_later_columns),
        CASE(vectors_are_items),
        CASE(items_have_fields),
        CASE(queries_are_of_a_kind),
        CASE(readers_are_not_waited_for),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
