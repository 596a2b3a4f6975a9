/* Documents through a recipe, and what a method makes of them. */
#include <akin/text.h>
#include <stdio.h>

#include "reproduce/loreta/text.h"

enum { FIRST_POINT = 1000 };

void loreta_text_close(loreta_text_run *t)
{
    akin_supervision_free(t->known);
    akin_rows_free(t->train);
    akin_rows_free(t->test);
    akin_recipe_free(t->recipe);
    t->known = NULL;
    t->train = t->test = NULL;
    t->recipe = NULL;
}

akin_status loreta_text_open(loreta_text_run *t, const akin_rows *train,
                             const akin_rows *test, loreta_size size)
{
    const akin_recipe_options then = {sizeof then, size.weights, "none", "l2",
                                      0};
    akin_ctx *ctx = t->r->a->ctx;
    akin_text_options o = AKIN_TEXT_DEFAULTS;
    akin_status st = AKIN_OK;
    o.features = size.features;
    t->size = size;
    APP_TRY(akin_text_fit(&t->recipe, ctx, train, &o, &then));
    APP_TRY(akin_recipe_apply(&t->train, ctx, t->recipe, train));
    APP_TRY(akin_recipe_apply(&t->test, ctx, t->recipe, test));
    APP_TRY(akin_supervision_new(&t->known, ctx, t->train, NULL, t->recipe));
done:
    return st;
}

/* ---- one method --------------------------------------------------------- */

/* Every row of the test asks for the others of its class. */
static akin_status measure(loreta_run *r, const akin_model *m, const void *with,
                           double *map)
{
    const loreta_text_run *t = with;
    const akin_retrieval_options o = AKIN_RETRIEVAL_DEFAULTS;
    akin_retrieval found;
    const akin_status st =
        akin_eval_retrieval(&found, NULL, r->a->ctx, m, t->test, &o);
    *map = 100.0 * found.map;
    return st;
}

static int64_t points_of(const loreta_run *r, const loreta_method *m,
                         int64_t *points)
{
    const int64_t usual = r->flags->quick ? LORETA_QUICK : LORETA_USUAL;
    const int64_t last = m->examples ? m->examples : usual;
    return loreta_points(
        FIRST_POINT, last < usual || !r->flags->quick ? last : usual, points);
}

akin_status loreta_text_measure(loreta_text_run *t, const loreta_method *m,
                                const char *params, loreta_curve *out)
{
    loreta_run *r = t->r;
    int64_t points[LORETA_POINTS];
    char fixed[32] = "";
    if (m->learner == NULL) {
        akin_model *cosine = NULL;
        *out = (loreta_curve){.n = 1};
        akin_status st =
            akin_model_builtin(&cosine, r->a->ctx, "cosine", t->test);
        if (st == AKIN_OK)
            st = measure(r, cosine, t, &out->at[0].map);
        akin_model_free(cosine);
        return st;
    }
    if (t->size.rank > 0)
        snprintf(fixed, sizeof fixed, "rank=%lld", (long long)t->size.rank);
    return loreta_learn(r, m, fixed, params, t->known, points,
                        points_of(r, m, points), measure, t, out);
}

akin_status loreta_text_score(loreta_run *r, const loreta_method *m,
                              const char *params, void *with, double *map)
{
    loreta_method last_only = *m;
    loreta_curve c;
    (void)r;
    last_only.is_curve = false;
    const akin_status st = loreta_text_measure(with, &last_only, params, &c);
    if (st == AKIN_OK)
        *map = c.at[c.n - 1].map;
    return st;
}
