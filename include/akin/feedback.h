/* akin/feedback.h - what people said about the answers to a query becomes a
 * better query.
 *
 * The query, what was good, what was bad and a sample of everything else become
 * one row. Searched as it is, it ranks a collection. */
#ifndef AKIN_FEEDBACK_H
#define AKIN_FEEDBACK_H

#include <akin/model.h>

#ifdef __cplusplus
extern "C" {
#endif

/* What is known of one query: raw rows, each NULL or of any number. The order
 * within a part changes nothing but rounding. */
typedef struct akin_feedback {
    uint64_t size;               /* sizeof(akin_feedback) */
    const akin_rows *query;      /* one row, or NULL */
    const akin_rows *good;       /* rows like it */
    const akin_rows *bad;        /* rows unlike it */
    const akin_rows *background; /* rows drawn from the collection, for
                                    everything else; a few of them may be good
                                    ones that nobody has marked */
} akin_feedback;

#define AKIN_FEEDBACK_INIT             \
    {                                  \
        .size = sizeof(akin_feedback), \
    }

/* Finds the `top` best rows for one prepared query, searched as it is. Those
 * that are examples already must not be among them. The rows are raw, or
 * prepared with `as_is`, and go to the caller; *found NULL: none. */
typedef akin_status (*akin_feedback_search_fn)(void *user, akin_ctx *ctx,
                                               const akin_rows *query,
                                               int64_t top, akin_rows **found);

/* The methods:
 *   none    the query alone; without one, the mean of the good rows
 *   mean    the mean of the query and the good rows, less half of the mean of
 *           the bad ones, as the search options `like` and `unlike`
 *   learn   the mean, and weights that a ridge regression learns to separate
 *           its rows from the bad ones and the background
 *   expand  the same again, where the first answers count as good rows of less
 *           weight
 *   auto    none where nothing was said, expand for sparse rows or with bad
 *           ones, else learn
 * A method that lacks what it needs becomes the one before it: expand needs
 * `search`; learn needs bad rows or a background, and a model that compares by
 * weights or embeds rows linearly and alike on both sides. */
typedef struct akin_feedback_options {
    uint64_t size;        /* sizeof(akin_feedback_options) */
    const char *method;   /* auto, none, mean, learn or expand */
    akin_compare by;      /* as the index compares; AKIN_BY_DEFAULT: as the
                             model does */
    int64_t as_is;        /* 1: the recipe was already applied to all rows */
    double ridge;         /* penalty of the regression */
    int64_t answers;      /* expand: first answers that count as good; fewer in
                             a small collection, each with more weight */
    double answer_weight; /* expand: weight of each, 1 is that of a good row */
    akin_feedback_search_fn search; /* NULL: no expansion */
    void *search_user;              /* its first argument */
} akin_feedback_options;

#define AKIN_FEEDBACK_DEFAULTS                                   \
    {                                                            \
        .size = sizeof(akin_feedback_options), .method = "auto", \
        .by = AKIN_BY_DEFAULT, .ridge = 0.1, .answers = 10,      \
        .answer_weight = 0.15,                                   \
    }

/* One prepared row: search it with `as_is` in an index of the model. `options`
 * may be NULL.
 * AKIN_EINVAL: there is neither a query nor a good row, or a method is unknown.
 * AKIN_ESHAPE: rows do not fit the model. */
AKIN_API akin_status akin_feedback_query(akin_rows **out, akin_ctx *ctx,
                                         const akin_feedback *said,
                                         const akin_model *m,
                                         const akin_feedback_options *options);
/* The method that this call would use; "" if none is known by that name. */
AKIN_API const char *akin_feedback_method(const akin_feedback *said,
                                          const akin_model *m,
                                          const akin_feedback_options *options);
/* The method to use, by n queries and what was said of them: every second good
 * and bad row is held out, and the others rank them. "auto", unless mean, learn
 * or expand is better on at least 5 queries by two standard errors. */
AKIN_API akin_status akin_feedback_choose(const char **method, akin_ctx *ctx,
                                          const akin_feedback *said, int64_t n,
                                          const akin_model *m,
                                          const akin_feedback_options *options);

#ifdef __cplusplus
}
#endif
#endif
