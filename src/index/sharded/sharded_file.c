/* The file of a folder of shards: the model, and a table "shards" with a line
 * for each: number, rows, bytes and checksum. */
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/file.h"
#include "base/folder.h"
#include "base/path.h"
#include "index/sharded/sharded.h"

enum {
    COLUMNS = 4,
    LENGTH = 8,             // bytes that say how long a header is
    MOST_HEADER = 1 << 27,  // bytes
    MOST_SHARDS = 100000,
};

_Static_assert(sizeof(ak_shard) == COLUMNS * sizeof(int64_t),
               "a shard is a line of the table");

akin_status ak_shard_path(char to[PATH_MAX], akin_ctx *ctx, const char *folder,
                          int64_t number)
{
    char name[48];
    snprintf(name, sizeof name, "shard-%05" PRId64 ".index", number);
    return ak_folder_join(to, ctx, folder, name);
}

static akin_status read_header(akin_ctx *ctx, int fd, const char *path,
                               unsigned char **header, size_t *n)
{
    unsigned char front[LENGTH];
    uint64_t length = 0;
    if (pread(fd, front, sizeof front, 0) != (ssize_t)sizeof front)
        return ak_fail(ctx, AKIN_EFORMAT, "%s: truncated", path);
    for (int k = 0; k < LENGTH; ++k)
        length |= (uint64_t)front[k] << (8 * k);
    if (length > MOST_HEADER)
        return ak_fail(ctx, AKIN_EFORMAT, "%s: not an index", path);
    *n = (size_t)length;
    AK_CHECK(AK_SCRATCH(ctx, (int64_t)length, header));
    if (pread(fd, *header, *n, LENGTH) != (ssize_t)length)
        return ak_fail(ctx, AKIN_EFORMAT, "%s: truncated", path);
    return AKIN_OK;
}

akin_status ak_shard_measure(ak_shard *s, akin_ctx *ctx, const char *path)
{
    const ak_mark mark = ak_scratch_begin(ctx);
    unsigned char *header;
    struct stat info;
    size_t n = 0;
    int fd = -1;
    akin_status st = AKIN_OK;
    AK_TRY(ak_file_open(ctx, path, &fd));
    if (fstat(fd, &info) != 0 || !S_ISREG(info.st_mode))
        AK_TRY(ak_fail(ctx, AKIN_EFORMAT, "%s: not a file", path));
    AK_TRY(read_header(ctx, fd, path, &header, &n));
    s->bytes = (int64_t)info.st_size;
    s->checksum = ak_checksum_part(header, n);
done:
    if (fd >= 0)
        close(fd);
    ak_scratch_end(ctx, mark);
    return st;
}

/* ---- writing ---- */

akin_status ak_sharded_write(akin_ctx *ctx, const char *folder,
                             const akin_index *like, const ak_shard *shards,
                             int64_t n)
{
    ak_sharded s = {.n = n, .table = shards};
    akin_index x = {.kind = &ak_index_sharded,
                    .model = like->model,
                    .by = like->by,
                    .prune = like->prune,
                    .index_base = like->index_base,
                    .state = &s};
    char path[PATH_MAX];
    for (int64_t k = 0; k < n; ++k)
        x.n += shards[k].rows;
    AK_CHECK(ak_folder_join(path, ctx, folder, AK_SHARDED_FILE));
    return akin_index_save(ctx, &x, path);
}

akin_status ak_sharded_put(const akin_index *x, akin_ctx *ctx, ak_tensors *t)
{
    const ak_sharded *s = x->state;
    if (s->shards != NULL)
        return ak_fail(ctx, AKIN_EINVAL,
                       "an index in shards is a folder (it can be copied)");
    return ak_tensors_put(
        t, ctx,
        (ak_tensor){"shards", AK_DTYPE_I64, 2, {s->n, COLUMNS}, s->table});
}

/* ---- reading ---- */

static akin_status take_table(ak_sharded *s, akin_index *x, akin_ctx *ctx,
                              const ak_tensors *t)
{
    const ak_tensor *table;
    int64_t rows = 0, last = -1;
    AK_CHECK(ak_tensors_need(t, ctx, "shards", AK_DTYPE_I64, 2, &table));
    const ak_shard *lines = table->data;
    const int64_t n = table->shape[0];
    bool good = n > 0 && n <= MOST_SHARDS && table->shape[1] == COLUMNS;
    for (int64_t k = 0; good && k < n; ++k) {
        good = lines[k].number > last && lines[k].number < MOST_SHARDS &&
               lines[k].rows > 0 && lines[k].rows <= INT32_MAX - rows;
        last = lines[k].number;
        rows += lines[k].rows;
    }
    if (!good || rows != x->n)
        return ak_fail(ctx, AKIN_EFORMAT, "%s: the table of shards is damaged",
                       ak_tensors_path(t));
    s->table = lines;
    s->n = n;
    AK_CHECK(AK_NEW(ctx, n, &s->shards));
    AK_CHECK(AK_NEW(ctx, n, &s->paths));
    return AK_NEW(ctx, n + 1, &s->first);
}

/* Is the file what the table says, and an index like the first one? */
static akin_status check_shard(const akin_index *x, akin_ctx *ctx,
                               const ak_sharded *s, int64_t k)
{
    const akin_index *shard = s->shards[k], *first = s->shards[0];
    if (shard->kind == &ak_index_sharded || shard->kind != first->kind ||
        shard->n != s->table[k].rows || shard->n_gone != 0 ||
        shard->by != x->by || ak_index_dim(shard) != ak_index_dim(first) ||
        shard->model->kind != x->model->kind)
        return ak_fail(ctx, AKIN_EFORMAT,
                       "%s: an index of other rows or of another model than "
                       "the rest of the shards",
                       s->paths[k]);
    return AKIN_OK;
}

static akin_status take_shard(ak_sharded *s, const akin_index *x, akin_ctx *ctx,
                              const char *folder, int64_t k)
{
    char path[PATH_MAX];
    ak_shard found = s->table[k];
    AK_CHECK(ak_shard_path(path, ctx, folder, found.number));
    AK_CHECK(ak_strdup(ctx, path, &s->paths[k]));
    AK_CHECK(ak_shard_measure(&found, ctx, path));
    if (memcmp(&found, &s->table[k], sizeof found) != 0)
        return ak_fail(ctx, AKIN_EFORMAT,
                       "%s: another file than the index was made with", path);
    AK_CHECK(akin_index_load(&s->shards[k], ctx, path));
    s->first[k + 1] = s->first[k] + found.rows;
    return check_shard(x, ctx, s, k);
}

akin_status ak_sharded_take(akin_index *x, akin_ctx *ctx, const ak_tensors *t)
{
    char folder[PATH_MAX];
    ak_sharded *s;
    if (strlen(ak_tensors_path(t)) >= PATH_MAX)
        return ak_fail(ctx, AKIN_EFORMAT, "the path is too long");
    ak_path_folder(folder, ak_tensors_path(t));
    AK_CHECK(AK_NEW(ctx, 1, &s));
    x->state = s;
    AK_CHECK(take_table(s, x, ctx, t));
    for (int64_t k = 0; k < s->n; ++k)
        AK_CHECK(take_shard(s, x, ctx, folder, k));
    return AK_NEW(ctx, x->n, &x->gone);
}

/* ---- what callers ask ---- */

int akin_index_is_folder(const char *path)
{
    char file[PATH_MAX];
    const int n = snprintf(file, sizeof file, "%s/%s", path, AK_SHARDED_FILE);
    return n < PATH_MAX && access(file, F_OK) == 0;
}

const char *akin_index_shard(const akin_index *x, int64_t i)
{
    const ak_sharded *s = x->state;
    return x->kind == &ak_index_sharded && i >= 0 && i < s->n ? s->paths[i]
                                                              : NULL;
}
