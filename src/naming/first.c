/* The names that faces begin with, as far as a person has narrowed them. */
#include "naming/assign.h"

/* Of one photo; `taken` says by which photo a name was last given. */
static void narrow_photo(const ak_peers *p, const ak_confirmed *c,
                         int64_t photo, int64_t *taken, int64_t *counts,
                         int32_t *names)
{
    const int64_t *faces;
    const int32_t *caption;
    const int64_t n = ak_bags_faces(p->bags, photo, &faces);
    const int64_t r = ak_bags_names(p->bags, photo, &caption);
    for (int64_t f = 0; f < n; ++f) {
        const int32_t fixed = c->fixed ? c->fixed[faces[f]] : AK_UNDECIDED;
        if (fixed >= 0 && fixed < p->n_names)
            taken[fixed] = photo + 1;
    }
    for (int64_t f = 0; f < n; ++f) {
        const int32_t fixed = c->fixed ? c->fixed[faces[f]] : AK_UNDECIDED;
        int32_t *mine = names + f * r;
        int64_t count = 0;
        for (int64_t q = 0; q < r; ++q)
            if (fixed >= 0 ? caption[q] == fixed
                           : taken[caption[q]] != photo + 1 &&
                                 !ak_confirmed_refuses(c, faces[f], caption[q]))
                mine[count++] = caption[q];
        counts[faces[f]] = count;
    }
}

akin_status ak_first_of(ak_first *out, akin_ctx *ctx, const ak_peers *p,
                        const ak_confirmed *c)
{
    const ak_bags *b = p->bags;
    int64_t *taken, *counts, size = 0;
    const int32_t **names;
    int32_t *all;
    akin_status st = AKIN_OK;
    *out = (ak_first){0};
    if (c->fixed == NULL && c->n_refused == 0)
        return AKIN_OK;
    for (int64_t i = 0; i < b->n_photos; ++i)
        size += (b->item_offsets[i + 1] - b->item_offsets[i]) *
                (b->name_offsets[i + 1] - b->name_offsets[i]);
    AK_TRY(AK_SCRATCH(ctx, p->n_names, &taken));
    AK_TRY(AK_SCRATCH(ctx, p->n, &counts));
    AK_TRY(AK_SCRATCH(ctx, p->n, &names));
    AK_TRY(AK_SCRATCH(ctx, size, &all));
    for (int64_t i = 0; i < b->n_photos; ++i) {
        const int64_t *faces;
        const int32_t *caption;
        const int64_t n = ak_bags_faces(b, i, &faces);
        const int64_t r = ak_bags_names(b, i, &caption);
        narrow_photo(p, c, i, taken, counts, all);
        for (int64_t f = 0; f < n; ++f)
            names[faces[f]] = all + f * r;
        all += n * r;
    }
    *out = (ak_first){counts, names};
done:
    return st;
}
