#include "text/persons/lists.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "base/rng.h"
#include "base/utf8.h"
#include "data/io/source.h"
#include "text/persons/letters.h"

enum { KIND_BITS = 16, MOST_NAME = 256 };

#define KIND_NAME(id, name) name,
static const char *const kind_names[] = {AK_WORD_KINDS(KIND_NAME)};

uint64_t ak_word_hash(const char *word, size_t n)
{
    uint64_t h = UINT64_C(0xcbf29ce484222325);
    for (size_t k = 0; k < n; ++k)
        h = (h ^ (unsigned char)word[k]) * UINT64_C(0x100000001b3);
    return ak_mix64(h);
}

uint32_t ak_lists_find(const ak_lists *l, uint64_t hash)
{
    const uint64_t key = hash >> KIND_BITS;
    int64_t low = 0, high = l->n;
    while (low < high) {
        const int64_t middle = low + (high - low) / 2;
        if (l->words[middle] >> KIND_BITS < key)
            low = middle + 1;
        else
            high = middle;
    }
    const bool there = low < l->n && l->words[low] >> KIND_BITS == key;
    return there ? (uint32_t)(l->words[low] & 0xffff) : 0;
}

void ak_lists_free(ak_lists *l)
{
    akin_free(l->words);
    *l = (ak_lists){0};
}

/* ---- reading ---- */

typedef struct reader {
    ak_lists *lists;
    int64_t room;
    const char *folder;
} reader;

/* A word in small letters, as captions have it. */
static uint64_t hash_of(const char *line, size_t n, char *low)
{
    size_t to = 0;
    for (size_t at = 0; at < n;) {
        const ak_char c = ak_char_read(line + at, n - at);
        to += ak_char_write(c.lower, low + to);
        at += c.bytes;
    }
    return ak_word_hash(low, to);
}

static akin_status add_word(reader *r, akin_ctx *ctx, const ak_source *source,
                            const char *line, size_t n, int kind)
{
    char low[MOST_NAME];
    ak_lists *l = r->lists;
    if (n > 0 && line[n - 1] == '.')  // captions have words without it
        --n;
    if (n == 0)
        return AKIN_OK;
    if (n > MOST_NAME / 4 || ak_utf8_span(line, n) < n)
        return ak_fail(ctx, AKIN_EFORMAT, "%s:%" PRId64 ": not a word",
                       ak_source_name(source), ak_source_line_number(source));
    AK_CHECK(ak_grow(ctx, l->n + 1, &r->room, sizeof *l->words, &l->words));
    l->words[l->n++] = (hash_of(line, n, low) & ~UINT64_C(0xffff)) |
                       UINT64_C(1) << kind;
    return AKIN_OK;
}

static akin_status read_file(reader *r, akin_ctx *ctx, const char *path,
                             int kind)
{
    ak_source *source = NULL;
    char *line;
    size_t n;
    akin_status st = AKIN_OK;
    AK_TRY(ak_source_open(&source, ctx, path, AK_SOURCE_TEXT));
    for (;;) {
        AK_TRY(ak_source_line(source, ctx, &line, &n));
        if (line == NULL)
            break;
        AK_TRY(add_word(r, ctx, source, line, n, kind));
    }
done:
    ak_source_close(source);
    return st;
}

/* The kind of words in a file, by what stands before the first dot; -1: none.
 */
static int kind_of(const char *name)
{
    const size_t n = strcspn(name, ".");
    for (int k = 0; k < AK_WORD_KIND_COUNT; ++k)
        if (strlen(kind_names[k]) == n && memcmp(kind_names[k], name, n) == 0)
            return k;
    return -1;
}

static int is_list(const struct dirent *entry)
{
    const size_t n = strlen(entry->d_name);
    return n > 4 && strcmp(entry->d_name + n - 4, ".txt") == 0;
}

static akin_status read_entry(reader *r, akin_ctx *ctx, const char *name)
{
    const int kind = kind_of(name);
    const size_t n = strlen(r->folder) + strlen(name) + 2;
    char *path = NULL;
    akin_status st = AKIN_OK;
    if (kind < 0)
        return ak_fail(ctx, AKIN_EFORMAT, "%s/%s: not the name of a word list",
                       r->folder, name);
    AK_TRY(ak_alloc(ctx, (int64_t)n, 1, &path));
    snprintf(path, n, "%s/%s", r->folder, name);
    AK_TRY(read_file(r, ctx, path, kind));
done:
    akin_free(path);
    return st;
}

static int compare_words(const void *x, const void *y)
{
    const uint64_t a = *(const uint64_t *)x, b = *(const uint64_t *)y;
    return (a > b) - (a < b);
}

/* Sorted, with all kinds of a word together. */
static void join_kinds(ak_lists *l)
{
    int64_t to = 0;
    qsort(l->words, (size_t)l->n, sizeof *l->words, compare_words);
    for (int64_t k = 0; k < l->n; ++k)
        if (to > 0 && l->words[to - 1] >> KIND_BITS == l->words[k] >> KIND_BITS)
            l->words[to - 1] |= l->words[k];
        else
            l->words[to++] = l->words[k];
    l->n = to;
}

akin_status ak_lists_read(ak_lists *out, akin_ctx *ctx, const char *folder)
{
    reader r = {.lists = out, .folder = folder};
    struct dirent **entries = NULL;
    const int n = scandir(folder, &entries, is_list, alphasort);
    akin_status st = AKIN_OK;
    if (n < 0)
        return ak_file_fail(ctx, AKIN_ENOENT, folder);
    for (int k = 0; k < n && st == AKIN_OK; ++k)
        st = read_entry(&r, ctx, entries[k]->d_name);
    for (int k = 0; k < n; ++k)
        free(entries[k]);
    free(entries);
    if (st == AKIN_OK && out->n == 0)
        st = ak_fail(ctx, AKIN_EFORMAT, "%s: no word lists (KIND.txt)", folder);
    if (st == AKIN_OK)
        join_kinds(out);
    return st;
}

/* ---- files ---- */

akin_status ak_lists_copy(ak_lists *out, akin_ctx *ctx, const ak_lists *from)
{
    AK_CHECK(AK_NEW(ctx, from->n, &out->words));
    memcpy(out->words, from->words, (size_t)from->n * sizeof *from->words);
    out->n = from->n;
    return AKIN_OK;
}

akin_status ak_lists_put(const ak_lists *l, akin_ctx *ctx, ak_tensors *t)
{
    return ak_tensors_put_vector(t, ctx, "words", AK_DTYPE_I64, l->n, l->words);
}

akin_status ak_lists_take(ak_lists *out, akin_ctx *ctx, const ak_tensors *t)
{
    const ak_tensor *x = NULL;
    AK_CHECK(ak_tensors_need(t, ctx, "words", AK_DTYPE_I64, 1, &x));
    const ak_lists given = {(uint64_t *)x->data, x->shape[0]};
    for (int64_t k = 1; k < given.n; ++k)
        if (given.words[k - 1] >> KIND_BITS >= given.words[k] >> KIND_BITS)
            return ak_fail(ctx, AKIN_EFORMAT, "%s: 'words' must increase",
                           ak_tensors_path(t));
    return ak_lists_copy(out, ctx, &given);
}
