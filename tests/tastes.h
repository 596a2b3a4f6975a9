/* tests/tastes.h - a collection of things of two colours and two shapes, and
 * two users: anna wants the colour of the query again, bert its shape. */
#ifndef AKIN_TESTS_TASTES_H
#define AKIN_TESTS_TASTES_H

#include <akin/collection.h>
#include <akin/events.h>
#include <akin/versions.h>
#include <stdbool.h>

#include "base/ctx.h"

enum { TASTES_N = 32, TASTES_D = 8, TASTES_SAID = 8 };

/* Thing i has colour i % 2, shape i / 2 % 2 and one of four numbers. */
static inline akin_status tastes_rows(akin_rows **out, akin_ctx *x, bool dense)
{
    float values[TASTES_N * TASTES_D] = {0};
    int64_t offsets[TASTES_N + 1] = {0};
    int32_t columns[TASTES_N * 3];
    float ones[TASTES_N * 3];
    for (int i = 0; i < TASTES_N; ++i) {
        const int32_t has[3] = {i % 2, 2 + i / 2 % 2, 4 + i / 4 % 4};
        offsets[i + 1] = 3 * (i + 1);
        for (int k = 0; k < 3; ++k) {
            values[i * TASTES_D + has[k]] = 1.0F;
            columns[3 * i + k] = has[k];
            ones[3 * i + k] = 1.0F;
        }
    }
    return dense ? akin_rows_new_dense(out, x, TASTES_N, TASTES_D, values)
                 : akin_rows_new_sparse(out, x, TASTES_N, TASTES_D, offsets,
                                        columns, ones);
}

static inline akin_status tastes_make(akin_ctx *x, const char *path, bool dense)
{
    akin_vectors_options o = AKIN_VECTORS_DEFAULTS;
    akin_rows *rows = NULL;
    akin_status st = AKIN_OK;
    o.force = 1;
    AK_TRY(tastes_rows(&rows, x, dense));
    AK_TRY(akin_vectors_make(x, path, rows, &o, NULL));
done:
    akin_rows_free(rows);
    return st;
}

/* What shares one of the two with the query is good, what shares the other is
 * bad. */
static inline akin_status tastes_say(akin_ctx *x, const char *path)
{
    akin_events *e = NULL;
    akin_status st = AKIN_OK;
    AK_TRY(akin_events_open(&e, x, path));
    for (int64_t i = 0; i < TASTES_SAID; ++i) {
        const int64_t other = (i + 4) % TASTES_N;
        const int64_t colour = other ^ 2, shape = other ^ 1;
        int64_t number;
        akin_event v = AKIN_EVENT_INIT;
        v.item = i;
        v.n_good = v.n_bad = 1;
        v.user = "anna";
        v.good = &colour;
        v.bad = &shape;
        AK_TRY(akin_events_add(&number, x, e, &v));
        v.user = "bert";
        v.good = &shape;
        v.bad = &colour;
        AK_TRY(akin_events_add(&number, x, e, &v));
    }
done:
    akin_events_close(e);
    return st;
}

#endif
