/* What a block of postings adds to its rows. */
#include <math.h>

#include "data/recipe/recipe_body.h"
#include "index/inverted/passes.h"
#include "la/clones.h"

/* Values of whole numbers under weights that are not linear in them; the
 * factor of 1 is in g. */
static float shape(ak_weights weights, float c)
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

/* Both for a whole block, whatever is behind the last one. */
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

bool ak_pass_parts(const ak_pass *p, const ak_query_term *q, int64_t k,
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
    else
        for (int64_t i = 0; i < b->n; ++i)
            parts[i] = q->g * shape(weights, ak_posting_value(b, i));
    return true;
}
