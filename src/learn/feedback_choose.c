/* Which method of feedback is best, by what was said so far.
 *
 * Of each query, every second good and bad row is held out. A method makes a
 * query of the others. Its score is the share of pairs (held-out good row,
 * held-out bad row) that it ranks right. Only where no row is bad, the
 * background stands in: people judge what a search has found, so that any row
 * they judged is nearer to the query than most others, and against the
 * background the query alone would look best. */
#include <akin/feedback.h>
#include <math.h>
#include <string.h>

#include "data/rows.h"
#include "model/model.h"

enum { FEWEST = 5 };
static const char *const candidates[] = {"mean", "learn", "expand"};
enum { CANDIDATES = sizeof candidates / sizeof *candidates };

static int64_t count(const akin_rows *rows)
{
    return rows ? rows->n : 0;
}

/* Every second row, from `first` on; NULL where there is none. */
static akin_status every_second(akin_rows **out, akin_ctx *ctx,
                                const akin_rows *rows, int64_t first)
{
    const ak_mark mark = ak_scratch_begin(ctx);
    int64_t *which, n = 0;
    akin_status st = AKIN_OK;
    *out = NULL;
    if (count(rows) <= first)
        return AKIN_OK;
    AK_TRY(AK_SCRATCH(ctx, rows->n, &which));
    for (int64_t i = first; i < rows->n; i += 2)
        which[n++] = i;
    AK_TRY(akin_rows_select(out, ctx, rows, which, n));
done:
    ak_scratch_end(ctx, mark);
    return st;
}

/* One query: what is known, and what is held out. */
typedef struct half {
    akin_rows *good, *bad;            // known
    akin_rows *held_good, *held_bad;  // held out
    akin_feedback said;
} half;

static void free_half(half *h)
{
    akin_rows_free(h->good);
    akin_rows_free(h->bad);
    akin_rows_free(h->held_good);
    akin_rows_free(h->held_bad);
}

static akin_status make_half(half *h, akin_ctx *ctx, const akin_feedback *said)
{
    const int64_t first = count(said->query) > 0 ? 0 : 1;
    AK_CHECK(every_second(&h->held_good, ctx, said->good, first));
    AK_CHECK(every_second(&h->good, ctx, said->good, 1 - first));
    AK_CHECK(every_second(&h->held_bad, ctx, said->bad, 0));
    AK_CHECK(every_second(&h->bad, ctx, said->bad, 1));
    h->said = *said;
    h->said.good = h->good;
    h->said.bad = h->bad;
    return AKIN_OK;
}

/* Scores of raw rows for a prepared query. */
static akin_status score_rows(double **out, akin_ctx *ctx, const akin_model *m,
                              const akin_rows *query, const akin_rows *rows,
                              const akin_feedback_options *o)
{
    akin_rows *ready = NULL;
    int64_t *ij;
    akin_status st = AKIN_OK;
    if (count(rows) == 0)
        return AKIN_OK;
    AK_TRY(AK_SCRATCH(ctx, 2 * rows->n, &ij));
    AK_TRY(AK_SCRATCH(ctx, rows->n, out));
    for (int64_t i = 0; i < rows->n; ++i)
        ij[2 * i + 1] = i;
    if (!o->as_is)
        AK_TRY(akin_model_prepare(&ready, ctx, m, rows, AKIN_RIGHT));
    AK_TRY(akin_model_score(*out, ctx, m, query, ready ? ready : rows, ij,
                            rows->n, o->by));
done:
    akin_rows_free(ready);
    return st;
}

static double count_right(const double *good, int64_t n_good,
                          const double *other, int64_t n)
{
    double right = 0.0;
    for (int64_t i = 0; i < n_good; ++i)
        for (int64_t k = 0; k < n; ++k)
            right += good[i] > other[k] ? 1.0 : good[i] == other[k] ? 0.5 : 0.0;
    return right;
}

static akin_status try_method(double *share, akin_ctx *ctx, const half *h,
                              const akin_model *m,
                              const akin_feedback_options *o)
{
    const ak_mark mark = ak_scratch_begin(ctx);
    const akin_rows *others = h->held_bad ? h->held_bad : h->said.background;
    akin_rows *q = NULL;
    double *good = NULL, *other = NULL;
    akin_status st = AKIN_OK;
    AK_TRY(akin_feedback_query(&q, ctx, &h->said, m, o));
    AK_TRY(score_rows(&good, ctx, m, q, h->held_good, o));
    AK_TRY(score_rows(&other, ctx, m, q, others, o));
    *share = count_right(good, h->held_good->n, other, others->n) /
             (double)(h->held_good->n * others->n);
done:
    akin_rows_free(q);
    ak_scratch_end(ctx, mark);
    return st;
}

/* Sums over queries of what a method has more than `auto`. */
typedef struct gains {
    double sum[CANDIDATES], squares[CANDIDATES];
    int64_t n;
} gains;

static akin_status add_query(gains *g, akin_ctx *ctx, const akin_feedback *said,
                             const akin_model *m,
                             const akin_feedback_options *o)
{
    akin_feedback_options own = *o;
    half h = {0};
    double usual, share;
    akin_status st = AKIN_OK;
    AK_TRY(make_half(&h, ctx, said));
    if (h.held_good == NULL || count(said->query) + count(h.good) == 0 ||
        count(h.held_bad) + count(said->background) == 0)
        goto done;
    own.method = "auto";
    AK_TRY(try_method(&usual, ctx, &h, m, &own));
    for (int k = 0; k < CANDIDATES; ++k) {
        own.method = candidates[k];
        AK_TRY(try_method(&share, ctx, &h, m, &own));
        g->sum[k] += share - usual;
        g->squares[k] += (share - usual) * (share - usual);
    }
    ++g->n;
done:
    free_half(&h);
    return st;
}

/* Better than `auto` by more than two standard errors, and by most. */
static const char *best_of(const gains *g)
{
    const char *best = "auto";
    double most = 0.0;
    const double n = (double)g->n;
    for (int k = 0; k < CANDIDATES && g->n >= FEWEST; ++k) {
        const double mean = g->sum[k] / n;
        const double error =
            sqrt(fmax(g->squares[k] / n - mean * mean, 0.0) / n);
        if (mean > most && mean > 2.0 * error) {
            most = mean;
            best = candidates[k];
        }
    }
    return best;
}

akin_status akin_feedback_choose(const char **method, akin_ctx *ctx,
                                 const akin_feedback *said, int64_t n,
                                 const akin_model *m,
                                 const akin_feedback_options *options)
{
    akin_feedback_options o = AKIN_FEEDBACK_DEFAULTS;
    gains g = {0};
    ak_options_take(&o, sizeof o, options);
    for (int64_t i = 0; i < n; ++i)
        AK_CHECK(add_query(&g, ctx, &said[i], m, &o));
    *method = best_of(&g);
    return AKIN_OK;
}
