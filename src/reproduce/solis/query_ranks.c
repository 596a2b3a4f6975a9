/* Where relevant pictures stand in a database that grows. */
#include <math.h>
#include <stdlib.h>

#include "reproduce/solis/crowd.h"

/* Junk does not count: what stands behind it moves up. */
static void note_places(const crowd *c, query_ranks *s, const int64_t *nearest,
                        const double *scores)
{
    for (int64_t q = 0; q < s->who->n; ++q) {
        relevant_rank *to = s->places + s->who->offsets[q];
        int64_t rank = 0;
        for (int64_t i = 0; i < c->n_database; ++i) {
            const int64_t at = q * c->n_database + i;
            const oxford_grade grade = oxford_grade_of(
                &c->r->o, s->who->landmarks[q], c->database[nearest[at]]);
            rank += grade != OXFORD_JUNK;
            if (grade == OXFORD_GOOD)
                *to++ = (relevant_rank){.rank = rank, .score = scores[at]};
        }
    }
}

akin_status query_ranks_new(crowd *c, query_ranks *s, const askers *who,
                            const akin_model *model, const akin_rows *rows)
{
    akin_ctx *ctx = c->r->a->ctx;
    akin_rows *database = NULL;
    int64_t *nearest = NULL;
    double *scores = NULL;
    akin_status st = AKIN_OK;
    *s = (query_ranks){.who = who, .model = model};
    APP_TRY(APP_NEW(c->r->a, who->offsets[who->n] + 1, &s->places));
    APP_TRY(akin_rows_select(&s->queries, ctx, rows, who->rows, who->n));
    APP_TRY(akin_rows_select(&database, ctx, rows, c->database, c->n_database));
    APP_TRY(akin_nearest(&nearest, &scores, ctx, model, s->queries, database,
                         c->n_database, AKIN_BY_DEFAULT, 0));
    note_places(c, s, nearest, scores);
done:
    akin_free(ctx, nearest);
    akin_free(ctx, scores);
    akin_rows_free(database);
    return st;
}

void query_ranks_free(query_ranks *s)
{
    akin_rows_free(s->queries);
    free(s->places);
    *s = (query_ranks){0};
}

/* How many of n falling numbers are above x. */
static int64_t count_above(const double *falling, int64_t n, double x)
{
    int64_t low = 0, high = n;
    while (low < high) {
        const int64_t middle = low + (high - low) / 2;
        if (falling[middle] > x)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

akin_status query_ranks_add(crowd *c, query_ranks *s,
                            const akin_rows *distractors)
{
    const int64_t n = akin_rows_count(distractors);
    akin_ctx *ctx = c->r->a->ctx;
    int64_t *nearest = NULL;
    double *scores = NULL;
    const akin_status st = akin_nearest(&nearest, &scores, ctx, s->model,
                                        s->queries, distractors, n,
                                        AKIN_BY_DEFAULT, 0);
    for (int64_t q = 0; st == AKIN_OK && q < s->who->n; ++q)
        for (int64_t i = s->who->offsets[q]; i < s->who->offsets[q + 1]; ++i)
            s->places[i].above +=
                count_above(scores + q * n, n, s->places[i].score);
    akin_free(ctx, nearest);
    akin_free(ctx, scores);
    return st;
}

akin_status query_ranks_map(crowd *c, const query_ranks *s, double *map)
{
    int64_t *ranks = NULL;
    int64_t asked = 0;
    double sum = 0.0;
    const akin_status st = APP_NEW(c->r->a, c->n_database + 1, &ranks);
    for (int64_t q = 0; st == AKIN_OK && q < s->who->n; ++q) {
        const int64_t begin = s->who->offsets[q];
        const int64_t n = s->who->offsets[q + 1] - begin;
        for (int64_t i = 0; i < n; ++i)
            ranks[i] = s->places[begin + i].rank + s->places[begin + i].above;
        if (n > 0) {
            sum += akin_average_precision(ranks, n, n, 1);
            ++asked;
        }
    }
    *map = asked > 0 ? 100.0 * sum / (double)asked : NAN;
    free(ranks);
    return st;
}
