/* run_case_naming.h - photos and captions of a case. */
#ifndef AK_TESTS_RUN_CASE_NAMING_H
#define AK_TESTS_RUN_CASE_NAMING_H

#include "data/captions/shared_names.h"
#include "model/metric.h"
#include "run_case.h"

/* A matrix among the inputs, from scratch. */
akin_status case_input_matrix(double **A, int64_t *m, int64_t *n, akin_ctx *ctx,
                              const json_t *in, const char *key);
/* The photos of "img" and "names". */
akin_status case_peers(ak_shared_names *out, ak_bags *bags, akin_ctx *ctx,
                       const json_t *in);
/* Faces, the columns of "X", as rows. */
akin_status case_faces(double **out, int64_t *n, int64_t *d, akin_ctx *ctx,
                       const json_t *in);

#endif
