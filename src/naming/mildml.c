/* Names by mildml's metric: the mean over the faces of a name of b - d, the log
 * of how much more likely two faces are one person's than not. Its authors take
 * the sum, which favours names with many faces (half of 2,807 faces were then
 * named rightly, nine tenths by the mean). */
#include "learn/captions/mildml.h"
#include "base/parallel.h"
#include "la/dense.h"
#include "naming/scores.h"
#include "opt/lbfgs.h"

enum { BLOCK = 64, PROGRESS = 100 };

typedef struct closeness {
    const ak_affinity *a;
    const double *points;  // n x k
    int64_t k;
    double b;
} closeness;

static akin_status closeness_block(void *arg, int64_t begin, int64_t end,
                                   int64_t worker)
{
    const closeness *s = arg;
    (void)worker;
    for (int64_t i = begin; i < end; ++i) {
        const int32_t *peers;
        const int64_t m = ak_peers_get(s->a->peers, i, &peers);
        double *out = s->a->values + s->a->peers->start[i];
        for (int64_t j = 0; j < m; ++j) {
            double d = 0.0;
            for (int64_t c = 0; c < s->k; ++c) {
                const double gap = s->points[i * s->k + c] -
                                   s->points[peers[j] * s->k + c];
                d += gap * gap;
            }
            out[j] = s->b - d;
        }
    }
    return AKIN_OK;
}

/* L and then b, d k + 1 numbers. */
static akin_status learn_metric(double **Lb, int64_t *k, akin_naming *s,
                                akin_ctx *ctx)
{
    ak_mildml m;
    akin_status st = AKIN_OK;
    AK_TRY(ak_mildml_begin(&m, ctx, s->candidates, s->d, s->X, s->o.rank));
    *k = m.k;
    AK_TRY(AK_SCRATCH(ctx, s->d * m.k + 1, Lb));
    AK_TRY(ak_mildml_start(&m, ctx, *Lb));
    ak_lbfgs p = {.n = s->d * m.k + 1,
                  .x = *Lb,
                  .tol = PROGRESS * s->o.eps,
                  .max_iterations = s->o.iterations};
    AK_TRY(ak_lbfgs_run(&p, ctx, ak_mildml_value, &m));
    s->info.iterations = p.iterations;
    s->info.converged = p.converged;
    s->info.rank = m.k;
done:
    return st;
}

static akin_status learn_closeness(akin_naming *s, akin_ctx *ctx)
{
    const ak_mark mark = ak_scratch_begin(ctx);
    const int64_t n = s->peers.n;
    closeness c = {.a = &s->affinity};
    double *Lb, *points;
    akin_status st = AKIN_OK;
    AK_TRY(learn_metric(&Lb, &c.k, s, ctx));
    AK_TRY(AK_SCRATCH(ctx, n * c.k, &points));
    AK_TRY(ak_gemm(ctx, false, false, n, c.k, s->d, 1.0, s->X, s->d, Lb, c.k,
                   0.0, points, c.k));
    c.points = points;
    c.b = Lb[s->d * c.k];
    AK_TRY(ak_parallel_for(ctx, n, BLOCK, closeness_block, &c));
done:
    ak_scratch_end(ctx, mark);
    return st;
}

akin_status ak_learn_mildml(akin_naming *s, akin_ctx *ctx)
{
    akin_status st = AKIN_OK;
    AK_TRY(ak_affinity_new(&s->affinity, ctx, &s->peers));
    AK_TRY(learn_closeness(s, ctx));
    s->scorer = ak_votes_of(&s->affinity);
done:
    return st;
}
