/* eval/retrieval.h - inside akin_eval_retrieval: the queries and what is
 * relevant to them. */
#ifndef AK_EVAL_RETRIEVAL_H
#define AK_EVAL_RETRIEVAL_H

#include <akin/eval.h>

#include "data/rows.h"
#include "eval/ranking.h"

/* Rows of each label: rows[offsets[k]..offsets[k + 1]), rising. */
typedef struct ak_label_rows {
    int64_t *offsets, *rows;
    int32_t *map;  // labels of the queries to those of the rows; NULL: same
} ak_label_rows;

typedef struct ak_retrieval {
    akin_retrieval_options o;
    const akin_rows *rows;
    const akin_rows *queries;  // = rows when rows query
    int64_t count;             // of queries
    ak_label_rows labels;      // where o.relevant is NULL
} ak_retrieval;

/* The row of `queries` that query t is; lists know it by this number. */
static inline int64_t ak_query_row(const ak_retrieval *r, int64_t t)
{
    return r->o.query_rows ? r->o.query_rows[t] : t;
}

/* EINVAL, ESHAPE: what the options name is not there. Memory from scratch. */
akin_status ak_relevant_begin(ak_retrieval *r, akin_ctx *ctx);
/* Flags of all rows for query t, and the relevant ones among those that are
 * not left out, scores not set; returns how many. */
int64_t ak_relevant(const ak_retrieval *r, int64_t t, unsigned char *flags,
                    ak_hit *hits);

/* Rows in the place of the queries: query t is the mean of its own row and
 * those that o.like lists. */
akin_status ak_like_rows(akin_rows **out, akin_ctx *ctx, const ak_retrieval *r);

#endif
