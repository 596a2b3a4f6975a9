/* run_case.h - cases as JSON, in and out; see run_case.c. */
#ifndef AK_TESTS_RUN_CASE_H
#define AK_TESTS_RUN_CASE_H

#include <jansson.h>

#include "learn/learner.h"

/* One algorithm: reads the case, calls the library, adds the keys of
 * `expected` to `out`. */
typedef akin_status (*case_fn)(akin_ctx *ctx, const json_t *in, json_t *out);

akin_status case_online(akin_ctx *ctx, const json_t *in, json_t *out);
akin_status case_factored(akin_ctx *ctx, const json_t *in, json_t *out);
akin_status case_square(akin_ctx *ctx, const json_t *in, json_t *out);
akin_status case_labels(akin_ctx *ctx, const json_t *in, json_t *out);
akin_status case_retraction(akin_ctx *ctx, const json_t *in, json_t *out);
akin_status case_pinv(akin_ctx *ctx, const json_t *in, json_t *out);
akin_status case_qpao(akin_ctx *ctx, const json_t *in, json_t *out);
akin_status case_tfidf(akin_ctx *ctx, const json_t *in, json_t *out);
akin_status case_ranking(akin_ctx *ctx, const json_t *in, json_t *out);
akin_status case_mahalanobis(akin_ctx *ctx, const json_t *in, json_t *out);
akin_status case_itml(akin_ctx *ctx, const json_t *in, json_t *out);
akin_status case_rsl(akin_ctx *ctx, const json_t *in, json_t *out);
akin_status case_lrml(akin_ctx *ctx, const json_t *in, json_t *out);
akin_status case_knn(akin_ctx *ctx, const json_t *in, json_t *out);
akin_status case_sice(akin_ctx *ctx, const json_t *in, json_t *out);
akin_status case_sice_gap(akin_ctx *ctx, const json_t *in, json_t *out);
akin_status case_sice_alm_steps(akin_ctx *ctx, const json_t *in, json_t *out);
akin_status case_s3ml_affinity(akin_ctx *ctx, const json_t *in, json_t *out);
akin_status case_s3ml(akin_ctx *ctx, const json_t *in, json_t *out);
akin_status case_s2ml(akin_ctx *ctx, const json_t *in, json_t *out);
akin_status case_sdml(akin_ctx *ctx, const json_t *in, json_t *out);

akin_status case_rlrr_H(akin_ctx *ctx, const json_t *in, json_t *out);
akin_status case_rlrr_wstep(akin_ctx *ctx, const json_t *in, json_t *out);
akin_status case_rlrr_iterate(akin_ctx *ctx, const json_t *in, json_t *out);
akin_status case_rlrr_optimum(akin_ctx *ctx, const json_t *in, json_t *out);
akin_status case_mms_objective(akin_ctx *ctx, const json_t *in, json_t *out);
akin_status case_mildml_value(akin_ctx *ctx, const json_t *in, json_t *out);
akin_status case_lr_associate(akin_ctx *ctx, const json_t *in, json_t *out);
akin_status case_asml_objective(akin_ctx *ctx, const json_t *in, json_t *out);
akin_status case_asml_steps(akin_ctx *ctx, const json_t *in, json_t *out);
akin_status case_asml_fit(akin_ctx *ctx, const json_t *in, json_t *out);
akin_status case_asml_image(akin_ctx *ctx, const json_t *in, json_t *out);
akin_status case_kernel_affinity(akin_ctx *ctx, const json_t *in, json_t *out);
akin_status case_affinity_fuse(akin_ctx *ctx, const json_t *in, json_t *out);
akin_status case_naming(akin_ctx *ctx, const json_t *in, json_t *out);
akin_status case_naming_assign(akin_ctx *ctx, const json_t *in, json_t *out);
akin_status case_naming_theta(akin_ctx *ctx, const json_t *in, json_t *out);
akin_status case_naming_at_count(akin_ctx *ctx, const json_t *in, json_t *out);
akin_status case_naming_metrics(akin_ctx *ctx, const json_t *in, json_t *out);
akin_status case_naming_ratio(akin_ctx *ctx, const json_t *in, json_t *out);

/* The member `key`, or EFORMAT naming it. Borrowed. */
akin_status case_get(const json_t **value, akin_ctx *ctx, const json_t *in,
                     const char *key);
/* A number among the params, 0 where there is none. */
double case_param(const json_t *in, const char *key);
/* Numbers of a list, from scratch. */
akin_status case_numbers(double **values, int64_t *n, akin_ctx *ctx,
                         const json_t *list);
/* A list of lists of whole numbers, `width` each, one after the other. */
akin_status case_integers(int64_t **values, int64_t *n, akin_ctx *ctx,
                          const json_t *list, int64_t width);
/* A d x k matrix, a list of rows, from scratch. */
akin_status case_matrix(double **A, int64_t *k, akin_ctx *ctx,
                        const json_t *list, int64_t d);
/* The matrix `key` of the inputs, n x d, from scratch. */
akin_status case_input(double **A, int64_t *n, int64_t *d, akin_ctx *ctx,
                       const json_t *in, const char *key);
/* The pairs S of the inputs, then those of D. */
akin_status case_pairs(int64_t **ij, int64_t *similar, int64_t *count,
                       akin_ctx *ctx, const json_t *in);
/* The parameters of a case, which are options of the learner. */
akin_status case_set_params(akin_options *options, akin_ctx *ctx,
                            const json_t *params);
/* "vectors" and "dim" as sparse rows. The cases' values are multiples of
 * 2^-20, so nothing is lost in float. */
akin_status case_sparse_rows(akin_rows **rows, akin_ctx *ctx, const json_t *in);

/* out[key] = the numbers. */
akin_status case_put(akin_ctx *ctx, json_t *out, const char *key, int64_t n,
                     const double *values);
/* out[key] = n lists of d numbers each. */
akin_status case_put_rows(akin_ctx *ctx, json_t *out, const char *key,
                          int64_t n, int64_t d, const double *values);
akin_status case_put_number(akin_ctx *ctx, json_t *out, const char *key,
                            double value);
/* out["status"] = "ok" or "unbounded". */
void case_put_status(json_t *out, bool unbounded);

#endif
