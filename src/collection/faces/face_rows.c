/* Collections of faces that are vectors already: rows, and captions that name
 * them. All rows come in one transaction. */
#include <string.h>

#include "collection/faces/carry.h"
#include "collection/faces/face_items.h"
#include "collection/replace.h"
#include "collection/segments.h"
#include "collection/terms.h"
#include "data/captions/bags.h"
#include "data/captions/shared_names.h"

typedef struct rows_run {
    akin_ctx *ctx;
    ak_catalog catalog;
    const akin_rows *rows;
    const char *path;  // of the captions
    ak_bags *bags;
    int64_t *photos;            // ids
    const ak_carried *carried;  // from what it replaces; NULL: it adds
    int64_t added;              // faces
    bool claimed;               // it is there, and stays
} rows_run;

static akin_status read_captions(rows_run *r)
{
    ak_source *s = NULL;
    akin_status st = AKIN_OK;
    AK_TRY(ak_source_open(&s, r->ctx, r->path, AK_SOURCE_TEXT));
    AK_TRY(ak_bags_read(&r->bags, r->ctx, s, r->rows->n));
done:
    ak_source_close(s);
    return st;
}

/* ---- photos ---- */

/* Its names a line each; from scratch. */
static akin_status put_names(const rows_run *r, int64_t photo, int64_t id)
{
    const ak_mark mark = ak_scratch_begin(r->ctx);
    ak_caption caption = {NULL, NULL};
    const int32_t *names;
    const int64_t n = ak_bags_names(r->bags, photo, &names);
    size_t size = 1;
    char *text, *to;
    akin_status st = AKIN_OK;
    for (int64_t k = 0; k < n; ++k)
        size += strlen(r->bags->name_texts[names[k]]) + 1;
    AK_TRY(AK_SCRATCH(r->ctx, (int64_t)size, &text));
    to = text;
    for (int64_t k = 0; k < n; ++k) {
        to = stpcpy(to, r->bags->name_texts[names[k]]);
        *to++ = '\n';
    }
    AK_TRY(
        ak_caption_of_names(&caption, r->ctx, text, (size_t)(to - text), '\n'));
    AK_TRY(ak_photo_put_caption(&r->catalog, r->ctx, id, &caption, NULL));
done:
    ak_caption_free(&caption);
    ak_scratch_end(r->ctx, mark);
    return st;
}

static akin_status check_new(const rows_run *r, const char *name)
{
    int64_t id;
    AK_CHECK(ak_photo_by_name(&r->catalog, r->ctx, name, &id));
    return id < 0 ? AKIN_OK
                  : ak_fail(r->ctx, AKIN_EINVAL,
                            "%s: the collection has a photo \"%.80s\"", r->path,
                            name);
}

static akin_status put_photos(rows_run *r)
{
    AK_CHECK(AK_SCRATCH(r->ctx, ak_max_i64(r->bags->n_photos, 1), &r->photos));
    for (int64_t i = 0; i < r->bags->n_photos; ++i) {
        ak_catalog_photo p = {.id = -1, .name = r->bags->photos[i]};
        AK_CHECK(check_new(r, p.name));
        AK_CHECK(ak_photo_put(&r->catalog, r->ctx, &p));
        AK_CHECK(put_names(r, i, p.id));
        r->photos[i] = p.id;
    }
    return AKIN_OK;
}

/* ---- faces ---- */

/* The place of each row: its photo, and its number there from 1. */
static akin_status find_places(const rows_run *r, int64_t **photo,
                               int64_t **number)
{
    AK_CHECK(AK_SCRATCH(r->ctx, r->rows->n, photo));
    AK_CHECK(AK_SCRATCH(r->ctx, r->rows->n, number));
    for (int64_t i = 0; i < r->bags->n_photos; ++i) {
        const int64_t *faces;
        const int64_t n = ak_bags_faces(r->bags, i, &faces);
        for (int64_t k = 0; k < n; ++k) {
            (*photo)[faces[k]] = i;
            (*number)[faces[k]] = k + 1;
        }
    }
    for (int64_t row = 0; row < r->rows->n; ++row)
        if ((*number)[row] == 0)
            return ak_fail(r->ctx, AKIN_ESHAPE,
                           "%s: no photo has row %" PRId64
                           " (there are %" PRId64 " rows)",
                           r->path, row, r->rows->n);
    return AKIN_OK;
}

/* Items come in the order of the rows. */
static akin_status put_rows(const rows_run *r)
{
    const ak_mark mark = ak_scratch_begin(r->ctx);
    int64_t *photo, *number;
    float *full;
    akin_status st = AKIN_OK;
    AK_TRY(find_places(r, &photo, &number));
    AK_TRY(AK_SCRATCH(r->ctx, r->rows->d, &full));
    for (int64_t i = 0; i < r->rows->n; ++i) {
        const ak_catalog_photo p = {.id = r->photos[photo[i]],
                                    .name = r->bags->photos[photo[i]]};
        const float *row = ak_rows_full(r->rows, i, full);
        AK_TRY(ak_photo_add_row(&r->catalog, r->ctx, &p, number[i], row,
                                r->rows->d));
    }
done:
    ak_scratch_end(r->ctx, mark);
    return st;
}

/* ---- the collection ---- */

static akin_status put_more(rows_run *r)
{
    static const char count[] = "SELECT COUNT(*) FROM faces";
    int64_t before, now;
    if (r->carried != NULL)
        AK_CHECK(ak_carry_captions(r->carried, r->ctx, &r->catalog));
    AK_CHECK(ak_sql_number(&r->catalog.sql, r->ctx, count, &before));
    AK_CHECK(put_photos(r));
    AK_CHECK(put_rows(r));
    AK_CHECK(ak_sql_number(&r->catalog.sql, r->ctx, count, &now));
    r->added = now - before;
    if (r->carried != NULL)
        AK_CHECK(ak_carry_put(r->carried, r->ctx, &r->catalog));
    return ak_segments_fill(&r->catalog, r->ctx);
}

static akin_status put_all(rows_run *r)
{
    ak_space space = {.form = AK_FORM_DENSE, .dim = r->rows->d};
    strcpy(space.name, ak_space_vectors);
    AK_CHECK(ak_catalog_set(&r->catalog, r->ctx, "kind", "faces"));
    AK_CHECK(ak_space_put(&r->catalog, r->ctx, &space));
    return put_more(r);
}

static akin_status write_all(rows_run *r)
{
    char kind[16];
    akin_status st = AKIN_OK;
    AK_TRY(ak_catalog_get(&r->catalog, r->ctx, "kind", kind, sizeof kind));
    if (kind[0] != '\0')
        AK_TRY(ak_fail(r->ctx, AKIN_EINVAL,
                       "%s: a collection exists (`force` replaces it)",
                       r->catalog.folder));
    AK_TRY(ak_catalog_clear(&r->catalog, r->ctx));
    AK_TRY(ak_sql_begin(&r->catalog.sql, r->ctx));
    AK_TRY(ak_sql_end(&r->catalog.sql, r->ctx, put_all(r)));
    r->claimed = true;
    AK_TRY(ak_segments_update(&r->catalog, r->ctx));
    ak_sql_tidy(&r->catalog.sql);
done:
    return st;
}

/* To a collection of vectors with as many columns. */
static akin_status add_all(rows_run *r)
{
    char detector[16];
    int64_t dim;
    akin_status st = AKIN_OK;
    r->claimed = true;
    AK_TRY(ak_catalog_check_kind(&r->catalog, r->ctx, "faces"));
    AK_TRY(ak_catalog_get(&r->catalog, r->ctx, "detector", detector,
                          sizeof detector));
    if (detector[0] != '\0')
        AK_TRY(ak_fail(r->ctx, AKIN_EINVAL,
                       "%s has faces of pictures; no vectors can be added to "
                       "it",
                       r->catalog.folder));
    AK_TRY(ak_sql_number(&r->catalog.sql, r->ctx,
                         "SELECT dim FROM spaces WHERE id = 0", &dim));
    if (dim != r->rows->d)
        AK_TRY(ak_fail(r->ctx, AKIN_ESHAPE,
                       "%s: rows of %" PRId64 " columns (expected %" PRId64 ")",
                       r->catalog.folder, r->rows->d, dim));
    AK_TRY(ak_sql_begin(&r->catalog.sql, r->ctx));
    AK_TRY(ak_sql_end(&r->catalog.sql, r->ctx, put_more(r)));
    AK_TRY(ak_segments_update(&r->catalog, r->ctx));
    ak_sql_tidy(&r->catalog.sql);
done:
    return st;
}

static akin_status import(akin_ctx *ctx, const char *path,
                          const akin_rows *rows, const char *captions,
                          akin_faces_info *info, const ak_carried *carried)
{
    const ak_mark mark = ak_scratch_begin(ctx);
    rows_run r = {
        .ctx = ctx, .rows = rows, .path = captions, .carried = carried};
    akin_status st = AKIN_OK;
    r.catalog.lock = -1;
    if (captions == NULL)
        AK_TRY(ak_fail(ctx, AKIN_EINVAL,
                       "vectors need `captions` that say which photo each "
                       "face is in"));
    AK_TRY(read_captions(&r));
    AK_TRY(ak_catalog_open(&r.catalog, ctx, path, AK_CATALOG_WRITE));
    AK_TRY(carried ? write_all(&r) : add_all(&r));
    if (info != NULL) {
        *info = (akin_faces_info){.added = r.added};
        AK_TRY(ak_faces_counts(&r.catalog, ctx, info));
    }
done:
    ak_bags_free(r.bags);
    if (st != AKIN_OK && !r.claimed)
        ak_catalog_undo(&r.catalog);
    ak_catalog_close(&r.catalog);
    ak_scratch_end(ctx, mark);
    return st;
}

akin_status akin_faces_import_more(akin_ctx *ctx, const char *path,
                                   const akin_rows *rows,
                                   const akin_faces_options *options,
                                   akin_faces_info *info)
{
    akin_faces_options o = AKIN_FACES_DEFAULTS;
    ak_options_take(&o, sizeof o, options);
    if (!ak_catalog_is(path))
        return ak_fail(ctx, AKIN_ENOENT, "%s: not a collection", path);
    return import(ctx, path, rows, o.captions, info, NULL);
}

akin_status akin_faces_import(akin_ctx *ctx, const char *path,
                              const akin_rows *rows,
                              const akin_faces_options *options,
                              akin_faces_info *info)
{
    akin_faces_options o = AKIN_FACES_DEFAULTS;
    ak_carried carried = {0};
    ak_replacement r = {.lock = -1};
    ak_options_take(&o, sizeof o, options);
    akin_status st = ak_carry_begin(&carried, ctx, path, o.force);
    if (st == AKIN_OK)
        st = ak_replace_begin(&r, ctx, path, o.force);
    if (st == AKIN_OK)
        st = import(ctx, r.path, rows, o.captions, info, &carried);
    ak_carry_end(&carried);
    return ak_replace_end(&r, ctx, st);
}
