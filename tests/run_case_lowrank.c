/* Cases of one step on the manifold, and of one update of a pseudo-inverse. */
#include <string.h>

#include "la/dense.h"
#include "learn/lowrank/retract.h"
#include "run_case.h"

/* out.NAME = A and out.NAME_pinv = A^+ (k x n), as the dense form has them. */
static akin_status put_factor(akin_ctx *ctx, json_t *out, const char *name,
                              const char *pinv, const ak_factor *f)
{
    double *A = NULL, *P = NULL;
    akin_status st = AKIN_OK;
    AK_TRY(AK_SCRATCH(ctx, f->n * f->k, &A));
    AK_TRY(AK_SCRATCH(ctx, f->n * f->k, &P));
    for (int64_t i = 0; i < f->n; ++i) {
        ak_factor_row(f, i, A + i * f->k);
        for (int64_t j = 0; j < f->k; ++j)
            P[j * f->n + i] = f->P[i * f->ld + j];
    }
    if (name != NULL)
        AK_TRY(case_put_rows(ctx, out, name, f->n, f->k, A));
    AK_TRY(case_put_rows(ctx, out, pinv, f->k, f->n, P));
done:
    return st;
}

static akin_status put_product(akin_ctx *ctx, json_t *out, const ak_factor *A,
                               const ak_factor *B)
{
    double *W = NULL;
    akin_status st = AKIN_OK;
    AK_TRY(AK_SCRATCH(ctx, A->n * B->n, &W));
    AK_TRY(ak_gemm(ctx, false, true, A->n, B->n, A->k, 1.0, A->H, A->ld, B->H,
                   B->ld, 0.0, W, B->n));
    AK_TRY(case_put_rows(ctx, out, "W", A->n, B->n, W));
done:
    return st;
}

static akin_status read_factor(ak_factor *f, akin_ctx *ctx, const json_t *in,
                               const char *key)
{
    const json_t *list;
    double *A = NULL;
    int64_t k = 0;
    akin_status st = AKIN_OK;
    AK_TRY(case_get(&list, ctx, in, key));
    const int64_t n = (int64_t)json_array_size(list);
    AK_TRY(case_matrix(&A, &k, ctx, list, n));
    AK_TRY(ak_factor_new(f, ctx, AK_FACTOR_DENSE, n, k, A));
done:
    return st;
}

/* The columns of the matrix `many`, or the vector `one`. */
static akin_status read_columns(ak_splist *l, int64_t *r, akin_ctx *ctx,
                                const json_t *in, const char *many,
                                const char *one)
{
    const json_t *list = json_object_get(in, many);
    double *G = NULL, *g = NULL;
    int32_t *cols = NULL;
    int64_t n = 0;
    akin_status st = AKIN_OK;
    *r = 1;
    if (list != NULL) {
        n = (int64_t)json_array_size(list);
        AK_TRY(case_matrix(&G, r, ctx, list, n));
    } else {
        AK_TRY(case_get(&list, ctx, in, one));
        AK_TRY(case_numbers(&G, &n, ctx, list));
    }
    AK_TRY(AK_SCRATCH(ctx, n, &g));
    AK_TRY(AK_SCRATCH(ctx, n, &cols));
    for (int64_t j = 0; j < *r; ++j) {
        for (int64_t i = 0; i < n; ++i) {
            g[i] = G[i * *r + j];
            cols[i] = (int32_t)i;
        }
        AK_TRY(ak_splist_put(l, ctx, j, 1.0, (ak_spvec){n, cols, g}));
    }
done:
    return st;
}

/* p q' is the step as it is, not shortened. */
static akin_status step(akin_ctx *ctx, ak_factor *A, ak_factor *B, int64_t r,
                        const ak_splist *P, const ak_splist *Q)
{
    const ak_spvec p = ak_splist_at(P, 0), q = ak_splist_at(Q, 0);
    ak_retract_input s = {
        .eta = 1.0, .p2 = ak_spvec_dot(p, p), .q2 = ak_spvec_dot(q, q)};
    akin_status st = AKIN_OK;
    AK_TRY(AK_SCRATCH(ctx, 6 * A->k, &s.work));
    ak_factor_project(A, p, s.work);
    ak_factor_project(B ? B : A, q, s.work + A->k);
    if (B == NULL)
        AK_TRY(ak_retract_psd(A, ctx, p, q, &s));
    else if (r == 1)
        AK_TRY(ak_retract(A, B, ctx, p, q, &s));
    else
        AK_TRY(ak_retract_many(A, B, ctx, r, P, Q, 1.0, 0.0));
done:
    return st;
}

akin_status case_retraction(akin_ctx *ctx, const json_t *in, json_t *out)
{
    const bool psd = json_object_get(in, "Y") != NULL;
    ak_factor A = {0}, B = {0};
    ak_splist P = {0}, Q = {0};
    int64_t r = 0;
    akin_status st = AKIN_OK;
    AK_TRY(read_factor(&A, ctx, in, psd ? "Y" : "A"));
    if (!psd)
        AK_TRY(read_factor(&B, ctx, in, "B"));
    AK_TRY(read_columns(&P, &r, ctx, in, "G1", "p"));
    AK_TRY(read_columns(&Q, &r, ctx, in, "G2", "q"));
    AK_TRY(step(ctx, &A, psd ? NULL : &B, r, &P, &Q));
    AK_TRY(put_product(ctx, out, &A, psd ? &A : &B));
    AK_TRY(psd ? put_factor(ctx, out, "Y", "Y_pinv", &A)
               : put_factor(ctx, out, "A", "A_pinv", &A));
    if (!psd)
        AK_TRY(put_factor(ctx, out, "B", "B_pinv", &B));
done:
    ak_factor_free(&A);
    ak_factor_free(&B);
    ak_splist_free(&P);
    ak_splist_free(&Q);
    return st;
}

/* Of a matrix that has lost rank, which a factor refuses: by its SVD. */
static akin_status put_pinv(akin_ctx *ctx, json_t *out, int64_t n, int64_t k,
                            double *A)
{
    double *U = NULL, *s = NULL, *Vt = NULL, *P = NULL;
    akin_status st = AKIN_OK;
    AK_TRY(AK_SCRATCH(ctx, n * k, &U));
    AK_TRY(AK_SCRATCH(ctx, k, &s));
    AK_TRY(AK_SCRATCH(ctx, k * k, &Vt));
    AK_TRY(AK_SCRATCH(ctx, n * k, &P));
    AK_TRY(ak_svd(ctx, n, k, A, s, U, Vt));
    for (int64_t i = 0; i < k * k; ++i)
        Vt[i] *= s[i / k] > 1e-10 * s[0] ? 1.0 / s[i / k] : 0.0;
    AK_TRY(ak_gemm(ctx, true, true, k, n, k, 1.0, Vt, k, U, k, 0.0, P, n));
    AK_TRY(case_put_rows(ctx, out, "pinv", k, n, P));
done:
    return st;
}

akin_status case_pinv(akin_ctx *ctx, const json_t *in, json_t *out)
{
    const json_t *list;
    ak_factor f = {0};
    double *A = NULL, *c = NULL, *d = NULL;
    int64_t n = 0, k = 0;
    akin_status st = AKIN_OK;
    AK_TRY(read_factor(&f, ctx, in, "A"));
    AK_TRY(case_get(&list, ctx, in, "c"));
    AK_TRY(case_numbers(&c, &n, ctx, list));
    AK_TRY(case_get(&list, ctx, in, "d"));
    AK_TRY(case_numbers(&d, &k, ctx, list));
    if (ak_factor_add(&f, c, d)) {
        AK_TRY(put_factor(ctx, out, NULL, "pinv", &f));
        goto done;
    }
    AK_TRY(AK_SCRATCH(ctx, n * k, &A));
    for (int64_t i = 0; i < n; ++i) {
        ak_factor_row(&f, i, A + i * k);
        ak_axpy(k, c[i], d, A + i * k);
    }
    AK_TRY(put_pinv(ctx, out, n, k, A));
done:
    ak_factor_free(&f);
    return st;
}
