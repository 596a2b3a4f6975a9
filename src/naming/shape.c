/* How many names photos show; naming/shape.h. */
#include "naming/shape.h"

#include <math.h>
#include <string.h>

/* Between the gains of a run, so that a count can be reached within it. */
static const double cut = 1e-9;

static bool is_small(int64_t n, int64_t r)
{
    return n < AK_SHAPE_SIDE && r < AK_SHAPE_SIDE;
}

/* Photos of each n, r and j, into t. */
static void count_photos(ak_shape *s, const ak_peers *peers,
                         const int32_t *labels)
{
    for (int64_t i = 0; i < peers->bags->n_photos; ++i) {
        const int64_t *faces;
        const int32_t *names;
        const int64_t n = ak_bags_faces(peers->bags, i, &faces);
        const int64_t r = ak_bags_names(peers->bags, i, &names);
        int64_t j = 0;
        for (int64_t f = 0; f < n; ++f)
            j += labels[faces[f]] < peers->n_names;
        if (is_small(n, r))
            s->t[n][r][ak_min_i64(j, r)] += 1.0;
    }
}

/* t of one n and r from counts; half a photo is added to each. */
static void finish(double *t, int64_t n, int64_t r)
{
    const int64_t most = ak_min_i64(n, r);
    double sum = 0.0, ways = 1.0;
    for (int64_t j = 0; j <= most; ++j)
        sum += t[j] + 0.5;
    for (int64_t j = 0; j <= most; ++j) {
        t[j] = log((t[j] + 0.5) / sum / ways);
        ways *= (double)((n - j) * (r - j)) / (double)(j + 1);
    }
}

void ak_shape_learn(ak_shape *s, const ak_peers *peers, const int32_t *labels)
{
    memset(s, 0, sizeof *s);
    count_photos(s, peers, labels);
    for (int64_t n = 0; n < AK_SHAPE_SIDE; ++n)
        for (int64_t r = 0; r < AK_SHAPE_SIDE; ++r)
            finish(s->t[n][r], n, r);
    s->known = true;
}

/* t(taken + k + 1) - t(taken + k) */
static double rise(const ak_shape_photo *x, int64_t k)
{
    const int64_t j = x->taken + k;
    if (!is_small(x->n, x->r) || j + 1 > ak_min_i64(x->n, x->r))
        return 0.0;
    return x->shape->t[x->n][x->r][j + 1] - x->shape->t[x->n][x->r][j];
}

void ak_shape_gains(const ak_shape_photo *x, int64_t count, double *gains)
{
    for (int64_t k = 0; k < count; ++k)
        gains[k] += rise(x, k);
    for (int64_t k = 0; k < count;) {  // the longest run of the largest mean
        double best = -INFINITY, sum = 0.0;
        int64_t end = k + 1;
        for (int64_t m = k; m < count; ++m) {
            sum += gains[m];
            if (sum / (double)(m - k + 1) >= best) {
                best = sum / (double)(m - k + 1);
                end = m + 1;
            }
        }
        for (; k < end; ++k, best -= cut)
            gains[k] = best;
    }
}

double ak_shape_theta(const ak_shape_photo *x, int64_t count,
                      const double *gains, double *pooled, double theta)
{
    int64_t j = 0;
    if (count == 0)
        return theta;
    memcpy(pooled, gains, (size_t)count * sizeof *gains);
    ak_shape_gains(x, count, pooled);
    while (j < count && pooled[j] >= theta)
        ++j;
    /* What one name less must lose, as far as it lies between the gains of
     * the last name given and of the next. */
    const double wanted = theta - rise(x, j > 0 ? j - 1 : 0);
    const double high = j > 0 ? gains[j - 1] : fmax(wanted, gains[0] + 1.0);
    const double low = j < count ? gains[j] : fmin(wanted, high - 1.0);
    const double edge = 1e-3 * (high - low);
    return fmin(fmax(wanted, low + edge), high - edge);
}
