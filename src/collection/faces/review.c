/* A review in progress: what was learned once, and kept up to date with the
 * answers of a person. */
#include "collection/faces/review.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "collection/faces/recent.h"

/* ---- memory ---- */

void akin_review_close(akin_review *r)
{
    if (r == NULL)
        return;
    akin_estimate_free(r->estimate);
    akin_face_names_free(r->confirmed);
    akin_naming_free(r->naming);
    akin_supervision_free(r->known);
    akin_rows_free(r->rows);
    akin_rows_free(r->raw);
    akin_recipe_free(r->recipe);
    ak_told_free(&r->said);
    ak_recent_free(&r->recent);
    akin_collection_close(r->c);
    ak_catalog_close(&r->catalog);
    akin_free(r->names);
    akin_free(r->probabilities);
    akin_free(r->gains);
    akin_free(r->photo);
    akin_free(r->decided);
    akin_free(r->changed);
    akin_free(r->queue);
    akin_free(r);
}

static akin_status make_room(akin_review *r, akin_ctx *ctx)
{
    akin_status st = AKIN_OK;
    r->n = akin_rows_count(r->rows);
    AK_TRY(AK_NEW(ctx, r->n, &r->names));
    AK_TRY(AK_NEW(ctx, r->n, &r->probabilities));
    AK_TRY(AK_NEW(ctx, r->n, &r->gains));
    AK_TRY(AK_NEW(ctx, r->n, &r->photo));
    AK_TRY(AK_NEW(ctx, r->n, &r->decided));
    AK_TRY(AK_NEW(ctx, r->n, &r->changed));
    AK_TRY(AK_NEW(ctx, r->n, &r->queue));
    for (int64_t i = 0; i < r->n; ++i) {
        akin_face f;
        AK_TRY(akin_faces_get(&f, ctx, r->c, i));
        r->photo[i] = f.photo_id;
        r->decided[i] = -1;
    }
done:
    return st;
}

/* ---- is it of now? ---- */

/* Numbers that change with faces, captions (but not with corrections of them)
 * and merged names. */
static akin_status stamp(int64_t out[AK_REVIEW_STAMP], akin_ctx *ctx,
                         const ak_catalog *c)
{
    static const char *const questions[AK_REVIEW_STAMP] = {
        "SELECT COUNT(*) FROM items",
        "SELECT ifnull(max(id), 0) FROM items",
        "SELECT ifnull(max(seq), 0) FROM sqlite_sequence WHERE name = "
        "'waiting'",
        "SELECT ifnull(sum((photo + 1) * (place + 1) * length(name)), 0) FROM "
        "(SELECT * FROM found_names UNION ALL SELECT * FROM caption_names "
        "WHERE photo NOT IN (SELECT photo FROM caption_answers)) WHERE "
        "in_picture = 'yes'",
        "SELECT ifnull(sum(number * number), 0) FROM answers WHERE kind = "
        "'merge' AND undone = 0",
    };
    for (int k = 0; k < AK_REVIEW_STAMP; ++k)
        AK_CHECK(ak_sql_number(&c->sql, ctx, questions[k], &out[k]));
    return AKIN_OK;
}

static akin_status count_corrections(int64_t *out, akin_ctx *ctx,
                                     const ak_catalog *c)
{
    return ak_sql_number(&c->sql, ctx,
                         "SELECT ifnull(sum(a.number * a.number), 0) FROM "
                         "answers a JOIN caption_answers p ON p.number = "
                         "a.number WHERE undone = 0",
                         out);
}

/* ---- the order of review ---- */

typedef struct asked {
    int64_t row;
    double gain;
} asked;

static int by_gain(const void *left, const void *right)
{
    const asked *a = left, *b = right;
    if (a->gain != b->gain)
        return a->gain < b->gain ? 1 : -1;
    return (a->row > b->row) - (a->row < b->row);
}

static akin_status set_queue(akin_review *r, akin_ctx *ctx)
{
    const ak_mark mark = ak_scratch_begin(ctx);
    asked *list;
    int64_t n = 0;
    akin_status st = AKIN_OK;
    AK_TRY(AK_SCRATCH(ctx, ak_max_i64(r->n, 1), &list));
    for (int64_t i = 0; i < r->n; ++i)
        if (r->gains[i] > 0.0 && r->decided[i] < 0)
            list[n++] = (asked){i, r->gains[i]};
    if (n > 0)
        qsort(list, (size_t)n, sizeof *list, by_gain);
    for (int64_t k = 0; k < n; ++k)
        r->queue[k] = list[k].row;
    r->n_queue = n;
done:
    ak_scratch_end(ctx, mark);
    return st;
}

/* ---- with all answers ---- */

static akin_status name_all(akin_review *r, akin_ctx *ctx)
{
    akin_names_options o = AKIN_NAMES_DEFAULTS;
    o.confirmed = r->confirmed;
    o.estimate = r->estimate;
    AK_CHECK(akin_naming_names(r->names, NULL, ctx, r->naming, &o, NULL));
    AK_CHECK(akin_estimate_probabilities(r->probabilities, ctx, r->estimate,
                                         r->naming, r->names, r->confirmed));
    AK_CHECK(akin_estimate_gains(r->gains, ctx, r->estimate, r->naming,
                                 r->names, r->confirmed));
    return set_queue(r, ctx);
}

/* What a row was called by: the answer that decides it, or else the name that
 * was found. */
typedef struct called {
    int64_t answer;  // its number; 0: none
    int32_t name;
} called;

static called called_now(const akin_review *r, int64_t row)
{
    const int64_t k = r->decided[row];
    return (called){k >= 0 ? r->said.all[k].number : 0, r->names[row]};
}

static void mark_changed(const akin_review *r, const called *before)
{
    for (int64_t i = 0; i < r->n; ++i) {
        const called now = called_now(r, i);
        if (now.answer != before[i].answer || now.name != before[i].name)
            r->changed[i] = r->said.last;
    }
}

/* The answer that decides each row; -1: none. */
static void set_decided(akin_review *r)
{
    for (int64_t i = 0; i < r->n; ++i)
        r->decided[i] = -1;
    for (int64_t k = 0; k < r->said.n; ++k) {
        const ak_told *x = &r->said.all[k];
        if (x->kind != AK_TOLD_IS_NOT)
            r->decided[ak_collection_row(r->c, x->item)] = k;
    }
}

/* The answers of a catalogue in place of those before. */
static akin_status take_answers(akin_review *r, akin_ctx *ctx,
                                const ak_catalog *from)
{
    ak_told_list said = {0};
    ak_recent_names recent = {0};
    akin_face_names *confirmed = NULL;
    int64_t corrections;
    akin_status st = AKIN_OK;
    AK_TRY(ak_told_read(&said, ctx, from));
    AK_TRY(count_corrections(&corrections, ctx, from));
    if (corrections != r->corrections)
        AK_TRY(ak_recent_take(&recent, &said, ctx, from, r));
    AK_TRY(ak_told_confirmed(&confirmed, ctx, r->known, &said, r->c));
    ak_told_free(&r->said);
    r->said = said;
    said = (ak_told_list){0};
    akin_face_names_free(r->confirmed);
    r->confirmed = confirmed;
    confirmed = NULL;
    ak_recent_free(&r->recent);
    r->recent = recent;
    recent = (ak_recent_names){0};
    r->behind = corrections != r->corrections;
    set_decided(r);
done:
    ak_recent_free(&recent);
    ak_told_free(&said);
    akin_face_names_free(confirmed);
    return st;
}

akin_status akin_review_update(int64_t *stale, akin_ctx *ctx, akin_review *r)
{
    const ak_mark mark = ak_scratch_begin(ctx);
    int64_t now[AK_REVIEW_STAMP], moment;
    called *before;
    akin_status st = AKIN_OK;
    *stale = ak_sql_has_moved(&r->catalog.sql);  // it was replaced
    if (*stale)
        goto done;
    AK_TRY(ak_sql_number(&r->catalog.sql, ctx, "PRAGMA data_version", &moment));
    if (moment == r->moment)
        goto done;
    AK_TRY(AK_SCRATCH(ctx, ak_max_i64(r->n, 1), &before));
    for (int64_t i = 0; i < r->n; ++i)
        before[i] = called_now(r, i);
    AK_TRY(ak_sql_run(&r->catalog.sql, ctx, "BEGIN"));  // of one moment
    st = stamp(now, ctx, &r->catalog);
    *stale = st == AKIN_OK && memcmp(now, r->stamp, sizeof now) != 0;
    if (st == AKIN_OK && !*stale)
        st = take_answers(r, ctx, &r->catalog);
    AK_TRY(ak_sql_end(&r->catalog.sql, ctx, st));
    if (*stale)
        goto done;
    r->moment = moment;
    AK_TRY(akin_estimate_update(ctx, r->estimate, r->naming, r->confirmed));
    AK_TRY(name_all(r, ctx));
    mark_changed(r, before);
done:
    ak_scratch_end(ctx, mark);
    return st;
}

/* ---- learned once ---- */

/* Where captions say that persons are, and how well faces can be seen. */
static akin_status weigh(akin_review *r, akin_ctx *ctx)
{
    const ak_mark mark = ak_scratch_begin(ctx);
    akin_face_weight *prior = NULL;
    double *quality;
    int64_t n;
    akin_status st = AKIN_OK;
    AK_TRY(AK_SCRATCH(ctx, r->n, &quality));
    AK_TRY(akin_faces_prior(&prior, &n, ctx, r->c, r->known));
    if (n > 0)
        AK_TRY(akin_naming_set_prior(ctx, r->naming, prior, n));
    AK_TRY(akin_faces_quality(quality, ctx, r->c));
    AK_TRY(akin_naming_set_quality(ctx, r->naming, quality));
done:
    akin_free(prior);
    ak_scratch_end(ctx, mark);
    return st;
}

static akin_status learn(akin_review *r, akin_ctx *ctx)
{
    akin_recipe_options o = AKIN_RECIPE_DEFAULTS;
    o.scale = "su";  // as `akin name`
    AK_CHECK(akin_collection_rows(&r->raw, ctx, r->c, NULL, NULL));
    AK_CHECK(akin_recipe_fit(&r->recipe, ctx, r->raw, &o));
    AK_CHECK(akin_recipe_apply(&r->rows, ctx, r->recipe, r->raw));
    AK_CHECK(akin_supervision_new(&r->known, ctx, r->rows, NULL, r->recipe));
    AK_CHECK(akin_faces_captions(ctx, r->known, r->c));
    AK_CHECK(make_room(r, ctx));
    AK_CHECK(take_answers(r, ctx, &r->c->catalog));
    AK_CHECK(akin_naming_learn(&r->naming, ctx, NULL, r->known, r->confirmed));
    AK_CHECK(weigh(r, ctx));
    AK_CHECK(akin_naming_estimate(&r->estimate, ctx, r->naming, r->confirmed));
    return name_all(r, ctx);
}

akin_status akin_review_open(akin_review **out, akin_ctx *ctx, const char *path)
{
    akin_review *r = NULL;
    akin_status st = AKIN_OK;
    AK_TRY(AK_NEW(ctx, 1, &r));
    r->catalog.lock = -1;
    AK_TRY(ak_catalog_open(&r->catalog, ctx, path, AK_CATALOG_READ));
    AK_TRY(akin_collection_open(&r->c, ctx, path));
    AK_TRY(stamp(r->stamp, ctx, &r->c->catalog));
    AK_TRY(count_corrections(&r->corrections, ctx, &r->c->catalog));
    AK_TRY(learn(r, ctx));
    AK_TRY(akin_collection_release(ctx, r->c));
    *out = r;
    r = NULL;
done:
    akin_review_close(r);
    return st;
}

/* ---- what is known of a face ---- */

int64_t akin_review_count(const akin_review *r)
{
    return r->n;
}

void akin_review_get(akin_review_face *out, const akin_review *r, int64_t row)
{
    const int64_t k = r->decided[row];
    *out = (akin_review_face){
        .row = row,
        .id = ak_collection_id(r->c, row),
        .name = k >= 0 ? ak_told_name(&r->said, &r->said.all[k])
                       : akin_naming_name(r->naming, r->names[row]),
        .probability = k >= 0                         ? 1.0
                       : isnan(r->probabilities[row]) ? 0.0
                                                      : r->probabilities[row],
        .gain = k >= 0 ? 0.0 : r->gains[row],
        .said = k >= 0,
        .changed = r->changed[row],
    };
}

akin_status akin_review_find(akin_review_face *out, akin_ctx *ctx,
                             const akin_review *r, int64_t id)
{
    int64_t low = 0, high = r->n;
    while (low < high) {
        const int64_t middle = low + (high - low) / 2;
        if (ak_collection_id(r->c, middle) < id)
            low = middle + 1;
        else
            high = middle;
    }
    if (low == r->n || ak_collection_id(r->c, low) != id)
        return ak_fail(ctx, AKIN_EINVAL, "there is no face %" PRId64, id);
    akin_review_get(out, r, low);
    return AKIN_OK;
}

int64_t akin_review_queue(const int64_t **rows, const akin_review *r)
{
    *rows = r->queue;
    return r->n_queue;
}

int64_t akin_review_last(const akin_review *r)
{
    return r->said.last;
}

int64_t akin_review_is_behind(const akin_review *r)
{
    return r->behind;
}

int64_t akin_review_candidates(akin_candidate *out, const akin_review *r,
                               int64_t row, int64_t most)
{
    enum { CANDIDATES = 64 };
    int32_t names[CANDIDATES];
    double probabilities[CANDIDATES];
    const int64_t all = akin_estimate_candidates(
        names, probabilities, r->estimate, r->naming, row, CANDIDATES);
    int64_t n = 0;
    for (int64_t k = 0; k < all && k < CANDIDATES && n < most; ++k)
        if (probabilities[k] > 0.0)
            out[n++] = (akin_candidate){akin_naming_name(r->naming, names[k]),
                                        probabilities[k]};
    return ak_recent_add(out, n, most, r, row);
}

/* ---- persons ---- */

static int by_name(const void *left, const void *right)
{
    const akin_person *a = left, *b = right;
    return strcmp(a->name, b->name);
}

static akin_status add_person(ak_names *names, akin_person **list,
                              int64_t *room, akin_ctx *ctx, const char *name,
                              int32_t *number)
{
    const int64_t before = names->n;
    AK_CHECK(ak_grow(ctx, before + 1, room, sizeof **list, list));
    AK_CHECK(ak_names_add(names, ctx, name, strlen(name), number));
    if (names->n > before)
        (*list)[*number] = (akin_person){.name = name};
    return AKIN_OK;
}

akin_status akin_review_persons(akin_person **out, int64_t *n, akin_ctx *ctx,
                                const akin_review *r)
{
    akin_naming_info info;
    akin_person *list = NULL;
    ak_names names = {0};
    int64_t room = 0;
    int32_t k;
    akin_status st = AKIN_OK;
    akin_naming_get_info(&info, r->naming);
    AK_TRY(ak_grow(ctx, 1, &room, sizeof *list, &list));
    for (int64_t q = 0; q < info.names; ++q)
        AK_TRY(add_person(&names, &list, &room, ctx,
                          akin_naming_name(r->naming, q), &k));
    for (int64_t i = 0; i < r->recent.n; ++i)
        AK_TRY(
            add_person(&names, &list, &room, ctx, r->recent.all[i].name, &k));
    for (int64_t i = 0; i < r->n; ++i) {
        akin_review_face f;
        akin_review_get(&f, r, i);
        if (f.name == NULL)
            continue;
        AK_TRY(add_person(&names, &list, &room, ctx, f.name, &k));
        list[k].said += f.said;
        list[k].suggested += !f.said;
    }
    *n = names.n;
    if (*n > 0)
        qsort(list, (size_t)*n, sizeof *list, by_name);
    *out = list;
    list = NULL;
done:
    akin_free(list);
    ak_names_free(&names);
    return st;
}
