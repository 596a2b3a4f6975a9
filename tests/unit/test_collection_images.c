/* Collections: pictures become rows, are found again, and none comes twice;
 * catalogues that are not sound are refused. */
#include "pictures.h"

#include <akin/collection.h>
#include <fcntl.h>
#include <sys/file.h>

#include "faulty.h"

static akin_status make(akin_ctx *ctx, const char *name, int64_t force,
                        akin_items_info *info)
{
    akin_images_options o = AKIN_IMAGES_DEFAULTS;
    o.words = 30;
    o.colours = "luv";
    o.force = force;
    return akin_images_make(ctx, file(name), file("p"), &o, info);
}

static int set_up(void **state)
{
    akin_ctx *ctx = NULL;
    akin_items_info info;
    assert_int_equal(akin_ctx_new(&ctx, NULL), AKIN_OK);
    *state = ctx;
    write_pictures();
    assert_int_equal(make(ctx, "c", 0, &info), AKIN_OK);
    assert_int_equal(info.items, N);
    assert_int_equal(info.added, N);
    assert_int_equal(info.dim, 30);
    assert_int_equal(info.classes, KINDS);
    return 0;
}

static int tear_down(void **state)
{
    akin_ctx_free(*state);
    return remove_folder("");
}

static akin_collection *opened(akin_ctx *ctx, const char *name)
{
    akin_collection *c = NULL;
    assert_int_equal(akin_collection_open(&c, ctx, file(name)), AKIN_OK);
    return c;
}

static void pictures_are_rows(void **state)
{
    akin_collection *c = opened(*state, "c");
    akin_rows *rows = NULL, *colours = NULL;
    akin_item p;
    int64_t row;
    assert_false(akin_collection_is_open(c));
    assert_int_equal(akin_collection_rows(&rows, *state, c, NULL, NULL),
                     AKIN_OK);
    assert_int_equal(akin_rows_count(rows), N);
    assert_int_equal(akin_rows_dim(rows), 30);
    assert_int_equal(
        akin_rows_read(&colours, *state, file("c/colours.safetensors"), NULL),
        AKIN_OK);
    assert_int_equal(akin_rows_dim(colours), 225);
    assert_int_equal(akin_collection_find(&row, *state, c, "k1/0.png"),
                     AKIN_OK);
    assert_int_equal(row, EACH);
    assert_int_equal(akin_collection_item(&p, *state, c, row), AKIN_OK);
    assert_string_equal(p.name, "k1/0.png");
    assert_string_equal(p.labels, "k1");
    assert_int_equal(p.width, SIDE);
    assert_int_equal(akin_collection_item(&p, *state, c, N), AKIN_ESHAPE);
    assert_int_equal(akin_collection_find(&row, *state, c, "k1"), AKIN_EINVAL);
    akin_rows_free(rows);
    akin_rows_free(colours);
    akin_collection_close(c);
}

/* A picture that is there is the nearest of itself. */
static void picture_finds_itself(void **state)
{
    const char *const query[] = {file("p/k1/2.png"), file("p/k0/0.png")};
    akin_collection *c = opened(*state, "c");
    akin_find_options o = AKIN_FIND_DEFAULTS;
    akin_rows *rows = NULL;
    int64_t *hits = NULL;
    double *scores = NULL;
    o.top = 2;
    assert_int_equal(akin_collection_describe(&rows, *state, c, query, 2),
                     AKIN_OK);
    assert_int_equal(
        akin_collection_search(&hits, &scores, *state, c, rows, &o), AKIN_OK);
    assert_int_equal(hits[0], N - 1);
    assert_int_equal(hits[2], 0);
    assert_true(fabs(scores[0] - 1.0) < 1e-6);
    akin_free(hits);
    akin_free(scores);
    akin_rows_free(rows);
    akin_collection_close(c);
}

static void none_comes_twice(void **state)
{
    akin_items_info info;
    assert_int_equal(make(*state, "c", 0, &info), AKIN_EINVAL);
    assert_int_equal(
        akin_images_add(*state, file("c"), file("p/k0"), NULL, &info), AKIN_OK);
    assert_int_equal(info.added, 0);
    assert_int_equal(info.items, N);
    assert_int_equal(make(*state, "c", 1, &info), AKIN_OK);
    assert_int_equal(info.added, N);
    assert_int_equal(info.items, N);
}

/* Who adds waits for others who do; who is asked to stop meanwhile stops. */
static int stop(void *user, const akin_progress *p)
{
    (void)user;
    (void)p;
    return 1;
}

static void one_at_a_time(void **state)
{
    const int fd = open(file("c"), O_RDONLY | O_DIRECTORY);
    assert_true(fd >= 0 && flock(fd, LOCK_EX | LOCK_NB) == 0);
    akin_ctx_set_progress(*state, stop, NULL);
    assert_int_equal(akin_images_add(*state, file("c"), file("p"), NULL, NULL),
                     AKIN_ECANCELLED);
    akin_ctx_set_progress(*state, NULL, NULL);
    akin_collection_close(opened(*state, "c"));  // but others may look
    close(fd);
    assert_int_equal(akin_images_add(*state, file("c"), file("p"), NULL, NULL),
                     AKIN_OK);
}

static void matches_agree_on_copies(void **state)
{
    akin_collection *c = opened(*state, "c");
    akin_match *m = NULL;
    int64_t n, agree = 0;
    double score;
    assert_int_equal(
        akin_collection_match(&m, &n, &score, *state, c, NULL, 0, 1), AKIN_OK);
    for (int64_t i = 0; i < n; ++i)
        agree += m[i].agrees && fabs(m[i].right[0] - m[i].left[0] - 1) < 1 &&
                 fabs(m[i].right[1] - m[i].left[1] + 1) < 1;
    assert_true(agree > 3);
    akin_free(m);
    assert_int_equal(
        akin_collection_match(&m, &n, &score, *state, c, NULL, 0, N),
        AKIN_ESHAPE);
    akin_collection_close(c);
}

static void check_refused(akin_ctx *ctx, akin_status wanted)
{
    akin_collection *c = NULL;
    akin_rows *rows = NULL;
    akin_status st = akin_collection_open(&c, ctx, file("bad"));
    if (st == AKIN_OK)
        st = akin_collection_rows(&rows, ctx, c, NULL, NULL);
    assert_int_equal(st, wanted);
    assert_null(strchr(akin_ctx_message(ctx), '\n'));
    akin_rows_free(rows);
    akin_collection_close(c);
}

static void unsound_ones_are_refused(void **state)
{
    static const char *const harm[] = {
        "UPDATE features SET row = x'ffffff7f' WHERE key = 16",
        "UPDATE items SET labels = char(10) WHERE id = 2",
        "UPDATE spaces SET form = 'round'",
        "PRAGMA user_version = 1000",
        "PRAGMA application_id = 7",
        "DROP TABLE folders",
        "INSERT INTO settings VALUES('clearing', '1')",
    };
    check_refused(*state, AKIN_ENOENT);
    for (size_t i = 0; i < sizeof harm / sizeof *harm; ++i) {
        assert_int_equal(make(*state, "bad", 1, NULL), AKIN_OK);
        run_sql(file("bad/catalog.sqlite"), harm[i]);
        check_refused(*state, AKIN_EFORMAT);
        remove_folder("bad");
    }
    mkdir(file("bad"), 0777);
    FILE *f = fopen(file("bad/catalog.sqlite"), "wb");
    fputs("this is no catalogue, and it is longer than a header of one would "
          "be, so that nobody takes it for an empty file",
          f);
    fclose(f);
    check_refused(*state, AKIN_EFORMAT);
}

static void overwrite(const char *path, long at, int byte)
{
    FILE *f = fopen(path, "r+b");
    assert_non_null(f);
    fseek(f, at, SEEK_SET);
    fputc(byte, f);
    fclose(f);
}

static akin_status judged(akin_ctx *ctx)
{
    akin_collection *c = NULL;
    akin_status st = akin_collection_open(&c, ctx, file("bad"));
    if (st == AKIN_OK)
        st = akin_collection_check(ctx, c);
    akin_collection_close(c);
    return st;
}

/* What every search passes over is found when it is looked for. */
static void checks_go_deeper(void **state)
{
    static const char *const harm[] = {
        "UPDATE features SET row = x'00000000' WHERE key = 16",
        "UPDATE segments SET ids = ids || x'40', count = count + 1",
        "INSERT INTO dead SELECT id, 2 FROM segments",
    };
    remove_folder("bad");
    assert_int_equal(make(*state, "bad", 1, NULL), AKIN_OK);
    assert_int_equal(judged(*state), AKIN_OK);
    overwrite(file("bad/colours.safetensors"), 3000, 'x');
    assert_int_equal(judged(*state), AKIN_EFORMAT);
    for (size_t i = 0; i < sizeof harm / sizeof *harm; ++i) {
        assert_int_equal(make(*state, "bad", 1, NULL), AKIN_OK);
        run_sql(file("bad/catalog.sqlite"), harm[i]);
        assert_int_equal(judged(*state), AKIN_EFORMAT);
    }
    remove_folder("bad");
}

static akin_status look_around(akin_ctx *ctx, void *arg)
{
    akin_collection *c = NULL;
    akin_items_info info;
    akin_item p;
    akin_match *m = NULL;
    akin_rows *rows = NULL;
    double score;
    int64_t n;
    (void)arg;
    akin_ctx_set_threads(ctx, 1);
    akin_status st = akin_collection_open(&c, ctx, file("c"));
    if (st == AKIN_OK)
        st = akin_collection_info(&info, ctx, c);
    if (st == AKIN_OK)
        st = akin_collection_item(&p, ctx, c, 1);
    if (st == AKIN_OK)
        st = akin_collection_rows(&rows, ctx, c, NULL, NULL);
    if (st == AKIN_OK)
        st = akin_collection_match(&m, &n, &score, ctx, c, NULL, 0, 1);
    if (st == AKIN_OK)
        st = akin_collection_check(ctx, c);
    akin_free(m);
    akin_rows_free(rows);
    akin_collection_close(c);
    return st == AKIN_OK ? akin_collection_set_model(ctx, file("c"), NULL) : st;
}

static void every_allocation_may_fail(void **state)
{
    (void)state;
    assert_true(faulty_run(look_around, NULL) > 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(pictures_are_rows),
        cmocka_unit_test(picture_finds_itself),
        cmocka_unit_test(none_comes_twice),
        cmocka_unit_test(one_at_a_time),
        cmocka_unit_test(matches_agree_on_copies),
        cmocka_unit_test(unsound_ones_are_refused),
        cmocka_unit_test(checks_go_deeper),
        cmocka_unit_test(every_allocation_may_fail),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
