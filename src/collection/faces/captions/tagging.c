/* The tagger of a collection: given, learned from corrected captions, or the
 * default; with its aliases. The setting `tagger` says by what the captions
 * were tagged, so that another one tags them again, also after a run was
 * killed. */
#include "collection/faces/captions/tagging.h"

#include <errno.h>
#include <jansson.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/file.h"
#include "collection/faces/captions/corrections.h"
#include "collection/items.h"
#include "text/persons/labelled.h"
#include "text/persons/tagger.h"

const char ak_file_tagger[] = "tagger.safetensors";

enum { STAMP = 2 * AK_HASH_SIZE + 1 };
enum { LEARN_EACH = 20 };  // corrections

/* The setting with how many corrections there were when it was learned. */
static const char learned_key[] = "tagger_learned";
/* That with where its file is from: "given", or else it was learned. */
static const char source_key[] = "tagger_source";

/* ---- by what captions were tagged ---- */

/* All aliases of the collection, a line each. Free with free(). */
static akin_status list_aliases(char **out, size_t *size, akin_ctx *ctx,
                                const ak_catalog *c)
{
    sqlite3_stmt *q = NULL;
    FILE *to = open_memstream(out, size);
    bool row = to != NULL;
    akin_status st = AKIN_OK;
    if (to == NULL)
        return ak_nomem(ctx, 0);
    AK_TRY(ak_sql_ask(&c->sql, ctx, &q,
                      "SELECT alias || char(10) || name FROM aliases ORDER BY "
                      "alias",
                      ""));
    for (;;) {
        AK_TRY(ak_sql_next(&c->sql, ctx, q, &row));
        if (!row)
            break;
        const char *line = (const char *)sqlite3_column_text(q, 0);
        fprintf(to, "%s\n", line ? line : "");
    }
done:
    sqlite3_finalize(q);
    return fclose(to) != 0 && st == AKIN_OK ? ak_nomem(ctx, 0) : st;
}

/* A number for all that a tagger decides by; its aliases are stored. */
static akin_status stamp_of(char stamp[STAMP], akin_ctx *ctx,
                            const ak_catalog *c, const akin_tagger *g)
{
    enum { PARTS = 5 };
    unsigned char hashes[PARTS][AK_HASH_SIZE], hash[AK_HASH_SIZE];
    char *aliases = NULL;
    size_t size = 0;
    akin_status st = AKIN_OK;
    AK_TRY(list_aliases(&aliases, &size, ctx, c));
    ak_hash_bytes(g->tag, (sizeof *g->tag << AK_TAG_BITS) * AK_TAGS, hashes[0]);
    ak_hash_bytes(g->transition, sizeof g->transition, hashes[1]);
    ak_hash_bytes(g->presence,
                  (sizeof *g->presence << AK_PRESENCE_BITS) * AKIN_PRESENCES,
                  hashes[2]);
    ak_hash_bytes(g->lists.words, (size_t)g->lists.n * sizeof *g->lists.words,
                  hashes[3]);
    ak_hash_bytes(aliases, size, hashes[4]);
    ak_hash_bytes(hashes, sizeof hashes, hash);
    for (int k = 0; k < AK_HASH_SIZE; ++k)
        snprintf(stamp + 2 * k, 3, "%02x", hash[k]);
done:
    free(aliases);
    return st;
}

static akin_status tag_photo(const ak_catalog *c, akin_ctx *ctx, int64_t photo,
                             const char *text, void *arg)
{
    const akin_tagger *const *tagger = arg;
    akin_caption_names names = {0};
    akin_status st = AKIN_OK;
    AK_TRY(ak_caption_names_tag(&names, ctx, *tagger, text));
    AK_TRY(ak_corrections_take(c, ctx, photo, &names));
done:
    ak_caption_names_clear(&names);
    return st;
}

static akin_status tag_all(const ak_catalog *c, akin_ctx *ctx,
                           const akin_tagger *tagger)
{
    return ak_captions_each(c, ctx,
                            "SELECT id, caption FROM tagged JOIN photos ON "
                            "photo = id WHERE caption IS NOT NULL",
                            tag_photo, &tagger);
}

/* Inside of a transaction that writes. */
static akin_status tag_if_other(const ak_catalog *c, akin_ctx *ctx,
                                const akin_tagger *tagger)
{
    char before[STAMP], now[STAMP];
    AK_CHECK(stamp_of(now, ctx, c, tagger));
    AK_CHECK(ak_catalog_get(c, ctx, "tagger", before, sizeof before));
    if (strcmp(before, now) == 0)
        return AKIN_OK;
    AK_CHECK(tag_all(c, ctx, tagger));
    return ak_catalog_set(c, ctx, "tagger", now);
}

/* ---- aliases ---- */

static akin_status store_aliases(const ak_catalog *c, akin_ctx *ctx,
                                 const akin_tagger *tagger)
{
    AK_CHECK(ak_sql_do(&c->sql, ctx, "DELETE FROM aliases", ""));
    for (int64_t k = 0; k < ak_tagger_alias_count(tagger); ++k) {
        const char *name, *alias = ak_tagger_get_alias(tagger, k, &name);
        AK_CHECK(ak_sql_do(&c->sql, ctx, "INSERT INTO aliases VALUES(?, ?)",
                           "tt", alias, name));
    }
    return AKIN_OK;
}

static akin_status load_aliases(akin_tagger *tagger, akin_ctx *ctx,
                                const ak_catalog *c)
{
    sqlite3_stmt *q = NULL;
    bool row = true;
    akin_status st = AKIN_OK;
    AK_TRY(ak_sql_ask(&c->sql, ctx, &q,
                      "SELECT alias, name FROM aliases ORDER BY alias", ""));
    for (;;) {
        AK_TRY(ak_sql_next(&c->sql, ctx, q, &row));
        if (!row)
            break;
        const char *alias = (const char *)sqlite3_column_text(q, 0);
        const char *name = (const char *)sqlite3_column_text(q, 1);
        if (alias == NULL || name == NULL)
            AK_TRY(ak_nomem(ctx, 0));
        AK_TRY(ak_tagger_put_alias(tagger, ctx, alias, name));
    }
done:
    sqlite3_finalize(q);
    return st;
}

/* ---- a run ---- */

/* The one in the collection, where there is one; NULL: there is none. */
static akin_status load_own(akin_tagger **out, akin_ctx *ctx,
                            const ak_catalog *c)
{
    char path[PATH_MAX];
    *out = NULL;
    AK_CHECK(ak_catalog_file(c, ctx, ak_file_tagger, path));
    return access(path, F_OK) == 0 ? akin_tagger_load(out, ctx, path) : AKIN_OK;
}

static akin_status save_own(const ak_catalog *c, akin_ctx *ctx,
                            const akin_tagger *tagger)
{
    char path[PATH_MAX];
    AK_CHECK(ak_catalog_file(c, ctx, ak_file_tagger, path));
    return akin_tagger_save(ctx, tagger, path);
}

static akin_status take_aliases(akin_tagger *tagger, akin_ctx *ctx,
                                const ak_catalog *c, const char *aliases,
                                bool replaced)
{
    if (aliases == NULL)
        return load_aliases(tagger, ctx, c);
    if (replaced)
        AK_CHECK(akin_tagger_add_aliases(ctx, tagger, aliases));
    return store_aliases(c, ctx, tagger);
}

akin_status ak_tagging_begin(akin_tagger **tagger, akin_ctx *ctx,
                             const ak_catalog *c, const char *given,
                             const char *aliases)
{
    akin_tagger *own = NULL;
    akin_status st = AKIN_OK;
    if (given != NULL) {
        AK_CHECK(save_own(c, ctx, *tagger));
        AK_CHECK(ak_catalog_set(c, ctx, source_key, "given"));
    } else
        AK_CHECK(load_own(&own, ctx, c));
    const bool replaced = own != NULL;
    if (replaced) {
        akin_tagger_free(*tagger);
        *tagger = own;
    }
    AK_CHECK(ak_sql_begin(&c->sql, ctx));
    st = take_aliases(*tagger, ctx, c, aliases, replaced);
    if (st == AKIN_OK)
        st = tag_if_other(c, ctx, *tagger);
    return ak_sql_end(&c->sql, ctx, st);
}

/* ---- learned from corrected captions ---- */

/* true, false or "credit", as labelled captions have it. */
static json_t *presence_json(akin_presence presence)
{
    return presence == AKIN_CREDITED ? json_string("credit")
                                     : json_boolean(presence == AKIN_PICTURED);
}

static json_t *name_json(const ak_caption_name *x, const char *text)
{
    json_t *mentions = json_array();
    for (int64_t k = 0; k < x->n_spans; ++k)
        json_array_append_new(
            mentions,
            json_stringn(text + x->spans[k].start,
                         (size_t)(x->spans[k].end - x->spans[k].start)));
    return json_pack("{s:o, s:o}", "mentions", mentions, "in_picture",
                     presence_json(x->presence));
}

/* Names that are not in the text say nothing of it. */
typedef struct line_writer {
    FILE *to;
    int64_t n;
} line_writer;

static akin_status write_line(const ak_catalog *c, akin_ctx *ctx, int64_t photo,
                              const char *text, void *arg)
{
    line_writer *w = arg;
    akin_caption_names names = {0};
    json_t *list = json_array(), *line = NULL;
    char *dumped = NULL;
    akin_status st = AKIN_OK;
    AK_TRY(ak_caption_names_load(&names, ctx, c, AK_NAMES_HELD, photo));
    for (int64_t i = 0; i < names.n; ++i)
        if (names.all[i].n_spans > 0)
            json_array_append_new(list, name_json(&names.all[i], text));
    line = json_pack("{s:s, s:O}", "caption", text, "names", list);
    dumped = line ? json_dumps(line, JSON_COMPACT) : NULL;
    if (dumped != NULL)
        w->n += fprintf(w->to, "%s\n", dumped) > 0;
    else
        st = ak_nomem(ctx, 0);
done:
    free(dumped);
    json_decref(line);
    json_decref(list);
    ak_caption_names_clear(&names);
    return st;
}

static akin_status write_lines(line_writer *w, akin_ctx *ctx,
                               const ak_catalog *c)
{
    return ak_captions_each(
        c, ctx,
        "SELECT id, caption FROM photos WHERE caption IS NOT NULL AND id IN "
        "(SELECT photo FROM caption_answers p JOIN answers a ON a.number = "
        "p.number WHERE undone = 0) AND NOT EXISTS (SELECT 1 FROM blanked b "
        "WHERE b.photo = photos.id) ORDER BY id",
        write_line, w);
}

/* The captions that a person corrected, as akin_tagger_learn reads them. Free
 * with free(). */
static akin_status corrected(char **out, size_t *size, akin_ctx *ctx,
                             const ak_catalog *c)
{
    line_writer w = {.to = open_memstream(out, size)};
    if (w.to == NULL)
        return ak_nomem(ctx, 0);
    akin_status st = write_lines(&w, ctx, c);
    if (fclose(w.to) != 0 && st == AKIN_OK)
        st = ak_nomem(ctx, 0);
    if (st == AKIN_OK && w.n == 0)
        st = ak_fail(ctx, AKIN_EINVAL,
                     "%s: no caption was corrected (the page of `akin serve` "
                     "does)",
                     c->folder);
    return st;
}

static akin_status learn(akin_tagger **out, akin_ctx *ctx, const ak_catalog *c,
                         const akin_tagger_options *options,
                         akin_tagger_info *info)
{
    ak_source *source = NULL;
    char *lines = NULL;
    size_t size = 0;
    akin_status st = AKIN_OK;
    AK_TRY(corrected(&lines, &size, ctx, c));
    AK_TRY(
        ak_source_memory(&source, ctx, c->folder, AK_SOURCE_TEXT, lines, size));
    AK_TRY(ak_tagger_learn_further(out, ctx, source, options, info));
done:
    ak_source_close(source);
    free(lines);
    return st;
}

akin_status akin_faces_learn_tagger(akin_tagger **out, akin_ctx *ctx,
                                    const char *path,
                                    const akin_tagger_options *options,
                                    akin_tagger_info *info)
{
    ak_catalog c = {.lock = -1};
    akin_status st = AKIN_OK;
    AK_TRY(ak_catalog_open(&c, ctx, path, AK_CATALOG_READ));
    AK_TRY(ak_catalog_check_kind(&c, ctx, "faces"));
    AK_TRY(learn(out, ctx, &c, options, info));
done:
    ak_catalog_close(&c);
    return st;
}

static akin_status count_corrections(int64_t *out, akin_ctx *ctx,
                                     const ak_catalog *c)
{
    return ak_sql_number(&c->sql, ctx,
                         "SELECT COUNT(*) FROM caption_answers p JOIN answers "
                         "a ON a.number = p.number WHERE undone = 0",
                         out);
}

static akin_status use(const ak_catalog *c, akin_ctx *ctx,
                       const akin_tagger *tagger)
{
    char path[PATH_MAX];
    akin_tagger *own = NULL;
    int64_t n;
    akin_status st = AKIN_OK;
    AK_TRY(ak_catalog_file(c, ctx, ak_file_tagger, path));
    if (tagger != NULL)
        AK_TRY(akin_tagger_save(ctx, tagger, path));
    else if (unlink(path) != 0 && errno != ENOENT)
        AK_TRY(ak_file_fail(ctx, AKIN_EIO, path));
    AK_TRY(akin_tagger_default(&own, ctx));
    AK_TRY(ak_tagging_begin(&own, ctx, c, NULL, NULL));
    AK_TRY(count_corrections(&n, ctx, c));
    AK_TRY(ak_catalog_set_number(c, ctx, learned_key, n));
    AK_TRY(ak_catalog_set(c, ctx, source_key, "captions"));
done:
    akin_tagger_free(own);
    return st;
}

akin_status akin_faces_use_tagger(akin_ctx *ctx, const char *path,
                                  const akin_tagger *tagger)
{
    ak_catalog c = {.lock = -1};
    akin_status st = AKIN_OK;
    AK_TRY(ak_catalog_open(&c, ctx, path, AK_CATALOG_WRITE));
    AK_TRY(ak_catalog_check_kind(&c, ctx, "faces"));
    AK_TRY(use(&c, ctx, tagger));
done:
    ak_catalog_close(&c);
    return st;
}

akin_status akin_faces_learn_due(akin_tagger_info *info, akin_ctx *ctx,
                                 const char *path)
{
    ak_catalog c = {.lock = -1};
    akin_tagger *tagger = NULL;
    int64_t before, now;
    akin_status st = AKIN_OK;
    *info = (akin_tagger_info){0};
    AK_TRY(ak_catalog_open(&c, ctx, path, AK_CATALOG_READ));
    AK_TRY(ak_catalog_check_kind(&c, ctx, "faces"));
    AK_TRY(ak_catalog_get_number(&c, ctx, learned_key, &before));
    AK_TRY(count_corrections(&now, ctx, &c));
    if (now < before + LEARN_EACH)
        goto done;
    AK_TRY(learn(&tagger, ctx, &c, NULL, info));
    ak_catalog_close(&c);
    AK_TRY(akin_faces_use_tagger(ctx, path, info->share > 0.0 ? tagger : NULL));
done:
    akin_tagger_free(tagger);
    ak_catalog_close(&c);
    return st;
}

akin_status ak_tagging_forget(const ak_catalog *c, akin_ctx *ctx, bool *had)
{
    char path[PATH_MAX], source[16];
    AK_CHECK(ak_catalog_file(c, ctx, ak_file_tagger, path));
    AK_CHECK(ak_catalog_get(c, ctx, source_key, source, sizeof source));
    *had = access(path, F_OK) == 0 && strcmp(source, "given") != 0;
    if (!*had)
        return AKIN_OK;
    AK_CHECK(ak_catalog_remove_file(c, ctx, ak_file_tagger));
    return ak_catalog_set_number(c, ctx, learned_key, 0);
}
