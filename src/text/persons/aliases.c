/* Other names of persons, from a file. */
#include <string.h>

#include "base/utf8.h"
#include "data/io/header.h"
#include "text/csv_records.h"
#include "text/persons/letters.h"
#include "text/persons/tagger.h"

enum { MOST_ALIAS = 256 };

/* In small letters with single blanks; returns the bytes, 0: too long. */
static size_t fold(const char *text, size_t n, char low[MOST_ALIAS])
{
    size_t to = 0;
    bool blank = false;
    for (size_t at = 0; at < n;) {
        const ak_char c = ak_char_read(text + at, n - at);
        at += c.bytes;
        if (c.kind == AK_CHAR_BLANK) {
            blank = to > 0;
            continue;
        }
        if (to + 6 > MOST_ALIAS)
            return 0;
        if (blank)
            low[to++] = ' ';
        blank = false;
        /* Captions have words without the dots at their ends. */
        if (c.code != '.')
            to += ak_char_write(c.lower, low + to);
    }
    return to;
}

const char *ak_tagger_alias(const akin_tagger *g, const char *text, size_t n)
{
    char low[MOST_ALIAS];
    const size_t n_low = g->aliases.n > 0 ? fold(text, n, low) : 0;
    const int32_t k = n_low > 0 ? ak_names_find(&g->aliases, low, n_low) : -1;
    return k >= 0 ? g->alias_names[k] : NULL;
}

int64_t ak_tagger_alias_count(const akin_tagger *g)
{
    return g->aliases.n;
}

const char *ak_tagger_get_alias(const akin_tagger *g, int64_t k,
                                const char **name)
{
    *name = g->alias_names[k];
    return g->aliases.texts[k];
}

akin_status ak_tagger_put_alias(akin_tagger *g, akin_ctx *ctx,
                                const char *alias, const char *name)
{
    const int64_t before = g->aliases.n;
    int32_t k = 0;
    AK_CHECK(ak_grow(ctx, before + 1, &g->room_aliases, sizeof *g->alias_names,
                     &g->alias_names));
    g->alias_names[before] = NULL;
    AK_CHECK(ak_names_add(&g->aliases, ctx, alias, strlen(alias), &k));
    return k < before ? AKIN_OK : ak_strdup(ctx, name, &g->alias_names[k]);
}

static akin_status bad(const ak_csv_records *r, akin_ctx *ctx, const char *what)
{
    return ak_fail(ctx, AKIN_EFORMAT, "%s:%" PRId64 ": %s",
                   ak_source_name(r->source), r->line, what);
}

static akin_status add_alias(akin_tagger *g, akin_ctx *ctx,
                             const ak_csv_records *r, int64_t alias,
                             int64_t name)
{
    char low[MOST_ALIAS];
    size_t n, n_name;
    if (alias >= r->n_cells || name >= r->n_cells)
        return bad(r, ctx, "too few cells (expected alias,name)");
    const char *text = ak_csv_records_cell(r, alias, &n);
    const char *full = ak_csv_records_cell(r, name, &n_name);
    const size_t good = ak_utf8_span(text, n);
    const size_t good_name = ak_utf8_span(full, n_name);
    if (good < n || good_name < n_name)
        return bad(r, ctx,
                   ak_utf8_what(good < n ? text + good : full + good_name));
    n = fold(text, n, low);
    if (n == 0 || n_name == 0)
        return bad(r, ctx, "an alias or a name is empty or too long");
    low[n] = '\0';
    const int32_t k = ak_names_find(&g->aliases, low, n);
    if (k >= 0 && strcmp(g->alias_names[k], full) != 0)
        return bad(r, ctx, "the alias stands for another name already");
    return ak_tagger_put_alias(g, ctx, low, full);
}

static akin_status read_aliases(akin_tagger *g, akin_ctx *ctx,
                                ak_csv_records *r)
{
    ak_columns names = {0};
    akin_status st = AKIN_OK;
    AK_TRY(ak_csv_records_next(r, ctx));
    AK_TRY(ak_csv_records_names(r, ctx, &names));
    const int64_t alias = ak_header_find(&names, "alias", true);
    const int64_t name = ak_header_find(&names, "name", true);
    if (alias < 0 || name < 0)
        AK_TRY(bad(r, ctx, "expected a header alias,name"));
    for (;;) {
        AK_TRY(ak_csv_records_next(r, ctx));
        if (r->n_cells == 0)
            break;
        AK_TRY(add_alias(g, ctx, r, alias, name));
    }
done:
    ak_columns_free(&names);
    return st;
}

akin_status akin_tagger_add_aliases(akin_ctx *ctx, akin_tagger *tagger,
                                    const char *path)
{
    ak_csv_records records = {0};
    ak_source *source = NULL;
    akin_status st = AKIN_OK;
    AK_TRY(ak_source_open(&source, ctx, path, AK_SOURCE_TEXT));
    AK_TRY(ak_csv_records_begin(&records, ctx, source, ','));
    AK_TRY(read_aliases(tagger, ctx, &records));
done:
    ak_csv_records_end(&records);
    ak_source_close(source);
    return st;
}
