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

akin_status ak_parts_find(ak_parts *parts, akin_ctx *ctx, const char *path)
{
    glob_t found = {0};
    akin_status st = AKIN_OK;
    *parts = (ak_parts){0};
    const int got = glob(path, GLOB_NOSORT | GLOB_ERR, NULL, &found);
    if (got == GLOB_NOSPACE)
        AK_TRY(ak_nomem(ctx, 0));
    if (got != 0)
        AK_TRY(ak_fail(ctx, AKIN_ENOENT, "%s: no file matches this pattern",
                       path));
    AK_TRY(take_paths(parts, ctx, found.gl_pathv, (int64_t)found.gl_pathc));
done:
    globfree(&found);
    if (st != AKIN_OK)
        ak_parts_free(parts);
    return st;
}

void ak_parts_free(ak_parts *parts)
{
    for (int64_t i = 0; i < parts->n; ++i)
        akin_free(parts->paths[i]);
    akin_free(parts->paths);
    *parts = (ak_parts){0};
}

static bool is_empty(const char *path)
{
    struct stat s;
    return stat(path, &s) == 0 && S_ISREG(s.st_mode) && s.st_size == 0;
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
                                bool *again)
{
    const char *first = NULL;
    for (int64_t i = 0; i < parts->n && !*again; ++i) {
        akin_rows *part = NULL;
        if (is_empty(parts->paths[i]))
            continue;
        AK_CHECK(ak_read_file(&part, ctx, parts->paths[i], o));
        settle_base(o, a->rows, part, again);
        first = first ? first : parts->paths[i];
        AK_CHECK(ak_append_rows(a, ctx, part, parts->paths[i], first));
    }
    return AKIN_OK;
}

akin_status ak_parts_read(akin_rows **out, akin_ctx *ctx, const ak_parts *parts,
                          const akin_read_options *options)
{
    akin_read_options o = *options;
    ak_appender a = {0};
    bool again = false;
    akin_status st = AKIN_OK;
    AK_TRY(append_parts(&a, ctx, parts, &o, &again));
    if (again) {
        ak_append_drop(&a);
        again = false;
        AK_TRY(append_parts(&a, ctx, parts, &o, &again));
    }
    if (a.rows == NULL)
        AK_TRY(ak_fail(ctx, AKIN_EFORMAT, "%s: no rows", parts->paths[0]));
    AK_TRY(ak_append_end(&a, ctx, out));
done:
    ak_append_drop(&a);
    return st;
}
