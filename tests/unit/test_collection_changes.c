/* Collections in places of all kinds, and pictures that do not stay as they
 * were. */
#include "pictures.h"

#include <akin/collection.h>

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

static akin_images_info add(akin_ctx *ctx, const char *name, const char *labels)
{
    akin_images_options o = AKIN_IMAGES_DEFAULTS;
    akin_images_info info = {0};
    o.labels = labels;
    assert_int_equal(akin_images_add(ctx, file(name), file("p"), &o, &info),
                     AKIN_OK);
    assert_int_equal(info.pictures, N);
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
    akin_picture p;
    akin_status st = akin_collection_open(&c, ctx, file(name));
    if (st == AKIN_OK)
        st = akin_collection_picture(&p, ctx, c, 1);
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
    akin_index *x = NULL;
    akin_search_options o = AKIN_SEARCH_DEFAULTS;
    int64_t *hits = NULL;
    double *scores = NULL;
    o.top = 1;
    o.like = &row;
    o.n_like = 1;
    assert_int_equal(akin_collection_open(&c, ctx, file("c")), AKIN_OK);
    assert_int_equal(akin_collection_index(&x, ctx, c, NULL), AKIN_OK);
    assert_int_equal(akin_index_search(&hits, &scores, ctx, x, NULL, &o),
                     AKIN_OK);
    const int64_t best = hits[0];
    akin_free(hits);
    akin_free(scores);
    akin_index_free(x);
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
    akin_picture p;
    FILE *f = fopen(file("labels.csv"), "w");
    fputs("file,label\nk0/1.png,tower;bridge\n", f);
    fclose(f);
    add(*state, "c", file("labels.csv"));
    assert_int_equal(akin_collection_open(&c, *state, file("c")), AKIN_OK);
    assert_int_equal(akin_collection_picture(&p, *state, c, 1), AKIN_OK);
    assert_string_equal(p.labels, "tower\nbridge");
    assert_int_equal(akin_collection_picture(&p, *state, c, 2), AKIN_OK);
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

/* Made before the catalogue knew when a file was changed. */
static void schema_1_is_read_and_brought_up(void **state)
{
    make(*state, "old");
    run_sql(file("old/catalog.sqlite"),
            "ALTER TABLE pictures DROP COLUMN size; ALTER TABLE pictures "
            "DROP COLUMN modified; PRAGMA user_version = 1");
    assert_int_equal(look(*state, "old"), AKIN_OK);
    assert_int_equal(add(*state, "old", NULL).changed, 0);
    assert_int_equal(look(*state, "old"), AKIN_OK);
    assert_int_equal(add(*state, "old", NULL).changed, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(folder_that_is_read_only),
        cmocka_unit_test(read_only_with_a_log),
        cmocka_unit_test(changed_files_are_looked_at_again),
        cmocka_unit_test(labels_may_come_later),
        cmocka_unit_test(lost_folder_stops_nobody),
        cmocka_unit_test(schema_1_is_read_and_brought_up),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
