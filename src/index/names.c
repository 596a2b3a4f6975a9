/* Names of the rows of an index. */
#include <string.h>

#include "data/io/source.h"
#include "index/index.h"

/* The names of the rows before `first`. */
static akin_status keep_names(ak_columns *to, akin_ctx *ctx,
                              const akin_index *x, int64_t first)
{
    for (int64_t i = 0; i < first; ++i) {
        const char *name = ak_columns_name(&x->names, i);
        AK_CHECK(
            ak_columns_add(to, ctx, name ? name : "", name ? strlen(name) : 0));
    }
    return AKIN_OK;
}

static void replace_names(akin_index *x, ak_columns *names)
{
    const ak_columns old = x->names;
    x->names = *names;
    *names = old;
}

akin_status akin_index_set_names(akin_ctx *ctx, akin_index *x, int64_t first,
                                 const char *const *names, int64_t count)
{
    ak_columns all = {0};
    akin_status st = AKIN_OK;
    if (first < 0 || count < 0 || first > x->n || count > x->n - first)
        AK_TRY(ak_fail(ctx, AKIN_ESHAPE,
                       "%" PRId64 " names from row %" PRId64
                       " on (the index has %" PRId64 " rows)",
                       count, first, x->n));
    AK_TRY(keep_names(&all, ctx, x, first));
    for (int64_t k = 0; k < count; ++k) {
        if (strchr(names[k], '\n') != NULL)
            AK_TRY(ak_fail(ctx, AKIN_EINVAL,
                           "the name of row %" PRId64 " has a line feed",
                           first + k));
        AK_TRY(ak_columns_add(&all, ctx, names[k], strlen(names[k])));
    }
    replace_names(x, &all);
done:
    ak_columns_free(&all);
    return st;
}

static akin_status read_lines(ak_columns *to, akin_ctx *ctx, ak_source *s)
{
    char *line;
    size_t n;
    for (;;) {
        AK_CHECK(ak_source_line(s, ctx, &line, &n));
        if (line == NULL)
            return AKIN_OK;
        if (memchr(line, '\0', n) != NULL)
            return ak_fail(ctx, AKIN_EFORMAT,
                           "%s:%" PRId64 ": the name has a zero byte",
                           ak_source_name(s), ak_source_line_number(s));
        AK_CHECK(ak_columns_add(to, ctx, line, n));
    }
}

akin_status akin_index_read_names(akin_ctx *ctx, akin_index *x, int64_t first,
                                  const char *path)
{
    ak_columns all = {0};
    ak_source *s = NULL;
    akin_status st = AKIN_OK;
    AK_TRY(ak_source_open(&s, ctx, path, AK_SOURCE_TEXT));
    AK_TRY(keep_names(&all, ctx, x, first));
    AK_TRY(read_lines(&all, ctx, s));
    if (all.n != x->n)
        AK_TRY(ak_fail(ctx, AKIN_EFORMAT,
                       "%s: %" PRId64 " names (expected %" PRId64
                       ", one for each row)",
                       path, all.n - first, x->n - first));
    replace_names(x, &all);
done:
    ak_source_close(s);
    ak_columns_free(&all);
    return st;
}

int akin_index_has_names(const akin_index *x)
{
    return x->names.n > 0;
}

const char *akin_index_name(const akin_index *x, int64_t row)
{
    return ak_columns_name(&x->names, row);
}

int64_t akin_index_find(const akin_index *x, const char *name)
{
    for (int64_t i = 0; i < x->names.n; ++i) {
        const char *other = ak_columns_name(&x->names, i);
        if (other != NULL && !x->gone[i] && strcmp(other, name) == 0)
            return i;
    }
    return -1;
}
