/* Captions as a person corrected them.
 *
 * What the tagger found is kept beside what holds. All corrections that count
 * are applied to it in their order, each time that one of them or the caption
 * changes: a later tagger or another caption takes none of them back. */
#include "collection/faces/captions/corrections.h"

#include <string.h>

#include "collection/faces/photos.h"

typedef struct correction {
    const char *kind, *name, *other;
    const char *mention;  // what the caption had there; NULL: no place
    ak_caption_span span;
} correction;

/* ---- one of them ---- */

static const char *const kinds[] = {"person", "not-person", "in-picture",
                                    "not-in-picture", "means"};

bool ak_corrects_caption(const char *kind)
{
    for (size_t k = 0; k < sizeof kinds / sizeof *kinds; ++k)
        if (strcmp(kind, kinds[k]) == 0)
            return true;
    return false;
}

akin_status ak_correction_check(const ak_catalog *c, akin_ctx *ctx,
                                const akin_answer *x)
{
    const bool placed = x->start != -1 || x->end != -1;
    char *text = NULL;
    bool found = false;
    akin_status st = AKIN_OK;
    AK_TRY(ak_caption_load(&text, ctx, c, x->photo, &found));
    if (!found)
        AK_TRY(ak_fail(ctx, AKIN_EINVAL, "%s: no photo with id %" PRId64,
                       c->folder, x->photo));
    if (placed && (text == NULL || !ak_span_is_whole(text, x->start, x->end)))
        AK_TRY(ak_fail(ctx, AKIN_EINVAL,
                       "`start` and `end` are no place in the caption"));
done:
    akin_free(text);
    return st;
}

/* Where the answer is about: the place that it gives, or else the first that
 * the name has. */
static akin_status place_of(ak_caption_span *out, akin_ctx *ctx,
                            const ak_catalog *c, const akin_answer *x)
{
    akin_caption_names names = {0};
    ak_caption_name *known = NULL;
    akin_status st = AKIN_OK;
    *out = (ak_caption_span){(int32_t)x->start, (int32_t)x->end};
    if (x->start >= 0)
        return AKIN_OK;
    AK_TRY(ak_caption_names_load(&names, ctx, c, AK_NAMES_HELD, x->photo));
    AK_TRY(ak_caption_names_find(&known, ctx, &names, x->name));
    if (known != NULL && known->n_spans > 0)
        *out = known->spans[0];
done:
    ak_caption_names_clear(&names);
    return st;
}

/* ---- applied to names ---- */

/* Where the caption has the place now; start -1: nowhere. */
static ak_caption_span place_now(const correction *x, const char *text)
{
    const ak_caption_span none = {-1, -1};
    const size_t n = text ? strlen(text) : 0;
    const size_t m = x->mention ? strlen(x->mention) : 0;
    if (m == 0 || m > n)
        return none;
    if (x->span.start >= 0 && (size_t)x->span.start + m <= n &&
        memcmp(text + x->span.start, x->mention, m) == 0)
        return x->span;
    const char *at = strstr(text, x->mention);
    return at == NULL ? none
                      : (ak_caption_span){(int32_t)(at - text),
                                          (int32_t)(at - text + (int64_t)m)};
}

/* The name that has a mention over this place; NULL: none. */
static ak_caption_name *name_at(akin_caption_names *names,
                                ak_caption_span place)
{
    for (int64_t i = 0; i < names->n; ++i)
        for (int64_t k = 0; k < names->all[i].n_spans; ++k) {
            const ak_caption_span s = names->all[i].spans[k];
            if (s.start < place.end && place.start < s.end)
                return &names->all[i];
        }
    return NULL;
}

/* A place is of one name: mentions over it go, and names that had no other and
 * that nobody gave. */
static void clear_place(akin_caption_names *names, ak_caption_span place)
{
    ak_caption_name *x;
    while ((x = name_at(names, place)) != NULL) {
        int64_t kept = 0;
        for (int64_t k = 0; k < x->n_spans; ++k)
            if (x->spans[k].end <= place.start ||
                place.end <= x->spans[k].start)
                x->spans[kept++] = x->spans[k];
        x->n_spans = kept;
        if (kept == 0 && !x->said)
            ak_caption_names_drop(names, x);
    }
}

static void say_pictured(ak_caption_name *x, bool yes)
{
    x->said = true;
    x->probability = 1.0;
    x->presence = yes ? AKIN_PICTURED : AKIN_MENTIONED;
    x->present = yes ? 1.0 : 0.0;
}

/* The name, at the place or wherever the text has it. */
static akin_status add_person(akin_caption_names *names, akin_ctx *ctx,
                              const char *name, ak_caption_span place,
                              const char *text)
{
    ak_caption_name *x;
    if (place.start >= 0)
        clear_place(names, place);
    AK_CHECK(ak_caption_names_find(&x, ctx, names, name));
    if (x == NULL)
        AK_CHECK(ak_caption_names_add(names, ctx, name, strlen(name), &x));
    say_pictured(x, true);
    if (place.start >= 0)
        return ak_caption_name_add_span(x, ctx, place);
    return text ? ak_caption_names_locate(names, ctx, text) : AKIN_OK;
}

/* Where a mention has the name in it, with a title, the name is the mention. */
static void narrow(ak_caption_name *x, const char *text)
{
    const size_t n = strlen(x->name);
    for (int64_t k = 0; text != NULL && k < x->n_spans; ++k) {
        ak_caption_span *s = &x->spans[k];
        const char *at =
            memmem(text + s->start, (size_t)(s->end - s->start), x->name, n);
        if (at != NULL)
            *s = (ak_caption_span){(int32_t)(at - text),
                                   (int32_t)(at - text + (int64_t)n)};
    }
}

/* `from` becomes part of `to`, and leaves. */
static akin_status join(akin_caption_names *names, akin_ctx *ctx,
                        ak_caption_name *to, ak_caption_name *from)
{
    for (int64_t k = 0; k < from->n_spans; ++k)
        AK_CHECK(ak_caption_name_add_span(to, ctx, from->spans[k]));
    to->said = true;
    to->probability = 1.0;
    ak_caption_names_drop(names, from);
    return AKIN_OK;
}

static akin_status rename(ak_caption_name *x, akin_ctx *ctx, const char *name)
{
    char *copy = NULL;
    AK_CHECK(ak_strdup(ctx, name, &copy));
    akin_free(x->name);
    akin_free(x->key);
    x->name = copy;
    x->key = NULL;
    x->said = true;
    x->probability = 1.0;
    return AKIN_OK;
}

static akin_status mean(akin_caption_names *names, akin_ctx *ctx,
                        const correction *c, ak_caption_span place,
                        const char *text)
{
    ak_caption_name *x, *other;
    AK_CHECK(ak_caption_names_find(&x, ctx, names, c->name));
    AK_CHECK(ak_caption_names_find(&other, ctx, names, c->other));
    if (x == NULL && place.start >= 0)
        x = name_at(names, place);
    if (x == NULL && other == NULL)
        return add_person(names, ctx, c->other, place, text);
    if (x != NULL && other != NULL && x != other)
        return join(names, ctx, other, x);
    if (x == NULL)
        x = other;
    AK_CHECK(rename(x, ctx, c->other));
    narrow(x, text);
    return AKIN_OK;
}

static akin_status apply(akin_caption_names *names, akin_ctx *ctx,
                         const correction *c, const char *text)
{
    const ak_caption_span place = place_now(c, text);
    ak_caption_name *x;
    if (strcmp(c->kind, "means") == 0)
        return mean(names, ctx, c, place, text);
    if (strcmp(c->kind, "person") == 0)
        return add_person(names, ctx, c->name, place, text);
    AK_CHECK(ak_caption_names_find(&x, ctx, names, c->name));
    if (strcmp(c->kind, "not-person") == 0) {
        if (x != NULL)
            ak_caption_names_drop(names, x);
        return AKIN_OK;
    }
    const bool yes = strcmp(c->kind, "in-picture") == 0;
    if (x == NULL && yes)
        return add_person(names, ctx, c->name, place, text);
    if (x != NULL)
        say_pictured(x, yes);
    return AKIN_OK;
}

/* ---- all of a photo ---- */

static akin_status apply_all(akin_caption_names *names, akin_ctx *ctx,
                             const ak_catalog *c, int64_t photo)
{
    sqlite3_stmt *q = NULL;
    char *text = NULL;
    bool row = true;
    akin_status st = AKIN_OK;
    AK_TRY(ak_caption_load(&text, ctx, c, photo, &row));
    AK_TRY(ak_sql_ask_again(
        &c->sql, ctx, &q,
        "SELECT kind, name, other, mention, ifnull(first, -1), ifnull(last, "
        "-1) FROM caption_answers p JOIN answers a ON a.number = p.number "
        "WHERE photo = ? AND undone = 0 ORDER BY a.number",
        "i", photo));
    for (;;) {
        AK_TRY(ak_sql_next(&c->sql, ctx, q, &row));
        if (!row)
            break;
        const correction x = {
            .kind = (const char *)sqlite3_column_text(q, 0),
            .name = (const char *)sqlite3_column_text(q, 1),
            .other = (const char *)sqlite3_column_text(q, 2),
            .mention = (const char *)sqlite3_column_text(q, 3),
            .span = {sqlite3_column_int(q, 4), sqlite3_column_int(q, 5)}};
        if (x.kind == NULL || x.name == NULL)
            AK_TRY(ak_nomem(ctx, 0));
        AK_TRY(apply(names, ctx, &x, text));
    }
done:
    ak_sql_end_asking(&c->sql, q);
    akin_free(text);
    return st;
}

static akin_status count_answers(const ak_catalog *c, akin_ctx *ctx,
                                 int64_t photo, int64_t *n)
{
    sqlite3_stmt *q = NULL;
    bool row = false;
    akin_status st = AKIN_OK;
    AK_TRY(ak_sql_ask_again(&c->sql, ctx, &q,
                            "SELECT COUNT(*) FROM caption_answers WHERE photo "
                            "= ?",
                            "i", photo));
    AK_TRY(ak_sql_next(&c->sql, ctx, q, &row));
    *n = row ? sqlite3_column_int64(q, 0) : 0;
done:
    ak_sql_end_asking(&c->sql, q);
    return st;
}

/* What was found, corrected, is what holds. */
static akin_status correct(const ak_catalog *c, akin_ctx *ctx, int64_t photo)
{
    akin_caption_names names = {0};
    akin_status st = AKIN_OK;
    AK_TRY(ak_caption_names_load(&names, ctx, c, AK_NAMES_FOUND, photo));
    AK_TRY(apply_all(&names, ctx, c, photo));
    AK_TRY(ak_caption_names_store(c, ctx, AK_NAMES_HELD, photo, &names));
done:
    ak_caption_names_clear(&names);
    return st;
}

/* Those of a photo of this name or content that waited for it. */
static akin_status bind_carried(const ak_catalog *c, akin_ctx *ctx,
                                int64_t photo, int64_t *n)
{
    AK_CHECK(ak_sql_do(&c->sql, ctx,
                       "UPDATE caption_answers SET photo = ?1 WHERE photo = -1 "
                       "AND number IN (SELECT k.number FROM carried k, photos "
                       "p WHERE p.id = ?1 AND (k.name = p.name OR k.hash = "
                       "p.hash))",
                       "i", photo));
    *n = sqlite3_changes(c->sql.db);
    return *n == 0 ? AKIN_OK
                   : ak_sql_do(&c->sql, ctx,
                               "DELETE FROM carried WHERE number IN (SELECT "
                               "number FROM caption_answers WHERE photo = ?)",
                               "i", photo);
}

akin_status ak_corrections_bind(const ak_catalog *c, akin_ctx *ctx,
                                int64_t photo)
{
    akin_caption_names names = {0};
    int64_t n;
    akin_status st = AKIN_OK;
    AK_TRY(bind_carried(c, ctx, photo, &n));
    if (n == 0)
        goto done;
    AK_TRY(ak_caption_names_load(&names, ctx, c, AK_NAMES_HELD, photo));
    AK_TRY(ak_caption_names_store(c, ctx, AK_NAMES_FOUND, photo, &names));
    AK_TRY(correct(c, ctx, photo));
done:
    ak_caption_names_clear(&names);
    return st;
}

akin_status ak_corrections_take(const ak_catalog *c, akin_ctx *ctx,
                                int64_t photo, const akin_caption_names *found)
{
    int64_t n;
    AK_CHECK(bind_carried(c, ctx, photo, &n));
    AK_CHECK(count_answers(c, ctx, photo, &n));
    if (n == 0)
        return ak_caption_names_store(c, ctx, AK_NAMES_HELD, photo, found);
    AK_CHECK(ak_caption_names_store(c, ctx, AK_NAMES_FOUND, photo, found));
    return correct(c, ctx, photo);
}

/* With its first correction, what holds is what was found. */
static akin_status keep_found(const ak_catalog *c, akin_ctx *ctx, int64_t photo)
{
    akin_caption_names names = {0};
    int64_t n;
    akin_status st = AKIN_OK;
    AK_TRY(count_answers(c, ctx, photo, &n));
    if (n > 0)
        goto done;
    AK_TRY(ak_caption_names_load(&names, ctx, c, AK_NAMES_HELD, photo));
    AK_TRY(ak_caption_names_store(c, ctx, AK_NAMES_FOUND, photo, &names));
done:
    ak_caption_names_clear(&names);
    return st;
}

akin_status ak_correction_put(const ak_catalog *c, akin_ctx *ctx,
                              int64_t number, const akin_answer *x)
{
    ak_blob mention = {NULL, 0};
    char *text = NULL;
    ak_caption_span place;
    bool found;
    akin_status st = AKIN_OK;
    AK_TRY(place_of(&place, ctx, c, x));
    AK_TRY(ak_caption_load(&text, ctx, c, x->photo, &found));
    if (text != NULL && place.start >= 0)
        mention =
            (ak_blob){text + place.start, (size_t)(place.end - place.start)};
    AK_TRY(keep_found(c, ctx, x->photo));
    AK_TRY(ak_sql_do(&c->sql, ctx,
                     "INSERT INTO caption_answers VALUES(?, ?, nullif(?, -1), "
                     "nullif(?, -1), CAST(? AS TEXT))",
                     "iiiib", number, x->photo, (int64_t)place.start,
                     (int64_t)place.end, mention));
    AK_TRY(correct(c, ctx, x->photo));
done:
    akin_free(text);
    return st;
}

akin_status ak_correction_changed(const ak_catalog *c, akin_ctx *ctx,
                                  int64_t number)
{
    sqlite3_stmt *q = NULL;
    int64_t photo = -1;
    bool row = false;
    akin_status st = AKIN_OK;
    AK_TRY(ak_sql_ask_again(&c->sql, ctx, &q,
                            "SELECT photo FROM caption_answers WHERE number = "
                            "?",
                            "i", number));
    AK_TRY(ak_sql_next(&c->sql, ctx, q, &row));
    if (row)
        photo = sqlite3_column_int64(q, 0);
done:
    ak_sql_end_asking(&c->sql, q);
    return st == AKIN_OK && row ? correct(c, ctx, photo) : st;
}

/* ---- the text changes ---- */

/* Where a span is now; start -1: a byte of it is gone. */
static ak_caption_span moved_span(ak_caption_span s, const int32_t *places,
                                  int64_t n)
{
    const ak_caption_span none = {-1, -1};
    if (s.start < 0 || s.start >= s.end || s.end > n)
        return none;
    for (int32_t at = s.start; at < s.end; ++at)
        if (places[at] < 0)
            return none;
    return (ak_caption_span){places[s.start], places[s.end - 1] + 1};
}

static akin_status move_names(const ak_catalog *c, akin_ctx *ctx,
                              ak_names_table table, int64_t photo,
                              const int32_t *places, int64_t n)
{
    akin_caption_names names = {0};
    akin_status st = AKIN_OK;
    AK_TRY(ak_caption_names_load(&names, ctx, c, table, photo));
    for (int64_t i = 0; i < names.n; ++i) {
        ak_caption_name *x = &names.all[i];
        int64_t kept = 0;
        for (int64_t k = 0; k < x->n_spans; ++k) {
            const ak_caption_span s = moved_span(x->spans[k], places, n);
            if (s.start >= 0)
                x->spans[kept++] = s;
        }
        x->n_spans = kept;
    }
    AK_TRY(ak_caption_names_store(c, ctx, table, photo, &names));
done:
    ak_caption_names_clear(&names);
    return st;
}

/* One whose place is gone goes too: it says what was there. */
static akin_status move_answers(const ak_catalog *c, akin_ctx *ctx,
                                int64_t photo, const int32_t *places, int64_t n)
{
    sqlite3_stmt *q = NULL;
    bool row = true;
    akin_status st = AKIN_OK;
    AK_TRY(ak_sql_ask(&c->sql, ctx, &q,
                      "SELECT number, first, last FROM caption_answers WHERE "
                      "photo = ? AND first IS NOT NULL",
                      "i", photo));
    for (;;) {
        AK_TRY(ak_sql_next(&c->sql, ctx, q, &row));
        if (!row)
            break;
        const int64_t number = sqlite3_column_int64(q, 0);
        const ak_caption_span s =
            moved_span((ak_caption_span){sqlite3_column_int(q, 1),
                                         sqlite3_column_int(q, 2)},
                       places, n);
        if (s.start >= 0)
            AK_TRY(ak_sql_do(&c->sql, ctx,
                             "UPDATE caption_answers SET first = ?, last = ? "
                             "WHERE number = ?",
                             "iii", (int64_t)s.start, (int64_t)s.end, number));
        else
            AK_TRY(ak_sql_do(&c->sql, ctx,
                             "DELETE FROM answers WHERE number = ?", "i",
                             number));
    }
done:
    sqlite3_finalize(q);
    return st;
}

akin_status ak_corrections_move(const ak_catalog *c, akin_ctx *ctx,
                                int64_t photo, const int32_t *places, int64_t n)
{
    AK_CHECK(move_names(c, ctx, AK_NAMES_HELD, photo, places, n));
    AK_CHECK(move_names(c, ctx, AK_NAMES_FOUND, photo, places, n));
    return move_answers(c, ctx, photo, places, n);
}

akin_status ak_corrections_again(const ak_catalog *c, akin_ctx *ctx,
                                 int64_t photo)
{
    int64_t before, now;
    AK_CHECK(count_answers(c, ctx, photo, &before));
    if (before == 0)
        return AKIN_OK;
    AK_CHECK(ak_sql_do(&c->sql, ctx,
                       "DELETE FROM caption_answers WHERE photo = ? AND number "
                       "NOT IN (SELECT number FROM answers)",
                       "i", photo));
    AK_CHECK(correct(c, ctx, photo));
    AK_CHECK(count_answers(c, ctx, photo, &now));
    return now > 0 ? AKIN_OK
                   : ak_sql_do(&c->sql, ctx,
                               "DELETE FROM found_names WHERE photo = ?", "i",
                               photo);
}
