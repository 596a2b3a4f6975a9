/* tests/index_reference.h - what a search must find: every query compared with
 * every row, sums by rising column. */
#ifndef AKIN_TESTS_INDEX_REFERENCE_H
#define AKIN_TESTS_INDEX_REFERENCE_H

#include <math.h>
#include <unistd.h>

#include <akin/index.h>

#include "index/inverted/entries.h"
#include "index/top_hits.h"
#include "model/compare.h"
#include "model/diagonal.h"
#include "model/model.h"
#include "support.h"

/* Bags of words by a power law; `rough`: any numbers in place of counts. */
static inline akin_rows *random_bags(akin_ctx *ctx, uint64_t seed, int64_t n,
                                     int64_t d, bool rough)
{
    ak_rng rng = ak_rng_new(seed, AK_STREAM_SYNTH);
    akin_rows *r = NULL;
    int64_t *offsets = calloc((size_t)n + 1, sizeof *offsets), at = 0;
    int32_t *cols = calloc((size_t)(n * d), sizeof *cols);
    float *vals = calloc((size_t)(n * d), sizeof *vals);
    for (int64_t i = 0; i < n; ++i) {
        for (int64_t j = 0; j < d && i % 10 != 9; ++j) {
            if (ak_rng_unit(&rng) > 3.0 / (double)(j + 2))
                continue;
            cols[at] = (int32_t)j;
            vals[at++] = rough ? (float)ak_rng_normal(&rng)
                               : (float)(1 + ak_rng_below(&rng, 3) *
                                                 ak_rng_below(&rng, 20));
        }
        offsets[i + 1] = at;
    }
    assert_int_equal(akin_rows_new_sparse(&r, ctx, n, d, offsets, cols, vals),
                     AKIN_OK);
    free(offsets);
    free(cols);
    free(vals);
    return r;
}

static inline double reference_total(const double s[8])
{
    return ((s[0] + s[4]) + (s[2] + s[6])) + ((s[1] + s[5]) + (s[3] + s[7]));
}

/* Each of the model's comparisons, from sums over the columns of both: one, or
 * for vectors eight running ones. */
static inline double reference_score(const double *w, const akin_rows *queries,
                                     int64_t t, const akin_rows *rows,
                                     int64_t i, akin_compare by, int lanes)
{
    double dots[8] = {0}, qqs[8] = {0}, xxs[8] = {0};
    bool metric = true;
    ak_walk k = {.row = {ak_row_of(queries, t), ak_row_of(rows, i)}};
    for (int64_t j = 0; w && j < rows->d; ++j)
        metric = metric && w[j] >= 0.0;
    while (ak_walk_next(&k)) {
        const double u = w ? w[k.col] : 1.0;
        const double v = by == AKIN_BY_COSINE ? fabs(u) : u;
        dots[k.col % lanes] += k.y * (u * k.x);
        qqs[k.col % lanes] += k.x * (v * k.x);
        xxs[k.col % lanes] += k.y * (v * k.y);
    }
    const double dot = reference_total(dots), qq = reference_total(qqs);
    const double xx = reference_total(xxs);
    if (by == AKIN_BY_DOT)
        return dot;
    if (by == AKIN_BY_COSINE) {
        const double size = sqrt(qq) * sqrt(xx);
        return size > 0.0 ? dot / size : 0.0;
    }
    const double minus = (2.0 * dot - qq) - xx;
    return metric && minus > 0.0 ? 0.0 : minus;
}

typedef struct reference {
    const double *w;
    const akin_rows *queries, *rows;  // prepared
    const unsigned char *gone;        // NULL: none
    const akin_lists *ignore;         // NULL: none
    int64_t top;
    akin_compare by;
    int lanes;                     // running sums: 8 for vectors, else 1
    const unsigned char *exclude;  // NULL: none
} reference;

static inline bool reference_hides(const reference *r, int64_t t, int64_t i)
{
    const int64_t *rows;
    const int64_t n = r->ignore ? akin_lists_get(&rows, r->ignore, t) : 0;
    for (int64_t k = 0; k < n; ++k)
        if (rows[k] == i)
            return true;
    return (r->gone && r->gone[i]) || (r->exclude && r->exclude[i]);
}

/* The same rows and the same bits. */
static inline void check_reference(const reference *r, const int64_t *found,
                                   const double *scores)
{
    const int64_t n = r->rows->n;
    ak_hit *best = calloc((size_t)r->top + 1, sizeof *best);
    for (int64_t t = 0; t < r->queries->n; ++t) {
        int64_t count = 0;
        for (int64_t i = 0; i < n; ++i)
            if (!reference_hides(r, t, i))
                count = ak_hits_offer(
                    best, count, r->top,
                    (ak_hit){reference_score(r->w, r->queries, t, r->rows, i,
                                             r->by, r->lanes),
                             i});
        ak_hits_sort(best, count);
        for (int64_t k = 0; k < r->top; ++k) {
            const int64_t at = t * r->top + k;
            assert_int_equal(found[at], k < count ? best[k].row : -1);
            if (k < count)
                assert_true(scores[at] == best[k].score);
            else
                assert_true(isnan(scores[at]));
        }
    }
    free(best);
}

/* Saved and loaded again; the old one is freed. */
static inline akin_index *index_reload(akin_ctx *ctx, akin_index *x)
{
    char path[] = "/tmp/akin-index-XXXXXX";
    akin_index *y = NULL;
    const int fd = mkstemp(path);
    assert_true(fd >= 0);
    close(fd);
    assert_int_equal(akin_index_save(ctx, x, path), AKIN_OK);
    assert_int_equal(akin_index_load(&y, ctx, path), AKIN_OK);
    unlink(path);
    akin_index_free(x);
    return y;
}

/* An inverted index searches with the entries that it keeps, or without. */
static inline void keep_entries(const akin_index *x, bool keep)
{
    if (x->kind != &ak_index_inverted)
        return;
    ak_entries_once *entries = ak_inverted_of(x)->entries;
    ak_entries_reset(entries);
    atomic_store(&entries->asked, keep ? INT64_MAX / 2 : INT64_MIN / 2);
}

/* One search for all that is wanted, both ways. */
static inline void check_index(akin_ctx *ctx, const akin_index *x,
                               const akin_rows *queries, reference want)
{
    akin_search_options o = AKIN_SEARCH_DEFAULTS;
    o.top = want.top;
    o.by = want.by;
    o.ignore = want.ignore;
    o.exclude = want.exclude;
    for (int keep = 0; keep < 2; ++keep) {
        int64_t *found = NULL;
        double *scores = NULL;
        keep_entries(x, keep != 0);
        assert_int_equal(
            akin_index_search(&found, &scores, ctx, x, queries, &o), AKIN_OK);
        check_reference(&want, found, scores);
        akin_free(found);
        akin_free(scores);
    }
}

#endif
