#include "tune/plain.h"

#include <math.h>
#include <string.h>

#include "data/recipe/recipe.h"
#include "model/model.h"
#include "tune/verdict.h"
#include "tune/work.h"

/* Queries and examples by which one of several is chosen. */
enum { LEAST_TO_CHOOSE = 24, MOST_TO_CHOOSE = 100, EXAMPLES_TO_CHOOSE = 1000 };

static const char *const measures[] = {"euclidean", "cosine", NULL};

/* What is known, about other rows; they are borrowed. */
static akin_supervision view_of(const akin_supervision *s, const ak_prepared *p)
{
    akin_supervision view = *s;
    view.rows = p->rows[AKIN_LEFT];
    view.right = p->rows[AKIN_RIGHT];
    return view;
}

akin_status ak_plain_add(ak_plain *p, akin_ctx *ctx, const ak_tune_held *h)
{
    const akin_supervision view = view_of(h->s, &p->prepared);
    ak_tune_held same = *h;
    akin_model *m = NULL;
    akin_status st = AKIN_OK;
    same.s = &view;
    same.database = view.right ? view.right : view.rows;
    AK_TRY(akin_model_builtin(&m, ctx, p->method, view.rows));
    AK_TRY(ak_scores_add_of(&p->scores, ctx, m, &same, AKIN_BY_DEFAULT));
done:
    akin_model_free(m);
    return st;
}

const char *ak_plain_recipe(const ak_plain *p)
{
    const akin_recipe *recipe = p->prepared.recipe[AKIN_LEFT];
    return recipe != NULL ? akin_recipe_text(recipe) : "none";
}

void ak_plain_free(ak_plain *p)
{
    ak_prepared_free(&p->prepared);
    ak_scores_free(&p->scores);
    *p = (ak_plain){0};
}

/* ---- the best of several ---- */

typedef struct search {
    const akin_supervision *data;
    const char *baseline;
    ak_tune_held held;  // to choose by
    ak_plain best;
    double most;  // its score
} search;

/* Takes the prepared rows if a measure over them is the best so far. */
static akin_status try_rows(search *s, akin_ctx *ctx, ak_prepared *prepared,
                            bool is_own)
{
    bool taken = false;
    akin_status st = AKIN_OK;
    for (int i = 0; measures[i] != NULL; ++i) {
        ak_plain p = {.method = measures[i], .prepared = *prepared};
        ak_estimate e;
        if (is_own && strcmp(p.method, s->baseline) == 0)
            continue;
        st = ak_plain_add(&p, ctx, &s->held);
        if (st == AKIN_OK)
            st = ak_scores_mean(&e, ctx, &p.scores, false);
        ak_scores_free(&p.scores);
        AK_TRY(st);
        if (strcmp(s->held.measure, "error") == 0)
            e.value = -e.value;
        if (isnan(e.value) || (s->best.method && e.value <= s->most))
            continue;
        if (!taken)
            ak_plain_free(&s->best);
        s->best = p;
        s->most = e.value;
        taken = true;
    }
done:
    if (taken)
        *prepared = (ak_prepared){0};
    return st;
}

/* The rows through every recipe that a race would try. */
static akin_status try_recipes(search *s, akin_ctx *ctx,
                               const akin_supervision *raw)
{
    const ak_candidates_wanted wanted = {.data = raw,
                                         .methods = measures,
                                         .purpose = AKIN_FOR_SEARCH,
                                         .all_recipes = true};
    const akin_recipe *own = s->data->recipe;
    ak_candidate_list c = {0};
    ak_prepared prepared = {0};
    akin_status st = AKIN_OK;
    AK_TRY(ak_candidates_list(&c, ctx, &wanted));
    for (int64_t i = 0; i < c.n; ++i) {
        if (i > 0 &&
            ak_recipe_options_equal(&c.list[i].recipe, &c.list[i - 1].recipe))
            continue;
        AK_TRY(ak_prepared_new(&prepared, ctx, raw, NULL, &c.list[i]));
        if (prepared.status == AKIN_OK &&
            (own == NULL ||
             strcmp(akin_recipe_text(own),
                    akin_recipe_text(prepared.recipe[AKIN_LEFT])) != 0))
            AK_TRY(try_rows(s, ctx, &prepared, false));
        ak_prepared_free(&prepared);
    }
done:
    ak_prepared_free(&prepared);
    ak_candidates_free(&c);
    return st;
}

/* Queries to choose by: each plain measure ranks all rows for them. 0: they are
 * too much work. */
static int64_t choice_size(const akin_supervision *data, double work)
{
    enum { MEASURES = 8 };  // and no more recipes than half of them
    const akin_rows *found = data->right ? data->right : data->rows;
    const double prepare =
        10.0 * (double)(akin_rows_nonzeros(data->rows) +
                        (data->right ? akin_rows_nonzeros(found) : 0));
    const double each =
        data->kind == AKIN_LABELS
            ? ak_query_work(found, (double)akin_rows_count(found))
            : ak_numbers_per_row(found);
    const double n = (work - MEASURES / 2 * prepare) / (MEASURES * each);
    const int64_t most = data->kind == AKIN_LABELS ? MOST_TO_CHOOSE
                                                   : EXAMPLES_TO_CHOOSE;
    return n < LEAST_TO_CHOOSE ? 0 : (int64_t)fmin(n, (double)most);
}

akin_status ak_plain_find(ak_plain *out, akin_ctx *ctx,
                          const akin_supervision *data, const akin_rows *raw,
                          const akin_rows *raw_right, const char *baseline,
                          const char *measure, bool ranks, double work)
{
    const ak_mark mark = ak_scratch_begin(ctx);
    const int64_t n = choice_size(data, work);
    search s = {.data = data, .baseline = baseline};
    ak_prepared own = {.recipe = {data->recipe, data->right_recipe},
                       .rows = {data->rows, data->right}};
    akin_status st = AKIN_OK;
    if (n == 0)
        goto done;
    AK_TRY(ak_tune_held_beside(&s.held, ctx, data, data, measure, ranks, n));
    AK_TRY(try_rows(&s, ctx, &own, true));
    if (raw != NULL && (data->right == NULL) == (raw_right == NULL)) {
        akin_supervision known = *data;
        known.rows = raw;
        known.right = raw_right;
        known.recipe = known.right_recipe = NULL;
        AK_TRY(try_recipes(&s, ctx, &known));
    }
    *out = s.best;
    s.best = (ak_plain){0};
done:
    ak_plain_free(&s.best);
    ak_scratch_end(ctx, mark);
    return st;
}
