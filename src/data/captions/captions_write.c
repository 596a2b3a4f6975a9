/* Captions to CSV or, when the path ends so, to JSON lines. */
#include <jansson.h>
#include <stdlib.h>
#include <string.h>

#include "data/captions/bags.h"
#include "data/captions/peers.h"
#include "data/io/number.h"
#include "data/io/sink.h"

typedef struct writing {
    ak_sink *sink;
    const char *path;
    const ak_bags *bags;
} writing;

/* ---- CSV -------------------------------------------------------------- */

/* Lines and lists have no way to hold these. */
static akin_status check_text(const writing *w, akin_ctx *ctx, const char *text,
                              const char *marks)
{
    if (text[strcspn(text, marks)] == '\0')
        return AKIN_OK;
    return ak_fail(ctx, AKIN_EINVAL,
                   "%s: csv cannot hold \"%s\" (a path that ends in .jsonl "
                   "makes JSON lines)",
                   w->path, text);
}

/* A text of a cell, which has quotes around it or not. */
static akin_status put_text(const writing *w, akin_ctx *ctx, const char *text,
                            bool quoted)
{
    akin_status st = AKIN_OK;
    if (!quoted)
        return ak_sink_text(w->sink, ctx, text);
    for (; *text != '\0'; ++text) {
        AK_TRY(ak_sink_put(w->sink, ctx, text, 1));
        if (*text == '"')
            AK_TRY(ak_sink_text(w->sink, ctx, "\""));
    }
done:
    return st;
}

static akin_status put_photo(const writing *w, akin_ctx *ctx, const char *text)
{
    const bool quoted = strpbrk(text, ",\"") != NULL;
    akin_status st = AKIN_OK;
    AK_TRY(check_text(w, ctx, text, "\r\n"));
    AK_TRY(ak_sink_text(w->sink, ctx, quoted ? "\"" : ""));
    AK_TRY(put_text(w, ctx, text, quoted));
    AK_TRY(ak_sink_text(w->sink, ctx, quoted ? "\"," : ","));
done:
    return st;
}

static akin_status put_names(const writing *w, akin_ctx *ctx, int64_t photo)
{
    const int32_t *names;
    const int64_t n = ak_bags_names(w->bags, photo, &names);
    bool quoted = false;
    akin_status st = AKIN_OK;
    for (int64_t k = 0; k < n; ++k) {
        const char *text = w->bags->name_texts[names[k]];
        AK_TRY(check_text(w, ctx, text, ";\r\n"));
        quoted |= strpbrk(text, ",\"") != NULL;
    }
    AK_TRY(ak_sink_text(w->sink, ctx, quoted ? "\"" : ""));
    for (int64_t k = 0; k < n; ++k) {
        const char *text = w->bags->name_texts[names[k]];
        AK_TRY(ak_sink_text(w->sink, ctx, k > 0 ? ";" : ""));
        AK_TRY(put_text(w, ctx, text, quoted));
    }
    AK_TRY(ak_sink_text(w->sink, ctx, quoted ? "\"\n" : "\n"));
done:
    return st;
}

static akin_status put_line(const writing *w, akin_ctx *ctx, int64_t photo)
{
    const int64_t *faces;
    const int64_t n = ak_bags_faces(w->bags, photo, &faces);
    akin_status st = AKIN_OK;
    AK_TRY(put_photo(w, ctx, w->bags->photos[photo]));
    for (int64_t k = 0; k < n; ++k) {
        char text[32] = ";";
        const size_t m = 1 + ak_integer_write(text + 1, faces[k]);
        AK_TRY(ak_sink_put(w->sink, ctx, text + (k == 0), m - (k == 0)));
    }
    AK_TRY(ak_sink_text(w->sink, ctx, ","));
    AK_TRY(put_names(w, ctx, photo));
done:
    return st;
}

/* ---- JSON lines ------------------------------------------------------- */

static json_t *object_of(const ak_bags *b, int64_t photo)
{
    const int64_t *faces;
    const int32_t *names;
    const int64_t n = ak_bags_faces(b, photo, &faces);
    const int64_t r = ak_bags_names(b, photo, &names);
    json_t *out = json_pack("{s:s, s:[], s:[]}", "photo", b->photos[photo],
                            "faces", "names");
    int wrong = out == NULL;
    for (int64_t k = 0; !wrong && k < n; ++k)
        wrong = json_array_append_new(json_object_get(out, "faces"),
                                      json_integer((json_int_t)faces[k]));
    for (int64_t k = 0; !wrong && k < r; ++k)
        wrong = json_array_append_new(json_object_get(out, "names"),
                                      json_string(b->name_texts[names[k]]));
    if (wrong) {
        json_decref(out);
        out = NULL;
    }
    return out;
}

static akin_status put_object(const writing *w, akin_ctx *ctx, int64_t photo)
{
    json_t *object = object_of(w->bags, photo);
    char *text = object ? json_dumps(object, 0) : NULL;
    akin_status st = AKIN_OK;
    if (text == NULL)
        AK_TRY(ak_nomem(ctx, 0));
    AK_TRY(ak_sink_text(w->sink, ctx, text));
    AK_TRY(ak_sink_text(w->sink, ctx, "\n"));
done:
    free(text);
    json_decref(object);
    return st;
}

/* ---- both ------------------------------------------------------------- */

/* Does the path end so, but for .gz and .zst? */
static bool ends_as_json(const char *path)
{
    static const char *const endings[] = {".jsonl", ".ndjson", ".json"};
    static const char *const packed[] = {"", ".gz", ".zst"};
    const size_t n = strlen(path);
    for (int k = 0; k < 9; ++k) {
        const char *ending = endings[k / 3], *pack = packed[k % 3];
        const size_t m = strlen(ending), l = strlen(pack);
        if (n > m + l && strcmp(path + n - l, pack) == 0 &&
            memcmp(path + n - l - m, ending, m) == 0)
            return true;
    }
    return false;
}

akin_status ak_bags_write(akin_ctx *ctx, const ak_bags *bags, const char *path)
{
    const bool json = ends_as_json(path);
    writing w = {NULL, path, bags};
    ak_sink *sink = NULL;
    akin_status st = AKIN_OK;
    AK_TRY(ak_sink_open(&w.sink, ctx, path));
    if (!json)
        AK_TRY(ak_sink_text(w.sink, ctx, "photo,faces,names\n"));
    for (int64_t i = 0; i < bags->n_photos; ++i)
        AK_TRY((json ? put_object : put_line)(&w, ctx, i));
    sink = w.sink;
    w.sink = NULL;
    AK_TRY(ak_sink_commit(sink, ctx));
done:
    ak_sink_abort(w.sink);
    return st;
}

akin_status akin_captions_write(akin_ctx *ctx, const akin_supervision *s,
                                const char *path)
{
    if (s->kind != AKIN_BAGS)
        return ak_fail(ctx, AKIN_EINVAL, "there are no captions to write");
    return ak_bags_write(ctx, s->bags, path);
}
