/* Names that faces do not tell apart.
 *
 * Where all photos that show A have B in their captions, and the other way
 * round, their faces can be exchanged at once, and are as much alike as before.
 * One photo at a time would never do that: the faces of its other photos hold
 * each to its name. What tells is how often a name is shown of how many
 * captions, a Beta distribution of the rates of naming/estimate.c:
 *
 *   p(s of m photos show A) ~ Gamma(rate + s) Gamma(1 - rate + m - s)      (1)
 *
 * and the prior of the faces. */
#include "naming/estimation.h"

#include <math.h>

static int64_t place_of(const ak_estimation *e, int64_t photo, int32_t name)
{
    const int32_t *names;
    const int64_t r = ak_bags_names(e->b, photo, &names);
    for (int64_t q = 0; q < r; ++q)
        if (names[q] == name)
            return q;
    return -1;
}

/* The face of a photo that drew a name; -1: none. */
static int64_t drawn_face(const ak_estimation *e, int64_t photo, int64_t place)
{
    const int64_t n = e->b->item_offsets[photo + 1] - e->b->item_offsets[photo];
    const int64_t r = e->b->name_offsets[photo + 1] - e->b->name_offsets[photo];
    for (int64_t f = 0; f < n; ++f)
        if (e->z[e->slots[photo] + f * r + place] > 0.5)
            return f;
    return -1;
}

/* Can all faces that drew `name` have `other` instead? *shown: how many. */
static bool can_rename(const ak_estimation *e, int32_t name, int32_t other,
                       int64_t *shown)
{
    *shown = 0;
    for (int64_t k = e->first[name]; k < e->first[name + 1]; ++k) {
        const int64_t photo = e->photos[k], *faces;
        const int64_t f = drawn_face(e, photo, place_of(e, photo, name));
        if (f < 0)
            continue;
        ak_bags_faces(e->b, photo, &faces);
        if ((e->given && !e->touched[photo]) || place_of(e, photo, other) < 0 ||
            ak_fixed_of(e, faces[f]) >= 0 ||
            ak_confirmed_refuses(e->said, faces[f], other))
            return false;
        ++*shown;
    }
    return true;
}

/* The log of (1). */
static double pattern_weight(const ak_estimation *e, int32_t name,
                             int64_t shown)
{
    const double rate = e->rates[ak_name_class(e->captions[name])];
    return lgamma(rate + (double)shown) +
           lgamma(1.0 - rate + (double)(e->captions[name] - shown));
}

/* What the faces that drew `name` gain in their prior by `other`. */
static double prior_gain(const ak_estimation *e, int32_t name, int32_t other)
{
    double sum = 0.0;
    for (int64_t k = e->first[name]; e->prior != NULL && k < e->first[name + 1];
         ++k) {
        const int64_t photo = e->photos[k], at = place_of(e, photo, name);
        const int64_t r = e->b->name_offsets[photo + 1] -
                          e->b->name_offsets[photo];
        const int64_t f = drawn_face(e, photo, at);
        const double *prior = e->prior + e->slots[photo] + f * r;
        if (f >= 0)
            sum += prior[place_of(e, photo, other)] - prior[at];
    }
    return sum;
}

static void swap_photo(const ak_estimation *e, int64_t photo, int32_t name,
                       int32_t other)
{
    const int64_t r = e->b->name_offsets[photo + 1] - e->b->name_offsets[photo];
    const int64_t a = place_of(e, photo, name), b = place_of(e, photo, other);
    const int64_t f = drawn_face(e, photo, a), g = drawn_face(e, photo, b);
    double *z = e->z + e->slots[photo];
    if (f >= 0) {
        z[f * r + a] = 0.0;
        z[f * r + b] = 1.0;
    }
    if (g >= 0) {
        z[g * r + b] = 0.0;
        z[g * r + a] = 1.0;
    }
}

/* Exchanges two names or not, by chance; true where they were. */
static bool try_swap(const ak_estimation *e, int32_t name, int32_t other)
{
    int64_t shown, others;
    if (!can_rename(e, name, other, &shown) ||
        !can_rename(e, other, name, &others) || shown + others < 2 ||
        (others > 0 && e->rank[other] < e->rank[name]))
        return false;
    const double x =
        pattern_weight(e, name, others) + pattern_weight(e, other, shown) -
        pattern_weight(e, name, shown) - pattern_weight(e, other, others) +
        prior_gain(e, name, other) + prior_gain(e, other, name);
    ak_rng rng = ak_rng_split(
        ak_rng_split(ak_rng_new((uint64_t)e->round, AK_STREAM_SHUFFLE),
                     (uint64_t)e->rank[name]),
        (uint64_t)e->rank[other]);
    if (ak_rng_unit(&rng) >= 1.0 / (1.0 + exp(-x)))
        return false;
    for (int64_t k = e->first[name]; k < e->first[name + 1]; ++k)
        if (place_of(e, e->photos[k], other) >= 0)
            swap_photo(e, e->photos[k], name, other);
    return true;
}

/* A photo that shows a name; -1: none does. */
static int64_t photo_with(const ak_estimation *e, int32_t name)
{
    for (int64_t k = e->first[name]; k < e->first[name + 1]; ++k)
        if (drawn_face(e, e->photos[k], place_of(e, e->photos[k], name)) >= 0)
            return e->photos[k];
    return -1;
}

/* The least rank above `last` of the names of a photo; -1: none. */
static int32_t next_rank(const ak_estimation *e, int64_t photo, int32_t last)
{
    const int32_t *names;
    const int64_t r = ak_bags_names(e->b, photo, &names);
    int32_t least = -1;
    for (int64_t q = 0; q < r; ++q) {
        const int32_t rank = e->rank[names[q]];
        if (rank > last && (least < 0 || rank < least))
            least = rank;
    }
    return least;
}

void ak_exchange_names(const ak_estimation *e)
{
    for (int32_t k = 0; k < e->n_names; ++k) {
        const int32_t name = e->by_rank[k];
        const int64_t photo = e->captions[name] > 1 ? photo_with(e, name) : -1;
        if (photo < 0)
            continue;
        for (int32_t q = next_rank(e, photo, -1); q >= 0;
             q = next_rank(e, photo, q))
            if (q != k && try_swap(e, name, e->by_rank[q]))
                break;
    }
}
