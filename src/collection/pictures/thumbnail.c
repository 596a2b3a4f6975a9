/* Small copies of the pictures of a collection. Those of a few sizes are kept
 * in files of the collection, ID-SIDE.jpg; a file has the time of the picture
 * that it was made of, so that one of an older content is not used. */
#include "collection/pictures/thumbnail.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "collection/collection.h"

static const int kept_sides[] = {64, 128, 256, 512};

enum { N_KEPT = sizeof kept_sides / sizeof *kept_sides, MOST = 1 << 20 };

static bool is_kept(int64_t side)
{
    for (int i = 0; i < N_KEPT; ++i)
        if (kept_sides[i] == side)
            return true;
    return false;
}

static void name_file(const ak_catalog *c, int64_t id, int64_t side,
                      char path[2 * PATH_MAX])
{
    snprintf(path, 2 * PATH_MAX, "%s/%s/%" PRId64 "-%" PRId64 ".jpg", c->folder,
             ak_folder_thumbnails, id, side);
}

void ak_thumbnail_forget(const ak_catalog *c, int64_t id)
{
    char path[2 * PATH_MAX];
    for (int i = 0; i < N_KEPT; ++i) {
        name_file(c, id, kept_sides[i], path);
        unlink(path);
    }
}

/* When the picture was modified, in nanoseconds. */
static akin_status time_of(const ak_catalog *c, akin_ctx *ctx, int64_t id,
                           struct timespec *out)
{
    sqlite3_stmt *q = NULL;
    bool found = false;
    akin_status st = AKIN_OK;
    AK_TRY(ak_sql_ask(&c->sql, ctx, &q,
                      "SELECT modified FROM items WHERE id = ?", "i", id));
    AK_TRY(ak_sql_next(&c->sql, ctx, q, &found));
    const int64_t at = found ? sqlite3_column_int64(q, 0) : 0;
    *out = (struct timespec){at / 1000000000, at % 1000000000};
done:
    sqlite3_finalize(q);
    return st;
}

/* *jpeg stays NULL where there is no such file. */
static akin_status read_kept(akin_ctx *ctx, const char *path,
                             struct timespec time, uint8_t **jpeg, int64_t *n)
{
    struct stat s;
    akin_status st = AKIN_OK;
    const int fd = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW);
    if (fd < 0)
        return AKIN_OK;
    if (fstat(fd, &s) != 0 || s.st_size < 4 || s.st_size > MOST ||
        s.st_mtim.tv_sec != time.tv_sec || s.st_mtim.tv_nsec != time.tv_nsec)
        goto done;
    AK_TRY(AK_NEW(ctx, s.st_size, jpeg));
    *n = s.st_size;
    const bool whole = read(fd, *jpeg, (size_t)*n) == *n &&
                       (*jpeg)[0] == 0xff && (*jpeg)[*n - 1] == 0xd9;
    if (!whole) {
        akin_free(*jpeg);
        *jpeg = NULL;
    }
done:
    close(fd);
    return st;
}

/* Where it cannot be kept, it is made again the next time. */
static void keep(const ak_catalog *c, const char *path, struct timespec time,
                 const uint8_t *jpeg, int64_t n)
{
    const struct timespec times[2] = {time, time};
    char temp[2 * PATH_MAX + 32];
    snprintf(temp, sizeof temp, "%s/%s", c->folder, ak_folder_thumbnails);
    mkdir(temp, 0777);
    snprintf(temp, sizeof temp, "%s/%s/XXXXXX", c->folder,
             ak_folder_thumbnails);
    const int fd = mkostemp(temp, O_CLOEXEC);
    if (fd < 0)
        return;
    const bool whole = write(fd, jpeg, (size_t)n) == n &&
                       futimens(fd, times) == 0 && fchmod(fd, 0644) == 0;
    close(fd);
    if (!whole || rename(temp, path) != 0)
        unlink(temp);
}

akin_status ak_thumbnail_read(akin_collection *c, akin_ctx *ctx,
                              const char *path, int64_t side, ak_image *out)
{
    ak_decode_options o = AK_DECODE_DEFAULTS;
    if (c->decoder == NULL || c->decoder_side != side) {
        ak_decoder_close(c->decoder);
        c->decoder = NULL;
        o.side = side;
        AK_CHECK(ak_decoder_open(&c->decoder, ctx, &o));
        c->decoder_side = side;
    }
    return ak_decoder_read(c->decoder, ctx, path, out);
}

akin_status ak_thumbnail_write(const akin_collection *c, akin_ctx *ctx,
                               const ak_image *image, uint8_t **jpeg,
                               int64_t *n)
{
    enum { QUALITY = 80 };
    return ak_decoder_encode(c->decoder, ctx, image, QUALITY, jpeg, n);
}

static akin_status make(akin_collection *c, akin_ctx *ctx, const char *path,
                        int64_t side, uint8_t **jpeg, int64_t *n)
{
    ak_image image = {0};
    akin_status st = AKIN_OK;
    AK_TRY(ak_thumbnail_read(c, ctx, path, side, &image));
    AK_TRY(ak_thumbnail_write(c, ctx, &image, jpeg, n));
done:
    ak_image_free(&image);
    return st;
}

akin_status akin_collection_thumbnail(uint8_t **jpeg, int64_t *n, akin_ctx *ctx,
                                      akin_collection *c, int64_t row,
                                      int64_t side)
{
    char path[2 * PATH_MAX];
    struct timespec time;
    uint8_t *bytes = NULL;
    akin_item item;
    akin_status st = AKIN_OK;
    AK_TRY(akin_collection_item(&item, ctx, c, row));
    if (item.path == NULL || item.width <= 0)
        AK_TRY(ak_fail(ctx, AKIN_EINVAL, "%s: %s is no picture",
                       c->catalog.folder, item.name));
    name_file(&c->catalog, item.id, side, path);
    AK_TRY(time_of(&c->catalog, ctx, item.id, &time));
    if (is_kept(side))
        AK_TRY(read_kept(ctx, path, time, &bytes, n));
    if (bytes == NULL) {
        AK_TRY(make(c, ctx, item.path, side, &bytes, n));
        if (is_kept(side))
            keep(&c->catalog, path, time, bytes, *n);
    }
    *jpeg = bytes;
done:
    return st;
}
