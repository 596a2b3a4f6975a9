/* One query from what was said about its answers.
 *
 * All is done in the learned space, where a plain dot product, cosine or
 * distance is the similarity and phi(x) is a row of it. p_i are the shares of
 * the positives (the query, good rows, answers), which add up to 1.
 *
 *   m = sum_i p_i phi(x_i)                                  the mean  (1)
 *
 *   min over v, b of  sum_i c_i (v.phi(x_i) + b - y_i)^2
 *                     + ridge s sum_j v_j^2 / d_j                     (2)
 *
 * with y = 1, c = p for positives; y = -1 for the others, c = 1 / n for one of
 * n background rows, and for a bad row as for a positive, but 1 / n where there
 * are n of them and more than positives; D = diag(d), K_ij = phi(x_i).D
 * phi(x_j) and s is the mean of K_ii. v = D sum_i a_i phi(x_i), and
 *
 *   (K / s + ridge diag(1/c)) a = y - b,  sum_i a_i = 0     the dual  (3)
 *
 *   q = m / |m| + v / |v|                                             (4)
 *
 * (4) is a compromise: v alone is better with many positives, and worse than
 * the mean with few of them and bad rows that are near. Under a distance, whose
 * origin has no meaning, q = m + r v / |v|, where r is half of the distance
 * from m to the mean of the other rows.
 *
 * A background row may be a positive that nobody has marked. One that is nearer
 * to m than half of the positives are to the mean of the others is left out,
 * but never more than half of the background. Of those that remain, and of the
 * bad rows, the MOST nearest to m are learned from: they are what a search
 * finds in place of positives, and (3) stays small.
 *
 * Sparse rows under a diagonal model: v has the columns of the positives alone,
 * so that a query stays as short as they are together, and
 *
 *   d_j = sqrt(sum of c_i over the examples that have column j)       (5)
 *
 * A weight moves the further, the more examples tell of it. Else d = 1. */
#include <akin/feedback.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "data/mix.h"
#include "la/dense.h"
#include "model/compare.h"
#include "model/diagonal.h"

typedef enum { NONE, MEAN, LEARN, EXPAND, AUTO, N_METHODS } method;
static const char *const names[] = {"none", "mean", "learn", "expand", "auto"};

/* The parts of the examples, in this order. */
enum { QUERY, GOOD, ANSWERS, BAD, BACKGROUND, N_PARTS };
enum { N_POSITIVE = BAD };

typedef struct part {
    akin_rows *own;         // prepared here; NULL: borrowed or none
    const akin_rows *rows;  // prepared; NULL: none
    akin_rows *places;      // in the learned space
} part;

typedef struct feedback {
    const akin_model *m;
    akin_feedback_options o;
    akin_compare by;
    method method;
    part parts[N_PARTS];
} feedback;

/* ---- methods ---- */

static int64_t count(const akin_rows *rows)
{
    return rows ? rows->n : 0;
}

static method method_named(const char *name)
{
    int k = 0;
    while (k < N_METHODS && (name == NULL || strcmp(name, names[k]) != 0))
        ++k;
    return (method)k;
}

/* Diagonal, or an embedding that is linear and alike on both sides. */
static bool can_learn(const akin_model *m)
{
    if (ak_model_is_diagonal(m))
        return true;
    return akin_model_is_symmetric(m) && m->kind->learned == NULL &&
           m->kind != &ak_kind_posterior;
}

/* Expansion helps bags of words, and other rows once bad ones are known. */
static method automatic(const akin_feedback *said)
{
    const akin_rows *rows = count(said->good) > 0 ? said->good : said->query;
    if (count(said->query) + count(said->good) + count(said->bad) < 2)
        return NONE;
    return rows->offsets || count(said->bad) > 0 ? EXPAND : LEARN;
}

/* The method that is used: the one named, or the next simpler that can be. */
static method used(const akin_model *m, const akin_feedback *said,
                   const akin_feedback_options *o)
{
    const int64_t others = count(said->bad) + count(said->background);
    method is = method_named(o->method);
    if (is == AUTO)
        is = automatic(said);
    if (is == EXPAND && (o->search == NULL || o->answers < 1))
        is = LEARN;
    if (is == LEARN && (others == 0 || !can_learn(m)))
        is = MEAN;
    return is;
}

const char *akin_feedback_method(const akin_feedback *said, const akin_model *m,
                                 const akin_feedback_options *options)
{
    akin_feedback_options o = AKIN_FEEDBACK_DEFAULTS;
    akin_feedback s = AKIN_FEEDBACK_INIT;
    ak_options_take(&o, sizeof o, options);
    ak_options_take(&s, sizeof s, said);
    if (method_named(o.method) == N_METHODS ||
        count(s.query) + count(s.good) == 0)
        return "";
    return names[used(m, &s, &o)];
}

/* ---- the parts ---- */

static akin_status take_part(feedback *f, akin_ctx *ctx, int k,
                             const akin_rows *rows)
{
    part *p = &f->parts[k];
    if (count(rows) == 0)
        return AKIN_OK;
    if (f->o.as_is != 0) {
        p->rows = rows;
        return ak_model_check_rows(f->m, ctx, rows, AKIN_LEFT);
    }
    AK_CHECK(akin_model_prepare(&p->own, ctx, f->m, rows, AKIN_LEFT));
    p->rows = p->own;
    return AKIN_OK;
}

static void free_parts(feedback *f)
{
    for (int k = 0; k < N_PARTS; ++k) {
        akin_rows_free(f->parts[k].own);
        akin_rows_free(f->parts[k].places);
    }
}

static akin_status check(const feedback *f, akin_ctx *ctx,
                         const akin_feedback *said)
{
    if (method_named(f->o.method) == N_METHODS)
        return ak_fail(ctx, AKIN_EINVAL,
                       "`method` is %s (expected auto, none, mean, learn or "
                       "expand)",
                       f->o.method ? f->o.method : "missing");
    if (!(f->o.ridge > 0.0 && isfinite(f->o.ridge)))
        return ak_fail(ctx, AKIN_EINVAL, "`ridge` must be positive");
    if (!(f->o.answer_weight > 0.0 && f->o.answer_weight <= 1.0))
        return ak_fail(ctx, AKIN_EINVAL,
                       "`answer_weight` must be above 0 and at most 1");
    if (count(said->query) > 1)
        return ak_fail(ctx, AKIN_ESHAPE,
                       "%" PRId64 " rows as one query (expected 1)",
                       said->query->n);
    if (count(said->query) + count(said->good) == 0)
        return ak_fail(ctx, AKIN_EINVAL, "there is no query");
    return ak_model_check_compares(f->m, ctx);
}

static akin_status take_parts(feedback *f, akin_ctx *ctx,
                              const akin_feedback *said)
{
    AK_CHECK(check(f, ctx, said));
    f->method = used(f->m, said, &f->o);
    AK_CHECK(take_part(f, ctx, QUERY, said->query));
    if (f->method > NONE || count(said->query) == 0)
        AK_CHECK(take_part(f, ctx, GOOD, said->good));
    if (f->method > NONE)
        AK_CHECK(take_part(f, ctx, BAD, said->bad));
    if (f->method > MEAN)
        AK_CHECK(take_part(f, ctx, BACKGROUND, said->background));
    return AKIN_OK;
}

/* ---- the mean ---- */

/* The background of a small collection is all of it: more than FEW answers only
 * if they are at most one in ROWS_OF_ANSWER of its rows. */
enum { FEW = 5, ROWS_OF_ANSWER = 20 };

static int64_t count_answers(const feedback *f)
{
    const int64_t n = count(f->parts[BACKGROUND].rows);
    return ak_min_i64(f->o.answers, ak_max_i64(FEW, n / ROWS_OF_ANSWER));
}

/* Fewer answers weigh as much together. */
static double part_weight(const feedback *f, int k)
{
    return k == ANSWERS ? fmin(1.0, f->o.answer_weight * (double)f->o.answers /
                                        (double)count_answers(f))
                        : 1.0;
}

static double positive_weight(const feedback *f)
{
    double sum = 0.0;
    for (int k = 0; k < N_POSITIVE; ++k)
        sum += part_weight(f, k) * (double)count(f->parts[k].rows);
    return sum;
}

static akin_status mean(akin_rows **out, akin_ctx *ctx, const feedback *f)
{
    const double all = positive_weight(f);
    const int64_t bad = count(f->parts[BAD].rows);
    ak_share shares[BAD + 1];
    for (int k = 0; k <= BAD; ++k) {
        const akin_rows *rows = f->parts[k].rows;
        const double weight = k == BAD ? -0.5 / (double)ak_max_i64(bad, 1)
                                       : part_weight(f, k) / all;
        shares[k] = (ak_share){rows, 0, count(rows), weight};
    }
    return ak_rows_mix(out, ctx, NULL, 0.0, shares, BAD + 1);
}

/* ---- examples in the learned space ---- */

/* Row i of a part. */
typedef struct example {
    int part;
    int64_t i;
    double y, c;   // of (2); c = 0: not learned from
    double norm;   // |phi|; 1 unless rows are compared by cosine
    double score;  // against m
} example;

/* The columns of the support of every example. */
typedef struct lists {
    int64_t *offsets;
    int32_t *cols;
    double *vals;
} lists;

typedef struct problem {
    const feedback *f;
    example *all;  // n: positives, bad rows, background
    int64_t n, n_positive;
    int32_t *support;  // 1 + number of each column that v may have; NULL: all
    int64_t d;         // columns of the learned space, or those of the support
    lists l;           // with a support: the examples that are left
    double *free;      // with a support: d, of (5)
    double *K;         // n x n, of the n examples that are left
    double *a;         // n, of (3), then those of v in (4)
    double *m;         // n, those of m in (4)
} problem;

static ak_row place_of(const problem *p, const example *e)
{
    return ak_row_of(p->f->parts[e->part].places, e->i);
}

static bool is_by_weights(const problem *p)
{
    for (int k = 0; k < N_PARTS; ++k)
        if (p->f->parts[k].rows && p->f->parts[k].rows->offsets == NULL)
            return false;
    return ak_model_is_diagonal(p->f->m);
}

/* |phi|^2, before it is divided by the norm. */
static double square_of(ak_row x)
{
    double sum = 0.0;
    for (int64_t k = 0; k < x.n; ++k)
        sum += (double)x.vals[k] * (double)x.vals[k];
    return sum;
}

static akin_status embed_parts(feedback *f, akin_ctx *ctx)
{
    for (int k = 0; k < N_PARTS; ++k)
        if (f->parts[k].rows && f->parts[k].places == NULL)
            AK_CHECK(ak_model_embed(&f->parts[k].places, ctx, f->m,
                                    f->parts[k].rows, AKIN_RIGHT));
    return AKIN_OK;
}

static akin_status list_examples(problem *p, akin_ctx *ctx)
{
    const feedback *f = p->f;
    const double all = positive_weight(f);
    int64_t n = 0;
    for (int k = 0; k < N_PARTS; ++k)
        n += count(f->parts[k].rows);
    AK_CHECK(AK_SCRATCH(ctx, n, &p->all));
    for (int k = 0; k < N_PARTS; ++k)
        for (int64_t i = 0; i < count(f->parts[k].rows); ++i) {
            example *e = &p->all[p->n++];
            const bool positive = k < N_POSITIVE;
            *e = (example){k, i, positive ? 1.0 : -1.0, 0.0, 1.0, 0.0};
            if (positive)
                e->c = part_weight(f, k) / all;
            const double square = square_of(place_of(p, e));
            if (f->by == AKIN_BY_COSINE && square > 0.0)
                e->norm = sqrt(square);
            p->n_positive += positive;
        }
    return AKIN_OK;
}

/* The columns of the positives get numbers. */
static akin_status find_support(problem *p, akin_ctx *ctx)
{
    for (int k = 0; k < N_PARTS; ++k)
        if (p->f->parts[k].places)
            p->d = ak_max_i64(p->d, p->f->parts[k].places->d);
    if (!is_by_weights(p))
        return AKIN_OK;
    AK_CHECK(AK_SCRATCH(ctx, p->d, &p->support));
    p->d = 0;
    for (int64_t i = 0; i < p->n_positive; ++i) {
        const ak_row x = place_of(p, &p->all[i]);
        for (int64_t k = 0; k < x.n; ++k)
            if (p->support[x.cols[k]] == 0)
                p->support[x.cols[k]] = (int32_t)++p->d;
    }
    return AKIN_OK;
}

/* The number of entry k among the columns of the problem, -1: not there. */
static int64_t column_of(const problem *p, const ak_row *x, int64_t k)
{
    return p->support ? p->support[x->cols[k]] - 1 : ak_row_col(x, k);
}

/* ---- which examples to learn from ---- */

enum { MOST = 150, MOST_POSITIVE = 500 };

static akin_status score_examples(problem *p, akin_ctx *ctx)
{
    double *m;
    AK_CHECK(AK_SCRATCH(ctx, p->d, &m));
    for (int64_t i = 0; i < p->n_positive; ++i) {
        const ak_row x = place_of(p, &p->all[i]);
        const double c = p->all[i].c / p->all[i].norm;
        for (int64_t k = 0; k < x.n; ++k)
            m[column_of(p, &x, k)] += c * (double)x.vals[k];
    }
    for (int64_t i = 0; i < p->n; ++i) {
        example *e = &p->all[i];
        const ak_row x = place_of(p, e);
        const double square = square_of(x) / (e->norm * e->norm);
        double sum = 0.0;
        for (int64_t k = 0; k < x.n; ++k) {
            const int64_t j = column_of(p, &x, k);
            sum += j >= 0 ? m[j] * (double)x.vals[k] / e->norm : 0.0;
        }
        if (i < p->n_positive && p->n_positive > 1)  // the others' mean
            sum = (sum - e->c * square) / (1.0 - e->c);
        e->score = p->f->by == AKIN_BY_DISTANCE ? 2.0 * sum - square : sum;
    }
    return AKIN_OK;
}

static int increasing(const void *left, const void *right)
{
    const double a = *(const double *)left, b = *(const double *)right;
    return (a > b) - (a < b);
}

/* The median of the scores of n > 0 examples. */
static akin_status median(akin_ctx *ctx, const example *e, int64_t n,
                          double *out)
{
    double *s;
    AK_CHECK(AK_SCRATCH(ctx, n, &s));
    for (int64_t i = 0; i < n; ++i)
        s[i] = e[i].score;
    qsort(s, (size_t)n, sizeof *s, increasing);
    *out = s[n / 2];
    return AKIN_OK;
}

static int nearest_first(const void *left, const void *right)
{
    const example *a = left, *b = right;
    return (a->score < b->score) - (a->score > b->score);
}

/* Sort the n examples, the nearest first; the first `most` of them that score
 * at most `limit` get the weight c, or 1 / their number if that is less. */
static void choose(example *e, int64_t n, int64_t most, double limit, double c)
{
    int64_t first = 0;
    qsort(e, (size_t)n, sizeof *e, nearest_first);
    while (first < n && e[first].score > limit)
        ++first;
    const int64_t kept = ak_min_i64(n - first, most);
    for (int64_t i = first; i < first + kept; ++i)
        e[i].c = fmin(c, 1.0 / (double)kept);
}

static akin_status choose_examples(problem *p, akin_ctx *ctx)
{
    const int64_t n_bad = count(p->f->parts[BAD].rows);
    const int64_t n_back = count(p->f->parts[BACKGROUND].rows);
    example *bad = p->all + p->n_positive, *back = bad + n_bad;
    double limit = INFINITY, of_back = 0.0;
    AK_CHECK(score_examples(p, ctx));
    if (p->n_positive > 1 && n_back > 0) {
        AK_CHECK(median(ctx, p->all, p->n_positive, &limit));
        AK_CHECK(median(ctx, back, n_back, &of_back));
        limit = fmax(limit, of_back);
    }
    choose(bad, n_bad, MOST, INFINITY, 1.0 / positive_weight(p->f));
    choose(back, n_back, MOST, limit, 1.0);
    return AKIN_OK;
}

/* The examples that have a weight move to the front. */
static void drop_others(problem *p)
{
    int64_t n = 0;
    for (int64_t i = 0; i < p->n; ++i)
        if (p->all[i].c > 0.0)
            p->all[n++] = p->all[i];
    p->n = n;
}

/* Of very many positives, those nearest to their mean. */
static void drop_positives(problem *p)
{
    double sum = 0.0;
    if (p->n_positive <= MOST_POSITIVE)
        return;
    qsort(p->all, (size_t)p->n_positive, sizeof *p->all, nearest_first);
    for (int64_t i = 0; i < p->n_positive; ++i)
        if (i < MOST_POSITIVE)
            sum += p->all[i].c;
        else
            p->all[i].c = 0.0;
    for (int64_t i = 0; i < MOST_POSITIVE; ++i)
        p->all[i].c /= sum;
    p->n_positive = MOST_POSITIVE;
}

/* ---- K ---- */

static akin_status list_columns(problem *p, akin_ctx *ctx)
{
    lists *l = &p->l;
    int64_t most = 0, at = 0;
    for (int64_t i = 0; i < p->n; ++i)
        most += place_of(p, &p->all[i]).n;
    AK_CHECK(AK_SCRATCH(ctx, p->n + 1, &l->offsets));
    AK_CHECK(AK_SCRATCH(ctx, most, &l->cols));
    AK_CHECK(AK_SCRATCH(ctx, most, &l->vals));
    for (int64_t i = 0; i < p->n; ++i) {
        const ak_row x = place_of(p, &p->all[i]);
        for (int64_t k = 0; k < x.n; ++k) {
            const int64_t j = column_of(p, &x, k);
            if (j < 0)
                continue;
            l->cols[at] = (int32_t)j;
            l->vals[at++] = (double)x.vals[k] / p->all[i].norm;
        }
        l->offsets[i + 1] = at;
    }
    return AKIN_OK;
}

/* (5) */
static akin_status find_free(problem *p, akin_ctx *ctx)
{
    AK_CHECK(AK_SCRATCH(ctx, p->d, &p->free));
    for (int64_t i = 0; i < p->n; ++i)
        for (int64_t k = p->l.offsets[i]; k < p->l.offsets[i + 1]; ++k)
            p->free[p->l.cols[k]] += p->all[i].c;
    for (int64_t j = 0; j < p->d; ++j)
        p->free[j] = sqrt(p->free[j]);
    return AKIN_OK;
}

/* K of sparse rows: one row is spread out, the others walk over it. */
static akin_status sparse_gram(problem *p, akin_ctx *ctx)
{
    double *row;
    AK_CHECK(list_columns(p, ctx));
    AK_CHECK(find_free(p, ctx));
    AK_CHECK(AK_SCRATCH(ctx, p->d, &row));
    const lists l = p->l;
    for (int64_t i = 0; i < p->n; ++i) {
        for (int64_t k = l.offsets[i]; k < l.offsets[i + 1]; ++k)
            row[l.cols[k]] = p->free[l.cols[k]] * l.vals[k];
        for (int64_t j = 0; j <= i; ++j) {
            double sum = 0.0;
            for (int64_t k = l.offsets[j]; k < l.offsets[j + 1]; ++k)
                sum += row[l.cols[k]] * l.vals[k];
            p->K[i * p->n + j] = p->K[j * p->n + i] = sum;
        }
        for (int64_t k = l.offsets[i]; k < l.offsets[i + 1]; ++k)
            row[l.cols[k]] = 0.0;
    }
    return AKIN_OK;
}

static akin_status dense_gram(problem *p, akin_ctx *ctx)
{
    double *E;
    AK_CHECK(AK_SCRATCH(ctx, p->n * p->d, &E));
    for (int64_t i = 0; i < p->n; ++i) {
        const ak_row x = place_of(p, &p->all[i]);
        for (int64_t k = 0; k < x.n; ++k)
            E[i * p->d + ak_row_col(&x, k)] = (double)x.vals[k] /
                                              p->all[i].norm;
    }
    return ak_gram(ctx, false, p->n, p->d, E, p->d, p->K);
}

/* ---- the regression ---- */

/* L L' x = b in place. */
static void solve_lower(int64_t n, const double *L, double *x)
{
    for (int64_t i = 0; i < n; ++i)
        x[i] = (x[i] - ak_dot(i, L + i * n, x)) / L[i * n + i];
    for (int64_t i = n - 1; i >= 0; --i) {
        x[i] /= L[i * n + i];
        ak_axpy(i, -x[i], L + i * n, x);
    }
}

/* (3) */
static akin_status regress(problem *p, akin_ctx *ctx)
{
    const int64_t n = p->n;
    double *A, *one, s = 0.0, sum_a = 0.0, sum_one = 0.0;
    AK_CHECK(AK_SCRATCH(ctx, n * n, &A));
    AK_CHECK(AK_SCRATCH(ctx, n, &one));
    for (int64_t i = 0; i < n; ++i)
        s += p->K[i * n + i] / (double)n;
    s = s > 0.0 ? s : 1.0;
    for (int64_t k = 0; k < n * n; ++k)
        A[k] = p->K[k] / s;
    for (int64_t i = 0; i < n; ++i) {
        A[i * n + i] += p->f->o.ridge / p->all[i].c;
        p->a[i] = p->all[i].y;
        one[i] = 1.0;
    }
    AK_CHECK(ak_cholesky(ctx, n, A));
    solve_lower(n, A, p->a);
    solve_lower(n, A, one);
    for (int64_t i = 0; i < n; ++i) {
        sum_a += p->a[i];
        sum_one += one[i];
    }
    ak_axpy(n, -sum_a / sum_one, one, p->a);
    return AKIN_OK;
}

/* ---- the query of (4) ---- */

/* The length of sum_i b_i phi(x_i), or of D times that. Dense rows: by K. */
static akin_status length_of(const problem *p, akin_ctx *ctx, const double *b,
                             bool times_d, double *out)
{
    double square = 0.0, *sum;
    if (p->support == NULL) {
        for (int64_t i = 0; i < p->n; ++i)
            if (b[i] != 0.0)
                square += b[i] * ak_dot(p->n, p->K + i * p->n, b);
        *out = sqrt(fmax(square, 0.0));
        return AKIN_OK;
    }
    AK_CHECK(AK_SCRATCH(ctx, p->d, &sum));
    for (int64_t i = 0; i < p->n; ++i)
        for (int64_t k = p->l.offsets[i]; k < p->l.offsets[i + 1]; ++k)
            sum[p->l.cols[k]] += b[i] * p->l.vals[k];
    for (int64_t j = 0; j < p->d; ++j) {
        const double x = sum[j] * (times_d ? p->free[j] : 1.0);
        square += x * x;
    }
    *out = sqrt(square);
    return AKIN_OK;
}

/* The coefficients of both parts of (4): q = sum_i m_i phi(x_i) + D sum_i a_i
 * phi(x_i). */
static akin_status blend(problem *p, akin_ctx *ctx)
{
    const bool distance = p->f->by == AKIN_BY_DISTANCE;
    double *away, others = 0.0, v, r;
    AK_CHECK(AK_SCRATCH_EACH(ctx, p->n, &p->m, &away));
    for (int64_t i = p->n_positive; i < p->n; ++i)
        others += p->all[i].c;
    for (int64_t i = 0; i < p->n; ++i) {
        const bool positive = i < p->n_positive;
        p->m[i] = positive ? p->all[i].c : 0.0;
        away[i] = positive ? p->all[i].c : -p->all[i].c / others;
    }
    AK_CHECK(length_of(p, ctx, p->a, true, &v));
    AK_CHECK(length_of(p, ctx, distance ? away : p->m, false, &r));
    r = distance ? 0.5 * r : r;
    for (int64_t i = 0; i < p->n; ++i)
        p->a[i] = v > 0.0 ? p->a[i] * (r / v) : 0.0;
    return ak_check_finite(ctx, p->n, p->a);
}

/* A number of a sparse query; col -1: none. */
typedef struct entry {
    int32_t col;
    double value;
} entry;

static int by_column(const void *left, const void *right)
{
    const entry *a = left, *b = right;
    return (a->col > b->col) - (a->col < b->col);
}

/* Prepared rows add up as their places do. A column whose weight is negative
 * changes its sign. */
static akin_status add_sparse(const problem *p, akin_ctx *ctx, akin_rows **out)
{
    const double *w = ak_diagonal_w(p->f->m);
    int64_t offsets[2] = {0, 0}, d = 0;
    entry *q;
    int32_t *cols;
    float *vals;
    AK_CHECK(AK_SCRATCH(ctx, p->d, &q));
    AK_CHECK(AK_SCRATCH(ctx, p->d, &cols));
    AK_CHECK(AK_SCRATCH(ctx, p->d, &vals));
    for (int64_t j = 0; j < p->d; ++j)
        q[j].col = -1;
    for (int64_t i = 0; i < p->n; ++i) {
        const example *e = &p->all[i];
        const akin_rows *rows = p->f->parts[e->part].rows;
        const ak_row x = ak_row_of(rows, e->i);
        d = ak_max_i64(d, rows->d);
        for (int64_t k = 0; k < x.n; ++k) {
            const int64_t j = column_of(p, &x, k);
            if (j < 0)
                continue;
            q[j].col = x.cols[k];
            q[j].value += (p->m[i] + p->free[j] * p->a[i]) / e->norm *
                          (double)x.vals[k];
        }
    }
    qsort(q, (size_t)p->d, sizeof *q, by_column);
    for (int64_t j = 0; j < p->d; ++j) {
        if (q[j].col < 0)
            continue;
        cols[offsets[1]] = q[j].col;
        vals[offsets[1]++] =
            (float)(w && w[q[j].col] < 0.0 ? -q[j].value : q[j].value);
    }
    return akin_rows_new_sparse(out, ctx, 1, d, offsets, cols, vals);
}

static akin_status add_dense(const problem *p, akin_ctx *ctx, akin_rows **out)
{
    const double *w = ak_model_is_diagonal(p->f->m) ? ak_diagonal_w(p->f->m)
                                                    : NULL;
    ak_share *shares;
    AK_CHECK(AK_SCRATCH(ctx, p->n, &shares));
    for (int64_t i = 0; i < p->n; ++i)
        shares[i] = (ak_share){p->f->parts[p->all[i].part].rows, p->all[i].i, 1,
                               (p->m[i] + p->a[i]) / p->all[i].norm};
    AK_CHECK(ak_rows_mix(out, ctx, NULL, 0.0, shares, p->n));
    for (int64_t j = 0; w && (*out)->offsets == NULL && j < (*out)->d; ++j)
        if (w[j] < 0.0)
            (*out)->vals[j] = -(*out)->vals[j];
    return AKIN_OK;
}

static akin_status learn(akin_rows **out, akin_ctx *ctx, feedback *f)
{
    const ak_mark mark = ak_scratch_begin(ctx);
    problem p = {.f = f};
    akin_status st = AKIN_OK;
    AK_TRY(embed_parts(f, ctx));
    AK_TRY(list_examples(&p, ctx));
    AK_TRY(find_support(&p, ctx));
    AK_TRY(choose_examples(&p, ctx));
    drop_positives(&p);
    drop_others(&p);
    AK_TRY(AK_SCRATCH(ctx, p.n * p.n, &p.K));
    AK_TRY(AK_SCRATCH(ctx, p.n, &p.a));
    AK_TRY(p.support ? sparse_gram(&p, ctx) : dense_gram(&p, ctx));
    AK_TRY(regress(&p, ctx));
    AK_TRY(blend(&p, ctx));
    AK_TRY(p.support ? add_sparse(&p, ctx, out) : add_dense(&p, ctx, out));
done:
    ak_scratch_end(ctx, mark);
    return st;
}

/* ---- expansion ---- */

static akin_status expand(akin_rows **out, akin_ctx *ctx, feedback *f)
{
    akin_rows *first = NULL, *found = NULL;
    akin_status st = AKIN_OK;
    AK_TRY(learn(&first, ctx, f));
    AK_TRY(f->o.search(f->o.search_user, ctx, first, count_answers(f), &found));
    AK_TRY(take_part(f, ctx, ANSWERS, found));
    if (count(found) == 0) {
        *out = first;
        first = NULL;
    } else {
        AK_TRY(learn(out, ctx, f));
    }
done:
    akin_rows_free(found);
    akin_rows_free(first);
    return st;
}

akin_status akin_feedback_query(akin_rows **out, akin_ctx *ctx,
                                const akin_feedback *said, const akin_model *m,
                                const akin_feedback_options *options)
{
    akin_feedback s = AKIN_FEEDBACK_INIT;
    feedback f = {.m = m, .o = AKIN_FEEDBACK_DEFAULTS};
    akin_status st = AKIN_OK;
    ak_options_take(&f.o, sizeof f.o, options);
    ak_options_take(&s, sizeof s, said);
    f.by = f.o.by == AKIN_BY_DEFAULT ? akin_model_compare(m) : f.o.by;
    AK_TRY(take_parts(&f, ctx, &s));
    if (f.method == EXPAND)
        AK_TRY(expand(out, ctx, &f));
    else if (f.method == LEARN)
        AK_TRY(learn(out, ctx, &f));
    else
        AK_TRY(mean(out, ctx, &f));
done:
    free_parts(&f);
    return st;
}
