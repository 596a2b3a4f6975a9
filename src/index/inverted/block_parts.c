/* What the postings of a block add to their rows. */
#include <math.h>

#include "index/inverted/pass.h"
#include "la/clones.h"

/* Term k is next: prefetch the words of the terms that follow. */
void ak_pass_fetch_ahead(const ak_pass *p, const ak_query_term *terms,
                         int64_t k)
{
    enum { AHEAD = 8 };
    const int64_t end = p->begin > 0 ? -1
                                     : ak_min_i64(k + AHEAD, p->n_terms - 1);
    for (int64_t i = k == 0 ? 0 : k + AHEAD; i <= end; ++i)
        ak_postings_fetch_words(&p->v->p, terms[i].t);
}

/* ---- what a block of postings adds to its rows ---- */

/* Counts under weights that are not linear in them; g holds the factor of a
 * count of 1. */
float ak_shape(ak_weights weights, float c)
{
    switch (weights) {
    case AK_WEIGHTS_BINARY:
    case AK_WEIGHTS_BINARY_IDF:
        return 1.0F;
    case AK_WEIGHTS_SQRT:
    case AK_WEIGHTS_SQRT_IDF:
        return sqrtf(c);
    case AK_WEIGHTS_LOG:
        return (float)(log1p((double)c) / log1p(1.0));
    default:
        return c;
    }
}

static bool is_binary(ak_weights w)
{
    return w == AK_WEIGHTS_BINARY || w == AK_WEIGHTS_BINARY_IDF;
}

static bool is_linear(ak_weights w)
{
    return w == AK_WEIGHTS_NONE || w == AK_WEIGHTS_TF || w == AK_WEIGHTS_TFIDF;
}

static bool is_root(ak_weights w)
{
    return w == AK_WEIGHTS_SQRT || w == AK_WEIGHTS_SQRT_IDF;
}

/* These fill a whole block, also past its last posting. */
AK_CLONES static void set_alike(float g, float *v)
{
    for (int i = 0; i < AK_PACK_BLOCK; ++i)
        v[i] = g;
}

AK_CLONES static void set_linear(const uint32_t *less_one, float g, float *v)
{
    for (int i = 0; i < AK_PACK_BLOCK; ++i)
        v[i] = (float)(int32_t)(less_one[i] + 1) * g;
}

AK_CLONES static void set_roots(const uint32_t *less_one, float g, float *v)
{
    for (int i = 0; i < AK_PACK_BLOCK; ++i)
        v[i] = sqrtf((float)(int32_t)(less_one[i] + 1)) * g;
}

AK_CLONES static void set_shaped(const uint32_t *less_one, const float *shapes,
                                 float g, float *v)
{
    for (int i = 0; i < AK_PACK_BLOCK; ++i)
        v[i] = shapes[less_one[i] % AK_SHAPES] * g;
}

bool ak_pass_block(const ak_pass *p, const ak_query_term *q, int64_t k,
                   ak_posting_block *b, float *parts)
{
    const ak_postings *all = &p->v->p;
    const ak_weights weights = p->v->recipe ? p->v->recipe->weights
                                            : AK_WEIGHTS_NONE;
    if (all->bits[2 * k + 1] == 0 || is_binary(weights)) {
        set_alike(q->g, parts);
        return ak_postings_rows(all, q->t, k, b);
    }
    if (!ak_postings_block(all, q->t, k, b))
        return false;
    if (is_linear(weights) && !b->floats)
        set_linear(b->less_one, q->g, parts);
    else if (is_root(weights) && !b->floats)
        set_roots(b->less_one, q->g, parts);
    else if (all->bits[2 * k + 1] <= AK_SHAPE_BITS)
        set_shaped(b->less_one, p->shapes, q->g, parts);
    else
        for (int64_t i = 0; i < b->n; ++i)
            parts[i] = q->g * ak_shape(weights, ak_posting_value(b, i));
    return true;
}
