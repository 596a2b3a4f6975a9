/* A few rows in many columns. */
#include "index/inverted/pass.h"

/* The block of a column that would hold this row, at or after block k: from
 * where rows spread evenly would have it, in growing steps, then by halves. */
int64_t ak_block_of(const ak_postings *p, int64_t end, int64_t k, int32_t row)
{
    const int64_t left = p->n - p->first[k], ahead = row - p->first[k];
    int64_t high = end, step = 1;
    if (ahead <= 0 || end - k < 2)
        return k;
    const int64_t guess = k + (end - k) * ahead / left;
    if (p->first[guess] <= row) {
        k = guess;
        while (k + step < end && p->first[k + step] <= row) {
            k += step;
            step *= 2;
        }
        high = ak_min_i64(k + step, end);
    } else {
        high = guess;
        while (high - step > k && p->first[high - step] > row) {
            high -= step;
            step *= 2;
        }
        k = ak_max_i64(high - step, k);
    }
    while (high - k > 1) {  // first[k] <= row
        const int64_t mid = k + (high - k) / 2;
        if (p->first[mid] <= row)
            k = mid;
        else
            high = mid;
    }
    return k;
}

/* Where the rows would be in a column that had them spread evenly. */
static void fetch_guesses(const ak_postings *p, int64_t t, const int32_t *rows,
                          int64_t n)
{
    const int64_t begin = p->blocks[t], count = p->blocks[t + 1] - begin;
    for (int64_t i = 0; i < n; ++i) {
        const int64_t k = begin + count * rows[i] / p->n;
        __builtin_prefetch(&p->first[k]);
        __builtin_prefetch(&p->at[k]);
    }
}

/* The blocks of a column that would hold these rows, with their words
 * prefetched. */
static void find_blocks(const ak_postings *p, int64_t t, const int32_t *rows,
                        int64_t n, int64_t *blocks)
{
    int64_t k = p->blocks[t];
    for (int64_t i = 0; i < n; ++i) {
        blocks[i] = k = ak_block_of(p, p->blocks[t + 1], k, rows[i]);
        const char *words = (const char *)(p->words + p->at[k]);
        const char *end = (const char *)(p->words + ak_postings_end(p, k));
        for (; words < end; words += 64)
            __builtin_prefetch(words);
    }
}

/* The raw values of the rows in a column, 0 where there is none. */
static bool find_values(const ak_postings *p, int64_t t, const int64_t *blocks,
                        const int32_t *rows, int64_t n, float *values)
{
    int64_t unpacked = -1;
    ak_posting_block b;
    for (int64_t i = 0; i < n; ++i) {
        const int64_t k = blocks[i];
        values[i] = 0.0F;
        if (p->first[k] > rows[i])
            continue;
        if (k != unpacked && !ak_postings_rows(p, t, k, &b))
            return false;
        unpacked = k;
        const int64_t at = rows[i] > (int32_t)b.last
                               ? -1
                               : ak_posting_find(&b, (uint32_t)rows[i]);
        if (at >= 0 && !ak_postings_value(p, k, &b, at, &values[i]))
            return false;
    }
    return true;
}

/* Look up n <= AK_LOOK_UP increasing rows in the columns, in order. Each column
 * is prefetched while those before it are read. */
bool ak_pass_look_up(const ak_pass *p, const ak_query_term *terms,
                     int64_t n_terms, const int32_t *rows, int64_t n,
                     ak_take_fn take, double *to)
{
    const ak_postings *all = &p->v->p;
    int64_t blocks[2][AK_LOOK_UP];
    float values[AK_LOOK_UP];
    for (int64_t k = -2; k < n_terms; ++k) {
        if (k + 2 < n_terms)
            fetch_guesses(all, terms[k + 2].t, rows, n);
        if (k + 1 >= 0 && k + 1 < n_terms)
            find_blocks(all, terms[k + 1].t, rows, n, blocks[(k + 1) % 2]);
        if (k < 0)
            continue;
        if (!find_values(all, terms[k].t, blocks[k % 2], rows, n, values))
            return false;
        take(p, &terms[k], rows, n, values, to);
    }
    return true;
}
