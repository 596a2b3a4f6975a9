/* Captions of a collection of faces: where names stand, and what a person
 * corrects. */
#include <akin/mentions.h>
#include <akin/review.h>
#include <sqlite3.h>
#include <stdio.h>
#include <string.h>

#include "collection/faces/captions/corrections.h"
#include "collection/faces/photos.h"
#include "collection_folder.h"
#include "context.h"

static const char prose[] =
    "\xf0\x9f\x8e\x89 Zo\xc3\xab M\xc3\xbcller greets Dr. Ruth Keller. Photo "
    "by Karl Hobbs";

/* Two photos with two faces each; the second has given names. */
static void make_at(const char *name)
{
    static const float values[] = {1, 0, 0, 1, 1, .1f, .1f, 1};
    static const char rows_of[] = "photo,faces,names\np,0;1,Ann;Bob\n"
                                  "q,2;3,Ann;Bob\n";
    akin_faces_options o = AKIN_FACES_DEFAULTS;
    akin_rows *rows = NULL;
    text_put("captions.csv", rows_of, sizeof rows_of - 1);
    snprintf(collection, sizeof collection, "%s", text_path(name));
    o.captions = text_path("captions.csv");
    o.force = 1;
    assert_int_equal(akin_rows_new_dense(&rows, ctx, 4, 2, values), AKIN_OK);
    assert_int_equal(akin_faces_import(ctx, collection, rows, &o, NULL),
                     AKIN_OK);
    akin_rows_free(rows);
}

/* A new one: one that replaces another has its answers. */
static void make(void)
{
    static int made;
    char name[16];
    snprintf(name, sizeof name, "c%d", ++made);
    make_at(name);
}

/* What a photo has from now on. */
static void put(int64_t photo, const char *text, const char *names)
{
    char *copies[2] = {text ? strdup(text) : NULL,
                       names ? strdup(names) : NULL};
    const ak_caption caption = {copies[0], copies[1]};
    akin_tagger *tagger = NULL;
    ak_catalog c = {.lock = -1};
    assert_int_equal(akin_tagger_default(&tagger, ctx), AKIN_OK);
    assert_int_equal(ak_catalog_open(&c, ctx, collection, AK_CATALOG_WRITE),
                     AKIN_OK);
    assert_int_equal(ak_sql_begin(&c.sql, ctx), AKIN_OK);
    assert_int_equal(
        ak_sql_end(&c.sql, ctx,
                   ak_photo_put_caption(&c, ctx, photo, &caption, tagger)),
        AKIN_OK);
    ak_catalog_close(&c);
    akin_tagger_free(tagger);
    free(copies[0]);
    free(copies[1]);
}

static akin_status say(int64_t *number, const char *kind, const char *name,
                       const char *other, int64_t start, int64_t end)
{
    akin_answer x = AKIN_ANSWER_INIT;
    akin_answers *a = NULL;
    x.kind = kind;
    x.name = name;
    x.other = other;
    x.photo = 0;
    x.start = start;
    x.end = end;
    akin_status st = akin_answers_open(&a, ctx, collection);
    if (st == AKIN_OK)
        st = akin_answers_add(number, ctx, a, &x);
    akin_answers_close(a);
    return st;
}

static int64_t said(const char *kind, const char *name, const char *other)
{
    int64_t number = 0;
    assert_int_equal(say(&number, kind, name, other, -1, -1), AKIN_OK);
    return number;
}

static void undo(int64_t number)
{
    akin_answers *a = NULL;
    assert_int_equal(akin_answers_open(&a, ctx, collection), AKIN_OK);
    assert_int_equal(akin_answers_undo(ctx, a, number), AKIN_OK);
    akin_answers_close(a);
}

/* All names of a photo as a text: "Ann+[Ann] Bob-", said ones with !. */
static const char *told(int64_t photo)
{
    static char text[1024];
    static const char signs[AKIN_PRESENCES] = {'+', '-', 'c'};
    akin_caption_names *names = NULL;
    akin_collection *c = NULL;
    size_t n = 0;
    assert_int_equal(akin_collection_open(&c, ctx, collection), AKIN_OK);
    assert_int_equal(akin_caption_names_read(&names, ctx, c, photo), AKIN_OK);
    text[0] = '\0';
    for (int64_t i = 0; i < akin_caption_names_count(names); ++i) {
        akin_caption_name x;
        akin_caption_names_get(&x, names, i);
        n += (size_t)snprintf(text + n, sizeof text - n, "%s%s%c%s",
                              i > 0 ? " " : "", x.name, signs[x.presence],
                              x.said ? "!" : "");
        for (int64_t k = 0; k < x.mentions; ++k) {
            size_t start, end;
            akin_caption_names_mention(&start, &end, names, i, k);
            n += (size_t)snprintf(text + n, sizeof text - n, "[%.*s]",
                                  (int)(end - start),
                                  akin_caption_names_text(names) + start);
        }
    }
    akin_caption_names_free(names);
    akin_collection_close(c);
    return text;
}

#define ZOE "Zo\xc3\xab M\xc3\xbcller"

static void mentions_are_bytes_of_the_caption(void **state)
{
    (void)state;
    make();
    assert_string_equal(told(0), "Ann+ Bob+");
    put(0, prose, NULL);
    assert_string_equal(told(0), ZOE "+[" ZOE "] Ruth Keller+[Ruth Keller] "
                                     "Karl Hobbsc[Karl Hobbs]");
    put(1, "ANN, bob and Ann Lee; \xe2\x80\xaeX <b>",
        "Ann\nBob\nAnn Lee\n"
        "\xe2\x80\xaeX <b>");
    assert_string_equal(told(1), "Ann+[ANN] Bob+[bob] Ann Lee+[Ann Lee] "
                                 "\xe2\x80\xaeX <b>+[\xe2\x80\xaeX <b>]");
    put(1, NULL, "Lee");
    assert_string_equal(told(1), "Lee+[Lee]");
    assert_string_equal(told(99), "");
}

static void corrections_hold(void **state)
{
    int64_t number;
    (void)state;
    make();
    put(0, prose, NULL);
    const int64_t first = said("not-person", "ruth KELLER", NULL);
    assert_string_equal(told(0), ZOE "+[" ZOE "] Karl Hobbsc[Karl Hobbs]");
    put(0, prose, NULL);  // tagged again: it does not come back
    assert_string_equal(told(0), ZOE "+[" ZOE "] Karl Hobbsc[Karl Hobbs]");
    undo(first);
    said("not-in-picture", ZOE, NULL);
    assert_int_equal(say(&number, "person", "greets", NULL, 18, 24), AKIN_OK);
    assert_string_equal(told(0),
                        ZOE "-![" ZOE "] Ruth Keller+[Ruth Keller] Karl "
                            "Hobbsc[Karl Hobbs] greets+![greets]");
    undo(number);
    said("means", "Ruth Keller", "Ruth Keller-Wolf");
    said("in-picture", "Karl Hobbs", NULL);
    said("person", "Eve Adams", NULL);
    assert_string_equal(told(0),
                        ZOE "-![" ZOE "] Ruth Keller-Wolf+![Ruth Keller] Karl "
                            "Hobbs+![Karl Hobbs] Eve Adams+!");
    put(0, "Eve Adams in Bern", NULL);  // another text: what was added stays
    assert_string_equal(told(0), "Eve Adams+![Eve Adams] Ruth Keller-Wolf+! "
                                 "Karl Hobbs+!");
}

/* A place is of one name; a title leaves the mention. */
static void places_are_taken_over(void **state)
{
    int64_t number;
    (void)state;
    make();
    put(0, "Zork Ruth Keller waves.", "Zork Ruth Keller");
    assert_string_equal(told(0), "Zork Ruth Keller+[Zork Ruth Keller]");
    assert_int_equal(say(&number, "person", "Ruth Keller", NULL, 5, 16),
                     AKIN_OK);
    assert_string_equal(told(0), "Ruth Keller+![Ruth Keller]");
    undo(number);
    said("means", "Zork Ruth Keller", "Ruth Keller");
    assert_string_equal(told(0), "Ruth Keller+![Ruth Keller]");
    said("means", "Ruth Keller", "Ann Lee");
    said("person", "Bob", NULL);
    said("means", "Bob", "Ann Lee");
    assert_string_equal(told(0), "Ann Lee+![Ruth Keller]");
}

/* Corrections wait for their photo, and hold again whatever its caption is. */
static void a_new_collection_takes_them_over(void **state)
{
    int64_t number;
    (void)state;
    make_at("carried");
    put(0, prose, NULL);
    said("not-person", "Ruth Keller", NULL);
    said("person", "Eve Adams", NULL);
    assert_int_equal(say(&number, "person", "Gone", NULL, -1, -1), AKIN_OK);
    undo(number);
    assert_string_equal(told(0), ZOE "+[" ZOE "] Karl Hobbsc[Karl Hobbs] Eve "
                                     "Adams+!");
    make_at("carried");
    assert_string_equal(told(0), "Ann+ Bob+ Eve Adams+!");
    put(0, prose, NULL);
    assert_string_equal(told(0), ZOE "+[" ZOE "] Karl Hobbsc[Karl Hobbs] Eve "
                                     "Adams+!");
    make_at("carried");
    make_at("carried");
    assert_string_equal(told(0), "Ann+ Bob+ Eve Adams+!");
    assert_string_equal(told(1), "Ann+ Bob+");
}

static void wrong_corrections_change_nothing(void **state)
{
    int64_t number;
    akin_answer x = AKIN_ANSWER_INIT;
    akin_answers *a = NULL;
    (void)state;
    make();
    put(0, prose, NULL);
    static const int64_t places[][2] = {{0, 1},    {2, 4},  {4, 4},  {9, 5},
                                        {0, 5000}, {-1, 4}, {0, -1}, {-7, -3}};
    for (size_t k = 0; k < sizeof places / sizeof *places; ++k)
        assert_int_equal(
            say(&number, "person", "A", NULL, places[k][0], places[k][1]),
            AKIN_EINVAL);
    assert_int_equal(say(&number, "person", "", NULL, -1, -1), AKIN_EINVAL);
    assert_int_equal(say(&number, "means", "A", NULL, -1, -1), AKIN_EINVAL);
    assert_int_equal(say(&number, "person", "\xed\xa0\x80", NULL, -1, -1),
                     AKIN_EINVAL);
    x.kind = "person";
    x.name = "A";
    x.photo = 7;
    assert_int_equal(akin_answers_open(&a, ctx, collection), AKIN_OK);
    assert_int_equal(akin_answers_add(&number, ctx, a, &x), AKIN_EINVAL);
    assert_int_equal(akin_answers_next(&x, ctx, a, 0), AKIN_OK);
    assert_int_equal(x.number, 0);
    akin_answers_close(a);
}

static void they_are_listed(void **state)
{
    akin_answer x;
    akin_answers *a = NULL;
    (void)state;
    make();
    put(0, prose, NULL);
    said("means", ZOE, "Zoe M.");
    assert_int_equal(akin_answers_open(&a, ctx, collection), AKIN_OK);
    assert_int_equal(akin_answers_next(&x, ctx, a, 0), AKIN_OK);
    assert_string_equal(x.kind, "means");
    assert_string_equal(x.other, "Zoe M.");
    assert_string_equal(x.mention, ZOE);
    assert_int_equal(x.photo, 0);
    assert_int_equal(x.start, 5);
    assert_int_equal(x.face, -1);
    akin_answers_close(a);
}

static bool is_candidate(const akin_review *r, int64_t row, const char *name)
{
    akin_candidate list[8];
    const int64_t n = akin_review_candidates(list, r, row, 8);
    double sum = 0.0;
    bool found = false;
    for (int64_t k = 0; k < n; ++k) {
        sum += list[k].probability;
        found |= list[k].name != NULL && strcmp(list[k].name, name) == 0;
        assert_true(k == 0 || list[k - 1].probability >= list[k].probability);
    }
    assert_true(sum > 0.99 && sum < 1.01);
    return found;
}

static void assert_candidates(const akin_review *r, bool corrected)
{
    for (int64_t row = 0; row < 4; ++row) {
        const bool changed = corrected && row < 2;
        assert_int_equal(is_candidate(r, row, "Eve"), changed);
        assert_int_equal(is_candidate(r, row, "Bob"), !changed);
        assert_true(is_candidate(r, row, "Ann"));
    }
}

static void update(akin_review *r, int64_t behind)
{
    int64_t stale = 1;
    assert_int_equal(akin_review_update(&stale, ctx, r), AKIN_OK);
    assert_int_equal(stale, 0);
    assert_int_equal(akin_review_is_behind(r), behind);
}

/* The faces of the photo get and lose candidates, at once and when names are
 * learned again; those of others do not. */
static void candidates_follow(void **state)
{
    akin_review *r = NULL;
    akin_review_face f;
    akin_person *persons = NULL;
    int64_t n = 0;
    (void)state;
    make();
    assert_int_equal(akin_review_open(&r, ctx, collection), AKIN_OK);
    assert_candidates(r, false);
    const int64_t bob = said("not-person", "Bob", NULL);
    const int64_t eve = said("person", "Eve", NULL);
    update(r, 1);
    assert_candidates(r, true);
    akin_review_get(&f, r, 1);
    assert_true(f.name == NULL || strcmp(f.name, "Bob") != 0);
    assert_int_equal(akin_review_persons(&persons, &n, ctx, r), AKIN_OK);
    assert_int_equal(n, 3);
    assert_string_equal(persons[2].name, "Eve");
    akin_free(persons);
    undo(eve);
    undo(bob);
    update(r, 0);
    assert_candidates(r, false);
    said("not-in-picture", "Bob", NULL);
    said("person", "Eve", NULL);
    update(r, 1);
    assert_candidates(r, true);
    akin_review_close(r);
    assert_int_equal(akin_review_open(&r, ctx, collection), AKIN_OK);
    assert_int_equal(akin_review_is_behind(r), 0);
    assert_candidates(r, true);
    akin_review_close(r);
}

static void a_person_is_removed(void **state)
{
    int64_t faces, files = 0;
    (void)state;
    make();
    put(0, prose, NULL);
    said("means", "Ruth Keller", "Ruth Keller-Wolf");
    said("in-picture", "Karl Hobbs", NULL);
    assert_int_equal(
        akin_faces_remove_person(&faces, ctx, collection, "Ruth Keller", NULL),
        AKIN_OK);
    assert_int_equal(
        akin_faces_mentions(&files, ctx, collection, "Ruth Keller"), AKIN_OK);
    assert_int_equal(files, 0);
    assert_string_equal(told(0), ZOE "+[" ZOE "] Karl Hobbs+![Karl Hobbs]");
}

/* What meant the person goes too; what was said of others stays. */
static void corrections_of_a_person_are_removed(void **state)
{
    const char *const names[16] = {"", "", "", "", "", "", "", "",
                                   "", "", "", "", "", "", "", ""};
    int64_t faces, files = 0;
    (void)state;
    make();
    put(0, prose, NULL);
    said("means", "Karl Hobbs", "Zed Quill");
    said("not-in-picture", ZOE, NULL);
    said("person", "Keller", NULL);
    undo(said("person", "ZED  QUILL", NULL));
    if (akin_faces_remove_person(&faces, ctx, collection, "zed quill", names) !=
        AKIN_OK)
        fail_msg("%s", akin_ctx_message(ctx));
    assert_string_equal(told(0), ZOE "-![" ZOE "] Ruth Keller+[Ruth Keller] "
                                     "Keller+![Keller]");
    if (akin_faces_remove_person(&faces, ctx, collection, "Ruth Keller",
                                 names) != AKIN_OK)
        fail_msg("%s", akin_ctx_message(ctx));
    assert_string_equal(told(0), ZOE "-![" ZOE "]");
    assert_int_equal(akin_faces_mentions(&files, ctx, collection, "Karl Hobbs"),
                     AKIN_OK);
    assert_int_equal(files, 0);
}

static void older_collections_get_places(void **state)
{
    char path[256];
    sqlite3 *db = NULL;
    (void)state;
    make();
    put(0, prose, NULL);
    snprintf(path, sizeof path, "%s/catalog.sqlite", collection);
    assert_int_equal(sqlite3_open(path, &db), SQLITE_OK);
    assert_int_equal(
        sqlite3_exec(db,
                     "DROP TABLE found_names; DROP TABLE tagged; DROP TABLE "
                     "caption_answers; CREATE TABLE old AS SELECT photo, "
                     "place, name, in_picture, position, probability FROM "
                     "caption_names; DROP TABLE caption_names; CREATE TABLE "
                     "caption_names(photo INTEGER, place INTEGER, name TEXT "
                     "NOT NULL, in_picture TEXT NOT NULL, position TEXT NOT "
                     "NULL, probability REAL NOT NULL, PRIMARY KEY(photo, "
                     "place)) WITHOUT ROWID; INSERT INTO caption_names SELECT "
                     "* FROM old; DROP TABLE old; DROP TABLE lost; ALTER TABLE "
                     "answers DROP COLUMN x; ALTER TABLE answers DROP COLUMN "
                     "y; ALTER TABLE answers DROP COLUMN width; ALTER TABLE "
                     "answers DROP COLUMN height; ALTER TABLE answers DROP "
                     "COLUMN before; PRAGMA user_version=8",
                     NULL, NULL, NULL),
        SQLITE_OK);
    sqlite3_close(db);
    assert_string_equal(told(0), ZOE "+[" ZOE "] Ruth Keller+[Ruth Keller] "
                                     "Karl Hobbsc[Karl Hobbs]");
    said("not-person", "Ruth Keller", NULL);
    assert_string_equal(told(0), ZOE "+[" ZOE "] Karl Hobbsc[Karl Hobbs]");
    assert_string_equal(told(1), "Ann+ Bob+");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        CONTEXT_CASE(mentions_are_bytes_of_the_caption),
        CONTEXT_CASE(corrections_hold),
        CONTEXT_CASE(places_are_taken_over),
        CONTEXT_CASE(a_new_collection_takes_them_over),
        CONTEXT_CASE(wrong_corrections_change_nothing),
        CONTEXT_CASE(they_are_listed),
        CONTEXT_CASE(candidates_follow),
        CONTEXT_CASE(a_person_is_removed),
        CONTEXT_CASE(corrections_of_a_person_are_removed),
        CONTEXT_CASE(older_collections_get_places),
    };
    return cmocka_run_group_tests(tests, collection_begin, collection_end);
}
