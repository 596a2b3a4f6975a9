/* Captions: both forms mean the same, and every rule has its message. */
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "faulty.h"

#include "context.h"
#include "data/captions/bags.h"

static akin_status read_text(ak_bags **out, const char *text)
{
    ak_source *source = NULL;
    assert_int_equal(ak_source_memory(&source, ctx, "c.csv", AK_SOURCE_TEXT,
                                      text, strlen(text)),
                     AKIN_OK);
    const akin_status st = ak_bags_read(out, ctx, source, 6);
    ak_source_close(source);
    return st;
}

static void assert_bags(const char *text)
{
    ak_bags *b = NULL;
    if (read_text(&b, text) != AKIN_OK)
        fail_msg("%s", akin_ctx_message(ctx));
    assert_int_equal(b->n_photos, 3);
    assert_string_equal(b->photos[0], "a.jpg");
    assert_string_equal(b->photos[1], "b, c.jpg");
    assert_memory_equal(b->item_offsets, ((int64_t[]){0, 2, 3, 3}), 32);
    assert_memory_equal(b->items, ((int64_t[]){4, 0, 2}), 24);
    assert_memory_equal(b->name_offsets, ((int64_t[]){0, 2, 4, 4}), 32);
    assert_memory_equal(b->names, ((int32_t[]){0, 1, 0, 2}), 16);
    assert_int_equal(b->n_names, 3);
    assert_string_equal(b->name_texts[0], "Zo\xc3\xab Say \"Z\"");
    assert_string_equal(b->name_texts[1], "\xe9\x99\xb3 M");
    assert_string_equal(b->name_texts[2], "Bob");
    ak_bags_free(b);
}

static void both_forms_mean_the_same(void **state)
{
    (void)state;
    assert_bags("photo,faces,names\r\n"
                "a.jpg,4; 0,\"Zo\xc3\xab Say \"\"Z\"\";\xe9\x99\xb3 M\"\r\n"
                "\r\n"
                "\"b, c.jpg\",2,\"Bob ; Zo\xc3\xab Say \"\"Z\"\"\"\r\n"
                "d.jpg,,\r\n");
    assert_bags("names,date,photo,faces\n"
                "\"Zo\xc3\xab Say \"\"Z\"\";\xe9\x99\xb3 M\",1999,a.jpg,4;0\n"
                "\"Bob;Zo\xc3\xab Say \"\"Z\"\"\",,\"b, c.jpg\",2\n"
                ",,d.jpg,");
    assert_bags("{\"photo\": \"a.jpg\", \"faces\": [4, 0], \"names\": "
                "[\"Zo\\u00eb Say \\\"Z\\\"\", \"\xe9\x99\xb3 M\"]}\n"
                " {\"names\": [\"Bob\", \"Zo\xc3\xab Say \\\"Z\\\"\"], "
                "\"photo\": \"b, c.jpg\", \"faces\": [2], \"by\": 1}\n\n"
                "{\"photo\": \"d.jpg\", \"faces\": [], \"names\": []}\n");
}

static void assert_refused(akin_status st, const char *text,
                           const char *message)
{
    ak_bags *b = NULL;
    assert_int_equal(read_text(&b, text), st);
    assert_null(b);
    assert_string_equal(akin_ctx_message(ctx), message);
}

#define HEADER "photo,faces,names\n"

static void wrong_captions_name_their_line(void **state)
{
    (void)state;
    assert_refused(AKIN_EFORMAT, "photo,face,names\n",
                   "c.csv:1: the header must name photo, faces and names; "
                   "there is no \"faces\"");
    assert_refused(AKIN_EFORMAT, HEADER,
                   "c.csv: no captions (expected a header "
                   "photo,faces,names and a line for each photo, or JSON "
                   "lines)");
    assert_refused(AKIN_EFORMAT, "[{\"photo\": \"a\"}]\n",
                   "c.csv:1: JSON array (expected lines, an object for each "
                   "photo)");
    assert_refused(AKIN_ESHAPE, HEADER "a,1;6,\n",
                   "c.csv:2: row 6 does not exist (there are 6)");
    assert_refused(AKIN_EFORMAT, HEADER "a,1,\nb,1,\n",
                   "c.csv:3: row 1 is already in photo \"a\"");
    assert_refused(AKIN_EFORMAT, HEADER "a,1;1,\n",
                   "c.csv:2: row 1 is already in photo \"a\"");
    assert_refused(AKIN_EFORMAT, HEADER "a,1,A;A\n",
                   "c.csv:2: twice in the caption: \"A\"");
    assert_refused(AKIN_EFORMAT, HEADER "a,1,A;;B\n", "c.csv:2: empty name");
    assert_refused(AKIN_EFORMAT, HEADER " ,1,A\n",
                   "c.csv:2: the photo has no name");
    assert_refused(AKIN_EFORMAT, HEADER "a,1,A\na,2,B\n",
                   "c.csv:3: second caption of photo \"a\"");
    assert_refused(AKIN_EFORMAT, HEADER "a,x,A\n",
                   "c.csv:2: not the row of a face: \"x\"");
    assert_refused(AKIN_EFORMAT, HEADER "a,-1,A\n",
                   "c.csv:2: not the row of a face: \"-1\"");
    assert_refused(AKIN_EFORMAT, HEADER "a,1\n",
                   "c.csv:2: the line has no \"names\"");
    assert_refused(AKIN_EFORMAT, HEADER "a,1,\"A\n",
                   "c.csv:2:5: unclosed quote");
    assert_refused(AKIN_EFORMAT, HEADER "a,1,\"A\"x\n",
                   "c.csv:2:8: text after a quoted cell");
    assert_refused(AKIN_EFORMAT, HEADER "a,1,A\xff\n",
                   "c.csv:2: not text in UTF-8");
    assert_refused(AKIN_EFORMAT, HEADER "a,1,\xed\xa0\x80\n",
                   "c.csv:2: not text in UTF-8");
    assert_refused(AKIN_EFORMAT, "{\"photo\": \"a\", \"faces\": [1]}\n",
                   "c.csv:1: expected {\"photo\": TEXT, \"faces\": [ROWS], "
                   "\"names\": [TEXTS]}");
    assert_refused(AKIN_EFORMAT,
                   "{\"photo\":\"a\",\"faces\":[1.5],\"names\":[]}\n",
                   "c.csv:1: a face is not a row number");
    ak_bags *b = NULL;
    assert_int_equal(read_text(&b, "{\"photo\": \"a\", "), AKIN_EFORMAT);
}

static void assert_written(const char *text, const char *path)
{
    ak_bags *b = NULL;
    char again[4096];
    assert_int_equal(read_text(&b, text), AKIN_OK);
    if (ak_bags_write(ctx, b, path) != AKIN_OK)
        fail_msg("%s", akin_ctx_message(ctx));
    ak_bags_free(b);
    FILE *file = fopen(path, "r");
    assert_non_null(file);
    again[fread(again, 1, sizeof again - 1, file)] = '\0';
    fclose(file);
    unlink(path);
    assert_int_equal(again[0] == '{', strstr(path, "json") != NULL);
    assert_bags(again);
}

#define QUOTED                                                        \
    HEADER "a.jpg,4; 0,\"Zo\xc3\xab Say \"\"Z\"\";\xe9\x99\xb3 M\"\n" \
           "\"b, c.jpg\",2,\"Bob ; Zo\xc3\xab Say \"\"Z\"\"\"\n"      \
           "d.jpg,,\n"

static void what_is_written_is_read_the_same(void **state)
{
    (void)state;
    assert_written(QUOTED, "captions-test.csv");
    assert_written(QUOTED, "captions-test.jsonl");
    assert_written(QUOTED, "captions-test.json");
}

static void csv_says_what_it_cannot_hold(void **state)
{
    ak_bags *b = NULL;
    (void)state;
    assert_int_equal(
        read_text(&b, "{\"photo\":\"a\",\"faces\":[],\"names\":[\"A;B\"]}\n"),
        AKIN_OK);
    assert_int_equal(ak_bags_write(ctx, b, "captions-test.csv"), AKIN_EINVAL);
    assert_string_equal(akin_ctx_message(ctx),
                        "captions-test.csv: csv cannot store \"A;B\" (a path "
                        "with extension .jsonl writes JSON lines)");
    assert_int_not_equal(access("captions-test.csv", F_OK), 0);
    ak_bags_free(b);
}

static akin_status write_job(akin_ctx *c, void *arg)
{
    ak_source *source = NULL;
    ak_bags *b = NULL;
    akin_status st = AKIN_OK;
    AK_TRY(ak_source_memory(&source, c, "c.csv", AK_SOURCE_TEXT, QUOTED,
                            strlen(QUOTED)));
    AK_TRY(ak_bags_read(&b, c, source, 6));
    AK_TRY(ak_bags_write(c, b, arg));
done:
    ak_bags_free(b);
    ak_source_close(source);
    return st;
}

static void every_failed_allocation_is_survived(void **state)
{
    char *paths[] = {"captions-test.csv", "captions-test.jsonl"};
    (void)state;
    for (int k = 0; k < 2; ++k) {
        assert_true(faulty_run(write_job, paths[k]) > 0);
        unlink(paths[k]);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        CONTEXT_CASE(both_forms_mean_the_same),
        CONTEXT_CASE(wrong_captions_name_their_line),
        CONTEXT_CASE(what_is_written_is_read_the_same),
        CONTEXT_CASE(csv_says_what_it_cannot_hold),
        cmocka_unit_test(every_failed_allocation_is_survived),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
