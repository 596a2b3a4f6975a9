/* manifest.json: what an export is, and the scalars of its query side. */
#include "export/manifest.h"

#include <jansson.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/file.h"
#include "export/export.h"

static const char format[] = "akin-export";
enum { FORMAT_VERSION = 1 };

/* ---- writing ---- */

static json_t *numbers(const double *x, int64_t n)
{
    json_t *all = json_array();
    for (int64_t k = 0; x != NULL && k < n; ++k)
        json_array_append_new(all, json_real(x[k]));
    return all;
}

static json_t *query_of(const ak_query_side *q)
{
    if (!q->known)
        return json_pack("{s:s, s:s}", "by", "akin embed", "length",
                         ak_length_words[q->length]);
    return json_pack("{s:s, s:s, s:b, s:f, s:s, s:I, s:b, s:o}", "by",
                     "features.csv", "weights", ak_weights_words[q->weights],
                     "unit", q->unit, "global", q->global, "length",
                     ak_length_words[q->length], "features", (json_int_t)q->d,
                     "axes", q->axes != NULL, "offset",
                     numbers(q->offset, q->dim));
}

static json_t *lines_of(const char *text)
{
    json_t *all = json_array();
    while (*text != '\0') {
        const size_t n = strcspn(text, "\n");
        json_array_append_new(all, json_stringn(text, n));
        text += n + (text[n] != '\0');
    }
    return all;
}

static json_t *manifest_of(const ak_export *e)
{
    return json_pack(
        "{s:s, s:i, s:s, s:s, s:s, s:I, s:s, s:s, s:b, s:I, s:I, s:I, s:o, "
        "s:o}",
        "format", format, "format_version", FORMAT_VERSION, "akin_version",
        akin_version(), "to", e->engine->name, "name", e->name, "version",
        (json_int_t)e->version, "vectors", e->sparse ? "sparse" : "dense",
        "compare", e->distance ? "distance" : "dot", "half", e->half, "dim",
        (json_int_t)e->dim, "items", (json_int_t)e->items.n, "shards",
        (json_int_t)e->shards, "query", query_of(&e->query), "limits",
        lines_of(e->limits));
}

akin_status ak_export_put_json(const ak_export *e, akin_ctx *ctx,
                               const char *file, json_t *body)
{
    char *text = body ? json_dumps(body, JSON_INDENT(2)) : NULL;
    ak_sink *s = NULL;
    akin_status st = AKIN_OK;
    if (text == NULL)
        AK_TRY(ak_nomem(ctx, 0));
    AK_TRY(ak_export_sink(e, ctx, file, &s));
    AK_TRY(ak_sink_text(s, ctx, text));
    AK_TRY(ak_sink_text(s, ctx, "\n"));
done:
    free(text);
    json_decref(body);
    return ak_sink_close(s, ctx, st);
}

akin_status ak_export_put_manifest(const ak_export *e, akin_ctx *ctx)
{
    char path[PATH_MAX];
    AK_CHECK(ak_export_put_json(e, ctx, AK_MANIFEST, manifest_of(e)));
    if (!e->query.known)
        return AKIN_OK;
    AK_CHECK(ak_folder_join(path, ctx, e->folder, "features.csv"));
    return ak_query_side_write(&e->query, ctx, path);
}

/* ---- reading ---- */

typedef struct reading {
    akin_ctx *ctx;
    const char *path;
} reading;

static akin_status bad(const reading *r, const char *key)
{
    return ak_fail(r->ctx, AKIN_EFORMAT,
                   "%s: '%s' is missing or not as in an export", r->path, key);
}

static akin_status get_text(const reading *r, const json_t *m, const char *key,
                            char *to, size_t size)
{
    const json_t *x = json_object_get(m, key);
    if (!json_is_string(x) || json_string_length(x) >= size ||
        strlen(json_string_value(x)) != json_string_length(x))
        return bad(r, key);
    strcpy(to, json_string_value(x));
    return AKIN_OK;
}

static akin_status get_count(const reading *r, const json_t *m, const char *key,
                             int64_t most, int64_t *out)
{
    const json_t *x = json_object_get(m, key);
    *out = json_integer_value(x);
    if (!json_is_integer(x) || *out < 0 || *out > most)
        return bad(r, key);
    return AKIN_OK;
}

static akin_status get_flag(const reading *r, const json_t *m, const char *key,
                            bool *out)
{
    const json_t *x = json_object_get(m, key);
    *out = json_is_true(x);
    return json_is_boolean(x) ? AKIN_OK : bad(r, key);
}

/* One of two words, or the place of a word in a list. */
static akin_status get_word(const reading *r, const json_t *m, const char *key,
                            const char *const *words, int n, int *out)
{
    char text[24];
    AK_CHECK(get_text(r, m, key, text, sizeof text));
    for (*out = 0; *out < n; ++*out)
        if (strcmp(text, words[*out]) == 0)
            return AKIN_OK;
    return bad(r, key);
}

static akin_status get_offset(const reading *r, const json_t *m,
                              ak_query_side *q)
{
    const json_t *list = json_object_get(m, "offset");
    const size_t n = json_array_size(list);
    if (!json_is_array(list) || (n != 0 && (int64_t)n != q->dim))
        return bad(r, "offset");
    if (n == 0)
        return AKIN_OK;
    AK_CHECK(AK_NEW(r->ctx, q->dim, &q->offset));
    for (size_t k = 0; k < n; ++k) {
        const json_t *x = json_array_get(list, k);
        q->offset[k] = json_number_value(x);
        if (!json_is_number(x) || !isfinite(q->offset[k]))
            return bad(r, "offset");
    }
    return AKIN_OK;
}

/* A table of d lines has more bytes than d: nothing larger is allocated. */
static akin_status get_query(const reading *r, const json_t *m,
                             const char *table, int64_t dim, ak_query_side *q)
{
    char by[24];
    int weights = 0, length = 0;
    int64_t d = 0;
    struct stat s;
    bool axes = false;
    AK_CHECK(get_text(r, m, "by", by, sizeof by));
    AK_CHECK(
        get_word(r, m, "length", ak_length_words, AK_LENGTH_COUNT, &length));
    q->known = strcmp(by, "features.csv") == 0;
    q->length = (ak_length)length;
    q->dim = dim;
    if (!q->known)
        return strcmp(by, "akin embed") == 0 ? AKIN_OK : bad(r, "by");
    if (stat(table, &s) != 0)
        return ak_file_fail(r->ctx, AKIN_ENOENT, table);
    const int64_t size = s.st_size;
    AK_CHECK(get_word(r, m, "weights", ak_weights_words, AK_WEIGHTS_COUNT,
                      &weights));
    AK_CHECK(get_flag(r, m, "unit", &q->unit));
    AK_CHECK(get_flag(r, m, "axes", &axes));
    AK_CHECK(get_count(r, m, "features", size, &d));
    q->global = json_number_value(json_object_get(m, "global"));
    if (!json_is_number(json_object_get(m, "global")) || !isfinite(q->global))
        return bad(r, "global");
    if (axes ? dim > size / (d + 1) : d != dim)
        return bad(r, "features");
    q->weights = (ak_weights)weights;
    AK_CHECK(ak_query_side_room(q, r->ctx, d, dim));
    if (axes)
        AK_CHECK(AK_NEW(r->ctx, d * dim, &q->axes));
    AK_CHECK(get_offset(r, m, q));
    return ak_query_side_read(q, r->ctx, table);
}

static akin_status take(ak_export *e, const reading *r, const json_t *m)
{
    static const char *const kinds[] = {"dense", "sparse"};
    static const char *const compares[] = {"dot", "distance"};
    char to[24], table[PATH_MAX];
    int sparse = 0, distance = 0;
    AK_CHECK(get_text(r, m, "to", to, sizeof to));
    AK_CHECK(get_text(r, m, "name", e->name, sizeof e->name));
    AK_CHECK(get_count(r, m, "version", INT64_MAX, &e->version));
    AK_CHECK(get_word(r, m, "vectors", kinds, 2, &sparse));
    AK_CHECK(get_word(r, m, "compare", compares, 2, &distance));
    AK_CHECK(get_flag(r, m, "half", &e->half));
    AK_CHECK(get_count(r, m, "dim", INT32_MAX, &e->dim));
    AK_CHECK(get_count(r, m, "shards", INT32_MAX, &e->shards));
    e->engine = ak_engine_find(to);
    e->sparse = sparse == 1;
    e->distance = distance == 1;
    if (e->engine == NULL)
        return bad(r, "to");
    AK_CHECK(ak_folder_join(table, r->ctx, e->folder, "features.csv"));
    AK_CHECK(
        get_query(r, json_object_get(m, "query"), table, e->dim, &e->query));
    AK_CHECK(e->engine->read(e, r->ctx));
    int64_t items = 0;
    AK_CHECK(get_count(r, m, "items", INT32_MAX, &items));
    if (items == e->items.n)
        return AKIN_OK;
    return ak_fail(r->ctx, AKIN_EFORMAT,
                   "%s: %" PRId64 " items (the folder has %" PRId64 ")",
                   r->path, items, e->items.n);
}

static json_t *load(akin_ctx *ctx, const char *folder, char path[PATH_MAX])
{
    if (ak_folder_join(path, ctx, folder, AK_MANIFEST) != AKIN_OK)
        return NULL;
    json_t *m = ak_file_is_regular(path)
                    ? json_load_file(path, JSON_REJECT_DUPLICATES, NULL)
                    : NULL;
    const json_t *word = json_object_get(m, "format");
    if (json_is_string(word) && strcmp(json_string_value(word), format) == 0)
        return m;
    json_decref(m);
    return NULL;
}

bool ak_manifest_is(akin_ctx *ctx, const char *folder)
{
    char path[PATH_MAX];
    json_t *m = load(ctx, folder, path);
    json_decref(m);
    return m != NULL;
}

akin_status ak_export_open(ak_export *e, akin_ctx *ctx, const char *folder)
{
    char path[PATH_MAX] = "";
    json_t *m = load(ctx, folder, path);
    const reading r = {ctx, path};
    akin_status st = AKIN_OK;
    if (m == NULL)
        AK_TRY(ak_fail(ctx, AKIN_EINVAL,
                       "%s: not an export (expected a folder with %s)", folder,
                       AK_MANIFEST));
    if (json_integer_value(json_object_get(m, "format_version")) !=
        FORMAT_VERSION)
        AK_TRY(ak_fail(ctx, AKIN_EFORMAT,
                       "%s: a format of another version (expected %d)", path,
                       FORMAT_VERSION));
    strcpy(e->folder, folder);
    AK_TRY(take(e, &r, m));
done:
    json_decref(m);
    return st;
}
