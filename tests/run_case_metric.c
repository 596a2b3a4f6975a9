/* Cases of metrics on dense rows; their numbers stand under "inputs". */
#include <akin/eval.h>
#include <stdio.h>

#include "learn/metric/itml.h"
#include "learn/metric/lrml.h"
#include "model/metric.h"
#include "run_case.h"

typedef struct matrix {
    int64_t n, d;
    double *values;  // scratch, row-major
} matrix;

static akin_status take_matrix(matrix *x, akin_ctx *ctx, const json_t *in,
                               const char *key)
{
    const json_t *list, *inputs;
    double *row = NULL;
    akin_status st = AKIN_OK;
    AK_TRY(case_get(&inputs, ctx, in, "inputs"));
    AK_TRY(case_get(&list, ctx, inputs, key));
    x->n = (int64_t)json_array_size(list);
    x->d = (int64_t)json_array_size(json_array_get(list, 0));
    AK_TRY(AK_SCRATCH(ctx, x->n * x->d, &x->values));
    for (int64_t i = 0; i < x->n; ++i) {
        int64_t d = 0;
        AK_TRY(case_numbers(&row, &d, ctx, json_array_get(list, (size_t)i)));
        if (d != x->d)
            AK_TRY(ak_fail(ctx, AKIN_EFORMAT, "the rows of %s differ in length",
                           key));
        for (int64_t j = 0; j < d; ++j)
            x->values[i * d + j] = row[j];
    }
done:
    return st;
}

static void fetch(const void *arg, int64_t i, double *row)
{
    const matrix *x = arg;
    for (int64_t j = 0; j < x->d; ++j)
        row[j] = x->values[i * x->d + j];
}

akin_status case_mahalanobis(akin_ctx *ctx, const json_t *in, json_t *out)
{
    matrix X = {0};
    double *M = NULL;
    akin_status st = AKIN_OK;
    AK_TRY(take_matrix(&X, ctx, in, "X"));
    AK_TRY(AK_SCRATCH(ctx, X.d * X.d, &M));
    AK_TRY(ak_mahalanobis(ctx, X.n, X.d, fetch, &X, M));
    AK_TRY(case_put_rows(ctx, out, "M", X.d, X.d, M));
done:
    return st;
}

akin_status case_itml(akin_ctx *ctx, const json_t *in, json_t *out)
{
    ak_itml p = {.near = case_param(in, "u"),
                 .far = case_param(in, "l"),
                 .gamma = case_param(in, "gamma"),
                 .tol = case_param(in, "tol"),
                 .max_iterations = (int64_t)case_param(in, "maxit")};
    matrix X = {0};
    int64_t *ij;
    akin_status st = AKIN_OK;
    AK_TRY(take_matrix(&X, ctx, in, "X"));
    AK_TRY(case_pairs(&ij, &p.similar, &p.count, ctx, in));
    p.d = X.d;
    p.X = p.Y = X.values;
    p.ij = ij;
    AK_TRY(AK_SCRATCH(ctx, X.d * X.d, &p.M));
    AK_TRY(AK_SCRATCH(ctx, p.count, &p.lambda));
    AK_TRY(AK_SCRATCH(ctx, p.count, &p.xi));
    for (int64_t j = 0; j < X.d; ++j)
        p.M[j * X.d + j] = 1.0;
    AK_TRY(ak_itml_cyclic(&p, ctx));
    AK_TRY(case_put_rows(ctx, out, "M", X.d, X.d, p.M));
done:
    return st;
}

akin_status case_lrml(akin_ctx *ctx, const json_t *in, json_t *out)
{
    ak_constraints pairs = {0};
    ak_lrml p = {.pairs = &pairs,
                 .k = (int64_t)case_param(in, "k"),
                 .gamma_s = case_param(in, "gamma_s"),
                 .gamma_d = case_param(in, "gamma_d"),
                 .ridge = case_param(in, "ridge")};
    matrix X = {0};
    akin_status st = AKIN_OK;
    AK_TRY(take_matrix(&X, ctx, in, "X"));
    AK_TRY(case_pairs(&pairs.ij, &pairs.similar, &pairs.count, ctx, in));
    p.n = X.n;
    p.d = X.d;
    p.X = X.values;
    AK_TRY(AK_SCRATCH(ctx, X.d * X.d, &p.M));
    AK_TRY(ak_lrml_solve(&p, ctx));
    AK_TRY(case_put_rows(ctx, out, "M", X.d, X.d, p.M));
done:
    return st;
}

static akin_status take_rows(akin_rows **rows, akin_ctx *ctx, const json_t *in,
                             const char *key)
{
    matrix x = {0};
    float *values = NULL;
    akin_status st = AKIN_OK;
    AK_TRY(take_matrix(&x, ctx, in, key));
    AK_TRY(AK_SCRATCH(ctx, x.n * x.d, &values));
    for (int64_t k = 0; k < x.n * x.d; ++k)
        values[k] = (float)x.values[k];
    AK_TRY(akin_rows_new_dense(rows, ctx, x.n, x.d, values));
done:
    return st;
}

/* The labels 0, 1, ... of "ytr", named by their numbers. */
static akin_status set_labels(akin_rows *rows, akin_ctx *ctx, const json_t *in)
{
    enum { MOST = 16 };
    static char text[MOST][4];
    const char *names[MOST];
    const json_t *list = json_object_get(json_object_get(in, "inputs"), "ytr");
    int32_t *labels = NULL;
    akin_status st = AKIN_OK;
    for (int k = 0; k < MOST; ++k) {
        snprintf(text[k], sizeof text[k], "%d", k);
        names[k] = text[k];
    }
    AK_TRY(AK_SCRATCH(ctx, akin_rows_count(rows), &labels));
    for (int64_t i = 0; i < akin_rows_count(rows); ++i)
        labels[i] =
            (int32_t)json_integer_value(json_array_get(list, (size_t)i));
    AK_TRY(akin_rows_set_labels(ctx, rows, labels, names, MOST));
done:
    return st;
}

/* The metric M of the case, or the plain distance. */
static akin_status take_metric(akin_model **m, akin_ctx *ctx, const json_t *in,
                               const akin_rows *rows)
{
    matrix M = {0};
    akin_status st = AKIN_OK;
    if (!json_object_get(json_object_get(in, "inputs"), "M"))
        return akin_model_builtin(m, ctx, "euclidean", rows);
    AK_TRY(take_matrix(&M, ctx, in, "M"));
    AK_TRY(ak_metric_new(m, ctx, M.d, M.values, AKIN_BY_DISTANCE));
done:
    return st;
}

static akin_status put_labels(akin_ctx *ctx, json_t *out, int64_t n,
                              const int32_t *labels)
{
    double *numbers = NULL;
    const akin_status st = AK_SCRATCH(ctx, n, &numbers);
    if (st != AKIN_OK)
        return st;
    for (int64_t i = 0; i < n; ++i)
        numbers[i] = labels[i];
    return case_put(ctx, out, "labels", n, numbers);
}

akin_status case_knn(akin_ctx *ctx, const json_t *in, json_t *out)
{
    const json_t *k = json_object_get(json_object_get(in, "params"), "k");
    akin_rows *train = NULL, *test = NULL;
    akin_model *m = NULL;
    int32_t *labels = NULL;
    double *scores = NULL;
    akin_status st = AKIN_OK;
    AK_TRY(take_rows(&train, ctx, in, "Xtr"));
    AK_TRY(take_rows(&test, ctx, in, "Xte"));
    AK_TRY(set_labels(train, ctx, in));
    AK_TRY(take_metric(&m, ctx, in, train));
    const int64_t n = akin_rows_count(test);
    AK_TRY(AK_SCRATCH(ctx, n, &labels));
    AK_TRY(AK_SCRATCH(ctx, n, &scores));
    AK_TRY(akin_predict(labels, scores, ctx, m, test, train,
                        json_integer_value(k), 1, AKIN_BY_DEFAULT));
    AK_TRY(put_labels(ctx, out, n, labels));
done:
    akin_model_free(m);
    akin_rows_free(test);
    akin_rows_free(train);
    return st;
}
