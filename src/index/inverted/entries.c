#include "index/inverted/entries.h"

enum {
    MOST = 1 << 20,  // postings: 8 MiB
    QUERIES = 2      // from this one on
};

akin_status ak_entries_new(ak_entries_once **out, akin_ctx *ctx)
{
    return AK_NEW(ctx, 1, out);
}

static void free_entries(ak_entries *p)
{
    if (p == NULL)
        return;
    akin_free(p->at);
    akin_free(p->rows);
    akin_free(p->values);
    akin_free(p);
}

void ak_entries_reset(ak_entries_once *once)
{
    free_entries(atomic_exchange(&once->made, NULL));
    atomic_store(&once->asked, 0);
}

void ak_entries_free(ak_entries_once *once)
{
    if (once == NULL)
        return;
    ak_entries_reset(once);
    akin_free(once);
}

/* The entries of term t, from `at` on; false: damaged. */
static bool prepare_term(const ak_inverted *v, int64_t t, int64_t at,
                         ak_entries *to)
{
    const ak_postings *p = &v->p;
    ak_posting_block b;
    for (int64_t k = p->blocks[t]; k < p->blocks[t + 1]; ++k) {
        if (!ak_postings_block(p, t, k, &b))
            return false;
        for (int64_t i = 0; i < b.n; ++i, ++at) {
            const int64_t from = ak_posting_place(&b, i);
            const double c = (double)ak_posting_value(&b, from);
            const int64_t row = b.rows[from];
            to->rows[at] = (int32_t)row;
            to->values[at] = (float)ak_inverted_entry(v, c, row, p->terms[t]);
        }
    }
    return true;
}

static akin_status prepare(ak_entries **out, akin_ctx *ctx,
                           const ak_inverted *v)
{
    const ak_postings *p = &v->p;
    ak_entries *made = NULL;
    akin_status st = AKIN_OK;
    AK_TRY(AK_NEW(ctx, 1, &made));
    AK_TRY(AK_NEW(ctx, p->n_terms + 1, &made->at));
    AK_TRY(AK_NEW(ctx, p->count, &made->rows));
    AK_TRY(AK_NEW(ctx, p->count, &made->values));
    for (int64_t t = 0; t < p->n_terms; ++t) {
        made->at[t + 1] = made->at[t] + p->counts[t];
        if (!prepare_term(v, t, made->at[t], made))
            AK_TRY(ak_postings_fail(p, ctx));
    }
    *out = made;
    made = NULL;
done:
    free_entries(made);
    return st;
}

akin_status ak_entries_of(const ak_entries **out, akin_ctx *ctx,
                          const ak_inverted *v, int64_t n)
{
    ak_entries *made = NULL, *other = NULL;
    *out = NULL;
    if (v->p.count > MOST || v->p.count == 0)
        return AKIN_OK;
    *out = atomic_load(&v->entries->made);
    if (*out != NULL || atomic_fetch_add(&v->entries->asked, n) + n < QUERIES)
        return AKIN_OK;
    AK_CHECK(prepare(&made, ctx, v));
    if (!atomic_compare_exchange_strong(&v->entries->made, &other, made)) {
        free_entries(made);  // another search was faster
        made = other;
    }
    *out = made;
    return AKIN_OK;
}
