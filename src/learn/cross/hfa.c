/* HFA: machines for the rows of a target, with those of a source of other
 * columns as a help.
 *   [1] Duan, Xu, Tsang. Learning with augmented features for heterogeneous
 *       domain adaptation. ICML 2012.
 *
 *   phi(x) = (P x, x, 0) of the source, phi(y) = (Q y, 0, y) of the target  (1)
 *   H      = (P, Q)'(P, Q), no eigenvalue below 0, trace at most lambda     (2)
 *   min over H and a machine on (1) for each label                          (3)
 *
 * [1] has an H of its own for each label. That minimum is known: it is the
 * machine of each side alone with C (1 + lambda) in place of C, so that nothing
 * is learned from the source but the offset that [1] has in common. Here all
 * labels share one H, which is as convex; opt/hfa.c has how it is found. Labels
 * of target rows are ranked. */
#include <string.h>

#include "data/label_names.h"
#include "learn/cross/cross.h"
#include "learn/cross/span.h"
#include "learn/learner.h"
#include "opt/hfa.h"

typedef struct hfa {
    ak_pairs pairs;  // the sides
    ak_span span[2];
    double *Z;  // both sides, one below and beside the other
    ak_hfa p;
} hfa;

/* Rows as (x, 0) and (0, y), and their labels. */
static akin_status stack(hfa *s, akin_ctx *ctx)
{
    const ak_span *x = s->span;
    const int64_t n = x[0].n + x[1].n, d = x[0].r + x[1].r;
    ak_svm_set *set = &s->p.set;
    int64_t row = 0;
    akin_status st = AKIN_OK;
    if (n > AK_CROSS_MOST / d)
        AK_TRY(ak_fail(ctx, AKIN_ESHAPE,
                       "%" PRId64 " rows are too many for hfa (try rsl)", n));
    set->n = n;
    set->d = d;
    set->labels = s->pairs.n_labels;
    AK_TRY(AK_SCRATCH(ctx, n * d, &s->Z));
    AK_TRY(ak_hfa_room(&s->p, ctx));
    for (int e = 0; e < 2; ++e) {
        const ak_grid_side *g = &s->pairs.side[e];
        for (int64_t i = 0; i < g->n; ++i, ++row) {
            memcpy(s->Z + row * d + (e ? x[0].r : 0), x[e].Z + i * x[e].r,
                   (size_t)x[e].r * sizeof *s->Z);
            for (int64_t k = g->offsets[i]; k < g->offsets[i + 1]; ++k)
                set->y[g->labels[k] * n + row] = 1.0;
        }
    }
    s->p.Z = s->Z;
done:
    return st;
}

/* Names of the left, then those of the right alone, as pairs number them. */
static akin_status name_labels(ak_labels *out, akin_ctx *ctx, const ak_pairs *p)
{
    const akin_rows *l = p->left, *r = p->right;
    int64_t n = l->n_label_names;
    char **names;
    int32_t *map;
    akin_status st = AKIN_OK;
    AK_TRY(AK_SCRATCH(ctx, p->n_labels, &names));
    AK_TRY(ak_label_map(ctx, r->n_label_names, r->label_names, l->n_label_names,
                        l->label_names, &map));
    for (int64_t k = 0; k < n; ++k)
        names[k] = l->label_names[k];
    for (int64_t k = 0; k < r->n_label_names; ++k)
        if (map[k] < 0)
            names[n++] = r->label_names[k];
    *out = (ak_labels){p->n_labels, names};
done:
    return st;
}

static void sum_up(const ak_hfa *p, akin_learn_info *info)
{
    info->outcome = p->converged ? AKIN_CONVERGED : AKIN_STEP_LIMIT;
    info->examples = p->set.n;
    info->iterations = p->iterations;
    info->updates = p->iterations;
    info->objective = p->objective;
}

static akin_status hfa_learn(akin_model **out, akin_ctx *ctx,
                             const akin_options *head,
                             const akin_supervision *data,
                             akin_learn_info *info)
{
    const ak_mark mark = ak_scratch_begin(ctx);
    const akin_hfa_options *o = (const akin_hfa_options *)head;
    const ak_span_options how = AK_SPAN_OPTIONS(o, o->kernel_right, true);
    hfa s = {.p = {.lambda = o->lambda,
                   .tol = o->tol,
                   .max_iterations = o->max_iterations}};
    ak_labels labels;
    akin_status st = AKIN_OK;
    if (data->right == NULL)
        AK_TRY(ak_fail(ctx, AKIN_EINVAL,
                       "hfa needs --right, the rows of the target"));
    AK_TRY(ak_pairs_of(&s.pairs, ctx, data));
    AK_TRY(ak_pairs_differ(&s.pairs, ctx));
    AK_TRY(ak_span_open_sides(s.span, ctx, &s.pairs, true, &how));
    s.p.set = (ak_svm_set){
        .C = o->C,
        .squared = strcmp(o->loss, "hinge2") == 0,
        .tol = 0.1 * o->tol,
        .max_sweeps = o->max_sweeps,
        .rng = ak_rng_new(akin_ctx_seed(ctx), AK_STREAM_ORDER),
    };
    AK_TRY(stack(&s, ctx));
    AK_TRY(name_labels(&labels, ctx, &s.pairs));
    AK_TRY(ak_hfa_solve(&s.p, ctx));
    sum_up(&s.p, info);
    AK_TRY(ak_span_ranker(out, ctx, &s.span[1], labels,
                          s.p.G + s.span[0].r * labels.n));
done:
    ak_scratch_end(ctx, mark);
    return st;
}

static const akin_option options[] = {
    AK_OPTION_GRID(akin_hfa_options, C, 1e-9, 1e9,
                   "weight of the margins against short weights", 1e-2, 1e-1,
                   1.0, 10.0, 100.0),
    AK_OPTION_GRID(akin_hfa_options, lambda, 0.0, 1e9,
                   "largest trace of the transform that labels share", 1.0,
                   10.0, 100.0),
    AK_OPTION_WORD(akin_hfa_options, loss, "hinge|hinge2",
                   "of a margin z: max(0, 1 - z), or its square"),
    AK_OPTION(akin_hfa_options, tol, 0.0, 1.0,
              "gap to the dual that ends it, against the objective"),
    AK_OPTION(akin_hfa_options, max_iterations, 1, 1e9,
              "iterations at the most"),
    AK_OPTION(akin_hfa_options, max_sweeps, 1, 1e9,
              "sweeps of a machine in each of them, at the most"),
    AK_OPTION_KERNEL(akin_hfa_options),
    AK_OPTION_KERNEL_RIGHT(akin_hfa_options),
    AK_OPTION_KERNEL_PLACE(akin_hfa_options),
};
AK_OPTIONS_COVER(akin_hfa_options, options);

static const akin_hfa_options defaults = AKIN_HFA_DEFAULTS;

const ak_learner ak_learner_hfa = {
    .info =
        {
            .name = "hfa",
            .summary = "support vector machines helped by rows of another kind",
            .when = "few labels of the target (--right), more of a source",
            .paper = "duan2012hfa",
            .takes = AKIN_LABELS,
            .makes = "ranker",
            .takes_right = 2,
            .takes_all = 1,
            .recipe = &ak_recipe_centred,
            .defaults = &defaults.head,
            AK_OPTION_ROWS(options),
        },
    .learn = hfa_learn,
};
