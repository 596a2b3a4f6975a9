/* Marginals of matchings.
 *
 * Of the two sides, the smaller one is a set of bits. Items of the other side
 * come one after the other, each takes one free bit or none:
 *
 *   F_{t+1}(S) = F_t(S) + sum over b in S of w(t, b) F_t(S - b)        (1)
 *   B_t(S)     = B_{t+1}(S) + sum over b not in S of w(t, b) B_{t+1}(S + b)
 *   p(t, b)    = sum over S without b of F_t(S) w(t, b) B_{t+1}(S + b) / Z
 *
 * with F_0 = 1 for the empty set and B_end(S) = counts[|S|]. Each row of F and
 * B is scaled to a largest value of 1. */
#include "naming/matching.h"

#include <math.h>
#include <string.h>

enum { EXACT_MOST = 12, SWEEPS = 50 };

/* The pair of item t of the larger side and bit b. */
static int64_t pair_of(const ak_matching *m, int64_t t, int64_t b)
{
    return m->n <= m->r ? b * m->r + t : t * m->r + b;
}

int64_t ak_matching_room(int64_t n, int64_t r)
{
    const int64_t small = ak_min_i64(n, r), large = ak_max_i64(n, r);
    return small <= EXACT_MOST ? (large + 3) << small : 2 * n * r;
}

static void scale_row(double *row, int64_t n)
{
    double most = 0.0;
    for (int64_t k = 0; k < n; ++k)
        most = fmax(most, row[k]);
    for (int64_t k = 0; most > 0.0 && k < n; ++k)
        row[k] /= most;
}

static void forward(const ak_matching *m, int64_t small, int64_t large,
                    double *F)
{
    const int64_t sets = INT64_C(1) << small;
    memset(F, 0, (size_t)sets * sizeof *F);
    F[0] = 1.0;
    for (int64_t t = 0; t < large; ++t, F += sets) {
        for (int64_t S = 0; S < sets; ++S) {
            double sum = F[S];
            for (int64_t b = 0; b < small; ++b)
                if (S >> b & 1)
                    sum += m->weight[pair_of(m, t, b)] * F[S ^ INT64_C(1) << b];
            F[sets + S] = sum;
        }
        scale_row(F + sets, sets);
    }
}

static int64_t count_bits(int64_t S)
{
    int64_t n = 0;
    for (; S > 0; S &= S - 1)
        ++n;
    return n;
}

/* One step of B from `next`, and the marginals of item t. */
static void backward(const ak_matching *m, int64_t small, int64_t t,
                     const double *F, const double *next, double *B, double *p)
{
    const int64_t sets = INT64_C(1) << small;
    double Z = 0.0;
    for (int64_t S = 0; S < sets; ++S) {
        double sum = next[S];
        for (int64_t b = 0; b < small; ++b)
            if (!(S >> b & 1)) {
                const double part = m->weight[pair_of(m, t, b)] *
                                    next[S | INT64_C(1) << b];
                sum += part;
                p[pair_of(m, t, b)] += F[S] * part;
            }
        B[S] = sum;
        Z += F[S] * sum;
    }
    for (int64_t b = 0; Z > 0.0 && b < small; ++b)
        p[pair_of(m, t, b)] /= Z;
    scale_row(B, sets);
}

static void exact(const ak_matching *m, double *p, double *by_count,
                  double *work)
{
    const int64_t small = ak_min_i64(m->n, m->r);
    const int64_t large = ak_max_i64(m->n, m->r);
    const int64_t sets = INT64_C(1) << small;
    double *F = work, *next = work + (large + 1) * sets, *B = next + sets;
    double Z = 0.0;
    forward(m, small, large, F);
    memset(by_count, 0, (size_t)(small + 1) * sizeof *by_count);
    for (int64_t S = 0; S < sets; ++S) {
        next[S] = m->counts[count_bits(S)];
        by_count[count_bits(S)] += F[large * sets + S] * next[S];
        Z += F[large * sets + S] * next[S];
    }
    for (int64_t j = 0; Z > 0.0 && j <= small; ++j)
        by_count[j] /= Z;
    for (int64_t t = large - 1; t >= 0; --t) {
        double *swap = B;
        backward(m, small, t, F + t * sets, next, B, p);
        B = next;
        next = swap;
    }
}

/* Messages: u of a face to a name, v of a name to a face. */
static void propagate(const ak_matching *m, double *p, double *by_count,
                      double *work)
{
    const int64_t n = m->n, r = m->r, most = ak_min_i64(n, r);
    double *u = work, *v = work + n * r, expected = 0.0;
    const double low = fmax(m->counts[0], 1e-300);
    const double high = fmax(m->counts[most], 1e-300);
    const double factor = exp(log(high / low) / (double)most);
    for (int64_t k = 0; k < n * r; ++k)
        v[k] = 1.0;
    for (int sweep = 0; sweep < SWEEPS; ++sweep) {
        for (int64_t f = 0; f < n; ++f) {
            double sum = 1.0;
            for (int64_t q = 0; q < r; ++q)
                sum += factor * m->weight[f * r + q] * v[f * r + q];
            for (int64_t q = 0; q < r; ++q) {
                const double w = factor * m->weight[f * r + q];
                u[f * r + q] = w / fmax(sum - w * v[f * r + q], 1e-300);
                p[f * r + q] = w * v[f * r + q] / sum;
            }
        }
        for (int64_t q = 0; q < r; ++q) {
            double sum = 1.0;
            for (int64_t f = 0; f < n; ++f)
                sum += u[f * r + q];
            for (int64_t f = 0; f < n; ++f)
                v[f * r + q] = 1.0 / fmax(sum - u[f * r + q], 1e-300);
        }
    }
    for (int64_t k = 0; k < n * r; ++k)
        expected += p[k];
    memset(by_count, 0, (size_t)(most + 1) * sizeof *by_count);
    by_count[ak_min_i64(llround(expected), most)] = 1.0;
}

/* Rounding and belief propagation may leave a name slightly more than once. */
static void keep_below_one(const ak_matching *m, double *p)
{
    for (int64_t q = 0; q < m->r; ++q) {
        double sum = 0.0;
        for (int64_t f = 0; f < m->n; ++f)
            sum += p[f * m->r + q];
        for (int64_t f = 0; sum > 1.0 && f < m->n; ++f)
            p[f * m->r + q] /= sum;
    }
    for (int64_t f = 0; f < m->n; ++f) {
        double sum = 0.0;
        for (int64_t q = 0; q < m->r; ++q)
            sum += p[f * m->r + q];
        for (int64_t q = 0; sum > 1.0 && q < m->r; ++q)
            p[f * m->r + q] /= sum;
    }
}

void ak_matching_marginals(const ak_matching *m, double *p, double *by_count,
                           double *work)
{
    memset(p, 0, (size_t)(m->n * m->r) * sizeof *p);
    if (m->n == 0 || m->r == 0)
        by_count[0] = 1.0;
    else if (ak_min_i64(m->n, m->r) <= EXACT_MOST)
        exact(m, p, by_count, work);
    else
        propagate(m, p, by_count, work);
    keep_below_one(m, p);
}

/* The index of one of n weights, by chance. */
static int64_t pick(const double *weights, int64_t n, ak_rng *rng)
{
    double sum = 0.0;
    int64_t last = 0;
    for (int64_t k = 0; k < n; ++k)
        sum += weights[k];
    double x = sum * ak_rng_unit(rng);
    for (int64_t k = 0; k < n; ++k) {
        if (weights[k] > 0.0)
            last = k;
        x -= weights[k];
        if (x < 0.0)
            break;
    }
    return last;
}

/* Backwards through (1): the set at the end, then what each item took. */
static void draw_exact(const ak_matching *m, const double *F, ak_rng *rng,
                       int32_t *name_of)
{
    const int64_t small = ak_min_i64(m->n, m->r);
    const int64_t large = ak_max_i64(m->n, m->r);
    const int64_t sets = INT64_C(1) << small;
    double weights[1 << EXACT_MOST];
    for (int64_t S = 0; S < sets; ++S)
        weights[S] = F[large * sets + S] * m->counts[count_bits(S)];
    int64_t S = pick(weights, sets, rng);
    for (int64_t t = large - 1; t >= 0 && S > 0; --t) {
        const double *row = F + t * sets;
        for (int64_t b = 0; b < small; ++b)
            weights[b] = S >> b & 1 ? m->weight[pair_of(m, t, b)] *
                                          row[S ^ INT64_C(1) << b]
                                    : 0.0;
        weights[small] = row[S];
        const int64_t b = pick(weights, small + 1, rng);
        if (b == small)
            continue;
        name_of[m->n <= m->r ? b : t] = (int32_t)(m->n <= m->r ? t : b);
        S ^= INT64_C(1) << b;
    }
}

/* Face by face, of the names that are left. */
static void draw_in_turn(const ak_matching *m, const double *p, ak_rng *rng,
                         int32_t *name_of)
{
    for (int64_t f = 0; f < m->n; ++f) {
        double x = ak_rng_unit(rng);
        for (int64_t q = 0; q < m->r && x >= 0.0; ++q) {
            bool free = true;
            for (int64_t g = 0; g < f; ++g)
                free = free && name_of[g] != q;
            x -= p[f * m->r + q];
            if (x < 0.0 && free)
                name_of[f] = (int32_t)q;
        }
    }
}

void ak_matching_draw(const ak_matching *m, const double *p, const double *work,
                      ak_rng *rng, int32_t *name_of)
{
    for (int64_t f = 0; f < m->n; ++f)
        name_of[f] = -1;
    if (m->n == 0 || m->r == 0)
        return;
    if (ak_min_i64(m->n, m->r) <= EXACT_MOST)
        draw_exact(m, work, rng, name_of);
    else
        draw_in_turn(m, p, rng, name_of);
}
