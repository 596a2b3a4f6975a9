/* Supervision: files of examples, their errors, known rows. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "data/supervision/supervision.h"

static const char path[] = "test_data_supervision.txt";
static int64_t label_offsets[] = {0, 1, 2, 3, 3, 4};
static int32_t labels[] = {0, 1, 0, 1};
static akin_rows rows = {.n = 5,
                         .d = 1,
                         .label_offsets = label_offsets,
                         .labels = labels,
                         .n_label_names = 2};
static akin_ctx *ctx;
static akin_supervision *s;

static int begin(void **state)
{
    (void)state;
    return akin_ctx_new(&ctx, NULL) != AKIN_OK ||
           akin_supervision_new(&s, ctx, &rows, NULL, NULL) != AKIN_OK;
}

static int end(void **state)
{
    (void)state;
    akin_supervision_free(s);
    akin_ctx_free(ctx);
    remove(path);
    return 0;
}

static akin_status read_text(akin_knowledge what, const char *text)
{
    FILE *f = fopen(path, "wb");
    assert_non_null(f);
    fputs(text, f);
    fclose(f);
    return akin_supervision_read(ctx, s, what, path);
}

static void assert_refused(akin_status st, akin_knowledge what,
                           const char *text, const char *message)
{
    assert_int_equal(read_text(what, text), st);
    const char *found = akin_ctx_message(ctx);
    assert_int_equal(strncmp(found, path, sizeof path - 1), 0);
    assert_string_equal(found + sizeof path - 1, message);
    assert_int_equal(akin_supervision_kind(s), AKIN_LABELS);
}

static void examples_are_read_in_all_forms(void **state)
{
    (void)state;
    const int64_t want[] = {0, 1, 2, 4, 3, 2};
    const char *texts[] = {
        "0 1 2\n4 3 2\n",
        "q,p,n\r\n0,1,2\r\n4,3,2",
        "\xef\xbb\xbf# three\n\n0\t1 ,2 # like\n  4, 3,\t2  \n\n",
    };
    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; ++i) {
        assert_int_equal(read_text(AKIN_TRIPLETS, texts[i]), AKIN_OK);
        assert_int_equal(akin_supervision_kind(s), AKIN_TRIPLETS);
        assert_int_equal(akin_supervision_examples(s), 2);
        assert_memory_equal(s->numbers, want, sizeof want);
    }
    assert_int_equal(read_text(AKIN_PAIRS, "0 1 1\n3 2 -1\n"), AKIN_OK);
    assert_int_equal(s->numbers[5], -1);
    assert_int_equal(read_text(AKIN_QUADRUPLETS, "0 1 2 3\n"), AKIN_OK);
    assert_int_equal(akin_supervision_examples(s), 1);
}

static void wrong_lines_name_their_place(void **state)
{
    (void)state;
    assert_refused(AKIN_ESHAPE, AKIN_TRIPLETS, "0 1 2\n\n0 1 17\n",
                   ":3: row 17 does not exist (there are 5)");
    assert_refused(AKIN_ESHAPE, AKIN_TRIPLETS, "0 -1 2\n",
                   ":1: row -1 does not exist (there are 5)");
    assert_refused(AKIN_EFORMAT, AKIN_TRIPLETS, "0 1\n",
                   ":1: 2 numbers (expected q p n)");
    assert_refused(AKIN_EFORMAT, AKIN_TRIPLETS, "0 1 2 3 4\n",
                   ":1: 5 numbers (expected q p n)");
    assert_refused(AKIN_EFORMAT, AKIN_TRIPLETS, "0 1 2\n0 x 2\n",
                   ":2:3: not a whole number (expected q p n)");
    assert_refused(AKIN_EFORMAT, AKIN_TRIPLETS, "0 1 1.5\n",
                   ":1:6: not a whole number (expected q p n)");
    assert_refused(AKIN_EFORMAT, AKIN_TRIPLETS, "0,,1,2\n",
                   ":1:3: not a whole number (expected q p n)");
    assert_refused(AKIN_EFORMAT, AKIN_TRIPLETS, "0,1,2,\n",
                   ":1:7: not a whole number (expected q p n)");
    assert_refused(AKIN_EFORMAT, AKIN_PAIRS, "0 1 0\n",
                   ":1: the last number of a pair is 0 (expected 1 or -1)");
    assert_refused(AKIN_EFORMAT, AKIN_PAIRS, "i j s\nk l s\n",
                   ":2:1: not a whole number (expected i j 1|-1)");
    assert_int_equal(read_text(AKIN_TRIPLETS, "0 1 99999999999999999999999\n"),
                     AKIN_ESHAPE);
    assert_int_equal(akin_supervision_read(ctx, s, AKIN_TRIPLETS, "no such"),
                     AKIN_ENOENT);
    assert_int_equal(read_text(AKIN_LABELS, ""), AKIN_EINVAL);
}

static void count_remark(void *user, akin_log_level level, const char *line)
{
    *(int *)user += level == AKIN_LOG_INFO &&
                    strstr(line, ":1: skipped as a header") != NULL;
}

static void only_words_are_a_header(void **state)
{
    (void)state;
    static const char *const headers[] = {
        "query positive negative", "q, p ,n", "\"q\",\"p\",\"n\"",
        "q_1 p2 n-x # what they are", "fr\xc3\xa5ga r\xc3\xa4tt fel"};
    static const char *const garbage[] = {"O 1 2",  "q p",    "q p n m",
                                          "1 p n",  "q p 2",  "q p ,,n",
                                          "(q p n", "q p 2n", ";;;"};
    int said = 0;
    akin_ctx_set_log(ctx, count_remark, &said);
    for (size_t i = 0; i < sizeof headers / sizeof *headers; ++i) {
        char text[80];
        snprintf(text, sizeof text, "%s\n0 1 2\n", headers[i]);
        assert_int_equal(read_text(AKIN_TRIPLETS, text), AKIN_OK);
        assert_int_equal(akin_supervision_examples(s), 1);
        assert_int_equal(said, i + 1);
    }
    for (size_t i = 0; i < sizeof garbage / sizeof *garbage; ++i) {
        char text[80];
        snprintf(text, sizeof text, "%s\n0 1 2\n", garbage[i]);
        assert_int_equal(read_text(AKIN_TRIPLETS, text), AKIN_EFORMAT);
    }
    akin_ctx_set_log(ctx, NULL, NULL);
}

static void memory_follows_the_same_rules(void **state)
{
    (void)state;
    assert_int_equal(akin_supervision_set(ctx, s, AKIN_PAIRS,
                                          (int64_t[]){0, 1, 1, 2, 5, 1}, 2),
                     AKIN_ESHAPE);
    assert_string_equal(akin_ctx_message(ctx),
                        "example 1: row 5 does not exist (there are 5)");
    assert_int_equal(
        akin_supervision_set(ctx, s, AKIN_PAIRS, (int64_t[]){0, 1, 2}, 1),
        AKIN_EINVAL);
    assert_int_equal(akin_supervision_set(ctx, s, AKIN_TRIPLETS, NULL, -1),
                     AKIN_EINVAL);
    assert_int_equal(
        akin_supervision_set(ctx, s, AKIN_TRIPLETS, (int64_t[]){4, 3, 0}, 1),
        AKIN_OK);
    assert_int_equal(s->numbers[0], 4);
}

static void labelled_rows_limit_the_classes(void **state)
{
    (void)state;
    assert_int_equal(akin_supervision_examples(s), 4);
    FILE *f = fopen(path, "wb");
    fputs("row\n4\n2\n0\n2\n", f);
    fclose(f);
    assert_int_equal(akin_supervision_labelled(ctx, s, path), AKIN_OK);
    assert_int_equal(akin_supervision_kind(s), AKIN_LABELS);
    assert_int_equal(akin_supervision_examples(s), 3);
    ak_classes c;
    const ak_mark mark = ak_scratch_begin(ctx);
    assert_int_equal(ak_classes_of(&c, ctx, s), AKIN_OK);
    assert_int_equal(c.n_labels, 2);
    assert_memory_equal(c.offsets, ((int64_t[]){0, 2, 3}), 24);
    assert_memory_equal(c.rows, ((int64_t[]){0, 2, 4}), 24);
    ak_scratch_end(ctx, mark);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(examples_are_read_in_all_forms, begin,
                                        end),
        cmocka_unit_test_setup_teardown(wrong_lines_name_their_place, begin,
                                        end),
        cmocka_unit_test_setup_teardown(only_words_are_a_header, begin, end),
        cmocka_unit_test_setup_teardown(memory_follows_the_same_rules, begin,
                                        end),
        cmocka_unit_test_setup_teardown(labelled_rows_limit_the_classes, begin,
                                        end),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
