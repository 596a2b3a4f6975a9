/* akin reproduce s3ml: Liu, Ma, Tao, Liu, Liu, Semi-Supervised Sparse Metric
 * Learning Using Alternating Linearization Optimization, KDD 2010; Tables 2
 * and 3, Figures 1 and 2. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "reproduce/common/figures.h"
#include "reproduce/s3ml/s3ml.h"

enum { REPEATS = 50, TRIALS = 20, QUICK_REPEATS = 5, QUICK_TRIALS = 1 };

static bool has_features(const char *folder)
{
    return reproduce_has_file(folder, "features225.npy");
}

static bool is_here(const char *folder)
{
    return folder != NULL && (has_features(folder) || s3ml_has_tables(folder));
}

static akin_status run(app *a, const reproduce_flags *f, json_t *rows)
{
    s3ml_run r = {.a = a, .flags = f, .rows = rows, .repeats = f->repeats};
    const bool pictures = has_features(f->data);
    if (r.repeats == 0 && f->quick)
        r.repeats = pictures ? QUICK_TRIALS : QUICK_REPEATS;
    else if (r.repeats == 0)
        r.repeats = pictures ? TRIALS : REPEATS;
    return (pictures ? s3ml_relevance_feedback : s3ml_few_labels)(&r, f->data);
}

#define FULL .fixed = "beta_share=0.9 rho=0", .only = S3ML_FEEDBACK

const s3ml_method s3ml_methods[S3ML_METHODS] = {
    {.name = "euclidean"},
    {.name = "mahalanobis"},
    {.name = "s3ml", .learner = "s3ml"},
    {.name = "s3ml-printed",
     .learner = "s3ml",
     .fixed = "start=covariance",
     .weights = AKIN_PRINTED,
     .setting = "every pair counts alike",
     .only = S3ML_FEW_LABELS},
    {.name = "s3ml-full", .learner = "s3ml", FULL},
    {.name = "s2ml", .learner = "s2ml"},
    {.name = "s2ml-full", .learner = "s2ml", FULL},
    {.name = "sdml", .learner = "sdml"},
    {.name = "itml", .learner = "itml"},
    {.name = "lmnn", .learner = "lmnn"},
    {.name = "nca", .learner = "nca"},
    {.name = "lrml", .learner = "lrml"},
};

bool s3ml_is_in(int m, unsigned experiment)
{
    const s3ml_method *x = &s3ml_methods[m];
    return (x->only == 0 || x->only == experiment) &&
           (x->learner == NULL || akin_learner_find(x->learner) != NULL);
}

akin_status s3ml_learn(s3ml_run *r, const s3ml_method *m,
                       akin_supervision *known, const akin_rows *all,
                       akin_model **model, s3ml_figure *f)
{
    akin_ctx *ctx = r->a->ctx;
    reproduce_params p = {0};
    akin_learn_info info = {0};
    akin_status st = AKIN_OK;
    if (m->learner == NULL)
        return akin_model_builtin(model, ctx, m->name, all);
    akin_supervision_pair_weights(known, m->weights);
    APP_TRY(reproduce_params_new(&p, ctx, m->learner, m->fixed, NULL));
    st = akin_learn(model, ctx, p.options, known, &info);
    f->seconds += info.seconds;
    if (st == AKIN_EINVAL || st == AKIN_ENUMERIC) {
        akin_model_free(*model);
        *model = NULL;
        ++f->failures;
        snprintf(f->why, sizeof f->why, "%s", akin_ctx_message(ctx));
        st = AKIN_OK;
    } else if (st == AKIN_OK) {
        f->nonzeros += (double)akin_model_nonzeros(*model);
    }
done:
    akin_options_free(p.options);
    return st;
}

void s3ml_count(s3ml_figure *f, double percent)
{
    const double from = percent - f->mean;
    f->mean += from / (double)++f->n;
    f->spread += from * (percent - f->mean);
}

json_t *s3ml_row(const s3ml_method *m, const char *dataset, const char *table,
                 const char *key, const s3ml_figure *f)
{
    const double n = (double)f->n;
    json_t *row = json_pack("{s:s, s:s, s:s, s:s, s:I}", "dataset", dataset,
                            "table", table, "method", m->name, "chosen",
                            m->learner ? "default" : "nothing to choose",
                            "repeats", (json_int_t)f->n);
    if (f->n > 0)
        reproduce_put(row, key, f->mean);
    if (f->n > 1)
        reproduce_put(row, "se", sqrt(f->spread / (n - 1.0) / n));
    reproduce_put_text(row, "learner", m->learner);
    if (m->learner != NULL) {
        reproduce_put(row, "seconds", f->seconds / n);
        reproduce_put(row, "nonzeros", f->nonzeros / n);
    }
    if (f->failures > 0) {
        reproduce_put_count(row, "failures", f->failures);
        reproduce_put_text(row, "failure", f->why);
    }
    reproduce_put_text(row, "params", m->fixed);
    reproduce_put_text(row, "setting", m->setting);
    return row;
}

void s3ml_report_failures(s3ml_run *r, const char *dataset,
                          const s3ml_method *m, const s3ml_figure *f)
{
    if (f->failures > 0)
        app_remark(r->a, "%s: %s failed in %lld of %lld runs: %s", dataset,
                   m->name, (long long)f->failures,
                   (long long)(f->failures + f->n), f->why);
}

akin_status s3ml_others(s3ml_run *r, const akin_rows *all, const int64_t *known,
                        int64_t n, akin_rows **out)
{
    int64_t *rest = NULL, count = 0;
    akin_status st = AKIN_OK;
    APP_TRY(APP_NEW(r->a, akin_rows_count(all) + 1, &rest));
    for (int64_t i = 0, k = 0; i < akin_rows_count(all); ++i)
        if (k < n && known[k] == i)
            ++k;
        else
            rest[count++] = i;
    APP_TRY(akin_rows_select(out, r->a->ctx, all, rest, count));
done:
    free(rest);
    return st;
}

/* ---- plots ------------------------------------------------------------- */

static bool shows_concepts(const reproduce_view *v, const json_t *row)
{
    (void)v;
    return !reproduce_has(row, "concept", "");
}

enum { CONCEPTS = 18 };  // in one plot

#define BARS                                                           \
    .shows = shows_concepts, .x_label = "concept", .group = "concept", \
    .y = "map", .y_label = "average precision %", .count = CONCEPTS,   \
    .width = 1400, .height = 560

static const reproduce_figure figures[] = {
    {.file = "table2_%s.svg",
     .title = "Table 2: few labels known, scaling: %s",
     .each = "preprocessing",
     .x_label = "data set",
     .y_label = "1-NN error %",
     .group = "dataset",
     .y = "error",
     .width = 1400,
     .height = 560},
    {.file = "figure1.svg",
     .title = "Figure 1: relevance feedback, the first 18 concepts",
     BARS},
    {.file = "figure2.svg",
     .title = "Figure 2: relevance feedback, the other concepts",
     .first = CONCEPTS,
     BARS},
    {0},
};

const reproduce_paper reproduce_s3ml = {
    .name = "s3ml",
    .title = "Semi-Supervised Sparse Metric Learning Using Alternating "
             "Linearization Optimization (Liu, Ma, Tao, Liu, Liu; KDD 2010)",
    .layout = "features225.npy and labels.csv of pictures, or tables *.csv "
              "with a header and the class in the last column",
    .takes = REPRODUCE_SPLITS,
    .is_here = is_here,
    .run = run,
    .figures = figures,
};
