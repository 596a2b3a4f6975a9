/* tests/photos.h - a small set of photos: each name is a random subspace. */
#ifndef AKIN_TESTS_PHOTOS_H
#define AKIN_TESTS_PHOTOS_H

#include <math.h>
#include <stdlib.h>

#include "base/rng.h"
#include "data/captions/shared_names.h"

typedef struct photos {
    int64_t n, d;
    double *X;  // n x d
    ak_bags bags;
    ak_shared_names peers;
    int32_t *truth;
} photos;

/* One to three faces a photo, a fifth of them of nobody; the caption has the
 * others and sometimes one name more. From scratch; the first photo's caption
 * is empty. */
static inline akin_status photos_make(photos *x, akin_ctx *context,
                                      uint64_t seed, int64_t n_photos,
                                      int32_t p, int64_t d)
{
    enum { RANK = 2, MOST = 3, NAMES = 64 };
    ak_rng r = ak_rng_new(seed, AK_STREAM_SYNTH);
    double *basis;
    ak_bags *b = &x->bags;
    int64_t tags = 0;
    akin_status st = AKIN_OK;
    *x = (photos){.d = d, .bags = {.n_photos = n_photos, .n_names = p}};
    AK_TRY(AK_SCRATCH(context, p * RANK * d, &basis));
    AK_TRY(AK_SCRATCH(context, n_photos * MOST * d, &x->X));
    AK_TRY(AK_SCRATCH(context, n_photos * MOST, &x->truth));
    AK_TRY(AK_SCRATCH(context, n_photos + 1, &b->item_offsets));
    AK_TRY(AK_SCRATCH(context, n_photos + 1, &b->name_offsets));
    AK_TRY(AK_SCRATCH(context, n_photos * MOST, &b->items));
    AK_TRY(AK_SCRATCH(context, n_photos * (MOST + 1), &b->names));
    for (int64_t k = 0; k < p * RANK * d; ++k)
        basis[k] = ak_rng_normal(&r);
    for (int64_t i = 0; i < n_photos; ++i) {
        unsigned char in_caption[NAMES] = {0}, used[NAMES] = {0};
        const int64_t m = 1 + ak_rng_below(&r, MOST);
        for (int64_t f = 0; f < m; ++f) {
            const int32_t q = (int32_t)ak_rng_below(&r, p);
            const bool real = ak_rng_unit(&r) > 0.2 && !used[q] && i > 0;
            double *row = x->X + x->n * d, norm = 0.0, a[RANK];
            for (int k = 0; k < RANK; ++k)
                a[k] = 1.0 + ak_rng_normal(&r);
            for (int64_t k = 0; k < d; ++k) {
                row[k] = ak_rng_normal(&r) * (real ? 0.1 : 1.0);
                for (int t = 0; real && t < RANK; ++t)
                    row[k] += a[t] * basis[(q * RANK + t) * d + k];
                norm += row[k] * row[k];
            }
            for (int64_t k = 0; k < d; ++k)
                row[k] /= sqrt(norm);
            if (real)
                used[q] = in_caption[q] = 1;
            x->truth[x->n] = real ? q : p;
            b->items[x->n] = x->n;
            ++x->n;
        }
        if (i > 0 && ak_rng_unit(&r) < 0.4)
            in_caption[ak_rng_below(&r, p)] = 1;
        for (int32_t q = 0; q < p; ++q)
            if (in_caption[q])
                b->names[tags++] = q;
        b->item_offsets[i + 1] = x->n;
        b->name_offsets[i + 1] = tags;
    }
    AK_TRY(ak_shared_names_find(&x->peers, context, b, x->n));
done:
    return st;
}

#endif
