/* Answers of a person: durable, undone, once for a key; and names by them. */
#include <akin/review.h>
#include <sqlite3.h>
#include <stdio.h>
#include <string.h>

#include "collection/catalog.h"
#include "collection_folder.h"
#include "context.h"

static const char captions[] = "photo,faces,names\n"
                               "p,0;1,Ann;Bob\n"
                               "q,2;3,Ann;Bob\n"
                               "r,4;5,Ann;Cid\n"
                               "s,6,Cid\n"
                               "t,7,\n"
                               "u,8,\n";

/* Face `first` becomes that which the rows begin with; 0: as they are. */
static void import(int64_t first)
{
    static const float values[] = {
        1, 0, .1f, 0, 1, 0,   1, .1f, 0, 0, 1,  .1f, .9f,  0,
        0, 0, 0,   1, 0, .1f, 1, -1,  0, 0, -1, 0,   .01f,
    };
    float shifted[27];
    akin_faces_options o = AKIN_FACES_DEFAULTS;
    akin_rows *rows = NULL;
    text_put("captions.csv", captions, sizeof captions - 1);
    o.captions = text_path("captions.csv");
    o.force = 1;
    memcpy(shifted, values, sizeof shifted);
    for (int k = 0; k < 3; ++k) {
        shifted[k] = values[3 * first + k];
        shifted[3 * first + k] = values[k];
    }
    assert_int_equal(akin_rows_new_dense(&rows, ctx, 9, 3, shifted), AKIN_OK);
    assert_int_equal(akin_faces_import(ctx, collection, rows, &o, NULL),
                     AKIN_OK);
    akin_rows_free(rows);
}

static void make(void)
{
    if (akin_collection_is(collection))
        assert_int_equal(ak_catalog_erase(ctx, collection), AKIN_OK);
    import(0);
}

static akin_status say(int64_t *number, const char *kind, int64_t face,
                       const char *name, const char *key)
{
    akin_answer x = AKIN_ANSWER_INIT;
    akin_answers *a = NULL;
    x.kind = kind;
    x.face = face;
    x.name = name;
    x.key = key;
    akin_status st = akin_answers_open(&a, ctx, collection);
    if (st == AKIN_OK)
        st = akin_answers_add(number, ctx, a, &x);
    akin_answers_close(a);
    return st;
}

static int64_t said(const char *kind, int64_t face, const char *name)
{
    int64_t number = 0;
    assert_int_equal(say(&number, kind, face, name, NULL), AKIN_OK);
    return number;
}

static int64_t merged(const char *name, const char *other)
{
    akin_answer x = AKIN_ANSWER_INIT;
    akin_answers *a = NULL;
    int64_t number = 0;
    x.kind = "merge";
    x.name = name;
    x.other = other;
    assert_int_equal(akin_answers_open(&a, ctx, collection), AKIN_OK);
    assert_int_equal(akin_answers_add(&number, ctx, a, &x), AKIN_OK);
    akin_answers_close(a);
    return number;
}

static void undo(int64_t number)
{
    akin_answers *a = NULL;
    assert_int_equal(akin_answers_open(&a, ctx, collection), AKIN_OK);
    assert_int_equal(akin_answers_undo(ctx, a, number), AKIN_OK);
    akin_answers_close(a);
}

static akin_review *open_review(void)
{
    akin_review *r = NULL;
    if (akin_review_open(&r, ctx, collection) != AKIN_OK)
        fail_msg("%s", akin_ctx_message(ctx));
    return r;
}

static void assert_name(const akin_review *r, int64_t row, const char *name)
{
    akin_review_face f;
    akin_review_get(&f, r, row);
    if (name == NULL)
        assert_null(f.name);
    else
        assert_string_equal(f.name ? f.name : "(none)", name);
}

static void update(akin_review *r)
{
    int64_t stale = 1;
    if (akin_review_update(&stale, ctx, r) != AKIN_OK)
        fail_msg("%s", akin_ctx_message(ctx));
    assert_int_equal(stale, 0);
}

/* ---- answers ---- */

static void answers_are_listed(void **state)
{
    akin_answers *a = NULL;
    akin_answer x;
    int64_t first, again;
    (void)state;
    make();
    assert_int_equal(say(&first, "is", 0, "Ann", "k"), AKIN_OK);
    assert_int_equal(say(&again, "is", 1, "Bob", "k"), AKIN_OK);
    assert_int_equal(first, again);
    assert_int_equal(said("none", 2, NULL), first + 1);
    undo(first);
    assert_int_equal(akin_answers_open(&a, ctx, collection), AKIN_OK);
    assert_int_equal(akin_answers_next(&x, ctx, a, 0), AKIN_OK);
    assert_int_equal(x.number, first);
    assert_int_equal(x.face, 0);
    assert_int_equal(x.undone, 1);
    assert_string_equal(x.kind, "is");
    assert_string_equal(x.name, "Ann");
    assert_string_equal(x.key, "k");
    assert_null(x.user);
    assert_int_equal(akin_answers_next(&x, ctx, a, first), AKIN_OK);
    assert_string_equal(x.kind, "none");
    assert_null(x.name);
    assert_int_equal(akin_answers_next(&x, ctx, a, x.number), AKIN_OK);
    assert_int_equal(x.number, 0);
    assert_int_equal(akin_answers_undo(ctx, a, 99), AKIN_EINVAL);
    akin_answers_close(a);
}

static void answers_that_are_wrong(void **state)
{
    int64_t number;
    char longest[600];
    (void)state;
    make();
    memset(longest, 'x', sizeof longest - 1);
    longest[sizeof longest - 1] = '\0';
    assert_int_equal(say(&number, "maybe", 0, "Ann", NULL), AKIN_EINVAL);
    assert_int_equal(say(&number, "is", 9, "Ann", NULL), AKIN_EINVAL);
    assert_int_equal(say(&number, "is", 0, NULL, NULL), AKIN_EINVAL);
    assert_int_equal(say(&number, "is", 0, "  ", NULL), AKIN_EINVAL);
    assert_int_equal(say(&number, "is", 0, "a\nb", NULL), AKIN_EINVAL);
    assert_int_equal(say(&number, "is", 0, "\xff", NULL), AKIN_EINVAL);
    assert_int_equal(say(&number, "is", 0, longest, NULL), AKIN_EINVAL);
    assert_int_equal(say(&number, "merge", 0, "Ann", NULL), AKIN_EINVAL);
    assert_int_equal(say(&number, NULL, 0, "Ann", NULL), AKIN_EINVAL);
}

/* A catalogue without the table gets it, and keeps what it has. */
static void change_catalog(const char *statements)
{
    char path[256];
    sqlite3 *db = NULL;
    snprintf(path, sizeof path, "%s/catalog.sqlite", collection);
    assert_int_equal(sqlite3_open(path, &db), SQLITE_OK);
    assert_int_equal(sqlite3_exec(db, statements, NULL, NULL, NULL), SQLITE_OK);
    sqlite3_close(db);
}

static void older_collections_are_upgraded(void **state)
{
    static const char schema_8[] =
        "DROP TABLE lost; ALTER TABLE answers DROP COLUMN x; ALTER TABLE "
        "answers DROP COLUMN y; ALTER TABLE answers DROP COLUMN width; ALTER "
        "TABLE answers DROP COLUMN height; ALTER TABLE answers DROP COLUMN "
        "before; PRAGMA user_version=8";
    (void)state;
    make();
    change_catalog("DROP TABLE lost; DROP TABLE answers; PRAGMA "
                   "user_version=7");
    assert_int_equal(said("is", 3, "Bob"), 1);
    akin_review *r = open_review();
    assert_int_equal(akin_review_count(r), 9);
    akin_review_close(r);
    change_catalog(schema_8);
    assert_int_equal(said("no-face", 7, NULL), 2);
    r = open_review();
    assert_int_equal(akin_review_count(r), 8);
    assert_name(r, 3, "Bob");
    akin_review_close(r);
}

/* ---- names by them ---- */

static void answers_hold(void **state)
{
    akin_review_face f;
    akin_candidate candidates[8];
    (void)state;
    make();
    akin_review *r = open_review();
    assert_name(r, 0, "Ann");
    const int64_t refused = said("is-not", 0, "ANN");
    update(r);
    akin_review_get(&f, r, 0);
    assert_true(f.name == NULL || strcmp(f.name, "Ann") != 0);
    assert_int_equal(f.said, 0);
    assert_int_equal(f.changed, refused);
    const int64_t n = akin_review_candidates(candidates, r, 0, 8);
    for (int64_t k = 0; k < n; ++k)
        assert_true(candidates[k].name == NULL ||
                    strcmp(candidates[k].name, "Ann") != 0);
    const int64_t given = said("is", 0, "Zo\xc3\xab \"<b>\"");
    update(r);
    assert_name(r, 0, "Zo\xc3\xab \"<b>\"");
    akin_review_get(&f, r, 0);
    assert_int_equal(f.said, 1);
    assert_true(f.probability == 1.0 && f.gain == 0.0);
    akin_review_close(r);
    r = open_review();  // learned with it
    assert_name(r, 0, "Zo\xc3\xab \"<b>\"");
    undo(given);
    undo(refused);
    update(r);
    assert_name(r, 0, "Ann");
    akin_review_close(r);
}

static void the_later_answer_wins(void **state)
{
    (void)state;
    make();
    said("is", 0, "Ann");
    said("is", 1, "ann");  // of the same photo
    said("is", 2, "Bob");
    said("is-not", 2, "Bob");
    said("is-not", 4, "Cid");
    said("is", 4, "Cid");
    said("is", 6, "Cid");
    said("none", 6, NULL);
    akin_review *r = open_review();
    assert_name(r, 1, "Ann");
    assert_name(r, 4, "Cid");
    assert_name(r, 6, NULL);
    akin_review_face f;
    akin_review_get(&f, r, 0);
    assert_int_equal(f.said, 0);
    assert_true(f.name == NULL || strcmp(f.name, "Ann") != 0);
    akin_review_get(&f, r, 2);
    assert_int_equal(f.said, 0);
    assert_true(f.name == NULL || strcmp(f.name, "Bob") != 0);
    akin_review_close(r);
}

/* A name that nobody knew when names were learned: given, refused, and none. */
static void names_since_learning(void **state)
{
    (void)state;
    make();
    akin_review *r = open_review();
    said("is", 3, "Eve");
    update(r);
    said("is-not", 0, "Eve");
    said("none", 0, NULL);
    update(r);
    assert_name(r, 0, NULL);
    assert_name(r, 3, "Eve");
    said("is-not", 3, "Eve");
    update(r);
    akin_review_face f;
    akin_review_get(&f, r, 3);
    assert_int_equal(f.said, 0);
    akin_review_close(r);
}

static void queue_and_faces(void **state)
{
    const int64_t *rows;
    akin_review_face f;
    (void)state;
    make();
    said("is", 0, "Ann");
    akin_review *r = open_review();
    const int64_t n = akin_review_queue(&rows, r);
    double last = 1e300;
    for (int64_t k = 0; k < n; ++k) {
        akin_review_get(&f, r, rows[k]);
        assert_true(f.gain > 0.0 && f.gain <= last && !f.said);
        last = f.gain;
    }
    assert_int_equal(akin_review_find(&f, ctx, r, 3), AKIN_OK);
    assert_int_equal(f.row, 3);
    assert_int_equal(akin_review_find(&f, ctx, r, 9), AKIN_EINVAL);
    assert_int_equal(akin_review_find(&f, ctx, r, -1), AKIN_EINVAL);
    assert_int_equal(akin_review_last(r), 1);
    akin_review_close(r);
}

static void persons_and_groups(void **state)
{
    akin_person *persons = NULL;
    int64_t n = 0, groups[9], n_groups = 0, stale = 0;
    (void)state;
    make();
    said("is", 0, "Ann");
    akin_review *r = open_review();
    assert_int_equal(akin_review_persons(&persons, &n, ctx, r), AKIN_OK);
    assert_int_equal(n, 3);
    assert_string_equal(persons[0].name, "Ann");
    assert_int_equal(persons[0].said, 1);
    assert_true(persons[0].suggested >= 1);
    akin_free(persons);
    assert_int_equal(akin_review_groups(groups, &n_groups, ctx, r), AKIN_OK);
    assert_int_equal(groups[0], -1);
    assert_int_equal(n_groups, 1);
    assert_int_equal(groups[7], 0);
    assert_int_equal(groups[8], 0);
    const int64_t number = merged("Cid", "Bob");
    assert_int_equal(akin_review_update(&stale, ctx, r), AKIN_OK);
    assert_int_equal(stale, 1);
    akin_review_close(r);
    r = open_review();
    assert_int_equal(akin_review_persons(&persons, &n, ctx, r), AKIN_OK);
    assert_int_equal(n, 2);
    akin_free(persons);
    akin_review_close(r);
    merged("Bob", "Cid");  // and back: no circle
    r = open_review();
    assert_int_equal(akin_review_persons(&persons, &n, ctx, r), AKIN_OK);
    assert_int_equal(n, 2);
    assert_string_equal(persons[1].name, "Cid");
    akin_free(persons);
    akin_review_close(r);
    undo(number);
    undo(number + 1);
    const int64_t same = merged("Bob", "Ann");  // in one caption
    r = open_review();
    assert_int_equal(akin_review_persons(&persons, &n, ctx, r), AKIN_OK);
    assert_int_equal(n, 2);
    akin_free(persons);
    akin_review_close(r);
    undo(same);
    r = open_review();
    assert_int_equal(akin_review_persons(&persons, &n, ctx, r), AKIN_OK);
    assert_int_equal(n, 3);
    akin_free(persons);
    akin_review_close(r);
}

/* As an akin of another schema would have left it. */
static void make_older(int schema)
{
    static const char *const of_8 =
        "DROP TABLE found_names; DROP TABLE tagged; DROP TABLE aliases; DROP "
        "TABLE caption_answers; DROP TABLE lost; ALTER TABLE answers DROP "
        "COLUMN x; ALTER TABLE answers DROP COLUMN y; ALTER TABLE answers DROP "
        "COLUMN width; ALTER TABLE answers DROP COLUMN height; ALTER TABLE "
        "answers DROP COLUMN before; ALTER TABLE caption_names DROP COLUMN "
        "present; ALTER TABLE caption_names DROP COLUMN said; ALTER TABLE "
        "caption_names DROP COLUMN mentions;";
    char path[256], text[1024];
    sqlite3 *db = NULL;
    snprintf(path, sizeof path, "%s/catalog.sqlite", collection);
    snprintf(text, sizeof text,
             "%s DROP TABLE removed_faces; DROP TABLE blanked; PRAGMA "
             "user_version=%d",
             schema == 8 ? of_8 : "", schema);
    assert_int_equal(sqlite3_open(path, &db), SQLITE_OK);
    if (sqlite3_exec(db, text, NULL, NULL, NULL) != SQLITE_OK)
        fail_msg("%s", sqlite3_errmsg(db));
    sqlite3_close(db);
}

/* One of an akin that did not know of removed persons. */
static void a_person_leaves_an_older_collection(void **state)
{
    static const int schemas[] = {8, 10};
    const char *names[9] = {"ANN", "", "ann", "", "Ann", "", "", "", ""};
    (void)state;
    for (int k = 0; k < 2; ++k) {
        int64_t removed = 0, files = 0;
        make();
        said("is", 7, "Eve");
        make_older(schemas[k]);
        assert_int_equal(akin_faces_mentions(&files, ctx, collection, "Ann"),
                         AKIN_OK);
        assert_int_equal(files, 1);
        make_older(schemas[k]);
        assert_int_equal(
            akin_faces_remove_person(&removed, ctx, collection, "Ann", NULL),
            AKIN_EINVAL);  // who is who is not known
        assert_int_equal(
            akin_faces_remove_person(&removed, ctx, collection, "Ann", names),
            AKIN_OK);
        assert_int_equal(removed, 3);
        akin_review *r = open_review();
        assert_int_equal(akin_review_count(r), 6);
        akin_review_close(r);
    }
}

/* Whichever of the names is given, and not by a name that was corrected. */
static void merged_persons_are_removed(void **state)
{
    static const char *const given[] = {"cid", "ZED QUILL"};
    const char *names[9] = {"", "", "", "", "", "", "", "", ""};
    for (int k = 0; k < 2; ++k) {
        int64_t removed = 0, files = 0;
        (void)state;
        make();
        said("is", 5, "Cid");
        said("is", 6, "Zed Quill");
        said("is", 0, "Zed Quill");
        said("is", 0, "Ann");
        merged("Cid", "Zed Quill");
        if (akin_faces_remove_person(&removed, ctx, collection, given[k],
                                     names) != AKIN_OK)
            fail_msg("%s", akin_ctx_message(ctx));
        assert_int_equal(removed, 2);
        for (int i = 0; i < 2; ++i) {
            assert_int_equal(
                akin_faces_mentions(&files, ctx, collection, given[i]),
                AKIN_OK);
            assert_int_equal(files, 0);
        }
    }
}

/* ---- faces that leave and come back ---- */

static void no_face_is_undone(void **state)
{
    (void)state;
    make();
    said("is", 7, "Eve");
    const int64_t number = said("no-face", 7, NULL);
    akin_review *r = open_review();
    assert_int_equal(akin_review_count(r), 8);
    akin_review_close(r);
    assert_int_equal(say(&(int64_t){0}, "is", 7, "Bob", NULL), AKIN_EINVAL);
    undo(number);
    undo(number);
    r = open_review();
    assert_int_equal(akin_review_count(r), 9);
    assert_name(r, 7, "Eve");
    akin_review_close(r);
    akin_collection *c = NULL;
    assert_int_equal(akin_collection_open(&c, ctx, collection), AKIN_OK);
    assert_int_equal(akin_collection_check(ctx, c), AKIN_OK);
    akin_collection_close(c);
}

/* The collection is made again, with two rows exchanged. */
static void answers_follow_their_vectors(void **state)
{
    akin_answers *a = NULL;
    akin_answer x = AKIN_ANSWER_INIT;
    (void)state;
    make();
    said("is", 0, "Eve");
    said("is-not", 1, "Bob");
    undo(said("is", 3, "Ann"));
    merged("Cid", "Dan");
    said("none", 8, NULL);
    import(1);
    akin_review *r = open_review();
    assert_name(r, 1, "Eve");
    assert_name(r, 0, NULL);
    assert_int_equal(akin_review_last(r), 5);
    assert_name(r, 6, "Dan");
    akin_review_close(r);
    import(8);  // in another photo: not the same face
    r = open_review();
    assert_int_equal(akin_review_count(r), 9);
    assert_name(r, 8, NULL);
    akin_review_close(r);
    import(0);
    r = open_review();
    assert_name(r, 0, "Eve");
    assert_int_equal(akin_review_last(r), 5);
    akin_review_close(r);
    assert_int_equal(akin_answers_open(&a, ctx, collection), AKIN_OK);
    assert_int_equal(akin_answers_next(&x, ctx, a, 2), AKIN_OK);
    assert_int_equal(x.face, 3);
    assert_int_equal(x.undone, 1);
    akin_answers_close(a);
}

/* They would be lost; one that waits is stored afterwards. */
static void no_answers_while_it_is_made_again(void **state)
{
    ak_catalog old = {.lock = -1}, made = {.lock = -1};
    char path[160];
    akin_answers *a = NULL;
    akin_answer x = AKIN_ANSWER_INIT;
    int64_t number;
    (void)state;
    make();
    x.kind = "is";
    x.face = 0;
    x.name = "Eve";
    snprintf(path, sizeof path, "%s.new", collection);
    assert_int_equal(akin_answers_open(&a, ctx, collection), AKIN_OK);
    assert_int_equal(ak_catalog_open(&old, ctx, collection, AK_CATALOG_WRITE),
                     AKIN_OK);
    assert_int_equal(ak_catalog_open(&made, ctx, path, AK_CATALOG_WRITE),
                     AKIN_OK);
    assert_int_equal(akin_answers_add(&number, ctx, a, &x), AKIN_EBUSY);
    ak_catalog_close(&made);
    ak_catalog_close(&old);
    assert_int_equal(akin_answers_add(&number, ctx, a, &x), AKIN_OK);
    import(0);  // its files are others now
    x.face = 1;
    assert_int_equal(akin_answers_add(&number, ctx, a, &x), AKIN_OK);
    assert_int_equal(number, 2);
    akin_answers_close(a);
    akin_review *r = open_review();
    assert_name(r, 1, "Eve");
    akin_review_close(r);
}

static void a_person_is_removed(void **state)
{
    int64_t removed = 0, files = 0;
    (void)state;
    make();
    said("is", 7, "Zed Quill");
    said("is-not", 7, "Ann");
    said("is", 8, "Zed Quill");
    said("no-face", 8, NULL);
    assert_int_equal(
        akin_faces_remove_person(&removed, ctx, collection, "Zed Quill", NULL),
        AKIN_OK);
    assert_int_equal(removed, 1);
    assert_int_equal(akin_faces_mentions(&files, ctx, collection, "Zed Quill"),
                     AKIN_OK);
    assert_int_equal(files, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        CONTEXT_CASE(answers_are_listed),
        CONTEXT_CASE(answers_that_are_wrong),
        CONTEXT_CASE(older_collections_are_upgraded),
        CONTEXT_CASE(answers_hold),
        CONTEXT_CASE(the_later_answer_wins),
        CONTEXT_CASE(names_since_learning),
        CONTEXT_CASE(queue_and_faces),
        CONTEXT_CASE(persons_and_groups),
        CONTEXT_CASE(a_person_leaves_an_older_collection),
        CONTEXT_CASE(merged_persons_are_removed),
        CONTEXT_CASE(no_face_is_undone),
        CONTEXT_CASE(answers_follow_their_vectors),
        CONTEXT_CASE(no_answers_while_it_is_made_again),
        CONTEXT_CASE(a_person_is_removed),
    };
    return cmocka_run_group_tests(tests, collection_begin, collection_end);
}
