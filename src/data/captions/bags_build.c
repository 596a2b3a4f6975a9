#include "data/captions/bags_build.h"

#include <stdio.h>
#include <string.h>

#include "base/utf8.h"
#include "data/supervision/lines.h"

akin_status ak_bags_wrong(const ak_bags_build *b, akin_ctx *ctx,
                          const char *what, const char *text, size_t n)
{
    const int shown = n < 80 ? (int)n : 80;
    return ak_fail(ctx, AKIN_EFORMAT, "%s:%" PRId64 ": %s%s%.*s%s",
                   ak_source_name(b->source), ak_source_line_number(b->source),
                   what, text ? " \"" : "", shown, text ? text : "",
                   text ? "\"" : "");
}

static akin_status push(ak_growing *g, akin_ctx *ctx, int64_t x)
{
    if (g->n == g->room) {
        const int64_t room = g->room ? 2 * g->room : 64;
        const akin_status st = ak_resize(ctx, room, sizeof *g->x, &g->x);
        if (st != AKIN_OK)
            return st;
        g->room = room;
    }
    g->x[g->n++] = x;
    return AKIN_OK;
}

static bool is_blank(char c)
{
    return c == ' ' || c == '\t';
}

/* Without blanks around it, not empty, and readable. */
static akin_status clean(const ak_bags_build *b, akin_ctx *ctx,
                         const char *empty, const char **text, size_t *n)
{
    for (; *n > 0 && is_blank(**text); --*n)
        ++*text;
    while (*n > 0 && is_blank((*text)[*n - 1]))
        --*n;
    if (*n == 0)
        return ak_bags_wrong(b, ctx, empty, NULL, 0);
    const size_t good = ak_utf8_span(*text, *n);
    if (good < *n)
        return ak_bags_wrong(b, ctx, ak_utf8_what(*text + good), NULL, 0);
    return AKIN_OK;
}

akin_status ak_bags_photo(ak_bags_build *b, akin_ctx *ctx, const char *text,
                          size_t n)
{
    const int64_t before = b->photos.n;
    int32_t number;
    akin_status st = AKIN_OK;

    AK_TRY(clean(b, ctx, "the photo has no name", &text, &n));
    AK_TRY(ak_names_add(&b->photos, ctx, text, n, &number));
    if (b->photos.n == before)
        AK_TRY(ak_bags_wrong(b, ctx, "a second caption of photo", text, n));
done:
    return st;
}

akin_status ak_bags_face(ak_bags_build *b, akin_ctx *ctx, int64_t row)
{
    if (row < 0 || row >= b->n_rows)
        return ak_fail(ctx, AKIN_ESHAPE,
                       "%s:%" PRId64 ": row %" PRId64
                       " does not exist (there are %" PRId64 ")",
                       ak_source_name(b->source),
                       ak_source_line_number(b->source), row, b->n_rows);
    if (b->photo_of[row] != 0) {
        const char *photo = b->photos.texts[b->photo_of[row] - 1];
        char what[64];
        snprintf(what, sizeof what, "row %" PRId64 " is already in photo", row);
        return ak_bags_wrong(b, ctx, what, photo, strlen(photo));
    }
    b->photo_of[row] = (int32_t)b->photos.n;
    return push(&b->items, ctx, row);
}

static int64_t last_end(const ak_growing *ends)
{
    return ends->n > 0 ? ends->x[ends->n - 1] : 0;
}

akin_status ak_bags_name(ak_bags_build *b, akin_ctx *ctx, const char *text,
                         size_t n)
{
    int32_t number;
    akin_status st = AKIN_OK;

    AK_TRY(clean(b, ctx, "a name is empty", &text, &n));
    AK_TRY(ak_names_add(&b->names, ctx, text, n, &number));
    if (number == b->seen.n)
        AK_TRY(push(&b->seen, ctx, 0));
    if (b->seen.x[number] == b->photos.n)
        AK_TRY(ak_bags_wrong(b, ctx, "twice in the caption:", text, n));
    b->seen.x[number] = b->photos.n;
    AK_TRY(push(&b->tags, ctx, number));
done:
    return st;
}

akin_status ak_bags_end(ak_bags_build *b, akin_ctx *ctx)
{
    const int64_t begin = last_end(&b->tag_ends);
    akin_status st = AKIN_OK;

    if (b->tags.n > begin)
        ak_numbers_sort(b->tags.x + begin, b->tags.n - begin);
    AK_TRY(push(&b->item_ends, ctx, b->items.n));
    AK_TRY(push(&b->tag_ends, ctx, b->tags.n));
done:
    return st;
}

/* offsets[0] = 0, then the ends. */
static akin_status offsets_of(akin_ctx *ctx, const ak_growing *ends,
                              int64_t **offsets)
{
    const akin_status st = AK_NEW(ctx, ends->n + 1, offsets);
    if (st == AKIN_OK && ends->n > 0)
        memcpy(*offsets + 1, ends->x, (size_t)ends->n * sizeof *ends->x);
    return st;
}

/* The texts change hands; the names know nothing afterwards. */
static void take_texts(ak_names *names, char ***texts, int64_t *n)
{
    *texts = names->texts;
    *n = names->n;
    names->texts = NULL;
    names->n = 0;
}

akin_status ak_bags_finish(ak_bags_build *b, akin_ctx *ctx, ak_bags **out)
{
    ak_bags *bags = NULL;
    akin_status st = AKIN_OK;

    AK_TRY(AK_NEW(ctx, 1, &bags));
    AK_TRY(offsets_of(ctx, &b->item_ends, &bags->item_offsets));
    AK_TRY(offsets_of(ctx, &b->tag_ends, &bags->name_offsets));
    AK_TRY(AK_NEW(ctx, b->tags.n, &bags->names));
    for (int64_t k = 0; k < b->tags.n; ++k)
        bags->names[k] = (int32_t)b->tags.x[k];
    AK_TRY(ak_resize(ctx, b->items.n, sizeof *b->items.x, &b->items.x));
    bags->items = b->items.x;
    b->items.x = NULL;
    take_texts(&b->photos, &bags->photos, &bags->n_photos);
    take_texts(&b->names, &bags->name_texts, &bags->n_names);
    *out = bags;
    bags = NULL;
done:
    ak_bags_free(bags);
    return st;
}

void ak_bags_abandon(ak_bags_build *b)
{
    ak_names_free(&b->photos);
    ak_names_free(&b->names);
    akin_free(b->items.x);
    akin_free(b->item_ends.x);
    akin_free(b->tags.x);
    akin_free(b->tag_ends.x);
    akin_free(b->seen.x);
}
