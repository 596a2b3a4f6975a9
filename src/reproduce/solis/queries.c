/* Test and validation queries of a landmark, and their relevant rows. */
#include <stdlib.h>
#include <string.h>

#include "reproduce/solis/solis.h"

enum { VALIDATION_QUERIES = 10 };

static bool is_listed(int64_t row, const int64_t *rows, int64_t n)
{
    for (int64_t i = 0; i < n; ++i)
        if (rows[i] == row)
            return true;
    return false;
}

/* Training pictures and junk are not in the database. */
static void exclude(const oxford *o, const oxford_split *s, unsigned char *flag)
{
    for (int64_t i = 0; i < o->n; ++i)
        flag[i] = oxford_grade_of(o, s->landmark, i) == OXFORD_JUNK;
    for (int64_t i = 0; i < s->n_positives; ++i)
        flag[s->positives[i]] = 1;
    for (int64_t i = 0; i < s->n_negatives; ++i)
        flag[s->negatives[i]] = 1;
}

static int64_t official_queries(const oxford *o, int64_t landmark,
                                int64_t *rows)
{
    int64_t n = 0;
    for (int64_t i = 0; i < o->n_queries; ++i)
        if (o->query_of[i] == landmark)
            rows[n++] = o->queries[i];
    return n;
}

static int64_t other_queries(const solis_run *r, const oxford_split *s,
                             int64_t *rows)
{
    const oxford *o = &r->o;
    draw d = draw_from((uint64_t)r->a->common.seed, -1, s->landmark);
    int64_t n = 0;
    for (int64_t i = 0; i < o->n; ++i)
        if (oxford_grade_of(o, s->landmark, i) == OXFORD_GOOD &&
            !o->queried[i] && !is_listed(i, s->positives, s->n_positives))
            rows[n++] = i;
    const int64_t most = n < VALIDATION_QUERIES ? n : VALIDATION_QUERIES;
    draw_front(&d, rows, n, most);
    return most;
}

/* Pairs (query, row) of every query and every row that `flag` marks. */
static akin_status make_lists(solis_run *r, akin_lists **out,
                              const solis_queries *e, const unsigned char *flag)
{
    int64_t *pairs = NULL;
    int64_t n = 0, marked = 0;
    akin_status st = AKIN_OK;
    for (int64_t i = 0; i < r->o.n; ++i)
        marked += flag[i];
    APP_TRY(APP_NEW(r->a, 2 * marked * e->n_queries + 1, &pairs));
    for (int64_t k = 0; k < e->n_queries; ++k)
        for (int64_t i = 0; i < r->o.n; ++i)
            if (flag[i]) {
                pairs[2 * n] = e->queries[k];
                pairs[2 * n++ + 1] = i;
            }
    APP_TRY(akin_lists_new(out, r->a->ctx, r->o.n, pairs, n));
done:
    free(pairs);
    return st;
}

akin_status solis_queries_new(solis_run *r, solis_queries *e,
                              const oxford_split *split, bool validation)
{
    const oxford *o = &r->o;
    unsigned char *flag = NULL;
    akin_status st = AKIN_OK;
    *e = (solis_queries){.split = split};
    APP_TRY(APP_NEW(r->a, o->n, &e->queries));
    APP_TRY(APP_NEW(r->a, o->n, &e->exclude));
    APP_TRY(APP_NEW(r->a, o->n, &flag));
    e->n_queries = validation
                       ? other_queries(r, split, e->queries)
                       : official_queries(o, split->landmark, e->queries);
    exclude(o, split, e->exclude);
    for (int64_t i = 0; i < o->n; ++i)
        flag[i] = oxford_grade_of(o, split->landmark, i) == OXFORD_GOOD &&
                  !e->exclude[i];
    APP_TRY(make_lists(r, &e->relevant, e, flag));
    memset(flag, 0, (size_t)o->n);
    for (int64_t i = 0; i < split->n_positives; ++i)
        flag[split->positives[i]] = 1;
    APP_TRY(make_lists(r, &e->like, e, flag));
done:
    free(flag);
    return st;
}

void solis_queries_free(solis_queries *e)
{
    akin_lists_free(e->relevant);
    akin_lists_free(e->like);
    free(e->queries);
    free(e->exclude);
    *e = (solis_queries){0};
}

akin_status solis_evaluate(solis_run *r, const solis_queries *e,
                           const akin_model *m, const akin_rows *rows,
                           bool like, double *map)
{
    akin_retrieval_options o = AKIN_RETRIEVAL_DEFAULTS;
    akin_retrieval found;
    o.query_rows = e->queries;
    o.n_query_rows = e->n_queries;
    o.relevant = e->relevant;
    o.like = like ? e->like : NULL;
    o.exclude = e->exclude;
    o.trapezoid = 1;
    const akin_status st =
        akin_eval_retrieval(&found, NULL, r->a->ctx, m, rows, &o);
    if (st == AKIN_OK)
        *map = 100.0 * found.map;
    return st;
}
