/* Scorers of names that need no affinity. */
#include "naming/scores.h"

void ak_photos_fill(struct ak_photos *photos, ak_pair_score score,
                    const void *arg)
{
    const ak_bags *b = photos->peers->bags;
    for (int64_t i = 0; i < b->n_photos; ++i) {
        const int64_t *faces;
        const int32_t *names;
        const int64_t n = ak_bags_faces(b, i, &faces);
        const int64_t r = ak_bags_names(b, i, &names);
        double *B = photos->B + photos->slots[i];
        for (int64_t f = 0; f < n; ++f)
            for (int64_t q = 0; q < r; ++q)
                B[f * r + q] = score(arg, faces[f], names[q]);
    }
}

static double table_score(const void *arg, int64_t face, int32_t name)
{
    const ak_table *t = arg;
    return t->values[face * t->stride + name];
}

static akin_status score_table(const void *arg, akin_ctx *ctx,
                               const int32_t *labels,
                               const ak_assign_options *o,
                               struct ak_photos *photos)
{
    (void)ctx, (void)labels, (void)o;
    ak_photos_fill(photos, table_score, arg);
    return AKIN_OK;
}

ak_scorer ak_table_scorer(const ak_peers *peers, const ak_table *t)
{
    return (ak_scorer){
        .peers = peers, .score = score_table, .arg = t, .once = true};
}
