/* A person leaves a collection: faces, names, and what was said of them.
 *
 * Removing an item marks its row in the index as dead, and SQLite keeps what is
 * deleted in free pages. Both would stay in the files, so here deleted bytes
 * are overwritten, the index is built again and the catalogue is packed; at the
 * end the catalogue and all files are searched for the names. */
#include <akin/faces.h>
#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/file.h"
#include "collection/collection.h"
#include "collection/faces/answers.h"
#include "collection/faces/captions/corrections.h"
#include "collection/faces/captions/tagging.h"
#include "collection/faces/face_items.h"
#include "collection/faces/metadata/sidecar.h"
#include "collection/faces/person_names.h"
#include "collection/faces/photos.h"

typedef struct forgetting {
    akin_ctx *ctx;
    const char *path, *name;
    const char *const *names;  // of rows, NULL: unknown; NULL: none given
    ak_catalog writer;
    akin_collection *c;
    akin_tagger *tagger;
    ak_person_names who;
    ak_told_list told;
    int64_t *items;  // that are the person's, increasing
    int64_t n, room;
    int64_t n_unknown;  // faces that may be the person's
    bool had_tagger;    // that was learned from captions, and is gone
} forgetting;

/* ---- names in SQL ---- */

/* is_person(text), has_person(text): is a line of it, or has it, the name? */
static void ask_person(sqlite3_context *to, sqlite3_value **value,
                       bool (*ask)(const ak_person_names *, const char *,
                                   size_t))
{
    const ak_person_names *who = sqlite3_user_data(to);
    const char *text = sqlite3_value_blob(value[0]);
    const size_t n = (size_t)sqlite3_value_bytes(value[0]);
    sqlite3_result_int(to, text != NULL && ask(who, text, n));
}

static void is_person(sqlite3_context *to, int n, sqlite3_value **value)
{
    (void)n;
    ask_person(to, value, ak_person_is);
}

static void has_person(sqlite3_context *to, int n, sqlite3_value **value)
{
    (void)n;
    ask_person(to, value, ak_person_in);
}

static void is_part(sqlite3_context *to, int n, sqlite3_value **value)
{
    (void)n;
    ask_person(to, value, ak_person_is_part);
}

static akin_status add_functions(const ak_sql *sql, akin_ctx *ctx,
                                 ak_person_names *who)
{
    const struct {
        const char *name;
        void (*call)(sqlite3_context *, int, sqlite3_value **);
    } functions[] = {{"is_person", is_person},
                     {"has_person", has_person},
                     {"is_part", is_part}};
    for (size_t k = 0; k < sizeof functions / sizeof *functions; ++k)
        if (sqlite3_create_function(sql->db, functions[k].name, 1, SQLITE_UTF8,
                                    who, functions[k].call, NULL,
                                    NULL) != SQLITE_OK)
            return ak_nomem(ctx, 0);
    return AKIN_OK;
}

/* ---- what the person is called ---- */

/* All names that are merged with the one that was given. */
static akin_status add_merged(ak_person_names *who, akin_ctx *ctx,
                              const ak_catalog *c, const char *name)
{
    ak_merges m = {0};
    const char *own, *other;
    akin_status st = AKIN_OK;
    AK_TRY(ak_merges_read(&m, ctx, c));
    /* Those that are the same but for marks and blanks count too. */
    for (int64_t k = -1; k < m.names.keys.n; ++k) {
        const char *text = k < 0 ? name : m.names.texts[k];
        if (!ak_person_is(who, text, strlen(text)))
            continue;
        AK_TRY(ak_merged_name(&own, ctx, &m, text));
        for (int64_t i = 0; i < m.names.keys.n; ++i) {
            AK_TRY(ak_merged_name(&other, ctx, &m, m.names.texts[i]));
            if (strcmp(own, other) == 0)
                AK_TRY(ak_person_names_add(who, ctx, m.names.texts[i]));
        }
    }
done:
    ak_merges_free(&m);
    return st;
}

/* Aliases of the person, and the name that one is an alias of. */
static akin_status add_aliases(ak_person_names *who, akin_ctx *ctx,
                               const ak_catalog *c)
{
    sqlite3_stmt *q = NULL;
    bool row = true;
    akin_status st = AKIN_OK;
    AK_TRY(ak_sql_ask(&c->sql, ctx, &q, "SELECT alias, name FROM aliases", ""));
    for (;;) {
        AK_TRY(ak_sql_next(&c->sql, ctx, q, &row));
        if (!row)
            break;
        const char *alias = (const char *)sqlite3_column_text(q, 0);
        const char *name = (const char *)sqlite3_column_text(q, 1);
        if (alias == NULL || name == NULL)
            AK_TRY(ak_nomem(ctx, 0));
        if (ak_person_is(who, alias, strlen(alias)))
            AK_TRY(ak_person_names_add(who, ctx, name));
        else if (ak_person_is(who, name, strlen(name)))
            AK_TRY(ak_person_names_alias(who, ctx, alias));
    }
done:
    sqlite3_finalize(q);
    return st;
}

/* Names of others that have one of these in them. */
static akin_status add_others(ak_person_names *who, akin_ctx *ctx,
                              const ak_catalog *c)
{
    sqlite3_stmt *q = NULL;
    bool row = true;
    akin_status st = AKIN_OK;
    AK_TRY(ak_sql_ask(&c->sql, ctx, &q,
                      "SELECT name FROM caption_names UNION SELECT name FROM "
                      "found_names UNION SELECT name FROM answers UNION SELECT "
                      "other FROM answers UNION SELECT "
                      "labels FROM items WHERE labels NOT LIKE '%' || char(10) "
                      "|| '%'",
                      ""));
    for (;;) {
        AK_TRY(ak_sql_next(&c->sql, ctx, q, &row));
        if (!row)
            break;
        const char *name = (const char *)sqlite3_column_text(q, 0);
        if (name != NULL)
            AK_TRY(ak_person_names_other(who, ctx, name));
    }
done:
    sqlite3_finalize(q);
    return st;
}

static akin_status find_names(ak_person_names *who, akin_ctx *ctx,
                              const ak_catalog *c, const char *name)
{
    AK_CHECK(ak_person_names_add(who, ctx, name));
    if (who->names.n == 0)
        return ak_fail(ctx, AKIN_EINVAL, "the name has no letters");
    for (int64_t before = 0; before < who->names.n;) {
        before = who->names.n;
        AK_CHECK(add_merged(who, ctx, c, name));
        AK_CHECK(add_aliases(who, ctx, c));
    }
    return add_others(who, ctx, c);
}

/* ---- whose faces ---- */

static int by_number(const void *left, const void *right)
{
    const int64_t a = *(const int64_t *)left, b = *(const int64_t *)right;
    return (a > b) - (a < b);
}

static bool is_gone(const forgetting *f, int64_t id)
{
    return f->n > 0 &&
           bsearch(&id, f->items, (size_t)f->n, sizeof id, by_number) != NULL;
}

/* What people said of each item: 1: it is the person; -1: it is nobody, or
 * somebody else; 0: nothing. */
static void take_told(const forgetting *f, signed char *told)
{
    for (int64_t k = 0; k < f->told.n; ++k) {
        const ak_told *x = &f->told.all[k];
        const char *name = ak_told_name(&f->told, x);
        const bool same = name != NULL &&
                          ak_person_is(&f->who, name, strlen(name));
        if (x->kind == AK_TOLD_IS && same)
            told[x->item] = 1;
        else if ((x->kind != AK_TOLD_IS_NOT || same) && told[x->item] == 0)
            told[x->item] = -1;
    }
}

/* Does the caption of the photo of a face name the person? */
static akin_status is_candidate(const forgetting *f, int64_t id, bool *yes)
{
    const ak_sql *sql = &f->writer.sql;
    sqlite3_stmt *q = NULL;
    akin_status st = AKIN_OK;
    AK_TRY(ak_sql_ask_again(sql, f->ctx, &q,
                            "SELECT 1 FROM faces f JOIN caption_names n ON "
                            "n.photo = f.photo WHERE f.item = ? AND in_picture "
                            "= 'yes' AND is_person(name)",
                            "i", id));
    AK_TRY(ak_sql_next(sql, f->ctx, q, yes));
done:
    ak_sql_end_asking(sql, q);
    return st;
}

static akin_status find_face(forgetting *f, int64_t row,
                             const signed char *told)
{
    akin_item item;
    bool candidate = false;
    AK_CHECK(akin_collection_item(&item, f->ctx, f->c, row));
    const char *given = f->names ? f->names[row] : NULL;
    const char *labels = item.labels ? item.labels : "";
    if (told[item.id] > 0 || ak_person_is(&f->who, labels, strlen(labels)) ||
        (given != NULL && ak_person_is(&f->who, given, strlen(given)))) {
        AK_CHECK(
            ak_grow(f->ctx, f->n + 1, &f->room, sizeof *f->items, &f->items));
        f->items[f->n++] = item.id;
        return AKIN_OK;
    }
    if (given == NULL && told[item.id] == 0 && labels[0] == '\0')
        AK_CHECK(is_candidate(f, item.id, &candidate));
    f->n_unknown += candidate;
    return AKIN_OK;
}

static akin_status find_faces(forgetting *f)
{
    const ak_mark mark = ak_scratch_begin(f->ctx);
    signed char *told;
    int64_t n;
    akin_status st = AKIN_OK;
    AK_TRY(ak_items_next(&f->writer, f->ctx, &n));
    AK_TRY(AK_SCRATCH(f->ctx, n + 1, &told));
    memset(told, 0, (size_t)n + 1);
    take_told(f, told);
    for (int64_t row = 0; row < f->c->n_items; ++row)
        AK_TRY(find_face(f, row, told));
done:
    ak_scratch_end(f->ctx, mark);
    return st;
}

/* ---- captions ---- */

/* Texts of one column, copied. */
typedef struct texts {
    char **all;
    int64_t n, room;
} texts;

static void texts_free(texts *t)
{
    for (int64_t i = 0; i < t->n; ++i)
        akin_free(t->all[i]);
    akin_free(t->all);
    *t = (texts){0};
}

static akin_status read_texts(texts *t, akin_ctx *ctx, const ak_sql *sql,
                              const char *question, int64_t photo)
{
    sqlite3_stmt *q = NULL;
    bool row = true;
    akin_status st = AKIN_OK;
    AK_TRY(ak_sql_ask_again(sql, ctx, &q, question, "i", photo));
    for (;;) {
        AK_TRY(ak_sql_next(sql, ctx, q, &row));
        if (!row)
            break;
        const char *text = (const char *)sqlite3_column_text(q, 0);
        AK_TRY(ak_grow(ctx, t->n + 1, &t->room, sizeof *t->all, &t->all));
        AK_TRY(ak_strdup(ctx, text ? text : "", &t->all[t->n]));
        ++t->n;
    }
done:
    ak_sql_end_asking(sql, q);
    return st;
}

/* Names of a caption. Those that the tagger found are this person too where
 * they are a part of the name, and the photo has the person; given ones are
 * not. */
#define NAMES_OF "SELECT name FROM caption_names WHERE photo = ? AND "
static const char whole_names[] = NAMES_OF "is_person(name)";
static const char own_names[] = NAMES_OF
    "(is_person(name) OR (probability < 1 AND is_part(name)))";
static const char kept_names[] = NAMES_OF
    "NOT (is_person(name) OR (probability < 1 AND is_part(name)))";
static const char all_but_own[] = NAMES_OF "NOT is_person(name)";

typedef struct photo_text {
    int64_t id;
    const char *caption;  // NULL: none
    bool is_here;         // it has a face of the person, or the name
} photo_text;

static akin_status find_here(photo_text *x, akin_ctx *ctx, const ak_sql *sql,
                             const ak_person_names *who)
{
    texts own = {0};
    akin_status st = AKIN_OK;
    AK_TRY(read_texts(&own, ctx, sql, whole_names, x->id));
    x->is_here |= own.n > 0 ||
                  (x->caption != NULL &&
                   ak_person_in(who, x->caption, strlen(x->caption)));
done:
    texts_free(&own);
    return st;
}

/* What the caption has for the person, where that is no part of the name. */
static akin_status read_forms(texts *t, akin_ctx *ctx, const ak_catalog *c,
                              const ak_person_names *who, const photo_text *x)
{
    const int64_t n = (int64_t)strlen(x->caption);
    akin_caption_names names = {0};
    akin_status st = AKIN_OK;
    AK_TRY(ak_caption_names_load(&names, ctx, c, AK_NAMES_HELD, x->id));
    for (int64_t i = 0; i < names.n; ++i) {
        const ak_caption_name *own = &names.all[i];
        if (!ak_person_is(who, own->name, strlen(own->name)))
            continue;
        for (int64_t k = 0; k < own->n_spans; ++k) {
            const ak_caption_span s = own->spans[k];
            if (s.start < 0 || s.start >= s.end || s.end > n ||
                ak_person_is_part(who, x->caption + s.start,
                                  (size_t)(s.end - s.start)))
                continue;
            AK_TRY(ak_grow(ctx, t->n + 1, &t->room, sizeof *t->all, &t->all));
            AK_TRY(ak_alloc(ctx, s.end - s.start + 1, 1, &t->all[t->n]));
            memcpy(t->all[t->n++], x->caption + s.start,
                   (size_t)(s.end - s.start));
        }
    }
done:
    ak_caption_names_clear(&names);
    return st;
}

/* The caption of a photo without the person; *out NULL: it has nothing. The
 * functions of SQL are there. */
static akin_status blank_photo(char **out, int32_t **places, akin_ctx *ctx,
                               const ak_catalog *c, const ak_person_names *who,
                               const akin_tagger *tagger, const photo_text *x)
{
    const ak_sql *sql = &c->sql;
    texts kept = {0}, forms = {0};
    akin_status st = AKIN_OK;
    *out = NULL;
    if (x->caption == NULL ||
        (!x->is_here && strstr(x->caption, ak_person_gone) == NULL))
        return AKIN_OK;
    AK_TRY(read_texts(&kept, ctx, sql, x->is_here ? kept_names : all_but_own,
                      x->id));
    AK_TRY(read_forms(&forms, ctx, c, who, x));
    const ak_person_caption caption = {.text = x->caption,
                                       .kept = (const char *const *)kept.all,
                                       .n_kept = kept.n,
                                       .forms = (const char *const *)forms.all,
                                       .n_forms = forms.n,
                                       .is_here = x->is_here};
    AK_TRY(ak_person_blank(out, places, ctx, who, tagger, &caption));
done:
    texts_free(&kept);
    texts_free(&forms);
    return st;
}

/* What the caption and its names were, so that they do not come back. */
static akin_status remember_caption(const forgetting *f, int64_t photo,
                                    const char *caption)
{
    const ak_sql *sql = &f->writer.sql;
    ak_caption_hash hash;
    texts names = {0};
    akin_status st = AKIN_OK;
    AK_TRY(read_texts(
        &names, f->ctx, sql,
        "SELECT group_concat(name, char(10)) FROM (SELECT place, name FROM "
        "found_names WHERE photo = ?1 UNION ALL SELECT place, name FROM "
        "caption_names WHERE photo = ?1 AND photo NOT IN (SELECT photo FROM "
        "caption_answers) ORDER BY place)",
        photo));
    ak_caption_hash_of(&hash, caption, names.n > 0 ? names.all[0] : NULL);
    AK_TRY(ak_sql_do(sql, f->ctx,
                     "INSERT OR IGNORE INTO blanked(photo, caption, names) "
                     "VALUES(?, ?, ?)",
                     "ibb", photo, (ak_blob){hash.text, sizeof hash.text},
                     (ak_blob){hash.names, sizeof hash.names}));
done:
    texts_free(&names);
    return st;
}

/* Corrections, also undone ones, that say the name; and parts of it where the
 * photo has the person, unless they mean somebody else. */
static const char drop_corrections[] =
    "DELETE FROM answers WHERE number IN (SELECT number FROM caption_answers "
    "WHERE photo = ?1 AND (is_person(mention) OR has_person(mention) OR "
    "is_person(answers.name) OR is_person(answers.other) OR (?2 AND "
    "(is_part(other) OR (other IS NULL AND (is_part(answers.name) OR "
    "is_part(mention)))))))";
/* Other names that a correction says are the person. */
static const char drop_meant[] =
    "DELETE FROM found_names WHERE photo = ?1 AND name IN (SELECT a.name FROM "
    "answers a JOIN caption_answers p ON p.number = a.number WHERE p.photo = "
    "?1 AND kind = 'means' AND undone = 0 AND (is_person(other) OR (?2 AND "
    "is_part(other))))";
static const char drop_found[] =
    "DELETE FROM found_names WHERE photo = ?1 AND (is_person(name) OR (?2 AND "
    "probability < 1 AND is_part(name)))";
static const char drop_held[] =
    "DELETE FROM caption_names WHERE photo = ?1 AND (is_person(name) OR (?2 "
    "AND probability < 1 AND is_part(name)))";

/* Names of the caption. One that was blanked is not tagged again: names that
 * are left were found with what is gone. */
static akin_status drop_caption_names(const forgetting *f, const photo_text *x,
                                      const char *rest, const int32_t *places)
{
    const ak_sql *sql = &f->writer.sql;
    static const char *const statements[] = {drop_meant, drop_corrections,
                                             drop_found, drop_held};
    for (size_t k = 0; k < sizeof statements / sizeof *statements; ++k)
        AK_CHECK(ak_sql_do(sql, f->ctx, statements[k], "ii", x->id,
                           (int64_t)x->is_here));
    if (rest != NULL) {
        AK_CHECK(ak_corrections_move(&f->writer, f->ctx, x->id, places,
                                     (int64_t)strlen(x->caption)));
        AK_CHECK(ak_sql_do(sql, f->ctx, "DELETE FROM tagged WHERE photo = ?",
                           "i", x->id));
        AK_CHECK(ak_sql_do(sql, f->ctx,
                           "UPDATE photos SET caption = ? WHERE id = ?", "ti",
                           rest, x->id));
    }
    return ak_corrections_again(&f->writer, f->ctx, x->id);
}

static akin_status drop_from_caption(const forgetting *f, photo_text *x)
{
    const ak_sql *sql = &f->writer.sql;
    char *rest = NULL;
    int32_t *places = NULL;
    texts own = {0};
    akin_status st = AKIN_OK;
    AK_TRY(find_here(x, f->ctx, sql, &f->who));
    AK_TRY(
        blank_photo(&rest, &places, f->ctx, &f->writer, &f->who, f->tagger, x));
    AK_TRY(read_texts(&own, f->ctx, sql, x->is_here ? own_names : whole_names,
                      x->id));
    if (rest != NULL || own.n > 0)
        AK_TRY(remember_caption(f, x->id, x->caption));
    AK_TRY(drop_caption_names(f, x, rest, places));
done:
    texts_free(&own);
    akin_free(places);
    akin_free(rest);
    return st;
}

/* Captions keep the rest of what they say. The faces are still there. */
static akin_status drop_from_captions(const forgetting *f)
{
    const ak_sql *sql = &f->writer.sql;
    sqlite3_stmt *q = NULL;
    bool row = true;
    akin_status st = AKIN_OK;
    AK_TRY(ak_sql_ask(sql, f->ctx, &q,
                      "SELECT id, caption, EXISTS (SELECT 1 FROM faces f JOIN "
                      "leaving l ON l.item = f.item WHERE f.photo = p.id) FROM "
                      "photos p",
                      ""));
    for (;;) {
        AK_TRY(ak_sql_next(sql, f->ctx, q, &row));
        if (!row)
            break;
        photo_text x = {sqlite3_column_int64(q, 0),
                        (const char *)sqlite3_column_text(q, 1),
                        sqlite3_column_int(q, 2) != 0};
        AK_TRY(drop_from_caption(f, &x));
    }
done:
    sqlite3_finalize(q);
    return st;
}

/* ---- what was said of them ---- */

/* Does a list of items, in a column, have one of them? */
static bool mentions(const forgetting *f, sqlite3_stmt *q, int column)
{
    const size_t n = (size_t)sqlite3_column_bytes(q, column) / sizeof(int64_t);
    const char *bytes = sqlite3_column_blob(q, column);
    for (size_t i = 0; i < n; ++i) {
        int64_t id;
        memcpy(&id, bytes + i * sizeof id, sizeof id);
        if (is_gone(f, id))
            return true;
    }
    return false;
}

static akin_status drop_events(const forgetting *f)
{
    const ak_sql *sql = &f->writer.sql;
    sqlite3_stmt *q = NULL;
    bool row = true;
    akin_status st = AKIN_OK;
    AK_TRY(ak_sql_ask(sql, f->ctx, &q,
                      "SELECT number, item, good, bad, shown, clicked FROM "
                      "events",
                      ""));
    for (;;) {
        AK_TRY(ak_sql_next(sql, f->ctx, q, &row));
        if (!row)
            break;
        bool found = sqlite3_column_type(q, 1) != SQLITE_NULL &&
                     is_gone(f, sqlite3_column_int64(q, 1));
        for (int k = 2; k <= 5; ++k)
            found |= mentions(f, q, k);
        if (found)
            AK_TRY(ak_sql_do(sql, f->ctx, "DELETE FROM events WHERE number = ?",
                             "i", (int64_t)sqlite3_column_int64(q, 0)));
    }
done:
    sqlite3_finalize(q);
    return st;
}

/* Faces that are no longer found, or that somebody refused: those with the
 * label, and those of which the person is what was said last. */
static const char list_lost[] =
    "INSERT OR IGNORE INTO leaving SELECT item FROM lost l WHERE "
    "is_person(labels) OR EXISTS (SELECT 1 FROM answers a WHERE a.item = "
    "l.item AND kind = 'is' AND undone = 0 AND is_person(name) AND NOT EXISTS "
    "(SELECT 1 FROM answers b WHERE b.item = l.item AND b.number > a.number "
    "AND b.undone = 0 AND b.kind IN ('is', 'none')));";

/* Events of a query that is a face of the person, or is called so, go. */
static const char drop_queries[] =
    "DELETE FROM events WHERE query IN (SELECT id FROM queries WHERE "
    "has_person(name) OR row IN (SELECT row FROM features WHERE key / 16 IN "
    "(SELECT item FROM leaving)));"
    "DELETE FROM queries WHERE id NOT IN (SELECT query FROM events WHERE query "
    "IS NOT NULL);";

/* All that is `leaving`, with what is needed to keep it away. */
static akin_status drop_faces(const forgetting *f)
{
    const ak_sql *sql = &f->writer.sql;
    sqlite3_stmt *q = NULL;
    bool row = true;
    akin_status st = AKIN_OK;
    AK_TRY(ak_sql_run(sql, f->ctx, drop_queries));
    AK_TRY(ak_sql_ask(sql, f->ctx, &q, "SELECT item FROM leaving", ""));
    for (;;) {
        AK_TRY(ak_sql_next(sql, f->ctx, q, &row));
        if (!row)
            break;
        AK_TRY(ak_face_forget(&f->writer, f->ctx, sqlite3_column_int64(q, 0)));
    }
done:
    sqlite3_finalize(q);
    return st;
}

/* ---- all of it ---- */

/* What refers to names. What a person said stays, without the name. */
static const char drop_names[] =
    "DELETE FROM answers WHERE item IN (SELECT item FROM leaving) OR "
    "is_person(name) OR is_person(other);"
    "DELETE FROM caption_answers WHERE number NOT IN (SELECT number FROM "
    "answers);"
    "DELETE FROM aliases WHERE is_person(alias) OR is_person(name);"
    "DELETE FROM lost WHERE photo IS NULL AND (has_person(name) OR "
    "has_person(path));"
    "UPDATE lost SET name = NULL, path = NULL WHERE has_person(name) OR "
    "has_person(path);"
    "UPDATE removed_faces SET name = NULL WHERE has_person(name);"
    "DELETE FROM blanked WHERE has_person(name) OR has_person(rest) OR "
    "is_person(others);"
    "DELETE FROM fields WHERE name <> 'photo' AND is_person(value);"
    "DELETE FROM left_out WHERE has_person(path) OR has_person(why);"
    "DELETE FROM dismissed WHERE has_person(path) OR has_person(name);"
    "UPDATE answers SET user = '[removed]' WHERE is_person(user);"
    "UPDATE events SET user = '[removed]' WHERE is_person(user);"
    "UPDATE versions SET user = '[removed]' WHERE is_person(user);"
    "UPDATE OR REPLACE users SET user = '[removed]' WHERE is_person(user);";

static akin_status drop_all(const forgetting *f)
{
    const ak_sql *sql = &f->writer.sql;
    for (int64_t i = 0; i < f->n; ++i)
        AK_CHECK(ak_sql_do(sql, f->ctx, "INSERT INTO leaving VALUES(?)", "i",
                           f->items[i]));
    AK_CHECK(drop_from_captions(f));
    AK_CHECK(drop_events(f));
    AK_CHECK(ak_sql_run(sql, f->ctx, list_lost));
    AK_CHECK(drop_faces(f));
    return ak_sql_run(sql, f->ctx, drop_names);
}

static akin_status build_again(const forgetting *f)
{
    ak_version v;
    akin_model *model = NULL;
    akin_status st = AKIN_OK;
    AK_TRY(ak_segments_update(&f->writer, f->ctx));
    AK_TRY(ak_version_current(&f->writer, f->ctx, &v));
    AK_TRY(ak_version_model(&model, f->ctx, &f->writer, v.version));
    AK_TRY(ak_segments_switch(&f->writer, f->ctx, &v, model));
    AK_TRY(ak_sql_run(&f->writer.sql, f->ctx, "VACUUM"));
    ak_sql_tidy(&f->writer.sql);
done:
    akin_model_free(model);
    return st;
}

/* ---- is it gone? ---- */

typedef struct looking {
    akin_ctx *ctx;
    ak_person_names *who;
    ak_catalog catalog;
    akin_tagger *tagger;
    int64_t files;
    int64_t paths;  // photos that have it in their path
} looking;

static void report(looking *l, const char *where, int64_t rows, int64_t *places)
{
    if (rows == 0)
        return;
    ++*places;
    ak_log(l->ctx, AKIN_LOG_WARNING,
           "%s/catalog.sqlite has the name in %s (%" PRId64 ")",
           l->catalog.folder, where, rows);
}

/* Columns that names are written to, and texts that may have one. */
static const struct {
    const char *where, *question;
} columns[] = {
    {"labels", "SELECT COUNT(*) FROM items WHERE is_person(labels)"},
    {"names of captions",
     "SELECT COUNT(*) FROM caption_names WHERE is_person(name)"},
    {"names found in captions",
     "SELECT COUNT(*) FROM found_names WHERE is_person(name)"},
    {"aliases", "SELECT COUNT(*) FROM aliases WHERE is_person(name) OR "
                "is_person(alias)"},
    {"corrections", "SELECT COUNT(*) FROM caption_answers WHERE "
                    "is_person(mention) OR has_person(mention)"},
    {"lost faces", "SELECT COUNT(*) FROM lost WHERE is_person(labels) OR "
                   "has_person(name) OR has_person(path)"},
    {"removed faces",
     "SELECT COUNT(*) FROM removed_faces WHERE has_person(name)"},
    {"captions of earlier photos",
     "SELECT COUNT(*) FROM blanked WHERE has_person(name) OR has_person(rest) "
     "OR is_person(others)"},
    {"answers", "SELECT COUNT(*) FROM answers WHERE is_person(name) OR "
                "is_person(other) OR is_person(user) OR has_person(key)"},
    {"fields", "SELECT COUNT(*) FROM fields WHERE name <> 'photo' AND "
               "(is_person(value) OR has_person(value))"},
    {"events", "SELECT COUNT(*) FROM events WHERE is_person(user) OR "
               "has_person(key)"},
    {"queries", "SELECT COUNT(*) FROM queries WHERE has_person(name)"},
    {"users", "SELECT COUNT(*) FROM users WHERE is_person(user)"},
    {"versions", "SELECT COUNT(*) FROM versions WHERE is_person(user)"},
    {"settings", "SELECT COUNT(*) FROM settings WHERE has_person(value)"},
    {"skipped files", "SELECT COUNT(*) FROM left_out WHERE has_person(path) OR "
                      "has_person(why)"},
    {"removed items", "SELECT COUNT(*) FROM dismissed WHERE has_person(path) "
                      "OR has_person(name)"},
    {"items",
     "SELECT COUNT(*) FROM items WHERE has_person(path) OR has_person(name)"},
    {"folders", "SELECT COUNT(*) FROM folders WHERE has_person(path)"},
};

static akin_status look_into_captions(looking *l, int64_t *found)
{
    const ak_sql *sql = &l->catalog.sql;
    sqlite3_stmt *q = NULL;
    bool row = true;
    akin_status st = AKIN_OK;
    AK_TRY(ak_sql_ask(sql, l->ctx, &q,
                      "SELECT id, caption FROM photos WHERE caption IS NOT "
                      "NULL",
                      ""));
    for (;;) {
        char *rest = NULL;
        AK_TRY(ak_sql_next(sql, l->ctx, q, &row));
        if (!row)
            break;
        photo_text x = {sqlite3_column_int64(q, 0),
                        (const char *)sqlite3_column_text(q, 1), false};
        AK_TRY(find_here(&x, l->ctx, sql, l->who));
        AK_TRY(blank_photo(&rest, NULL, l->ctx, &l->catalog, l->who, l->tagger,
                           &x));
        *found += rest != NULL;
        akin_free(rest);
    }
done:
    sqlite3_finalize(q);
    return st;
}

static akin_status look_into_catalog(looking *l, int64_t *places)
{
    const ak_sql *sql = &l->catalog.sql;
    int64_t rows = 0;
    for (size_t k = 0; k < sizeof columns / sizeof *columns; ++k) {
        AK_CHECK(ak_sql_number(sql, l->ctx, columns[k].question, &rows));
        report(l, columns[k].where, rows, places);
    }
    AK_CHECK(ak_sql_number(sql, l->ctx,
                           "SELECT COUNT(*) FROM photos WHERE has_person(path) "
                           "OR has_person(name)",
                           &l->paths));
    report(l, "paths of photos", l->paths, places);
    rows = 0;
    AK_CHECK(look_into_captions(l, &rows));
    report(l, "captions", rows, places);
    return AKIN_OK;
}

static akin_status look_into(looking *l, const char *path, bool known)
{
    char *bytes = NULL;
    size_t n = 0;
    AK_CHECK(ak_file_read(l->ctx, path, &bytes, &n));
    const bool found = ak_person_in_bytes(l->who, bytes, n);
    akin_free(bytes);
    if (found && !known)
        ak_log(l->ctx, AKIN_LOG_WARNING, "%s still has the name", path);
    l->files += found || known;
    return AKIN_OK;
}

/* `known`: the catalogue has it; the file is counted once. */
static akin_status look_below(looking *l, const char *folder, int depth,
                              bool known)
{
    const struct dirent *entry;
    akin_status st = AKIN_OK;
    DIR *dir = opendir(folder);
    if (dir == NULL)
        return ak_file_fail(l->ctx, AKIN_EIO, folder);
    while (st == AKIN_OK && (entry = readdir(dir)) != NULL) {
        char path[PATH_MAX];
        struct stat s;
        const int n =
            snprintf(path, sizeof path, "%s/%s", folder, entry->d_name);
        if (strcmp(entry->d_name, ".") == 0 ||
            strcmp(entry->d_name, "..") == 0 || n < 0 || n >= PATH_MAX ||
            stat(path, &s) != 0)
            continue;
        if (S_ISREG(s.st_mode))
            st = look_into(
                l, path, known && strcmp(entry->d_name, "catalog.sqlite") == 0);
        else if (S_ISDIR(s.st_mode) && depth > 0)
            st = look_below(l, path, depth - 1, false);
    }
    closedir(dir);
    return st;
}

/* Does it name the person, as a face, a person or in the caption? */
static bool says_name(const ak_xmp *x, const ak_person_names *who)
{
    for (int64_t k = 0; k < x->n_regions; ++k) {
        const char *name = x->regions[k].name;
        if (name != NULL && ak_person_is(who, name, strlen(name)))
            return true;
    }
    return (x->persons != NULL &&
            ak_person_is(who, x->persons, strlen(x->persons))) ||
           (x->caption != NULL &&
            ak_person_in(who, x->caption, strlen(x->caption)));
}

/* XMP beside a photo, which others may have written. */
static akin_status look_beside(const looking *l, const char *photo)
{
    char path[PATH_MAX];
    ak_sidecar s = {0};
    if (photo == NULL || !ak_sidecar_find(photo, path))
        return AKIN_OK;
    const akin_status st = ak_sidecar_read(&s, l->ctx, path, false);
    if (st == AKIN_OK && says_name(&s.says, l->who))
        ak_log(l->ctx, AKIN_LOG_WARNING,
               "%s has the name; it is not part of the collection", path);
    ak_sidecar_free(&s);
    return st == AKIN_ENOMEM ? st : AKIN_OK;
}

static akin_status look_beside_photos(const looking *l)
{
    const ak_sql *sql = &l->catalog.sql;
    sqlite3_stmt *q = NULL;
    bool row = true;
    akin_status st = AKIN_OK;
    AK_TRY(ak_sql_ask(sql, l->ctx, &q,
                      "SELECT CAST(path AS TEXT) FROM photos WHERE path IS NOT "
                      "NULL ORDER BY id",
                      ""));
    for (;;) {
        AK_TRY(ak_sql_next(sql, l->ctx, q, &row));
        if (!row)
            break;
        AK_TRY(look_beside(l, (const char *)sqlite3_column_text(q, 0)));
    }
done:
    sqlite3_finalize(q);
    return st;
}

static akin_status look(looking *l, const char *path)
{
    int64_t places = 0;
    akin_status st = AKIN_OK;
    AK_TRY(akin_tagger_default(&l->tagger, l->ctx));
    AK_TRY(add_functions(&l->catalog.sql, l->ctx, l->who));
    AK_TRY(look_into_catalog(l, &places));
    AK_TRY(look_below(l, path, 1, places > 0));
    AK_TRY(look_beside_photos(l));
done:
    akin_tagger_free(l->tagger);
    ak_catalog_close(&l->catalog);
    return st;
}

akin_status akin_faces_mentions(int64_t *files, akin_ctx *ctx, const char *path,
                                const char *name)
{
    ak_person_names who = {0};
    looking l = {.ctx = ctx, .who = &who};
    akin_status st = AKIN_OK;
    *files = 0;
    l.catalog.lock = -1;
    if (!akin_collection_is(path))
        return ak_fail(ctx, AKIN_ENOENT, "%s: not a collection", path);
    AK_TRY(ak_catalog_open(&l.catalog, ctx, path, AK_CATALOG_READ));
    AK_TRY(find_names(&who, ctx, &l.catalog, name));
    AK_TRY(look(&l, path));
    *files = l.files;
done:
    ak_catalog_close(&l.catalog);
    ak_person_names_free(&who);
    return st;
}

/* ---- the person leaves ---- */

static akin_status check_known(const forgetting *f)
{
    if (f->n_unknown == 0)
        return AKIN_OK;
    return ak_fail(f->ctx, AKIN_EINVAL,
                   "%s: %" PRId64 " face%s may be %s (give the `names` that "
                   "akin name wrote)",
                   f->path, f->n_unknown, f->n_unknown == 1 ? "" : "s",
                   f->name);
}

static akin_status forget(forgetting *f)
{
    const ak_sql *sql = &f->writer.sql;
    int64_t before = 0;
    akin_status st = AKIN_OK;
    if (!akin_collection_is(f->path))
        AK_TRY(ak_fail(f->ctx, AKIN_ENOENT, "%s: not a collection", f->path));
    AK_TRY(ak_catalog_open(&f->writer, f->ctx, f->path, AK_CATALOG_WRITE));
    AK_TRY(ak_catalog_check_kind(&f->writer, f->ctx, "faces"));
    AK_TRY(akin_tagger_default(&f->tagger, f->ctx));
    AK_TRY(akin_collection_open(&f->c, f->ctx, f->path));
    AK_TRY(find_names(&f->who, f->ctx, &f->writer, f->name));
    AK_TRY(add_functions(sql, f->ctx, &f->who));
    AK_TRY(ak_told_read(&f->told, f->ctx, &f->writer));
    AK_TRY(find_faces(f));
    AK_TRY(check_known(f));
    if (f->n == 0)
        AK_TRY(akin_faces_mentions(&before, f->ctx, f->path, f->name));
    if (f->n == 0 && before == 0)
        AK_TRY(ak_fail(f->ctx, AKIN_EINVAL, "%s: nobody is called %s", f->path,
                       f->name));
    akin_collection_close(f->c);  // its snapshot would keep the old pages
    f->c = NULL;
    AK_TRY(ak_sql_run(sql, f->ctx,
                      "PRAGMA secure_delete=ON; PRAGMA temp_store=MEMORY; "
                      "CREATE TEMP TABLE leaving(item INTEGER PRIMARY KEY)"));
    /* What is kept of names has the photos of the person in it. Both files
     * can be made again; they go first, as this is not repeated if it is
     * killed when the names are gone. */
    AK_TRY(ak_catalog_remove_file(&f->writer, f->ctx, ak_file_names));
    AK_TRY(ak_tagging_forget(&f->writer, f->ctx, &f->had_tagger));
    AK_TRY(ak_sql_begin(sql, f->ctx));
    AK_TRY(ak_sql_end(sql, f->ctx, drop_all(f)));
    AK_TRY(build_again(f));
done:
    return st;
}

/* Changes that are still in a file of their own: the catalogue has the old
 * pages. */
static bool is_merged(const ak_catalog *c)
{
    char path[2 * PATH_MAX];
    struct stat s;
    snprintf(path, sizeof path, "%s-wal", c->sql.path);
    return stat(path, &s) != 0 || s.st_size == 0;
}

/* All names of the person are gone, not only the one that was given. */
static akin_status check_gone(forgetting *f)
{
    looking l = {.ctx = f->ctx, .who = &f->who};
    akin_status st = AKIN_OK;
    l.catalog.lock = -1;
    AK_TRY(ak_catalog_open(&l.catalog, f->ctx, f->path, AK_CATALOG_READ));
    const bool merged = is_merged(&l.catalog);
    AK_TRY(look(&l, f->path));
    if (l.paths > 0)
        AK_TRY(ak_fail(f->ctx, AKIN_EINVAL,
                       "%s: %" PRId64 " photo%s still ha%s the name in the "
                       "path (rename the files, add their folder, and repeat "
                       "this)",
                       f->path, l.paths, l.paths == 1 ? "" : "s",
                       l.paths == 1 ? "s" : "ve"));
    if (l.files > 0 || !merged)
        AK_TRY(ak_fail(f->ctx, AKIN_EIO,
                       "%s: a file still has what was removed (a process that "
                       "reads the collection keeps it; check again when it "
                       "has ended)",
                       f->path));
done:
    ak_catalog_close(&l.catalog);
    return st;
}

akin_status akin_faces_remove_person(int64_t *removed, akin_ctx *ctx,
                                     const char *path, const char *name,
                                     const char *const *names)
{
    forgetting f = {.ctx = ctx, .path = path, .name = name, .names = names};
    akin_status st = AKIN_OK;
    f.writer.lock = -1;
    ak_ctx_mute_begin(ctx);  // of files that have the name before
    st = forget(&f);
    ak_ctx_mute_end(ctx);
    if (f.had_tagger)
        ak_log(ctx, AKIN_LOG_WARNING,
               "%s: the tagger that was learned from corrected captions is "
               "removed; learn it again",
               path);
    akin_collection_close(f.c);
    ak_catalog_close(&f.writer);
    if (st == AKIN_OK)
        st = check_gone(&f);
    *removed = st == AKIN_OK ? f.n : 0;
    ak_person_names_free(&f.who);
    ak_told_free(&f.told);
    akin_tagger_free(f.tagger);
    akin_free(f.items);
    return st;
}
