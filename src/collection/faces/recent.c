/* Between a correction and the next learning: the faces of the photo lose and
 * get candidates at once, others stay as they are. */
#include "collection/faces/recent.h"

#include <stdlib.h>
#include <string.h>

#include "collection/faces/captions/mentions.h"
#include "data/captions/shared_names.h"

void ak_recent_free(ak_recent_names *l)
{
    for (int64_t k = 0; k < l->n; ++k)
        akin_free(l->all[k].name);
    akin_free(l->all);
    *l = (ak_recent_names){0};
}

/* A photo, by the first of its faces; false: it has none. */
static bool find_photo(const akin_review *r, int64_t id, int64_t *bag)
{
    const ak_bags *b = r->known->bags;
    for (int64_t i = 0; i < b->n_photos; ++i) {
        const int64_t *rows;
        if (ak_bags_faces(b, i, &rows) > 0 && r->photo[rows[0]] == id) {
            *bag = i;
            return true;
        }
    }
    return false;
}

/* ---- names that a caption lost ---- */

/* Was the face told to be this, or not to be it? */
static bool is_told(const ak_told_list *said, int64_t item, int32_t name)
{
    for (int64_t k = 0; k < said->n; ++k)
        if (said->all[k].item == item && said->all[k].name == name)
            return true;
    return false;
}

static akin_status refuse(ak_told_list *said, akin_ctx *ctx,
                          const akin_review *r, int64_t bag, const char *name)
{
    const int64_t *rows;
    const int64_t n = ak_bags_faces(r->known->bags, bag, &rows);
    int32_t number;
    AK_CHECK(
        ak_folded_names_add(&said->names, ctx, name, strlen(name), &number));
    for (int64_t i = 0; i < n; ++i) {
        const int64_t item = ak_collection_id(r->c, rows[i]);
        if (is_told(said, item, number))
            continue;
        AK_CHECK(ak_grow(ctx, said->n + 1, &said->room, sizeof *said->all,
                         &said->all));
        said->all[said->n++] = (ak_told){.item = item,
                                         .photo = r->photo[rows[i]],
                                         .kind = AK_TOLD_IS_NOT,
                                         .name = number};
    }
    return AKIN_OK;
}

/* ---- names that it got ---- */

static akin_status add(ak_recent_names *l, akin_ctx *ctx, int64_t photo,
                       const char *name)
{
    AK_CHECK(ak_grow(ctx, l->n + 1, &l->room, sizeof *l->all, &l->all));
    l->all[l->n] = (ak_recent_name){.photo = photo};
    AK_CHECK(ak_strdup(ctx, name, &l->all[l->n].name));
    ++l->n;
    return AKIN_OK;
}

/* The names that its caption has now. */
static akin_status held_names(ak_folded_names *out, akin_ctx *ctx,
                              const ak_catalog *now, const ak_merges *merges,
                              int64_t photo)
{
    akin_caption_names names = {0};
    akin_status st = AKIN_OK;
    AK_TRY(ak_caption_names_load(&names, ctx, now, AK_NAMES_HELD, photo));
    for (int64_t i = 0; i < names.n; ++i) {
        const char *name = names.all[i].name;
        int32_t number;
        if (names.all[i].presence != AKIN_PICTURED)
            continue;
        AK_TRY(ak_merged_name(&name, ctx, merges, name));
        AK_TRY(ak_folded_names_add(out, ctx, name, strlen(name), &number));
    }
done:
    ak_caption_names_clear(&names);
    return st;
}

static akin_status compare(ak_recent_names *added, ak_told_list *said,
                           akin_ctx *ctx, const akin_review *r, int64_t photo,
                           const ak_folded_names *held)
{
    const ak_mark mark = ak_scratch_begin(ctx);
    const ak_bags *b = r->known->bags;
    const int32_t *names;
    int64_t bag, n;
    bool *known;
    int32_t k;
    akin_status st = AKIN_OK;
    if (!find_photo(r, photo, &bag))
        goto done;
    n = ak_bags_names(b, bag, &names);
    AK_TRY(AK_SCRATCH(ctx, held->keys.n + 1, &known));
    for (int64_t i = 0; i < n; ++i) {
        const char *name = b->name_texts[names[i]];
        AK_TRY(ak_folded_names_find(held, ctx, name, strlen(name), &k));
        if (k >= 0)
            known[k] = true;
        else
            AK_TRY(refuse(said, ctx, r, bag, name));
    }
    for (int64_t i = 0; i < held->keys.n; ++i)
        if (!known[i])
            AK_TRY(add(added, ctx, photo, held->texts[i]));
done:
    ak_scratch_end(ctx, mark);
    return st;
}

static akin_status take_photo(ak_recent_names *added, ak_told_list *said,
                              akin_ctx *ctx, const ak_catalog *now,
                              const ak_merges *merges, const akin_review *r,
                              int64_t photo)
{
    ak_folded_names held = {0};
    akin_status st = AKIN_OK;
    AK_TRY(held_names(&held, ctx, now, merges, photo));
    AK_TRY(compare(added, said, ctx, r, photo, &held));
done:
    ak_folded_names_free(&held);
    return st;
}

akin_status ak_recent_take(ak_recent_names *added, ak_told_list *said,
                           akin_ctx *ctx, const ak_catalog *now,
                           const akin_review *r)
{
    ak_merges merges = {0};
    sqlite3_stmt *q = NULL;
    bool row = true;
    akin_status st = AKIN_OK;
    AK_TRY(ak_merges_read(&merges, ctx, now));
    AK_TRY(
        ak_sql_ask(&now->sql, ctx, &q,
                   "SELECT DISTINCT photo FROM caption_answers WHERE photo >= "
                   "0",
                   ""));
    for (;;) {
        AK_TRY(ak_sql_next(&now->sql, ctx, q, &row));
        if (!row)
            break;
        AK_TRY(take_photo(added, said, ctx, now, &merges, r,
                          sqlite3_column_int64(q, 0)));
    }
done:
    sqlite3_finalize(q);
    ak_merges_free(&merges);
    return st;
}

/* ---- as candidates ---- */

/* Not refused for this face, and not another's of the photo. */
static bool is_free(const akin_review *r, int64_t row, const char *name)
{
    const int64_t item = ak_collection_id(r->c, row);
    for (int64_t k = 0; k < r->said.n; ++k) {
        const ak_told *x = &r->said.all[k];
        const char *other = ak_told_name(&r->said, x);
        if (other == NULL || x->photo != r->photo[row] ||
            strcmp(other, name) != 0)
            continue;
        if (x->item == item || x->kind == AK_TOLD_IS)
            return false;
    }
    return true;
}

static bool has(const akin_candidate *list, int64_t n, const char *name)
{
    for (int64_t k = 0; k < n; ++k)
        if (list[k].name != NULL && strcmp(list[k].name, name) == 0)
            return true;
    return false;
}

static int by_probability(const void *left, const void *right)
{
    const akin_candidate *a = left, *b = right;
    return (a->probability < b->probability) -
           (a->probability > b->probability);
}

int64_t ak_recent_add(akin_candidate *list, int64_t n, int64_t most,
                      const akin_review *r, int64_t row)
{
    const int64_t before = n;
    double nobody = 0.0;
    for (int64_t k = 0; k < r->recent.n && n < most; ++k) {
        const ak_recent_name *x = &r->recent.all[k];
        if (x->photo == r->photo[row] && is_free(r, row, x->name) &&
            !has(list, n, x->name))
            list[n++] = (akin_candidate){x->name, 0.0};
    }
    if (n == before)
        return n;
    for (int64_t k = 0; k < before; ++k)
        nobody = list[k].name == NULL ? list[k].probability : nobody;
    for (int64_t k = 0; k < n; ++k)
        if (k >= before || list[k].name == NULL)
            list[k].probability = nobody / (double)(n - before + 1);
    qsort(list, (size_t)n, sizeof *list, by_probability);
    return n;
}
