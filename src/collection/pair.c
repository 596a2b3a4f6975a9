/* Two items, or a query and an item, as the model compares them. */
#include "collection/collection.h"
#include "collection/derive.h"
#include "collection/terms.h"

/* The item as a row for its side of the model, with the names of columns. */
static akin_status prepare(akin_rows **out, akin_ctx *ctx,
                           const akin_collection *c, const akin_model *m,
                           int64_t row, akin_side side)
{
    const ak_space *space = side == AKIN_LEFT ? &c->version.left
                                              : &c->version.right;
    const int64_t id = ak_collection_id(c, row);
    akin_rows *raw = NULL;
    akin_status st = AKIN_OK;
    AK_TRY(ak_derive_items(&raw, ctx, &c->catalog, space, &id, 1));
    if (space->form == AK_FORM_SPARSE)
        AK_TRY(ak_terms_name(&c->catalog, ctx, raw));
    AK_TRY(akin_model_prepare(out, ctx, m, raw, side));
done:
    akin_rows_free(raw);
    return st;
}

akin_status akin_collection_pair(akin_rows **left, akin_rows **right,
                                 const akin_model **model, akin_ctx *ctx,
                                 akin_collection *c, int64_t i, int64_t j)
{
    akin_rows *first = NULL;
    akin_item item;
    akin_status st = AKIN_OK;
    AK_TRY(akin_collection_item(&item, ctx, c, i));
    AK_TRY(akin_collection_item(&item, ctx, c, j));
    AK_TRY(ak_collection_ask_like(c, ctx, ak_collection_id(c, i)));
    AK_TRY(ak_collection_segments(c, ctx));
    *model = akin_index_model(c->segments[0].x);
    AK_TRY(prepare(&first, ctx, c, *model, i, AKIN_LEFT));
    AK_TRY(prepare(right, ctx, c, *model, j, AKIN_RIGHT));
    *left = first;
    first = NULL;
done:
    akin_rows_free(first);
    return st;
}

akin_status akin_collection_pair_row(akin_rows **left, akin_rows **right,
                                     const akin_model **model, akin_ctx *ctx,
                                     akin_collection *c, const akin_rows *query,
                                     int64_t j)
{
    akin_rows *first = NULL;
    akin_item item;
    akin_status st = AKIN_OK;
    AK_TRY(akin_collection_item(&item, ctx, c, j));
    AK_TRY(ak_collection_segments(c, ctx));
    *model = akin_index_model(c->segments[0].x);
    AK_TRY(akin_model_prepare(&first, ctx, *model, query, AKIN_LEFT));
    AK_TRY(prepare(right, ctx, c, *model, j, AKIN_RIGHT));
    *left = first;
    first = NULL;
done:
    akin_rows_free(first);
    return st;
}
