/* Answers of a person: stored one by one, and what holds of them. */
#include "collection/faces/answers.h"

#include <akin/versions.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/utf8.h"
#include "collection/collection.h"
#include "collection/faces/captions/corrections.h"
#include "collection/faces/face_items.h"
#include "collection/faces/finder.h"

enum { NAME_MOST = 512 };  // bytes

akin_status akin_answers_open(akin_answers **out, akin_ctx *ctx,
                              const char *path)
{
    akin_answers *a = NULL;
    akin_status st = AKIN_OK;
    AK_TRY(AK_NEW(ctx, 1, &a));
    a->catalog.lock = -1;
    AK_TRY(ak_catalog_open(&a->catalog, ctx, path, AK_CATALOG_READ));
    AK_TRY(ak_catalog_check_kind(&a->catalog, ctx, "faces"));
    strcpy(a->folder, a->catalog.folder);
    *out = a;
    a = NULL;
done:
    akin_answers_close(a);
    return st;
}

void akin_answers_close(akin_answers *a)
{
    if (a == NULL)
        return;
    sqlite3_finalize(a->next);
    ak_catalog_close(&a->catalog);
    ak_face_finder_free(a->finder);
    akin_free(a);
}

/* Answers are copied when a collection begins to be replaced: later ones would
 * be lost. */
static akin_status check_not_replaced(const akin_answers *a, akin_ctx *ctx)
{
    char made[PATH_MAX + 8];
    snprintf(made, sizeof made, "%s%s", a->catalog.real, ak_catalog_made);
    if (!ak_catalog_is(made) || !ak_catalog_is_locked(&a->catalog))
        return AKIN_OK;
    return ak_fail(ctx, AKIN_EBUSY,
                   "%s is being made again; try again when it is done",
                   a->folder);
}

akin_status ak_answers_write(akin_answers *a, akin_ctx *ctx)
{
    AK_CHECK(check_not_replaced(a, ctx));
    ak_catalog c = {.lock = -1};
    const bool can = a->writes && !ak_sql_has_moved(&a->catalog.sql);
    const akin_status st =
        can ? AKIN_OK : ak_catalog_open(&c, ctx, a->folder, AK_CATALOG_CHANGE);
    if (st != AKIN_OK || can) {
        ak_catalog_close(&c);
        return st;
    }
    sqlite3_finalize(a->next);
    a->next = NULL;
    ak_catalog_close(&a->catalog);
    a->catalog = c;
    a->writes = true;
    return AKIN_OK;
}

akin_status ak_answers_index(const akin_answers *a, akin_ctx *ctx)
{
    enum { TRIES = 10, POLL = 20000 };  // microseconds
    ak_catalog c = {.lock = -1};
    akin_status st = AKIN_OK;
    for (int i = 0; ak_catalog_is_locked(&a->catalog); ++i) {
        if (i == TRIES)
            return AKIN_OK;
        usleep(POLL);
    }
    AK_TRY(ak_catalog_open(&c, ctx, a->folder, AK_CATALOG_WRITE));
    AK_TRY(ak_segments_update(&c, ctx));
done:
    ak_catalog_close(&c);
    if (st == AKIN_OK || st == AKIN_ENOMEM)
        return st;
    ak_log(ctx, AKIN_LOG_WARNING, "%s: the index: %s", a->folder,
           akin_ctx_message(ctx));
    return AKIN_OK;
}

/* ---- one answer ---- */

static akin_status check_text(akin_ctx *ctx, const char *what, const char *text,
                              size_t most)
{
    const size_t n = strlen(text);
    if (n == 0 || n > most)
        return ak_fail(ctx, AKIN_EINVAL, "`%s`: expected 1 to %zu bytes", what,
                       most);
    if (!ak_utf8_is_shown(text, n))
        return ak_fail(ctx, AKIN_EINVAL,
                       "`%s` is not UTF-8, or has control codes", what);
    return AKIN_OK;
}

static akin_status check_name(akin_ctx *ctx, const char *what, const char *name)
{
    if (name == NULL)
        return ak_fail(ctx, AKIN_EINVAL, "`%s`: expected a name", what);
    if (strspn(name, " ") == strlen(name))
        return ak_fail(ctx, AKIN_EINVAL, "`%s` is empty", what);
    return check_text(ctx, what, name, NAME_MOST);
}

static akin_status check_face(const ak_catalog *c, akin_ctx *ctx, int64_t face)
{
    sqlite3_stmt *q = NULL;
    bool found = false;
    akin_status st = AKIN_OK;
    AK_TRY(ak_sql_ask_again(&c->sql, ctx, &q,
                            "SELECT 1 FROM faces WHERE item = ?", "i", face));
    AK_TRY(ak_sql_next(&c->sql, ctx, q, &found));
    if (!found)
        AK_TRY(ak_fail(ctx, AKIN_EINVAL, "%s: no face with id %" PRId64,
                       c->folder, face));
done:
    ak_sql_end_asking(&c->sql, q);
    return st;
}

static bool is_kind(const akin_answer *x, const char *kind)
{
    return x->kind != NULL && strcmp(x->kind, kind) == 0;
}

static bool corrects(const akin_answer *x)
{
    return x->kind != NULL && ak_corrects_caption(x->kind);
}

static bool has_name(const akin_answer *x)
{
    return is_kind(x, "is") || is_kind(x, "is-not") || is_kind(x, "merge") ||
           corrects(x);
}

akin_status ak_answer_check(const ak_catalog *c, akin_ctx *ctx,
                            const akin_answer *x)
{
    const bool merges = is_kind(x, "merge");
    if (!has_name(x) && !is_kind(x, "none") && !is_kind(x, "no-face") &&
        !is_kind(x, "box"))
        return ak_fail(ctx, AKIN_EINVAL,
                       "`kind` %.20s: expected is, is-not, none, no-face, "
                       "merge, person, not-person, in-picture, not-in-picture "
                       "or means",
                       x->kind ? x->kind : "is missing");
    if (has_name(x))
        AK_CHECK(check_name(ctx, "name", x->name));
    if (merges || is_kind(x, "means"))
        AK_CHECK(check_name(ctx, "other", x->other));
    if (merges && strcmp(x->name, x->other) == 0)
        return ak_fail(ctx, AKIN_EINVAL, "a name is not merged with itself");
    if (x->key != NULL)
        AK_CHECK(check_text(ctx, "key", x->key, AKIN_USER_SIZE - 1));
    if (x->user != NULL)
        AK_CHECK(check_text(ctx, "user", x->user, AKIN_USER_SIZE - 1));
    if (corrects(x))
        return ak_correction_check(c, ctx, x);
    return merges || is_kind(x, "box") ? AKIN_OK : check_face(c, ctx, x->face);
}

akin_status ak_answer_by_key(const ak_catalog *c, akin_ctx *ctx,
                             const char *key, int64_t *number)
{
    sqlite3_stmt *q = NULL;
    bool found = false;
    akin_status st = AKIN_OK;
    AK_TRY(ak_sql_ask_again(&c->sql, ctx, &q,
                            "SELECT number FROM answers WHERE key = ?", "t",
                            key));
    AK_TRY(ak_sql_next(&c->sql, ctx, q, &found));
    *number = found ? sqlite3_column_int64(q, 0) : 0;
done:
    ak_sql_end_asking(&c->sql, q);
    return st;
}

/* The face is kept with the answer, for who undoes it. */
static akin_status refuse(const ak_catalog *c, akin_ctx *ctx, int64_t number,
                          int64_t face)
{
    char *before = NULL;
    size_t n;
    akin_status st = AKIN_OK;
    AK_TRY(ak_face_pack(c, ctx, face, &before, &n));
    AK_TRY(ak_sql_do(&c->sql, ctx,
                     "UPDATE answers SET before = ? WHERE number = ?", "bi",
                     (ak_blob){before, n}, number));
    AK_TRY(ak_face_refuse(c, ctx, face));
done:
    akin_free(before);
    return st;
}

static akin_status insert(const ak_catalog *c, akin_ctx *ctx,
                          const akin_answer *x, int64_t *number)
{
    *number = 0;
    if (x->key != NULL)
        AK_CHECK(ak_answer_by_key(c, ctx, x->key, number));
    if (*number > 0)
        return AKIN_OK;
    AK_CHECK(ak_answer_check(c, ctx, x));
    if (is_kind(x, "box"))
        return ak_fail(ctx, AKIN_EINVAL,
                       "`kind` box: a box is drawn, not answered");
    const bool merges = is_kind(x, "merge");
    AK_CHECK(ak_sql_do(
        &c->sql, ctx,
        "INSERT INTO answers(key, item, kind, name, other, user) "
        "VALUES(?,nullif(?,-1),?,?,?,?)",
        "titttt", x->key, merges || corrects(x) ? (int64_t)-1 : x->face,
        x->kind, has_name(x) ? x->name : NULL,
        merges || is_kind(x, "means") ? x->other : NULL,
        x->user ? x->user : ""));
    *number = sqlite3_last_insert_rowid(c->sql.db);
    if (corrects(x))
        return ak_correction_put(c, ctx, *number, x);
    return is_kind(x, "no-face") ? refuse(c, ctx, *number, x->face) : AKIN_OK;
}

akin_status akin_answers_add(int64_t *number, akin_ctx *ctx, akin_answers *a,
                             const akin_answer *answer)
{
    akin_answer x = AKIN_ANSWER_INIT;
    ak_options_take(&x, sizeof x, answer);
    AK_CHECK(ak_answers_write(a, ctx));
    AK_CHECK(ak_sql_begin(&a->catalog.sql, ctx));
    AK_CHECK(
        ak_sql_end(&a->catalog.sql, ctx, insert(&a->catalog, ctx, &x, number)));
    return is_kind(&x, "no-face") ? ak_answers_index(a, ctx) : AKIN_OK;
}

/* ---- undone ---- */

/* The face as it was before answer `number`; where a later one changed it too,
 * that one leads there when it is undone. */
static akin_status undo_place(const ak_catalog *c, akin_ctx *ctx,
                              int64_t number, int64_t item, ak_blob before)
{
    AK_CHECK(ak_sql_do(&c->sql, ctx,
                       "UPDATE answers SET before = ?1 WHERE number = (SELECT "
                       "min(number) FROM answers WHERE item = ?2 AND number > "
                       "?3 AND undone = 0 AND kind IN ('box', 'no-face'))",
                       "bii", before, item, number));
    return sqlite3_changes(c->sql.db) > 0
               ? AKIN_OK
               : ak_face_restore(c, ctx, item, before);
}

static akin_status undo(const ak_catalog *c, akin_ctx *ctx, int64_t number,
                        bool *places)
{
    sqlite3_stmt *q = NULL;
    bool found = false;
    akin_status st = AKIN_OK;
    AK_TRY(ak_sql_ask(&c->sql, ctx, &q,
                      "SELECT kind IN ('box', 'no-face') AND undone = 0, item, "
                      "before FROM answers WHERE number = ?",
                      "i", number));
    AK_TRY(ak_sql_next(&c->sql, ctx, q, &found));
    if (!found)
        AK_TRY(ak_fail(ctx, AKIN_EINVAL, "%s: no answer %" PRId64, c->folder,
                       number));
    AK_TRY(ak_sql_do(&c->sql, ctx,
                     "UPDATE answers SET undone = 1 WHERE number = ?", "i",
                     number));
    AK_TRY(ak_correction_changed(c, ctx, number));
    *places = sqlite3_column_int(q, 0) != 0;
    if (*places)
        AK_TRY(undo_place(c, ctx, number, sqlite3_column_int64(q, 1),
                          (ak_blob){sqlite3_column_blob(q, 2),
                                    (size_t)sqlite3_column_bytes(q, 2)}));
done:
    sqlite3_finalize(q);
    return st;
}

akin_status akin_answers_undo(akin_ctx *ctx, akin_answers *a, int64_t number)
{
    bool places = false;
    AK_CHECK(ak_answers_write(a, ctx));
    AK_CHECK(ak_sql_begin(&a->catalog.sql, ctx));
    AK_CHECK(ak_sql_end(&a->catalog.sql, ctx,
                        undo(&a->catalog, ctx, number, &places)));
    return places ? ak_answers_index(a, ctx) : AKIN_OK;
}

akin_status akin_answers_next(akin_answer *out, akin_ctx *ctx, akin_answers *a,
                              int64_t after)
{
    const ak_sql *sql = &a->catalog.sql;
    bool row = false;
    *out = (akin_answer)AKIN_ANSWER_INIT;
    sqlite3_finalize(a->next);
    AK_CHECK(ak_sql_ask(
        sql, ctx, &a->next,
        "SELECT a.number, ifnull(item, -1), kind, name, other, key, "
        "nullif(user, ''), undone, x, y, width, height, ifnull(photo, -1), "
        "ifnull(first, -1), ifnull(last, -1), mention FROM answers a LEFT JOIN "
        "caption_answers p ON p.number = a.number WHERE a.number > ? ORDER BY "
        "a.number LIMIT 1",
        "i", after));
    AK_CHECK(ak_sql_next(sql, ctx, a->next, &row));
    if (!row) {
        sqlite3_reset(a->next);  // no snapshot is kept
        return AKIN_OK;
    }
    out->number = sqlite3_column_int64(a->next, 0);
    out->face = sqlite3_column_int64(a->next, 1);
    out->kind = (const char *)sqlite3_column_text(a->next, 2);
    out->name = (const char *)sqlite3_column_text(a->next, 3);
    out->other = (const char *)sqlite3_column_text(a->next, 4);
    out->key = (const char *)sqlite3_column_text(a->next, 5);
    out->user = (const char *)sqlite3_column_text(a->next, 6);
    out->undone = sqlite3_column_int64(a->next, 7);
    out->x = sqlite3_column_double(a->next, 8);
    out->y = sqlite3_column_double(a->next, 9);
    out->width = sqlite3_column_double(a->next, 10);
    out->height = sqlite3_column_double(a->next, 11);
    out->photo = sqlite3_column_int64(a->next, 12);
    out->start = sqlite3_column_int64(a->next, 13);
    out->end = sqlite3_column_int64(a->next, 14);
    out->mention = (const char *)sqlite3_column_text(a->next, 15);
    return AKIN_OK;
}

/* ---- names of the same person ---- */

static akin_status merged_add(ak_merges *m, akin_ctx *ctx, const char *text,
                              int32_t *number)
{
    const int64_t before = m->names.keys.n;
    AK_CHECK(ak_grow(ctx, before + 1, &m->room, sizeof *m->other, &m->other));
    AK_CHECK(ak_folded_names_add(&m->names, ctx, text, strlen(text), number));
    if (m->names.keys.n > before)
        m->other[*number] = -1;
    return AKIN_OK;
}

static int32_t last_of(const ak_merges *m, int32_t k)
{
    while (m->other[k] >= 0)
        k = m->other[k];
    return k;
}

/* The later of two merges wins: a merge that would lead back to the name is
 * dropped. */
static akin_status merge(ak_merges *m, akin_ctx *ctx, const char *name,
                         const char *other)
{
    int32_t from, to;
    AK_CHECK(merged_add(m, ctx, name, &from));
    AK_CHECK(merged_add(m, ctx, other, &to));
    m->other[from] = -1;
    if (last_of(m, to) == from)
        m->other[to] = -1;
    m->other[from] = to;
    return AKIN_OK;
}

akin_status ak_merges_read(ak_merges *out, akin_ctx *ctx, const ak_catalog *c)
{
    sqlite3_stmt *q = NULL;
    bool row = true;
    akin_status st = AKIN_OK;
    AK_TRY(ak_sql_ask(&c->sql, ctx, &q,
                      "SELECT name, other FROM answers WHERE kind = 'merge' "
                      "AND undone = 0 ORDER BY number",
                      ""));
    for (;;) {
        AK_TRY(ak_sql_next(&c->sql, ctx, q, &row));
        if (!row)
            break;
        AK_TRY(merge(out, ctx, (const char *)sqlite3_column_text(q, 0),
                     (const char *)sqlite3_column_text(q, 1)));
    }
done:
    sqlite3_finalize(q);
    return st;
}

akin_status ak_merged_name(const char **out, akin_ctx *ctx, const ak_merges *m,
                           const char *name)
{
    int32_t k = -1;
    if (m->names.keys.n > 0)
        AK_CHECK(ak_folded_names_find(&m->names, ctx, name, strlen(name), &k));
    *out = k < 0 || m->other[k] < 0 ? name : m->names.texts[last_of(m, k)];
    return AKIN_OK;
}

void ak_merges_free(ak_merges *m)
{
    ak_folded_names_free(&m->names);
    akin_free(m->other);
    *m = (ak_merges){0};
}

/* ---- what holds ---- */

static akin_status add_said(ak_told_list *l, akin_ctx *ctx, const ak_merges *m,
                            sqlite3_stmt *q)
{
    const char *kind = (const char *)sqlite3_column_text(q, 3);
    const char *name = (const char *)sqlite3_column_text(q, 4);
    ak_told x = {.number = sqlite3_column_int64(q, 0),
                 .item = sqlite3_column_int64(q, 1),
                 .photo = sqlite3_column_int64(q, 2),
                 .name = -1};
    x.kind = strcmp(kind, "is") == 0     ? AK_TOLD_IS
             : strcmp(kind, "none") == 0 ? AK_TOLD_NONE
                                         : AK_TOLD_IS_NOT;
    if (x.kind != AK_TOLD_NONE && name != NULL) {
        AK_CHECK(ak_merged_name(&name, ctx, m, name));
        AK_CHECK(
            ak_folded_names_add(&l->names, ctx, name, strlen(name), &x.name));
    }
    AK_CHECK(ak_grow(ctx, l->n + 1, &l->room, sizeof *l->all, &l->all));
    l->all[l->n++] = x;
    return AKIN_OK;
}

/* Does the later answer y leave nothing of x? */
static bool is_replaced(const ak_told *x, const ak_told *y)
{
    const bool same_face = x->item == y->item, same_name = x->name == y->name;
    if (x->number >= y->number)
        return false;
    if (x->kind == AK_TOLD_IS_NOT)
        return same_face && same_name && y->kind != AK_TOLD_NONE;
    if (same_face)
        return y->kind != AK_TOLD_IS_NOT || same_name;
    return x->kind == AK_TOLD_IS && y->kind == AK_TOLD_IS && same_name &&
           x->photo == y->photo;  // a person is once in a photo
}

static int by_photo(const void *left, const void *right)
{
    const ak_told *a = left, *b = right;
    if (a->photo != b->photo)
        return a->photo < b->photo ? -1 : 1;
    return (a->number > b->number) - (a->number < b->number);
}

/* Only answers of one photo have to do with each other. */
static void drop_replaced(ak_told_list *l)
{
    int64_t kept = 0;
    if (l->n > 0)
        qsort(l->all, (size_t)l->n, sizeof *l->all, by_photo);
    for (int64_t i = 0; i < l->n; ++i) {
        bool holds = true;
        for (int64_t k = i + 1;
             holds && k < l->n && l->all[k].photo == l->all[i].photo; ++k)
            holds = !is_replaced(&l->all[i], &l->all[k]);
        if (holds)
            l->all[kept++] = l->all[i];
    }
    l->n = kept;
}

/* Names that faces came with are older than all answers: their numbers are
 * below 0, the first face of a photo has the largest one. */
akin_status ak_told_read(ak_told_list *out, akin_ctx *ctx, const ak_catalog *c)
{
    sqlite3_stmt *q = NULL;
    ak_merges m = {0};
    bool row = true;
    akin_status st = AKIN_OK;
    AK_TRY(ak_merges_read(&m, ctx, c));
    AK_TRY(ak_sql_number(&c->sql, ctx,
                         "SELECT ifnull(max(number), 0) FROM answers",
                         &out->last));
    AK_TRY(ak_sql_ask(
        &c->sql, ctx, &q,
        "SELECT a.number, a.item, photo, kind, name FROM answers a JOIN faces "
        "f ON f.item = a.item WHERE undone = 0 AND kind IN ('is', 'is-not', "
        "'none') UNION ALL SELECT -1 - id, id, photo, 'is', labels FROM items "
        "JOIN faces ON item = id WHERE labels != '' AND instr(labels, "
        "char(10)) = 0",
        ""));
    for (;;) {
        AK_TRY(ak_sql_next(&c->sql, ctx, q, &row));
        if (!row)
            break;
        AK_TRY(add_said(out, ctx, &m, q));
    }
    drop_replaced(out);
done:
    sqlite3_finalize(q);
    ak_merges_free(&m);
    return st;
}

const char *ak_told_name(const ak_told_list *l, const ak_told *x)
{
    return x->name < 0 ? NULL : l->names.texts[x->name];
}

void ak_told_free(ak_told_list *l)
{
    akin_free(l->all);
    ak_folded_names_free(&l->names);
    *l = (ak_told_list){0};
}

/* ---- as confirmed names ---- */

static void put_line(FILE *to, int64_t row, const char *name, bool is_not)
{
    fprintf(to, "%" PRId64 ",\"", row);
    for (; name != NULL && *name != '\0'; ++name) {
        if (*name == '"')
            putc('"', to);
        putc(*name, to);
    }
    fprintf(to, "\",%s\n", is_not ? "is-not" : "is");
}

/* Names that are given come first, so that those to be refused are known. */
static void put_lines(FILE *to, const ak_told_list *l, const akin_collection *c,
                      bool refused)
{
    for (int64_t i = 0; i < l->n; ++i) {
        const ak_told *x = &l->all[i];
        if ((x->kind == AK_TOLD_IS_NOT) == refused)
            put_line(to, ak_collection_row(c, x->item), ak_told_name(l, x),
                     refused);
    }
}

static akin_status lines_of(char **out, akin_ctx *ctx, const ak_told_list *l,
                            const akin_collection *c)
{
    size_t size = 0;
    FILE *to = open_memstream(out, &size);
    if (to == NULL)
        return ak_nomem(ctx, 0);
    put_lines(to, l, c, false);
    put_lines(to, l, c, true);
    return fclose(to) == 0 ? AKIN_OK : ak_nomem(ctx, 0);
}

akin_status ak_told_confirmed(akin_face_names **out, akin_ctx *ctx,
                              akin_supervision *captions, const ak_told_list *l,
                              const akin_collection *c)
{
    char *text = NULL;
    akin_status st = AKIN_OK;
    *out = NULL;
    if (l->n == 0)
        return AKIN_OK;
    AK_TRY(lines_of(&text, ctx, l, c));
    AK_TRY(akin_face_names_said(out, ctx, captions, "answers", text));
done:
    free(text);
    return st;
}

akin_status akin_answers_confirmed(akin_face_names **out, akin_ctx *ctx,
                                   akin_supervision *captions,
                                   akin_collection *c)
{
    ak_told_list l = {0};
    akin_status st = AKIN_OK;
    *out = NULL;
    AK_TRY(ak_told_read(&l, ctx, &c->catalog));
    AK_TRY(ak_told_confirmed(out, ctx, captions, &l, c));
done:
    ak_told_free(&l);
    return st;
}
