/* What all kinds of models share: making, looking at, preparing rows,
 * and a copy with left and right exchanged. */
#include "model/model.h"

#include <assert.h>
#include <string.h>

static const ak_model_kind *const kinds[] = {
#define AK_KIND(name) &ak_kind_##name,
#include "model/kinds.def"
#undef AK_KIND
};

const ak_model_kind *ak_model_kind_find(const char *name)
{
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; ++i)
        if (strcmp(kinds[i]->name, name) == 0)
            return kinds[i];
    return NULL;
}

const ak_model_kind *ak_model_kind_below(const ak_tensors *t)
{
    if (ak_tensors_find(t, "left.factors") != NULL)
        return &ak_kind_kernel;
    return ak_tensors_find(t, "B") != NULL ? &ak_kind_factored : &ak_kind_psd;
}

akin_status ak_model_new(akin_model **out, akin_ctx *ctx,
                         const ak_model_kind *kind, int64_t d_left,
                         int64_t d_right, akin_compare by)
{
    akin_model *m = NULL;
    akin_status st = AKIN_OK;
    assert(by != AKIN_BY_DEFAULT);
    AK_TRY(AK_NEW(ctx, 1, &m));
    m->kind = kind;
    m->by = by;
    m->d[AKIN_LEFT] = d_left;
    m->d[AKIN_RIGHT] = d_right;
    AK_TRY(ak_tensors_new(&m->notes, ctx));
    *out = m;
    m = NULL;
done:
    akin_model_free(m);
    return st;
}

void akin_model_free(akin_model *m)
{
    if (m == NULL)
        return;
    m->kind->free(m);
    akin_recipe_free(m->recipe[AKIN_LEFT]);
    akin_recipe_free(m->recipe[AKIN_RIGHT]);
    ak_checksums_free(&m->learned[AKIN_LEFT]);
    ak_checksums_free(&m->learned[AKIN_RIGHT]);
    ak_tensors_free(m->notes);
    ak_tensors_free(m->state);
    akin_free(m);
}

void ak_model_swap_notes(akin_model *a, akin_model *b)
{
    ak_tensors *notes = a->notes;
    a->notes = b->notes;
    b->notes = notes;
}

akin_status ak_model_set_note(akin_model *m, akin_ctx *ctx, const char *key,
                              const char *value)
{
    return ak_tensors_note(m->notes, ctx, key, value);
}

akin_status ak_model_set_recipe(akin_model *m, akin_ctx *ctx, akin_side side,
                                const akin_recipe *recipe)
{
    akin_recipe *copy = NULL;
    AK_CHECK(recipe ? ak_recipe_copy(&copy, ctx, recipe) : AKIN_OK);
    akin_recipe_free(m->recipe[side]);
    m->recipe[side] = copy;
    return AKIN_OK;
}

const char *akin_model_kind(const akin_model *m)
{
    return m->kind->name;
}

const char *akin_model_learner(const akin_model *m)
{
    const char *name = akin_model_note(m, "learner");
    return name ? name : "";
}

int64_t akin_model_dim(const akin_model *m, akin_side side)
{
    return m->d[side];
}

int64_t akin_model_nonzeros(const akin_model *m)
{
    return m->kind->nonzeros(m);
}

int64_t akin_model_parameters(const akin_model *m)
{
    return m->kind->parameters(m);
}

int64_t akin_model_rank(const akin_model *m)
{
    return m->kind->rank(m);
}

akin_compare akin_model_compare(const akin_model *m)
{
    return m->by;
}

const akin_recipe *akin_model_recipe(const akin_model *m, akin_side side)
{
    return m->recipe[side] ? m->recipe[side] : m->recipe[AKIN_LEFT];
}

const char *akin_model_note(const akin_model *m, const char *key)
{
    return ak_tensors_get_note(m->notes, key);
}

int akin_model_note_at(const char **key, const char **value,
                       const akin_model *m, int64_t i)
{
    if (i < 0 || i >= ak_tensors_note_count(m->notes))
        return 0;
    ak_tensors_note_at(m->notes, i, key, value);
    return 1;
}

int akin_model_can_resume(const akin_model *m)
{
    return m->state != NULL;
}

akin_status ak_model_check_rows(const akin_model *m, akin_ctx *ctx,
                                const akin_rows *rows, akin_side side)
{
    const int64_t d = m->d[side];
    if (rows->d > d || (rows->d < d && rows->offsets == NULL))
        return ak_fail(ctx, AKIN_ESHAPE,
                       "the rows have %" PRId64
                       " columns (the model has %" PRId64 ")",
                       rows->d, d);
    return AKIN_OK;
}

akin_status ak_model_check_compares(const akin_model *m, akin_ctx *ctx)
{
    if (m->kind->score != NULL)
        return AKIN_OK;
    return ak_fail(ctx, AKIN_EINVAL,
                   "a model of kind %s ranks labels and cannot compare rows",
                   m->kind->name);
}

ak_labels ak_model_labels(const akin_model *m)
{
    return m->kind->labels ? m->kind->labels(m) : (ak_labels){0, NULL};
}

akin_status ak_model_check_labels(const akin_model *m, akin_ctx *ctx)
{
    if (m->kind->labels != NULL)
        return AKIN_OK;
    return ak_fail(ctx, AKIN_EINVAL,
                   "a model of kind %s compares rows and cannot rank labels",
                   m->kind->name);
}

int64_t akin_model_label_count(const akin_model *m)
{
    return ak_model_labels(m).n;
}

const char *akin_model_label_name(const akin_model *m, int64_t k)
{
    return ak_model_labels(m).names[k];
}

int akin_model_compares(const akin_model *m)
{
    return m->kind->score != NULL;
}

static akin_status copy_rows(akin_rows **out, akin_ctx *ctx,
                             const akin_rows *rows)
{
    const ak_mark mark = ak_scratch_begin(ctx);
    int64_t *all;
    akin_status st = AKIN_OK;
    AK_TRY(AK_SCRATCH(ctx, rows->n, &all));
    for (int64_t i = 0; i < rows->n; ++i)
        all[i] = i;
    AK_TRY(akin_rows_select(out, ctx, rows, all, rows->n));
done:
    ak_scratch_end(ctx, mark);
    return st;
}

akin_status akin_model_prepare(akin_rows **out, akin_ctx *ctx,
                               const akin_model *m, const akin_rows *rows,
                               akin_side side)
{
    const akin_recipe *recipe = akin_model_recipe(m, side);
    /* Raw rows have the columns of the recipe, which may keep some only. */
    if (recipe != NULL && akin_recipe_dim(recipe) != m->d[side])
        return akin_recipe_apply(out, ctx, recipe, rows);
    AK_CHECK(ak_model_check_rows(m, ctx, rows, side));
    return recipe ? akin_recipe_apply(out, ctx, recipe, rows)
                  : copy_rows(out, ctx, rows);
}

akin_status ak_model_copy(akin_model **out, akin_ctx *ctx, const akin_model *m)
{
    ak_tensors *t = NULL;
    akin_status st = AKIN_OK;
    AK_TRY(ak_tensors_new(&t, ctx));
    AK_TRY(ak_model_put(m, ctx, t));
    AK_TRY(ak_model_take(out, ctx, t));
done:
    ak_tensors_free(t);
    return st;
}

void ak_model_turn_parts(akin_model *m)
{
    const int64_t left = m->d[0];
    if (m->kind->turn != NULL)
        m->kind->turn(m);
    m->d[0] = m->d[1];
    m->d[1] = left;
}

akin_status akin_model_turn(akin_model **out, akin_ctx *ctx,
                            const akin_model *m)
{
    const bool can = m->kind->turn != NULL || akin_model_is_symmetric(m);
    akin_model *turned = NULL;
    if (!can || (m->recipe[0] == NULL && m->recipe[1] != NULL))
        return ak_fail(ctx, AKIN_EINVAL,
                       "the sides of this model cannot be exchanged");
    AK_CHECK(ak_model_copy(&turned, ctx, m));
    akin_recipe *const left = turned->recipe[0];
    ak_model_turn_parts(turned);
    if (turned->recipe[1] != NULL) {
        turned->recipe[0] = turned->recipe[1];
        turned->recipe[1] = left;
    }
    if (turned->learned[1].known) {
        const ak_checksums of_left = turned->learned[0];
        turned->learned[0] = turned->learned[1];
        turned->learned[1] = of_left;
    }
    *out = turned;
    return AKIN_OK;
}
