/* Collections in places of all kinds, and pictures that do not stay as they
 * were. */
#include "pictures.h"

#include <akin/collection.h>
#include <akin/versions.h>
#include <fcntl.h>

#define NOBODY 65534

static void make(akin_ctx *ctx, const char *name)
{
    akin_images_options o = AKIN_IMAGES_DEFAULTS;
    o.words = 30;
    o.force = 1;
    assert_int_equal(akin_images_make(ctx, file(name), file("p"), &o, NULL),
                     AKIN_OK);
}

static int set_up(void **state)
{
    akin_ctx *ctx = NULL;
    assert_int_equal(akin_ctx_new(&ctx, NULL), AKIN_OK);
    *state = ctx;
    write_pictures();
    chmod(folder, 0755);
    make(ctx, "c");
    return 0;
}

static int tear_down(void **state)
{
    akin_ctx_free(*state);
    return remove_folder("");
}

static akin_items_info add(akin_ctx *ctx, const char *name, const char *labels)
{
    akin_images_options o = AKIN_IMAGES_DEFAULTS;
    akin_items_info info = {0};
    o.labels = labels;
    assert_int_equal(akin_images_add(ctx, file(name), file("p"), &o, &info),
                     AKIN_OK);
    assert_int_equal(info.items, N);
    assert_int_equal(info.added, 0);
    return info;
}

/* Who may do anything cannot be kept from writing: be nobody for a while. */
static void become(uid_t user)
{
    if (getuid() == 0)
        assert_int_equal(seteuid(user), 0);
}

/* Opens it and looks at a picture. */
static akin_status look(akin_ctx *ctx, const char *name)
{
    akin_collection *c = NULL;
    akin_item p;
    akin_status st = akin_collection_open(&c, ctx, file(name));
    if (st == AKIN_OK)
        st = akin_collection_item(&p, ctx, c, 1);
    akin_collection_close(c);
    return st;
}

static void folder_that_is_read_only(void **state)
{
    make(*state, "r?o#%41");
    assert_int_equal(chmod(file("r?o#%41"), 0555), 0);
    become(NOBODY);
    const akin_status read = look(*state, "r?o#%41");
    const akin_status added =
        akin_images_add(*state, file("r?o#%41"), file("p"), NULL, NULL);
    become(0);
    assert_int_equal(read, AKIN_OK);
    assert_int_equal(added, AKIN_EIO);
    assert_non_null(strstr(akin_ctx_message(*state), "denied"));
    chmod(file("r?o#%41"), 0755);
}

/* What a run that was killed left is not passed over in silence. */
static void read_only_with_a_log(void **state)
{
    char log[512];
    make(*state, "log");
    snprintf(log, sizeof log, "%s-wal", file("log/catalog.sqlite"));
    FILE *f = fopen(log, "wb");
    fputs("something", f);
    fclose(f);
    assert_int_equal(chmod(file("log"), 0555), 0);
    become(NOBODY);
    const akin_status st = look(*state, "log");
    become(0);
    chmod(file("log"), 0755);
    assert_int_equal(st, AKIN_EIO);
    assert_non_null(strstr(akin_ctx_message(*state), "interrupted"));
}

static int64_t found_first(akin_ctx *ctx, int64_t row)
{
    akin_collection *c = NULL;
    akin_find_options o = AKIN_FIND_DEFAULTS;
    int64_t *hits = NULL;
    double *scores = NULL;
    o.top = 1;
    o.like = &row;
    o.n_like = 1;
    assert_int_equal(akin_collection_open(&c, ctx, file("c")), AKIN_OK);
    assert_int_equal(akin_collection_search(&hits, &scores, ctx, c, NULL, &o),
                     AKIN_OK);
    const int64_t best = hits[0];
    akin_free(hits);
    akin_free(scores);
    akin_collection_close(c);
    return best;
}

static void changed_files_are_looked_at_again(void **state)
{
    static unsigned char rgb[SIDE * SIDE * 3];
    assert_true(found_first(*state, 0) < EACH);
    paint(rgb, 1, 1);
    assert_true(png_write(file("p/k0/0.png"), SIDE, SIDE, rgb, 1.0));
    assert_int_equal(add(*state, "c", NULL).changed, 1);
    assert_int_equal(found_first(*state, 0), EACH + 1);
    assert_int_equal(add(*state, "c", NULL).changed, 0);
    /* One that cannot be read any more stays as it was. */
    FILE *f = fopen(file("p/k0/0.png"), "wb");
    fclose(f);
    assert_int_equal(add(*state, "c", NULL).left_out, 1);
    assert_int_equal(found_first(*state, 0), EACH + 1);
    unlink(file("p/k0/0.png"));
    assert_int_equal(add(*state, "c", NULL).gone, 1);
    paint(rgb, 0, 0);
    assert_true(png_write(file("p/k0/0.png"), SIDE, SIDE, rgb, 1.0));
    assert_int_equal(add(*state, "c", NULL).changed, 1);
}

static void labels_may_come_later(void **state)
{
    akin_collection *c = NULL;
    akin_item p;
    FILE *f = fopen(file("labels.csv"), "w");
    fputs("file,label\nk0/1.png,tower;bridge\n", f);
    fclose(f);
    add(*state, "c", file("labels.csv"));
    assert_int_equal(akin_collection_open(&c, *state, file("c")), AKIN_OK);
    assert_int_equal(akin_collection_item(&p, *state, c, 1), AKIN_OK);
    assert_string_equal(p.labels, "tower\nbridge");
    assert_int_equal(akin_collection_item(&p, *state, c, 2), AKIN_OK);
    assert_string_equal(p.labels, "k0");
    akin_collection_close(c);
}

/* A run was interrupted at a folder, and that is gone. */
static void lost_folder_stops_nobody(void **state)
{
    make(*state, "lost");
    run_sql(file("lost/catalog.sqlite"),
            "INSERT INTO folders VALUES(99, CAST('/nowhere at all' AS BLOB), "
            "0)");
    assert_int_equal(add(*state, "lost", NULL).left_out, 1);
    assert_int_equal(add(*state, "lost", NULL).left_out, 0);
}

/* A copy of a collection that an earlier akin made. */
static void make_golden(const char *golden, const char *name)
{
    char command[1024];
    snprintf(command, sizeof command, "cp -r '%s/golden/%s' '%s'",
             getenv("AKIN_TESTS"), golden, file(name));
    assert_int_equal(system(command), 0);
}

/* tests/golden/collection-2 was made by an akin whose catalogues had pictures
 * alone, with a learned model. */
static void make_old(const char *name)
{
    make_golden("collection-2", name);
}

static void check_old(akin_ctx *ctx, const char *name)
{
    static const int64_t found[] = {4, 1, 2};
    static const double score[] = {-0.339891, -0.376385, -1.68532};
    akin_find_options o = AKIN_FIND_DEFAULTS;
    akin_collection *c = NULL;
    akin_item item;
    const int64_t row = 0;
    int64_t *hits = NULL;
    double *scores = NULL;
    o.top = 3;
    o.like = &row;
    o.n_like = 1;
    assert_int_equal(akin_collection_open(&c, ctx, file(name)), AKIN_OK);
    assert_string_equal(akin_collection_kind(c), "images");
    assert_int_equal(akin_collection_version(c), 1);
    assert_int_equal(akin_collection_search(&hits, &scores, ctx, c, NULL, &o),
                     AKIN_OK);
    for (int k = 0; k < 3; ++k) {
        assert_int_equal(hits[k], found[k]);
        assert_true(fabs(scores[k] - score[k]) < 1e-5);
    }
    assert_int_equal(akin_collection_item(&item, ctx, c, 4), AKIN_OK);
    assert_string_equal(item.name, "street_000.jpg");
    assert_string_equal(item.path, "/photos/town/street_000.jpg");
    assert_int_equal(akin_collection_check(ctx, c), AKIN_OK);
    akin_free(hits);
    akin_free(scores);
    akin_collection_close(c);
}

static void earlier_ones_are_upgraded(void **state)
{
    make_old("old");
    check_old(*state, "old");
    check_old(*state, "old");
    assert_int_equal(access(file("old/bags.safetensors"), F_OK), -1);
    /* Before that the catalogue did not know when a file was changed. */
    make_old("older");
    run_sql(file("older/catalog.sqlite"),
            "ALTER TABLE pictures DROP COLUMN size; ALTER TABLE pictures "
            "DROP COLUMN modified; PRAGMA user_version = 1");
    check_old(*state, "older");
}

/* Schema 3 did not know what people had removed. */
static void earlier_ones_remember_what_was_removed(void **state)
{
    const char *const name = "k0/0.png";
    akin_images_options o = AKIN_IMAGES_DEFAULTS;
    akin_items_info info;
    int64_t n;
    make(*state, "three");
    run_sql(file("three/catalog.sqlite"),
            "DROP TABLE dismissed; DROP TABLE users; ALTER TABLE versions DROP "
            "COLUMN user; ALTER TABLE versions DROP COLUMN last; ALTER TABLE "
            "versions DROP COLUMN against; ALTER TABLE versions DROP COLUMN "
            "incumbent; ALTER TABLE versions DROP COLUMN weights; PRAGMA "
            "user_version = 3");
    assert_int_equal(look(*state, "three"), AKIN_OK);
    assert_int_equal(
        akin_collection_remove(&n, *state, file("three"), &name, 1, NULL),
        AKIN_OK);
    assert_int_equal(
        akin_images_add(*state, file("three"), file("p"), &o, &info), AKIN_OK);
    assert_int_equal(info.dismissed, 1);
    assert_int_equal(info.items, N - 1);
}

/* tests/golden/collection-3 was made by an akin that had no users, and has a
 * version that learned from the first 7 of 8 events. The first was undone
 * later. */
static void versions_are_upgraded(void **state)
{
    akin_ctx *ctx = *state;
    akin_version_info *v = NULL, made;
    int64_t n = 0;
    make_golden("collection-3", "third");
    assert_int_equal(akin_collection_versions(&v, &n, ctx, file("third")),
                     AKIN_OK);
    assert_int_equal(n, 2);
    assert_true(v[1].in_use && v[1].events == 7 && v[1].against == 0);
    assert_int_equal(v[1].last, 8);  // the seventh that counts
    assert_true(v[1].incumbent == v[1].baseline);
    assert_string_equal(v[1].user, "");
    akin_free(v);
    assert_int_equal(
        akin_collection_learn_user(&made, ctx, file("third"), NULL, "anna"),
        AKIN_OK);
    assert_int_equal(made.events, 5);
    assert_int_equal(made.against, 1);
    assert_int_equal(look(ctx, "third"), AKIN_OK);
}

static void earlier_ones_need_to_be_written(void **state)
{
    make_old("fixed");
    assert_int_equal(chmod(file("fixed"), 0555), 0);
    become(NOBODY);
    const akin_status st = look(*state, "fixed");
    become(0);
    chmod(file("fixed"), 0755);
    assert_int_equal(st, AKIN_EIO);
    assert_non_null(strstr(akin_ctx_message(*state), "upgraded"));
    check_old(*state, "fixed");
}

/* The reason is that of the system. */
static void closed_folder_takes_none(void **state)
{
    akin_images_options o = AKIN_IMAGES_DEFAULTS;
    mkdir(file("closed"), 0555);
    become(NOBODY);
    const akin_status st =
        akin_images_make(*state, file("closed/c"), file("p"), &o, NULL);
    become(0);
    assert_int_equal(st, AKIN_EIO);
    assert_non_null(strstr(akin_ctx_message(*state), "Permission denied"));
}

/* What was moved is not a new picture; a copy is one. */
static void moved_files_are_known(void **state)
{
    akin_items_info info;
    akin_collection *c = NULL;
    int64_t row;
    make(*state, "m");
    assert_int_equal(rename(file("p/k0/1.png"), file("p/k1/moved.png")), 0);
    info = add(*state, "m", NULL);
    assert_int_equal(info.moved, 1);
    assert_int_equal(info.gone, 0);
    assert_int_equal(akin_collection_open(&c, *state, file("m")), AKIN_OK);
    assert_int_equal(akin_collection_find(&row, *state, c, "k1/moved.png"),
                     AKIN_OK);
    assert_int_equal(row, 1);
    assert_int_equal(akin_collection_find(&row, *state, c, "k0/1.png"),
                     AKIN_EINVAL);
    akin_collection_close(c);
    assert_int_equal(rename(file("p/k1/moved.png"), file("p/k0/1.png")), 0);
    assert_int_equal(add(*state, "m", NULL).moved, 1);
}

/* The thumbnail of the first picture: its size in bytes. */
static int64_t thumbnail(akin_ctx *ctx, int64_t side)
{
    akin_collection *c = NULL;
    uint8_t *jpeg = NULL;
    int64_t n = 0;
    assert_int_equal(akin_collection_open(&c, ctx, file("t")), AKIN_OK);
    assert_int_equal(akin_collection_thumbnail(&jpeg, &n, ctx, c, 0, side),
                     AKIN_OK);
    assert_true(n > 100);
    assert_int_equal(jpeg[0], 0xff);
    akin_free(jpeg);
    akin_collection_close(c);
    return n;
}

static void damage(const char *path, struct timespec time)
{
    const struct timespec times[2] = {time, time};
    FILE *f = fopen(path, "wb");
    fputs("no picture", f);
    fclose(f);
    assert_int_equal(utimensat(AT_FDCWD, path, times, 0), 0);
}

static void thumbnails_are_kept(void **state)
{
    const char *kept = "t/thumbnails/0-64.jpg";
    struct stat s;
    int64_t removed;
    make(*state, "t");
    const int64_t n = thumbnail(*state, 64);
    assert_int_equal(stat(file(kept), &s), 0);
    assert_int_equal(s.st_size, n);
    assert_int_equal(thumbnail(*state, 64), n);
    /* A damaged file, and one of another time, are made again. */
    damage(file(kept), s.st_mtim);
    assert_int_equal(thumbnail(*state, 64), n);
    damage(file(kept), (struct timespec){1, 0});
    assert_int_equal(thumbnail(*state, 64), n);
    thumbnail(*state, 50);
    assert_int_not_equal(access(file("t/thumbnails/0-50.jpg"), F_OK), 0);
    assert_int_equal(
        akin_collection_remove(&removed, *state, file("t"), NULL, 0, "id = 0"),
        AKIN_OK);
    assert_int_not_equal(access(file(kept), F_OK), 0);
    make(*state, "t");  // in its place
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(folder_that_is_read_only),
        cmocka_unit_test(read_only_with_a_log),
        cmocka_unit_test(changed_files_are_looked_at_again),
        cmocka_unit_test(labels_may_come_later),
        cmocka_unit_test(lost_folder_stops_nobody),
        cmocka_unit_test(earlier_ones_are_upgraded),
        cmocka_unit_test(earlier_ones_remember_what_was_removed),
        cmocka_unit_test(versions_are_upgraded),
        cmocka_unit_test(earlier_ones_need_to_be_written),
        cmocka_unit_test(moved_files_are_known),
        cmocka_unit_test(closed_folder_takes_none),
        cmocka_unit_test(thumbnails_are_kept),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
