/* Captions do not say who is in a picture, but faces of two photos whose
 * captions share a name are the same person more often than others, and those
 * whose captions share none are not the same, nor are two of one photo. So the
 * better of two measures has the larger area under the ROC curve over such
 * pairs, smaller as both areas are than over the true ones. */
#include "tune/caption_pairs.h"

#include "data/captions/shared_names.h"

/* At most so many faces, evenly; a pair of all of these is looked at. */
enum { MOST_FACES = 2000 };

typedef struct face {
    int64_t row, photo;
} face;

/* Faces of photos that have a name. */
static akin_status list_faces(face **out, int64_t *n, akin_ctx *ctx,
                              const ak_bags *b)
{
    const int64_t *rows;
    const int32_t *names;
    int64_t all = 0, k = 0;
    for (int64_t i = 0; i < b->n_photos; ++i)
        if (ak_bags_names(b, i, &names) > 0)
            all += ak_bags_faces(b, i, &rows);
    const int64_t most = ak_min_i64(all, MOST_FACES);
    AK_CHECK(AK_SCRATCH(ctx, most, out));
    *n = 0;
    for (int64_t i = 0; i < b->n_photos; ++i) {
        const bool named = ak_bags_names(b, i, &names) > 0;
        const int64_t m = named ? ak_bags_faces(b, i, &rows) : 0;
        for (int64_t j = 0; j < m; ++j, ++k)
            if (k * most / all < (k + 1) * most / all)
                (*out)[(*n)++] = (face){rows[j], i};
    }
    return AKIN_OK;
}

/* Names of a photo are in increasing order. */
static bool share_name(const ak_bags *b, int64_t i, int64_t j)
{
    const int32_t *x, *y;
    const int64_t n = ak_bags_names(b, i, &x), m = ak_bags_names(b, j, &y);
    for (int64_t k = 0, l = 0; k < n && l < m;) {
        if (x[k] == y[l])
            return true;
        if (x[k] < y[l])
            ++k;
        else
            ++l;
    }
    return false;
}

/* Counts the pairs of either kind, or writes every `step[match]`-th of them. */
static void go_through(const ak_bags *b, const face *faces, int64_t n,
                       const int64_t step[2], int64_t *numbers,
                       int64_t count[2])
{
    int64_t written = 0;
    count[0] = count[1] = 0;
    for (int64_t i = 0; i < n; ++i)
        for (int64_t j = i + 1; j < n; ++j) {
            const int match = faces[i].photo != faces[j].photo &&
                              share_name(b, faces[i].photo, faces[j].photo);
            if (numbers != NULL && count[match] % step[match] == 0) {
                numbers[3 * written] = faces[i].row;
                numbers[3 * written + 1] = faces[j].row;
                numbers[3 * written++ + 2] = match ? 1 : -1;
            }
            ++count[match];
        }
}

akin_status ak_caption_pairs(akin_supervision **out, akin_ctx *ctx,
                             const akin_supervision *captions)
{
    const ak_mark mark = ak_scratch_begin(ctx);
    const ak_bags *b = captions->bags;
    int64_t n, count[2], step[2] = {1, 1}, *numbers;
    akin_supervision *s = NULL;
    face *faces;
    akin_status st = AKIN_OK;
    AK_TRY(list_faces(&faces, &n, ctx, b));
    go_through(b, faces, n, step, NULL, count);
    if (count[0] == 0 || count[1] == 0)
        AK_TRY(ak_fail(ctx, AKIN_EINVAL,
                       "%s, so nothing can be measured by captions that are "
                       "held out",
                       count[1] == 0 ? "no name is in several captions"
                                     : "the captions of all photos share a "
                                       "name"));
    for (int k = 0; k < 2; ++k)
        step[k] = ak_max_i64(1, count[k] / ak_max_i64(count[1 - k], 1));
    const int64_t kept = (count[0] + step[0] - 1) / step[0] +
                         (count[1] + step[1] - 1) / step[1];
    AK_TRY(AK_SCRATCH(ctx, 3 * kept, &numbers));
    go_through(b, faces, n, step, numbers, count);
    AK_TRY(ak_supervision_like(&s, ctx, captions));
    AK_TRY(akin_supervision_set(ctx, s, AKIN_PAIRS, numbers, kept));
    *out = s;
    s = NULL;
done:
    akin_supervision_free(s);
    ak_scratch_end(ctx, mark);
    return ak_supervision_blame(st, ctx, captions);
}
