#include "tune/trial.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "learn/learner.h"
#include "model/model.h"
#include "tune/caption_pairs.h"

enum { UNLABELLED_SHARE = 1 };

/* ---- sheets ---- */

static int by_number(const void *left, const void *right)
{
    const int64_t a = *(const int64_t *)left, b = *(const int64_t *)right;
    return (a > b) - (a < b);
}

static bool is_labelled(const akin_rows *rows, int64_t i)
{
    const int32_t *labels;
    return akin_rows_labels(&labels, rows, i) > 0;
}

/* Flag the rows whose labels are known. */
static void flag_labelled(unsigned char *flags, const akin_rows *rows,
                          const int64_t *known, int64_t n_known)
{
    const int64_t n = known ? n_known : rows->n;
    for (int64_t i = 0; i < n; ++i) {
        const int64_t row = known ? known[i] : i;
        flags[row] = is_labelled(rows, row);
    }
}

/* A part of one side: the rows of `part`, and as many of those without a known
 * label, evenly. */
static akin_status select_side(akin_rows **out, int64_t **which,
                               int64_t **known, int64_t *n_known, akin_ctx *ctx,
                               const akin_rows *rows, const int64_t *part,
                               int64_t n_part, const unsigned char *labelled)
{
    int64_t n = 0, unlabelled = 0, *all = NULL;
    akin_status st = AKIN_OK;
    for (int64_t i = 0; i < rows->n; ++i)
        unlabelled += !labelled[i];
    const int64_t more = ak_min_i64(unlabelled, UNLABELLED_SHARE * n_part);
    AK_TRY(AK_NEW(ctx, n_part + more, &all));
    for (int64_t i = 0; i < n_part; ++i)
        all[n++] = part[i];
    for (int64_t i = 0, k = 0; i < rows->n && more > 0; ++i) {
        if (labelled[i])
            continue;
        if (k * more / unlabelled < (k + 1) * more / unlabelled)
            all[n++] = i;
        ++k;
    }
    qsort(all, (size_t)n, sizeof *all, by_number);
    AK_TRY(akin_rows_select(out, ctx, rows, all, n));
    AK_TRY(AK_NEW(ctx, n_part, known));
    for (int64_t i = 0; i < n; ++i)
        if (labelled[all[i]])
            (*known)[(*n_known)++] = i;
    *which = all;
    all = NULL;
done:
    akin_free(all);
    return st;
}

static akin_status select_part(ak_sheet *s, akin_ctx *ctx,
                               const akin_supervision *part)
{
    const akin_supervision *all = s->all;
    const ak_mark mark = ak_scratch_begin(ctx);
    int64_t *known = NULL, *right_known = NULL, *right_which = NULL;
    int64_t n_known = 0, n_right_known = 0;
    unsigned char *labelled;
    akin_status st = AKIN_OK;
    AK_TRY(AK_SCRATCH(ctx, all->rows->n, &labelled));
    flag_labelled(labelled, all->rows, all->known, all->n_known);
    AK_TRY(select_side(&s->left, &s->which, &known, &n_known, ctx, all->rows,
                       part->known, part->n_known, labelled));
    if (all->right != NULL) {
        AK_TRY(AK_SCRATCH(ctx, all->right->n, &labelled));
        flag_labelled(labelled, all->right, all->right_known,
                      all->n_right_known);
        AK_TRY(select_side(&s->right, &right_which, &right_known,
                           &n_right_known, ctx, all->right, part->right_known,
                           part->n_right_known, labelled));
    }
    AK_TRY(ak_supervision_like(&s->own, ctx, all));
    s->own->rows = s->left;
    s->own->right = s->right;
    s->own->kind = AKIN_LABELS;
    s->own->known = known;
    s->own->n_known = n_known;
    s->own->right_known = right_known;
    s->own->n_right_known = n_right_known;
    known = right_known = NULL;
done:
    akin_free(known);
    akin_free(right_known);
    akin_free(right_which);
    ak_scratch_end(ctx, mark);
    return st;
}

akin_status ak_sheet_new(ak_sheet *out, akin_ctx *ctx,
                         const akin_supervision *all, int64_t most)
{
    const int64_t n = all->kind == AKIN_LABELS ? akin_supervision_examples(all)
                                               : 0;
    akin_supervision *rest = NULL, *part = NULL;
    ak_sheet s = {.all = all};
    akin_status st = AKIN_OK;
    if (n > most) {
        AK_TRY(ak_supervision_fold(&rest, &part, ctx, all, 0,
                                   (n + most - 1) / most, AKIN_LEFT));
        AK_TRY(select_part(&s, ctx, part));
    }
    *out = s;
    s = (ak_sheet){0};
done:
    akin_supervision_free(rest);
    akin_supervision_free(part);
    ak_sheet_free(&s);
    return st;
}

const akin_supervision *ak_sheet_known(const ak_sheet *s)
{
    return s->own ? s->own : s->all;
}

void ak_sheet_free(ak_sheet *s)
{
    akin_supervision_free(s->own);
    akin_rows_free(s->left);
    akin_rows_free(s->right);
    akin_free(s->which);
    *s = (ak_sheet){0};
}

/* ---- rows through a recipe ---- */

static akin_status prepare_side(ak_prepared *p, akin_ctx *ctx, akin_side side,
                                const akin_rows *raw,
                                const akin_recipe_options *recipe)
{
    AK_CHECK(akin_recipe_fit(&p->own_recipe[side], ctx, raw, recipe));
    AK_CHECK(akin_recipe_apply(&p->own[side], ctx, p->own_recipe[side], raw));
    p->recipe[side] = p->own_recipe[side];
    p->rows[side] = p->own[side];
    return AKIN_OK;
}

static akin_status prepare(ak_prepared *p, akin_ctx *ctx,
                           const akin_supervision *raw, const akin_rows *test,
                           const akin_recipe_options *recipe)
{
    AK_CHECK(prepare_side(p, ctx, AKIN_LEFT, raw->rows, recipe));
    if (raw->right != NULL)
        AK_CHECK(prepare_side(p, ctx, AKIN_RIGHT, raw->right, recipe));
    if (test != NULL)
        AK_CHECK(
            akin_recipe_apply(&p->own_test, ctx, p->recipe[AKIN_LEFT], test));
    p->test = p->own_test;
    return AKIN_OK;
}

akin_status ak_prepared_new(ak_prepared *out, akin_ctx *ctx,
                            const akin_supervision *raw, const akin_rows *test,
                            const ak_candidate *c)
{
    *out = (ak_prepared){.recipe = {raw->recipe, raw->right_recipe},
                         .rows = {raw->rows, raw->right},
                         .test = test};
    if (c->as_is)
        return AKIN_OK;
    out->status = prepare(out, ctx, raw, test, &c->recipe);
    if (out->status == AKIN_ENOMEM || out->status == AKIN_ECANCELLED)
        return out->status;
    strncpy(out->message, akin_ctx_message(ctx), sizeof out->message - 1);
    return AKIN_OK;
}

/* What is known of `raw`, about the rows that were prepared. */
static akin_status prepared_known(akin_supervision **out, akin_ctx *ctx,
                                  const ak_prepared *p,
                                  const akin_supervision *raw)
{
    AK_CHECK(ak_supervision_copy(out, ctx, raw));
    akin_supervision *s = *out;
    s->rows = p->rows[AKIN_LEFT];
    s->right = p->rows[AKIN_RIGHT];
    s->recipe = p->recipe[AKIN_LEFT];
    s->right_recipe = p->recipe[AKIN_RIGHT];
    return AKIN_OK;
}

void ak_prepared_free(ak_prepared *p)
{
    for (int side = 0; side < 2; ++side) {
        akin_recipe_free(p->own_recipe[side]);
        akin_rows_free(p->own[side]);
    }
    akin_rows_free(p->own_test);
    *p = (ak_prepared){0};
}

/* ---- learning ---- */

static akin_status learn(akin_model **out, akin_ctx *ctx, const ak_candidate *c,
                         const akin_supervision *s, akin_learn_info *info)
{
    akin_model *m = NULL;
    akin_status st = AKIN_OK;
    if (c->options != NULL)
        return ak_learn_whole(out, ctx, c->options, s, info);
    *info = (akin_learn_info){.outcome = AKIN_CONVERGED};
    info->loss = info->objective = NAN;
    AK_TRY(akin_model_builtin(&m, ctx, c->method, s->rows));
    if (s->recipe != NULL)
        AK_TRY(ak_model_set_recipe(m, ctx, AKIN_LEFT, s->recipe));
    if (s->right_recipe != NULL)
        AK_TRY(ak_model_set_recipe(m, ctx, AKIN_RIGHT, s->right_recipe));
    *out = m;
    m = NULL;
done:
    akin_model_free(m);
    return st;
}

akin_status ak_trial_learn(akin_model **out, akin_ctx *ctx,
                           const ak_candidate *c, const akin_supervision *s,
                           akin_learn_info *info)
{
    ak_prepared p = {0};
    akin_supervision *known = NULL;
    akin_status st = AKIN_OK;
    AK_TRY(ak_prepared_new(&p, ctx, s, NULL, c));
    AK_TRY(p.status);
    AK_TRY(prepared_known(&known, ctx, &p, s));
    if (c->passes > 0)
        akin_supervision_sample(known, known->sample, c->passes);
    AK_TRY(learn(out, ctx, c, known, info));
done:
    akin_supervision_free(known);
    ak_prepared_free(&p);
    return st;
}

/* ---- a trial ---- */

static int64_t bytes_of(const ak_tensor *t)
{
    int64_t bytes = (int64_t)ak_dtype_size(t->dtype);
    for (int64_t k = 0; k < t->n_dims; ++k)
        bytes *= t->shape[k];
    return bytes;
}

/* Bytes of its file, more or less: arrays, notes and their names. */
static akin_status model_bytes(int64_t *bytes, akin_ctx *ctx,
                               const akin_model *m)
{
    enum { ABOUT_A_TENSOR = 120, ABOUT_A_NOTE = 6 };
    const char *key, *value;
    ak_tensors *t = NULL;
    akin_status st = AKIN_OK;
    *bytes = 0;
    AK_TRY(ak_tensors_new(&t, ctx));
    AK_TRY(ak_model_put(m, ctx, t));
    for (int64_t i = 0; i < ak_tensors_count(t); ++i)
        *bytes += bytes_of(ak_tensors_at(t, i)) + ABOUT_A_TENSOR;
    for (int64_t i = 0; i < ak_tensors_note_count(t); ++i) {
        ak_tensors_note_at(t, i, &key, &value);
        *bytes += (int64_t)(strlen(key) + strlen(value)) + ABOUT_A_NOTE;
    }
done:
    ak_tensors_free(t);
    return st;
}

/* Captions that are held out become pairs of faces. */
static akin_status to_pairs(akin_supervision **held, akin_ctx *ctx)
{
    akin_supervision *captions = *held;
    *held = NULL;
    const akin_status st = ak_caption_pairs(held, ctx, captions);
    akin_supervision_free(captions);
    return st;
}

/* What is held out, and the rest. Part f of a repeat is drawn by a seed of its
 * own. */
static akin_status hold_out(akin_supervision **rest, akin_supervision **held,
                            akin_ctx *ctx, const ak_trial_spec *spec,
                            const akin_supervision *all)
{
    const uint64_t seed = akin_ctx_seed(ctx);
    if (spec->test == NULL) {
        akin_ctx_set_seed(ctx, ak_mix64(seed + (uint64_t)spec->repeat));
        akin_status st = ak_supervision_fold(rest, held, ctx, all, spec->fold,
                                             spec->folds, spec->side);
        akin_ctx_set_seed(ctx, seed);
        if (st == AKIN_OK && all->kind == AKIN_BAGS)
            st = to_pairs(held, ctx);
        return st;
    }
    if (spec->test->kind != AKIN_LABELS) {
        AK_CHECK(prepared_known(held, ctx, spec->prepared, spec->test));
        return spec->test->kind == AKIN_BAGS ? to_pairs(held, ctx) : AKIN_OK;
    }
    AK_CHECK(ak_supervision_like(held, ctx, all));
    (*held)->rows = spec->prepared->test;
    (*held)->kind = AKIN_LABELS;
    return AKIN_OK;
}

static akin_status note_items(ak_trial_result *r, akin_ctx *ctx,
                              const ak_trial_spec *spec, const ak_tune_held *h)
{
    const int64_t *which = spec->side == AKIN_LEFT && spec->test == NULL
                               ? spec->sheet->which
                               : NULL;
    if (h->s->kind != AKIN_LABELS || h->pairs != NULL)
        return AKIN_OK;
    AK_CHECK(AK_NEW(ctx, h->n_queries, &r->items));
    for (int64_t t = 0; t < h->n_queries; ++t)
        r->items[t] = which ? which[h->queries[t]] : h->queries[t];
    return AKIN_OK;
}

akin_status ak_trial_run(ak_trial_result *out, akin_ctx *ctx,
                         const ak_trial_spec *spec)
{
    const ak_mark mark = ak_scratch_begin(ctx);
    akin_supervision *all = NULL, *rest = NULL, *held = NULL;
    akin_model *m = NULL;
    akin_learn_info info = {0};
    ak_tune_held h;
    ak_trial_result r = {0};
    akin_status st = AKIN_OK;
    if (spec->prepared->status != AKIN_OK)
        AK_TRY(ak_fail(ctx, spec->prepared->status, "%s",
                       spec->prepared->message));
    AK_TRY(
        prepared_known(&all, ctx, spec->prepared, ak_sheet_known(spec->sheet)));
    if (spec->candidate->passes > 0)
        akin_supervision_sample(all, all->sample, spec->candidate->passes);
    AK_TRY(hold_out(&rest, &held, ctx, spec, all));
    AK_TRY(learn(&m, ctx, spec->candidate, rest ? rest : all, &info));
    AK_TRY(ak_tune_held_beside(&h, ctx, held, rest ? rest : all, spec->measure,
                               spec->ranks, spec->most));
    r.n_by = ak_read_outs(r.by, m, rest ? rest : all,
                          spec->candidate->options ? spec->by : m->by);
    for (int64_t c = 0; c < r.n_by; ++c)
        AK_TRY(ak_scores_of(&r.scores[c], ctx, m, &h, r.by[c]));
    AK_TRY(note_items(&r, ctx, spec, &h));
    AK_TRY(model_bytes(&r.bytes, ctx, m));
    r.seconds = info.seconds;
    r.examples = info.examples;
    *out = r;
    r = (ak_trial_result){0};
done:
    ak_trial_result_free(&r);
    akin_model_free(m);
    akin_supervision_free(rest);
    akin_supervision_free(held);
    akin_supervision_free(all);
    ak_scratch_end(ctx, mark);
    return st;
}

void ak_trial_result_free(ak_trial_result *r)
{
    for (int64_t c = 0; c < AK_READ_OUTS; ++c)
        ak_scores_free(&r->scores[c]);
    akin_free(r->items);
    *r = (ak_trial_result){0};
}
