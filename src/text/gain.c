/* Information gain: what the presence of a term tells about the class.
 *
 *   IG(t) = H(C) - P(t) H(C | t) - P(not t) H(C | not t)
 *         = sum over c, x in {t, not t} of  n_cx/N ln( n_cx N / (n_c n_x) )
 *
 * The second form has no differences of large numbers. Classes that never have
 * the term share one addend, so a term costs what its documents cost. */
#include <akin/text.h>
#include <math.h>

#include "data/rows.h"

typedef struct counts {
    int64_t n;         // pairs of a row and a label
    int64_t *classes;  // pairs of each label
    int64_t *starts;   // d + 1: where the labels of each column begin
    int32_t *labels;   // of the rows that have the column
    int64_t *with;     // pairs of each label with one column
} counts;

/* n_cx/N ln(n_cx N / (n_c n_x)), 0 for none. */
static double addend(int64_t cx, int64_t c, int64_t x, int64_t n)
{
    if (cx == 0)
        return 0.0;
    const double N = (double)n;
    return (double)cx / N * log((double)cx * N / ((double)c * (double)x));
}

static double gain_of(const counts *k, int64_t begin, int64_t end)
{
    const int64_t there = end - begin, not_there = k->n - there;
    int64_t rest = k->n;
    double gain = 0.0;
    for (int64_t i = begin; i < end; ++i)
        ++k->with[k->labels[i]];
    for (int64_t i = begin; i < end; ++i) {
        const int32_t label = k->labels[i];
        const int64_t with = k->with[label], all = k->classes[label];
        if (with == 0)
            continue;  // has had its turn
        gain += addend(with, all, there, k->n);
        gain += addend(all - with, all, not_there, k->n);
        rest -= all;
        k->with[label] = 0;
    }
    if (rest > 0)
        gain += (double)rest / (double)k->n *
                log((double)k->n / (double)not_there);
    return gain > 0.0 ? gain : 0.0;
}

/* Go over the columns that rows have: count their labels, then (with `at`, the
 * next place of each column) put them down. */
static void go_over(counts *k, const akin_rows *rows, int64_t *at)
{
    for (int64_t i = 0; i < rows->n; ++i) {
        const int32_t *labels, *cols;
        const float *vals;
        const int64_t n_labels = akin_rows_labels(&labels, rows, i);
        const int64_t n = akin_rows_row(&cols, &vals, rows, i);
        for (int64_t e = 0; e < n; ++e) {
            const int64_t j = cols ? cols[e] : e;
            if (vals[e] == 0.0F)
                continue;
            if (at == NULL)
                k->starts[j + 1] += n_labels;
            for (int64_t l = 0; at != NULL && l < n_labels; ++l)
                k->labels[at[j]++] = labels[l];
        }
    }
}

/* The labels of the rows that have each column, column by column. */
static akin_status transpose(counts *k, akin_ctx *ctx, const akin_rows *rows)
{
    int64_t *at;
    akin_status st = AKIN_OK;
    AK_TRY(AK_SCRATCH(ctx, rows->d + 1, &k->starts));
    AK_TRY(AK_SCRATCH(ctx, rows->d, &at));
    go_over(k, rows, NULL);
    for (int64_t j = 0; j < rows->d; ++j) {
        at[j] = k->starts[j];
        k->starts[j + 1] += k->starts[j];
    }
    AK_TRY(AK_SCRATCH(ctx, k->starts[rows->d], &k->labels));
    go_over(k, rows, at);
done:
    return st;
}

akin_status akin_text_gain(double *gain, akin_ctx *ctx, const akin_rows *rows)
{
    const ak_mark mark = ak_scratch_begin(ctx);
    const int32_t *labels;
    counts k = {0};
    akin_status st = AKIN_OK;
    AK_TRY(AK_SCRATCH(ctx, rows->n_label_names, &k.classes));
    AK_TRY(AK_SCRATCH(ctx, rows->n_label_names, &k.with));
    for (int64_t i = 0; i < rows->n; ++i) {
        const int64_t n = akin_rows_labels(&labels, rows, i);
        for (int64_t l = 0; l < n; ++l)
            ++k.classes[labels[l]];
        k.n += n;
    }
    if (k.n == 0)
        AK_TRY(ak_fail(ctx, AKIN_EINVAL,
                       "information gain needs labels (--select df does "
                       "not)"));
    AK_TRY(transpose(&k, ctx, rows));
    for (int64_t j = 0; j < rows->d; ++j)
        gain[j] = gain_of(&k, k.starts[j], k.starts[j + 1]);
done:
    ak_scratch_end(ctx, mark);
    return st;
}
