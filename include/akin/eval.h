/* akin/eval.h - how good a similarity is. */
#ifndef AKIN_EVAL_H
#define AKIN_EVAL_H

#include <akin/model.h>

#ifdef __cplusplus
extern "C" {
#endif

enum { AKIN_PRECISIONS = 6 };
/* 1, 5, 10, 20, 50, 100: where precision is measured. */
AKIN_API int64_t akin_precision_cut(int64_t i);

/* Retrieval. Rows are prepared (akin_model_prepare); all but `rows` may be
 * NULL or zero. By default every row queries all others and a row with a
 * shared label is relevant. */
typedef struct akin_retrieval_options {
    uint64_t size;                /* sizeof(akin_retrieval_options) */
    const akin_rows *queries;     /* queries that are not among the rows */
    const int64_t *query_rows;    /* or: only these rows query */
    int64_t n_query_rows;         /* length of query_rows */
    const akin_lists *relevant;   /* instead of labels; may name the query
                                     itself, which then counts */
    const akin_lists *ignore;     /* neither right nor wrong: skipped, also
                                     where they are relevant */
    const akin_lists *like;       /* further examples of a query: it becomes
                                     the mean of itself and these rows */
    const unsigned char *exclude; /* one a row: 1 = not in the database */
    int64_t trapezoid;            /* average precision by trapezoids */
    akin_compare by;              /* how scores are computed */
} akin_retrieval_options;

#define AKIN_RETRIEVAL_DEFAULTS                                        \
    {                                                                  \
        .size = sizeof(akin_retrieval_options), .by = AKIN_BY_DEFAULT, \
    }

typedef struct akin_retrieval {
    double map; /* mean of average precision over queries with an answer,
                   NAN when there is none */
    double precision_at[AKIN_PRECISIONS];
    int64_t queries; /* counted: those with something relevant */
    int64_t skipped; /* without */
    int64_t rows;    /* in the database */
} akin_retrieval;

/* `ap`: NULL, or room for the average precision of each query (NAN where
 * nothing is relevant). In lists a query is numbered by its row for
 * `query_rows` and when all rows query, else by its row in `queries`. */
AKIN_API akin_status akin_eval_retrieval(akin_retrieval *out, double *ap,
                                         akin_ctx *ctx, const akin_model *m,
                                         const akin_rows *rows,
                                         const akin_retrieval_options *o);

/* Average precision of one ranking: the ranks (from 1, increasing) of the
 * relevant rows, `n_relevant` in all. NAN when that is 0. */
AKIN_API double akin_average_precision(const int64_t *ranks, int64_t count,
                                       int64_t n_relevant, int trapezoid);

/* The `top` nearest rows of each query, best first, ties by row number; free
 * both with akin_free. With fewer rows than `top` the rest is -1 and NAN.
 * `same`: the queries are the rows, and none finds itself. */
AKIN_API akin_status akin_nearest(int64_t **nearest, double **scores,
                                  akin_ctx *ctx, const akin_model *m,
                                  const akin_rows *queries,
                                  const akin_rows *rows, int64_t top,
                                  akin_compare by, int same);

/* Labels (numbers into the names of `train`) by vote of the k nearest rows of
 * `train` that have any; a tie goes to the label of the nearest among them.
 * `scores`: share of the votes. `top` labels a row, -1 and 0 where there are
 * fewer. */
AKIN_API akin_status akin_predict(int32_t *labels, double *scores,
                                  akin_ctx *ctx, const akin_model *m,
                                  const akin_rows *queries,
                                  const akin_rows *train, int64_t k,
                                  int64_t top, akin_compare by);

/* The `top` labels of a ranker with the highest scores for each row, best
 * first, ties by number: numbers into its names, -1 and 0 where there are
 * fewer. AKIN_EINVAL: the model does not rank labels. */
AKIN_API akin_status akin_rank_labels(int32_t *labels, double *scores,
                                      akin_ctx *ctx, const akin_model *m,
                                      const akin_rows *rows, int64_t top);

/* How high the labels of a row (by name) rank among all labels that the model
 * knows. A label that it does not know counts as ranked last, with precision
 * 0. */
typedef struct akin_ranking {
    double map; /* mean of average precision over the rows with a label */
    double mrr; /* mean of 1 / rank of the first right label */
    double precision_at[AKIN_PRECISIONS];
    int64_t rows;    /* counted: those with a label */
    int64_t skipped; /* without */
    int64_t labels;  /* that the model knows */
} akin_ranking;

/* `ap`: NULL, or room for the average precision of each row (NAN: no label). */
AKIN_API akin_status akin_eval_rank(akin_ranking *out, double *ap,
                                    akin_ctx *ctx, const akin_model *m,
                                    const akin_rows *rows);

/* Recognition across two kinds of rows. */
typedef struct akin_cross {
    double accuracy;    /* share of the rows that got a label of theirs */
    double accuracy_se; /* its standard error, as of a share */
    int64_t rows;       /* counted: those with a label */
    int64_t skipped;    /* without */
} akin_cross;

/* Each row of `target` (of the right side) gets the label of the nearest row
 * of `source` (of the left) and of `train` (labelled rows of the right); one of
 * the two may be NULL. Labels are matched by name, and need not be those that
 * the model was learned from. AKIN_BY_DEFAULT: the cosine, in the learned
 * space. AKIN_EINVAL: rows have no labels. */
AKIN_API akin_status akin_eval_cross(akin_cross *out, akin_ctx *ctx,
                                     const akin_model *m,
                                     const akin_rows *source,
                                     const akin_rows *train,
                                     const akin_rows *target, akin_compare by);

/* Share of the triplets (q p n) whose order the model gets wrong; a tie is
 * half wrong. */
AKIN_API akin_status akin_eval_triplets(double *error, akin_ctx *ctx,
                                        const akin_model *m,
                                        const akin_rows *rows,
                                        const int64_t *triplets, int64_t count,
                                        akin_compare by);
typedef struct akin_verification {
    double auc;         /* area under the ROC curve, ties as half */
    double accuracy;    /* share of the pairs told right by a threshold */
    double accuracy_se; /* its standard error */
    double eer;         /* equal error rate: false matches = missed matches */
    double threshold;   /* a score from here on is a match */
    double false_match_rate; /* share of the other pairs called a match by it */
    double miss_rate;        /* share of the matches that it misses */
} akin_verification;

/* How well scores tell pairs (i j y), y above 0 for a match, apart. `folds`
 * below 2: accuracy at the threshold that is best for these very pairs, with
 * the error of a share. Else the pairs are cut into so many runs in the order
 * they have, and each is evaluated at the threshold that is best on all others.
 * Accuracy, its error and the threshold are then those of the mean over the
 * folds, and the rates are over all pairs.
 * AKIN_EINVAL: all match, or none, also without one of the folds. */
AKIN_API akin_status akin_eval_verify(akin_verification *out, akin_ctx *ctx,
                                      const double *scores,
                                      const int64_t *pairs, int64_t count,
                                      int64_t folds);
/* Accuracy with its error and the rates at a threshold that is given. */
AKIN_API akin_status akin_eval_threshold(akin_verification *out, akin_ctx *ctx,
                                         const double *scores,
                                         const int64_t *pairs, int64_t count,
                                         double threshold);
/* The ROC curve from (0, 0) to (1, 1), thinned to at most `most` points (at
 * least 4); both arrays have room for `most` numbers. */
AKIN_API akin_status akin_eval_roc(double *false_rate, double *true_rate,
                                   int64_t *n, akin_ctx *ctx,
                                   const double *scores, const int64_t *pairs,
                                   int64_t count, int64_t most);
/* Pairs (i j y), y above 0 for a match: the area under the ROC curve, ties as
 * half, and the share told right by the best threshold on the score. `right`
 * NULL: both are rows of `left`. AKIN_EINVAL: all match, or none. */
AKIN_API akin_status akin_eval_pairs(double *auc, double *accuracy,
                                     akin_ctx *ctx, const akin_model *m,
                                     const akin_rows *left,
                                     const akin_rows *right,
                                     const int64_t *pairs, int64_t count,
                                     akin_compare by);

#ifdef __cplusplus
}
#endif
#endif
