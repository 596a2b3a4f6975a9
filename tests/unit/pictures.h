/* pictures.h - a folder of pictures for tests of collections: two kinds, three
 * of each, in p/k0 and p/k1. */
#ifndef TEST_PICTURES_H
#define TEST_PICTURES_H

#include "support.h"

#include <sqlite3.h>
#include <sys/stat.h>
#include <unistd.h>

#include "png.h"

enum { SIDE = 96, KINDS = 2, EACH = 3, N = KINDS * EACH };

static char folder[] = "/tmp/akin-collection-XXXXXX";

static inline const char *file(const char *name)
{
    static char path[4][256];
    static int turn;
    turn = (turn + 1) % 4;
    snprintf(path[turn], sizeof path[turn], "%s/%s", folder, name);
    return path[turn];
}

/* Rectangles, at places of the kind, a little moved. */
static inline void paint(unsigned char *rgb, int kind, int number)
{
    unsigned state = (unsigned)(kind * 977 + 5);
    memset(rgb, 120, SIDE * SIDE * 3);
    for (int k = 0; k < 30; ++k) {
        int v[6];
        for (int i = 0; i < 6; ++i) {
            state = state * 1664525U + 1013904223U;
            v[i] = (int)(state >> 16);
        }
        const int x = 8 + v[0] % (SIDE - 24) + number, w = 3 + v[2] % 9;
        const int y = 8 + v[1] % (SIDE - 24) - number, h = 3 + v[3] % 9;
        for (int r = y; r < y + h; ++r)
            for (int c = x; c < x + w; ++c)
                memset(rgb + 3 * (r * SIDE + c), v[4] % 256, 3);
    }
}

static inline void write_pictures(void)
{
    static unsigned char rgb[SIDE * SIDE * 3];
    char name[64];
    assert_non_null(mkdtemp(folder));
    mkdir(file("p"), 0777);
    for (int k = 0; k < KINDS; ++k) {
        snprintf(name, sizeof name, "p/k%d", k);
        mkdir(file(name), 0777);
        for (int i = 0; i < EACH; ++i) {
            snprintf(name, sizeof name, "p/k%d/%d.png", k, i);
            paint(rgb, k, i);
            assert_true(png_write(file(name), SIDE, SIDE, rgb, 1.0));
        }
    }
}

static inline int remove_folder(const char *name)
{
    char command[256];
    snprintf(command, sizeof command, "rm -rf %s", file(name));
    return system(command);
}

static inline void run_sql(const char *path, const char *text)
{
    sqlite3 *db = NULL;
    assert_int_equal(sqlite3_open(path, &db), SQLITE_OK);
    assert_int_equal(sqlite3_exec(db, text, NULL, NULL, NULL), SQLITE_OK);
    sqlite3_close(db);
}

#endif
