/* Reading postings: blocks and terms. */
#include "index/inverted/postings.h"

#include <math.h>

void ak_postings_free(ak_postings *p)
{
    for (int i = 0; i < 7; ++i)
        if (p->own[i] != NULL)
            p->allocator.release(p->allocator.user, p->own[i]);
    if (p->guide != NULL)
        p->allocator.release(p->allocator.user, p->guide);
    ak_checks_free(p->checks, &p->allocator);
    *p = (ak_postings){0};
}

bool ak_postings_look(const ak_postings *p, int64_t b)
{
    const uint32_t *words = p->words + p->at[b];
    return ak_checks_look(p->checks, b, words,
                          (size_t)(ak_postings_end(p, b) - p->at[b]) *
                              sizeof *words);
}

/* What a checksum does not show: a file that was made so. */
static bool blame(const ak_postings *p, int64_t b)
{
    if (p->checks != NULL)
        ak_checks_blame(p->checks, b);
    return false;
}

bool ak_postings_rows(const ak_postings *p, int64_t t, int64_t b,
                      ak_posting_block *out)
{
    if (p->checks && !ak_checks_seen(p->checks, b) && !ak_postings_look(p, b))
        return false;
    const int64_t before = (b - p->blocks[t]) * AK_PACK_BLOCK;
    out->n = ak_min_i64(p->counts[t] - before, AK_PACK_BLOCK);
    out->last = ak_unpack_rising(out->n, p->words + p->at[b], p->bits[2 * b],
                                 (uint32_t)p->first[b], out->rows);
    return out->last < (uint64_t)p->n || blame(p, b);
}

bool ak_postings_values(const ak_postings *p, int64_t b, ak_posting_block *out)
{
    const unsigned bits = p->bits[2 * b + 1];
    out->floats = bits == AK_PACK_WORDS;
    ak_unpack(out->n,
              p->words + p->at[b] + ak_pack_size(out->n, p->bits[2 * b]), bits,
              out->less_one);
    for (int64_t i = 0; i < out->n && out->floats; ++i)
        if (!isfinite(out->value[i]))
            return blame(p, b);
    return true;
}

bool ak_postings_block(const ak_postings *p, int64_t t, int64_t b,
                       ak_posting_block *out)
{
    return ak_postings_rows(p, t, b, out) && ak_postings_values(p, b, out);
}

int64_t ak_posting_find(const ak_posting_block *b, uint32_t row)
{
    int64_t low = 0, high = b->n;
    while (low < high) {
        const int64_t mid = (low + high) / 2;
        if (b->rows[ak_posting_place(b, mid)] < row)
            low = mid + 1;
        else
            high = mid;
    }
    if (low == b->n)
        return -1;
    const int64_t place = ak_posting_place(b, low);
    return b->rows[place] == row ? place : -1;
}

/* guide[b] is the first term whose column is b << shift or higher; there is
 * one for every four terms or so. */
akin_status ak_postings_guide(ak_postings *p, akin_ctx *ctx)
{
    const int64_t last = p->n_terms ? p->terms[p->n_terms - 1] : 0;
    p->shift = 0;
    while (last >> p->shift > p->n_terms / 4)
        ++p->shift;
    const int64_t n = (last >> p->shift) + 2;
    const akin_status st = AK_NEW(ctx, n, &p->guide);
    for (int64_t b = 0, t = 0; b < n && st == AKIN_OK; ++b) {
        while (t < p->n_terms && p->terms[t] >> p->shift < b)
            ++t;
        p->guide[b] = (int32_t)t;
    }
    return st;
}

void ak_postings_fetch_column(const ak_postings *p, int64_t column, int step)
{
    if (p->n_terms == 0 || column > p->terms[p->n_terms - 1])
        return;
    const int32_t *guide = &p->guide[column >> p->shift];
    __builtin_prefetch(step == 0 ? (const void *)guide
                                 : (const void *)&p->terms[*guide]);
}

void ak_postings_fetch_term(const ak_postings *p, int64_t t, int step)
{
    if (step == 0) {
        __builtin_prefetch(&p->blocks[t]);
        __builtin_prefetch(&p->counts[t]);
        return;
    }
    const int64_t b = p->blocks[t];
    if (step == 1) {
        __builtin_prefetch(&p->first[b]);
        __builtin_prefetch(&p->at[b]);
        __builtin_prefetch(&p->bits[2 * b]);
        if (p->checks != NULL)
            __builtin_prefetch((const void *)&p->checks->seen[b / 64]);
    }
}

/* The rest of a long list comes by itself, as it is read in order. */
void ak_postings_fetch_words(const ak_postings *p, int64_t t)
{
    enum { LINE = 64 / sizeof *p->words, MOST = 32 };
    const int64_t begin = p->at[p->blocks[t]];
    const int64_t end = ak_min_i64(ak_postings_end(p, p->blocks[t + 1] - 1),
                                   begin + MOST * LINE);
    for (int64_t at = begin; at < end + LINE; at += LINE)
        __builtin_prefetch(p->words + at);
}

int64_t ak_postings_term(const ak_postings *p, int64_t column)
{
    if (p->n_terms == 0 || column > p->terms[p->n_terms - 1])
        return -1;
    int64_t low = p->guide[column >> p->shift];
    int64_t high = p->guide[(column >> p->shift) + 1];
    while (low < high) {
        const int64_t mid = (low + high) / 2;
        if (p->terms[mid] < column)
            low = mid + 1;
        else
            high = mid;
    }
    return low < p->n_terms && p->terms[low] == column ? low : -1;
}
