/* Names of captions and where they stand.
 *
 * Names that are found in the text have their places from the tagger. Names
 * that were given beside a text are looked up in it: at each word or
 * mark the longest run of them that is one of the names is its mention. */
#include "collection/faces/captions/mentions.h"

#include <stdio.h>
#include <string.h>

#include "collection/collection.h"
#include "data/captions/folded_names.h"
#include "text/persons/letters.h"

enum { PARTS_MOST = 16 };  // of a name that is looked up

static const char *const presences[AKIN_PRESENCES] = {"yes", "no", "credit"};

/* ---- memory ---- */

static void free_name(ak_caption_name *x)
{
    akin_free(x->name);
    akin_free(x->key);
    akin_free(x->position);
    akin_free(x->spans);
}

void ak_caption_names_clear(akin_caption_names *names)
{
    for (int64_t i = 0; i < names->n; ++i)
        free_name(&names->all[i]);
    akin_free(names->all);
    akin_free(names->text);
    *names = (akin_caption_names){0};
}

void akin_caption_names_free(akin_caption_names *names)
{
    if (names == NULL)
        return;
    ak_caption_names_clear(names);
    akin_free(names);
}

akin_status ak_caption_names_add(akin_caption_names *names, akin_ctx *ctx,
                                 const char *name, size_t n,
                                 ak_caption_name **out)
{
    AK_CHECK(ak_grow(ctx, names->n + 1, &names->room, sizeof *names->all,
                     &names->all));
    ak_caption_name *x = &names->all[names->n];
    *x = (ak_caption_name){
        .presence = AKIN_PICTURED, .probability = 1.0, .present = 1.0};
    ++names->n;
    AK_CHECK(ak_alloc(ctx, (int64_t)n + 1, 1, &x->name));
    memcpy(x->name, name, n);
    *out = x;
    return AKIN_OK;
}

akin_status ak_caption_name_add_span(ak_caption_name *x, akin_ctx *ctx,
                                     ak_caption_span span)
{
    AK_CHECK(
        ak_grow(ctx, x->n_spans + 1, &x->room, sizeof *x->spans, &x->spans));
    x->spans[x->n_spans++] = span;
    return AKIN_OK;
}

akin_status ak_caption_names_find(ak_caption_name **out, akin_ctx *ctx,
                                  akin_caption_names *names, const char *name)
{
    char *key = NULL;
    akin_status st = AKIN_OK;
    *out = NULL;
    AK_TRY(ak_name_fold(&key, ctx, name, strlen(name)));
    for (int64_t i = 0; i < names->n && *out == NULL; ++i) {
        ak_caption_name *x = &names->all[i];
        if (x->key == NULL)
            AK_TRY(ak_name_fold(&x->key, ctx, x->name, strlen(x->name)));
        if (strcmp(x->key, key) == 0)
            *out = x;
    }
done:
    akin_free(key);
    return st;
}

void ak_caption_names_drop(akin_caption_names *names, ak_caption_name *x)
{
    free_name(x);
    --names->n;
    memmove(x, x + 1, (size_t)(names->all + names->n - x) * sizeof *x);
}

/* ---- the catalogue ---- */

static akin_presence presence_of(const char *text)
{
    for (int k = 0; text != NULL && k < AKIN_PRESENCES; ++k)
        if (strcmp(text, presences[k]) == 0)
            return (akin_presence)k;
    return AKIN_PICTURED;
}

static akin_status load_one(akin_caption_names *out, akin_ctx *ctx,
                            sqlite3_stmt *q)
{
    const char *name = (const char *)sqlite3_column_text(q, 0);
    const char *position = (const char *)sqlite3_column_text(q, 2);
    const size_t n = (size_t)sqlite3_column_bytes(q, 6) / (2 * sizeof(int32_t));
    ak_caption_name *x;
    if (name == NULL || position == NULL)
        return ak_nomem(ctx, 0);
    AK_CHECK(ak_caption_names_add(out, ctx, name, strlen(name), &x));
    x->presence = presence_of((const char *)sqlite3_column_text(q, 1));
    x->probability = sqlite3_column_double(q, 3);
    x->present = sqlite3_column_double(q, 4);
    x->said = sqlite3_column_int(q, 5) != 0;
    AK_CHECK(ak_strdup(ctx, position, &x->position));
    if (n == 0)
        return AKIN_OK;
    AK_CHECK(ak_grow(ctx, (int64_t)n, &x->room, sizeof *x->spans, &x->spans));
    memcpy(x->spans, sqlite3_column_blob(q, 6), n * sizeof *x->spans);
    x->n_spans = (int64_t)n;
    return AKIN_OK;
}

akin_status ak_caption_names_load(akin_caption_names *out, akin_ctx *ctx,
                                  const ak_catalog *c, ak_names_table from,
                                  int64_t photo)
{
    sqlite3_stmt *q = NULL;
    bool row = true;
    akin_status st = AKIN_OK;
    AK_TRY(ak_sql_ask_again(
        &c->sql, ctx, &q,
        from == AK_NAMES_HELD
            ? "SELECT name, in_picture, position, probability, present, said, "
              "mentions FROM caption_names WHERE photo = ? ORDER BY place"
            : "SELECT name, in_picture, position, probability, present, said, "
              "mentions FROM found_names WHERE photo = ? ORDER BY place",
        "i", photo));
    for (;;) {
        AK_TRY(ak_sql_next(&c->sql, ctx, q, &row));
        if (!row)
            break;
        AK_TRY(load_one(out, ctx, q));
    }
done:
    ak_sql_end_asking(&c->sql, q);
    return st;
}

akin_status ak_caption_names_store(const ak_catalog *c, akin_ctx *ctx,
                                   ak_names_table to, int64_t photo,
                                   const akin_caption_names *names)
{
    const bool held = to == AK_NAMES_HELD;
    AK_CHECK(ak_sql_do(&c->sql, ctx,
                       held ? "DELETE FROM caption_names WHERE photo = ?"
                            : "DELETE FROM found_names WHERE photo = ?",
                       "i", photo));
    for (int64_t i = 0; i < names->n; ++i) {
        const ak_caption_name *x = &names->all[i];
        AK_CHECK(ak_sql_do(
            &c->sql, ctx,
            held ? "INSERT INTO caption_names(photo, place, name, in_picture, "
                   "position, probability, present, said, mentions) "
                   "VALUES(?,?,?,?,?,?,?,?,?)"
                 : "INSERT INTO found_names(photo, place, name, in_picture, "
                   "position, probability, present, said, mentions) "
                   "VALUES(?,?,?,?,?,?,?,?,?)",
            "iitttddib", photo, i, x->name, presences[x->presence],
            x->position ? x->position : "", x->probability, x->present,
            (int64_t)x->said,
            (ak_blob){x->spans, (size_t)x->n_spans * sizeof *x->spans}));
    }
    return AKIN_OK;
}

akin_status ak_caption_load(char **out, akin_ctx *ctx, const ak_catalog *c,
                            int64_t photo, bool *found)
{
    sqlite3_stmt *q = NULL;
    akin_status st = AKIN_OK;
    *out = NULL;
    AK_TRY(ak_sql_ask_again(&c->sql, ctx, &q,
                            "SELECT caption FROM photos WHERE id = ?", "i",
                            photo));
    AK_TRY(ak_sql_next(&c->sql, ctx, q, found));
    const char *text = *found ? (const char *)sqlite3_column_text(q, 0) : NULL;
    if (text != NULL)
        AK_TRY(ak_strdup(ctx, text, out));
done:
    ak_sql_end_asking(&c->sql, q);
    return st;
}

/* ---- places in the text ---- */

/* Names to look up, and the parts of the longest. */
typedef struct lookup {
    ak_folded_names names;
    int32_t *of;  // of each: its place in the list
    int64_t room;
    int longest;
} lookup;

static bool is_in_word(const char *text, size_t n, size_t at)
{
    const ak_char_kind kind = ak_char_read(text + at, n - at).kind;
    return ak_char_is_letter(kind) || kind == AK_CHAR_DIGIT;
}

/* The end of a part of a text: a word, or a mark of its own. */
static size_t end_of_part(const char *text, size_t n, size_t at)
{
    const bool word = is_in_word(text, n, at);
    do
        at += ak_char_read(text + at, n - at).bytes;
    while (word && at < n && is_in_word(text, n, at));
    return at;
}

static size_t skip_blanks(const char *text, size_t n, size_t at)
{
    while (at < n && strchr(" \t\n", text[at]) != NULL)
        ++at;
    return at;
}

/* At most PARTS_MOST + 1 are counted. */
static int count_parts(const char *text, size_t n)
{
    int parts = 0;
    for (size_t at = skip_blanks(text, n, 0); at < n && parts <= PARTS_MOST;
         at = skip_blanks(text, n, at)) {
        at = end_of_part(text, n, at);
        ++parts;
    }
    return parts;
}

static akin_status take_names(lookup *l, akin_ctx *ctx,
                              const akin_caption_names *names)
{
    for (int64_t i = 0; i < names->n; ++i) {
        const char *name = names->all[i].name;
        const int parts = count_parts(name, strlen(name));
        const int64_t before = l->names.keys.n;
        int32_t k;
        if (names->all[i].n_spans > 0 || parts == 0 || parts > PARTS_MOST)
            continue;
        AK_CHECK(ak_grow(ctx, before + 1, &l->room, sizeof *l->of, &l->of));
        AK_CHECK(ak_folded_names_add(&l->names, ctx, name, strlen(name), &k));
        if (l->names.keys.n > before)
            l->of[k] = (int32_t)i;
        l->longest = parts > l->longest ? parts : l->longest;
    }
    return AKIN_OK;
}

/* The longest name that begins at a part; `end` is behind it, or behind the
 * part. */
static akin_status match(const lookup *l, akin_ctx *ctx, const char *text,
                         size_t n, size_t at, size_t *end, int32_t *found)
{
    size_t stop = at;
    *found = -1;
    *end = end_of_part(text, n, at);
    for (int parts = 0; parts < l->longest; ++parts) {
        int32_t k;
        stop = skip_blanks(text, n, stop);
        if (stop >= n)
            break;
        stop = end_of_part(text, n, stop);
        AK_CHECK(
            ak_folded_names_find(&l->names, ctx, text + at, stop - at, &k));
        if (k >= 0) {
            *found = l->of[k];
            *end = stop;
        }
    }
    return AKIN_OK;
}

static akin_status look_up(const lookup *l, akin_ctx *ctx,
                           akin_caption_names *names, const char *text)
{
    const size_t n = strlen(text);
    for (size_t at = skip_blanks(text, n, 0), end; at < n;
         at = skip_blanks(text, n, end)) {
        int32_t found;
        AK_CHECK(match(l, ctx, text, n, at, &end, &found));
        if (found >= 0)
            AK_CHECK(ak_caption_name_add_span(
                &names->all[found], ctx,
                (ak_caption_span){(int32_t)at, (int32_t)end}));
    }
    return AKIN_OK;
}

akin_status ak_caption_names_locate(akin_caption_names *names, akin_ctx *ctx,
                                    const char *text)
{
    lookup l = {0};
    akin_status st = AKIN_OK;
    AK_TRY(take_names(&l, ctx, names));
    if (l.longest > 0)
        AK_TRY(look_up(&l, ctx, names, text));
done:
    ak_folded_names_free(&l.names);
    akin_free(l.of);
    return st;
}

akin_status ak_caption_names_tag(akin_caption_names *out, akin_ctx *ctx,
                                 const akin_tagger *tagger, const char *text)
{
    akin_persons *p = NULL;
    akin_status st = AKIN_OK;
    AK_TRY(akin_persons_find(&p, ctx, tagger, text, strlen(text)));
    for (int64_t i = 0; i < akin_persons_count(p); ++i) {
        const char *name = akin_persons_name(p, i);
        ak_caption_name *x;
        AK_TRY(ak_caption_names_add(out, ctx, name, strlen(name), &x));
        x->presence = akin_persons_presence(p, i);
        x->probability = akin_persons_probability(p, i);
        x->present = akin_persons_presence_probability(p, i, AKIN_PICTURED);
        AK_TRY(ak_strdup(ctx, akin_persons_position(NULL, p, i), &x->position));
        for (int64_t k = 0; k < akin_persons_mention_count(p, i); ++k) {
            size_t start, end;
            akin_persons_mention(&start, &end, p, i, k);
            AK_TRY(ak_caption_name_add_span(
                x, ctx, (ak_caption_span){(int32_t)start, (int32_t)end}));
        }
    }
done:
    akin_persons_free(p);
    return st;
}

static bool is_between(const char *text, int64_t at)
{
    return ((unsigned char)text[at] & 0xc0) != 0x80;
}

bool ak_span_is_whole(const char *text, int64_t start, int64_t end)
{
    return start >= 0 && start < end && end <= (int64_t)strlen(text) &&
           is_between(text, start) && is_between(text, end);
}

/* ---- as a caller gets them ---- */

akin_status akin_caption_names_read(akin_caption_names **out, akin_ctx *ctx,
                                    akin_collection *c, int64_t photo)
{
    akin_caption_names *names = NULL;
    bool found;
    akin_status st = AKIN_OK;
    AK_TRY(ak_catalog_check_kind(&c->catalog, ctx, "faces"));
    AK_TRY(AK_NEW(ctx, 1, &names));
    AK_TRY(ak_caption_load(&names->text, ctx, &c->catalog, photo, &found));
    AK_TRY(
        ak_caption_names_load(names, ctx, &c->catalog, AK_NAMES_HELD, photo));
    *out = names;
    names = NULL;
done:
    akin_caption_names_free(names);
    return st;
}

int64_t akin_caption_names_count(const akin_caption_names *names)
{
    return names->n;
}

const char *akin_caption_names_text(const akin_caption_names *names)
{
    return names->text;
}

void akin_caption_names_get(akin_caption_name *out,
                            const akin_caption_names *names, int64_t i)
{
    const ak_caption_name *x = &names->all[i];
    *out = (akin_caption_name){.name = x->name,
                               .presence = x->presence,
                               .position = x->position ? x->position : "",
                               .probability = x->probability,
                               .in_picture = x->present,
                               .said = x->said,
                               .mentions = x->n_spans};
}

void akin_caption_names_mention(size_t *start, size_t *end,
                                const akin_caption_names *names, int64_t i,
                                int64_t k)
{
    *start = (size_t)names->all[i].spans[k].start;
    *end = (size_t)names->all[i].spans[k].end;
}

/* ---- older catalogues ---- */

akin_status ak_captions_each(const ak_catalog *c, akin_ctx *ctx,
                             const char *question, ak_caption_visitor *visit,
                             void *arg)
{
    sqlite3_stmt *q = NULL;
    bool row = true;
    akin_status st = AKIN_OK;
    AK_TRY(ak_sql_ask(&c->sql, ctx, &q, question, ""));
    for (;;) {
        AK_TRY(ak_sql_next(&c->sql, ctx, q, &row));
        if (!row)
            break;
        const char *text = (const char *)sqlite3_column_text(q, 1);
        if (text == NULL)
            AK_TRY(ak_nomem(ctx, 0));
        AK_TRY(visit(c, ctx, sqlite3_column_int64(q, 0), text, arg));
    }
done:
    sqlite3_finalize(q);
    return st;
}

static akin_status locate_photo(const ak_catalog *c, akin_ctx *ctx,
                                int64_t photo, const char *text, void *arg)
{
    akin_caption_names names = {0};
    (void)arg;
    akin_status st = AKIN_OK;
    AK_TRY(ak_caption_names_load(&names, ctx, c, AK_NAMES_HELD, photo));
    for (int64_t i = 0; i < names.n; ++i)
        names.all[i].present = names.all[i].presence == AKIN_PICTURED;
    AK_TRY(ak_caption_names_locate(&names, ctx, text));
    AK_TRY(ak_caption_names_store(c, ctx, AK_NAMES_HELD, photo, &names));
done:
    ak_caption_names_clear(&names);
    return st;
}

/* Captions whose names are all certain count as given: they are not to be
 * tagged again. */
akin_status ak_mentions_upgrade(const ak_catalog *c, akin_ctx *ctx)
{
    int64_t columns;
    akin_status st = AKIN_OK;
    AK_TRY(ak_sql_number(&c->sql, ctx,
                         "SELECT COUNT(*) FROM pragma_table_info("
                         "'caption_names') WHERE name = 'mentions'",
                         &columns));
    if (columns > 0)
        return AKIN_OK;
    AK_TRY(ak_sql_run(
        &c->sql, ctx,
        "ALTER TABLE caption_names ADD COLUMN present REAL NOT NULL DEFAULT 1;"
        "ALTER TABLE caption_names ADD COLUMN said INTEGER NOT NULL DEFAULT 0;"
        "ALTER TABLE caption_names ADD COLUMN mentions BLOB;"
        "INSERT INTO tagged SELECT DISTINCT photo FROM caption_names WHERE "
        "probability < 1"));
    AK_TRY(ak_captions_each(c, ctx,
                            "SELECT id, caption FROM photos WHERE caption IS "
                            "NOT NULL AND id IN (SELECT photo FROM "
                            "caption_names)",
                            locate_photo, NULL));
done:
    return st;
}
