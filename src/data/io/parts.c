#include "data/io/parts.h"

#include <glob.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "data/append.h"

bool ak_path_is_pattern(const char *path)
{
    return strpbrk(path, "*?[") != NULL && access(path, F_OK) != 0;
}

static int by_bytes(const void *a, const void *b)
{
    return strcmp(*(char *const *)a, *(char *const *)b);
}

static akin_status take_paths(ak_parts *parts, akin_ctx *ctx, char **paths,
                              int64_t n)
{
    AK_CHECK(AK_NEW(ctx, n, &parts->paths));
    for (; parts->n < n; ++parts->n)
        AK_CHECK(ak_strdup(ctx, paths[parts->n], &parts->paths[parts->n]));
    qsort(parts->paths, (size_t)n, sizeof *parts->paths, by_bytes);
    return AKIN_OK;
}

/* A file is there, or opening it will say why not. A pipe has no bytes to cut,
 * but is read. */
static akin_status take_sizes(ak_parts *parts, akin_ctx *ctx)
{
    struct stat s;
    AK_CHECK(AK_NEW(ctx, parts->n + 1, &parts->bytes));
    for (int64_t i = 0; i < parts->n; ++i) {
        int64_t bytes = 1;
        if (stat(parts->paths[i], &s) == 0 && S_ISREG(s.st_mode))
            bytes = (int64_t)s.st_size;
        parts->bytes[i + 1] = parts->bytes[i] + bytes;
    }
    return AKIN_OK;
}

static akin_status match(ak_parts *parts, akin_ctx *ctx, const char *pattern)
{
    glob_t found = {0};
    akin_status st = AKIN_OK;
    const int got = glob(pattern, GLOB_NOSORT | GLOB_ERR, NULL, &found);
    if (got == GLOB_NOSPACE)
        AK_TRY(ak_nomem(ctx, 0));
    if (got != 0)
        AK_TRY(ak_fail(ctx, AKIN_ENOENT, "%s: no file matches this pattern",
                       pattern));
    AK_TRY(take_paths(parts, ctx, found.gl_pathv, (int64_t)found.gl_pathc));
done:
    globfree(&found);
    return st;
}

akin_status ak_parts_find(ak_parts *parts, akin_ctx *ctx, const char *path)
{
    char *one = (char *)path;
    akin_status st = AKIN_OK;
    *parts = (ak_parts){0};
    AK_TRY(ak_path_is_pattern(path) ? match(parts, ctx, path)
                                    : take_paths(parts, ctx, &one, 1));
    AK_TRY(take_sizes(parts, ctx));
done:
    if (st != AKIN_OK)
        ak_parts_free(parts);
    return st;
}

void ak_parts_free(ak_parts *parts)
{
    for (int64_t i = 0; i < parts->n; ++i)
        akin_free(parts->paths[i]);
    akin_free(parts->paths);
    akin_free(parts->bytes);
    *parts = (ak_parts){0};
}

/* The bytes of part i that are in [from, to) of all. */
static ak_piece piece_of(const ak_parts *parts, int64_t i, int64_t from,
                         int64_t to)
{
    const int64_t at = parts->bytes[i], size = parts->bytes[i + 1] - at;
    const int64_t begin = ak_max_i64(0, from - at), end = to - at;
    if (begin == 0 && end >= size && size > 0)
        return AK_WHOLE_FILE;
    return (ak_piece){begin, ak_min_i64(end, size), false};
}

/* What the next parts must follow: once a part has a column 0, all are counted
 * from 0. `*again`: earlier parts were not. */
static void settle_base(akin_read_options *o, const akin_rows *before,
                        const akin_rows *part, bool *again)
{
    if (o->index_base != AKIN_BASE_AUTO || part->index_base != AKIN_BASE_0)
        return;
    o->index_base = AKIN_BASE_0;
    *again = before != NULL;
}

static akin_status append_parts(ak_appender *a, akin_ctx *ctx,
                                const ak_parts *parts, akin_read_options *o,
                                int64_t from, int64_t to, bool *again)
{
    const char *first = NULL;
    for (int64_t i = 0; i < parts->n && !*again; ++i) {
        const ak_piece piece = piece_of(parts, i, from, to);
        akin_rows *part = NULL;
        if (piece.begin >= piece.end)
            continue;
        AK_CHECK(ak_read_piece(&part, ctx, parts->paths[i], o, piece));
        if (part == NULL || part->n == 0) {
            akin_rows_free(part);
            continue;
        }
        settle_base(o, a->rows, part, again);
        first = first ? first : parts->paths[i];
        AK_CHECK(ak_append_rows(a, ctx, part, parts->paths[i], first));
    }
    return AKIN_OK;
}

/* Where shard s begins. */
static int64_t cut_at(const ak_parts *parts, int64_t s, int64_t n_shards)
{
    const int64_t all = parts->bytes[parts->n];
    return all / n_shards * s + all % n_shards * s / n_shards;
}

akin_status ak_parts_read(akin_rows **out, akin_ctx *ctx, const ak_parts *parts,
                          const akin_read_options *options, int64_t shard,
                          int64_t n_shards)
{
    const int64_t from = cut_at(parts, shard, n_shards);
    const int64_t to = cut_at(parts, shard + 1, n_shards);
    akin_read_options o = *options;
    ak_appender a = {0};
    bool again = false;
    akin_status st = AKIN_OK;
    AK_TRY(append_parts(&a, ctx, parts, &o, from, to, &again));
    if (again) {
        ak_append_drop(&a);
        again = false;
        AK_TRY(append_parts(&a, ctx, parts, &o, from, to, &again));
    }
    *out = NULL;
    if (a.rows != NULL)
        AK_TRY(ak_append_end(&a, ctx, out));
done:
    ak_append_drop(&a);
    return st;
}
