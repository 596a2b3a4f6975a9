/* akin/model.h - a learned similarity: load, save, score, embed, explain.
 * Higher is more similar everywhere; a metric scores minus the distance. */
#ifndef AKIN_MODEL_H
#define AKIN_MODEL_H

#include <akin/data.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Read-only once made; may be shared between threads. */
typedef struct akin_model akin_model;

/* How two rows are compared in the learned space. */
typedef enum akin_compare {
    AKIN_BY_DEFAULT, /* what the model was trained for */
    AKIN_BY_DOT,
    AKIN_BY_COSINE,
    AKIN_BY_DISTANCE /* minus the squared distance */
} akin_compare;

AKIN_API akin_status akin_model_load(akin_model **out, akin_ctx *ctx,
                                     const char *path);
AKIN_API akin_status akin_model_save(akin_ctx *ctx, const akin_model *m,
                                     const char *path);
/* The same through memory: the bytes that the file would have, to be freed with
 * akin_free. Loading checks them as it checks a file, and keeps no pointer. */
AKIN_API akin_status akin_model_save_memory(uint8_t **bytes, size_t *size,
                                            akin_ctx *ctx, const akin_model *m);
AKIN_API akin_status akin_model_load_memory(akin_model **out, akin_ctx *ctx,
                                            const void *bytes, size_t size);
/* A measure without learning: euclidean, cosine, tfidf, mahalanobis. The last
 * two take their statistics from `rows`, the others only the dimension. */
AKIN_API akin_status akin_model_builtin(akin_model **out, akin_ctx *ctx,
                                        const char *name,
                                        const akin_rows *rows);
/* The same of the rows in files, a path or a pattern, read shard after shard by
 * the ranks (akin_rows_read_shard): euclidean, cosine or tfidf, with the
 * statistics of all rows. *read, which says how to read, gets the base and the
 * dimension of all rows. AKIN_EINVAL: mahalanobis. */
AKIN_API akin_status akin_model_builtin_shards(akin_model **out, akin_ctx *ctx,
                                               const char *name,
                                               const char *data,
                                               int64_t n_shards,
                                               akin_read_options *read);
/* 1 for the names that akin_model_builtin accepts. */
AKIN_API int akin_model_is_builtin(const char *name);
AKIN_API void akin_model_free(akin_model *m);

AKIN_API const char *akin_model_kind(const akin_model *m);    /* "diagonal" */
AKIN_API const char *akin_model_learner(const akin_model *m); /* "solis-ada" */
AKIN_API int64_t akin_model_dim(const akin_model *m, akin_side side);
AKIN_API int64_t akin_model_nonzeros(const akin_model *m);
AKIN_API int64_t akin_model_parameters(const akin_model *m); /* zeros too */
AKIN_API int64_t akin_model_rank(const akin_model *m); /* 0: not low-rank */
AKIN_API akin_compare akin_model_compare(const akin_model *m);
AKIN_API const akin_recipe *akin_model_recipe(const akin_model *m,
                                              akin_side side);
/* Whatever else is known of it, by key: learner's options, "examples",
 * "updates", "seed", "rows". NULL when there is no such key. */
AKIN_API const char *akin_model_note(const akin_model *m, const char *key);
/* The i-th note, for listings; 0 at the end. */
AKIN_API int akin_model_note_at(const char **key, const char **value,
                                const akin_model *m, int64_t i);
/* 1 when it has the state of its learner, so that learning can resume. */
AKIN_API int akin_model_can_resume(const akin_model *m);

/* Raw rows through the model's recipe; what all calls below expect.
 * AKIN_ESHAPE: more columns than the model knows. */
AKIN_API akin_status akin_model_prepare(akin_rows **out, akin_ctx *ctx,
                                        const akin_model *m,
                                        const akin_rows *rows, akin_side side);

/* Rows that a model learned from, among others. */
typedef struct akin_learned_rows {
    int64_t rows;    /* different ones that were looked at */
    int64_t learned; /* of these; an estimate where the model kept a sample of
                        its rows; -1: not known */
    int substantial; /* 1: more than equal rows explain, and 1 % or more */
} akin_learned_rows;

/* Of the prepared rows `which[0..count)` (NULL: all) those whose labels or
 * examples the model learned from. Rows are recognised by their values. */
AKIN_API akin_status akin_model_learned_rows(akin_learned_rows *out,
                                             akin_ctx *ctx, const akin_model *m,
                                             const akin_rows *rows,
                                             const int64_t *which,
                                             int64_t count, akin_side side);

/* scores[t] = similarity of row ij[2t] of left and ij[2t + 1] of right. */
AKIN_API akin_status akin_model_score(double *scores, akin_ctx *ctx,
                                      const akin_model *m,
                                      const akin_rows *left,
                                      const akin_rows *right, const int64_t *ij,
                                      int64_t count, akin_compare by);

/* Two rows are the same where their score is at least `score`. */
typedef struct akin_threshold {
    double score;
    double false_match_rate; /* share of other pairs that it calls the same, */
    double miss_rate;        /* and of matching ones that it calls different */
    int64_t pairs;           /* measured on so many; 0: not measured, NAN */
} akin_threshold;

/* The threshold of a model for scores compared so: the one that was set, or 0
 * where the model learned a similarity whose sign decides (rsl). 0: none. */
AKIN_API int akin_model_threshold(akin_threshold *out, const akin_model *m,
                                  akin_compare by);
/* Kept when the model is saved. Not for a model that other threads use. */
AKIN_API akin_status akin_model_set_threshold(akin_ctx *ctx, akin_model *m,
                                              const akin_threshold *t,
                                              akin_compare by);

/* 1 when rows embed alike on both sides, so that vectors of one side can be
 * compared with each other. Not so where a weight is negative, or where left
 * and right have factors of their own. */
AKIN_API int akin_model_is_symmetric(const akin_model *m);

/* A new model with the sides of `m` exchanged: factors, recipe and columns of
 * the left are on the right. It has no learner's state and cannot resume.
 * AKIN_EINVAL: it ranks labels, or left and right have no parts of their own to
 * exchange. */
AKIN_API akin_status akin_model_turn(akin_model **out, akin_ctx *ctx,
                                     const akin_model *m);

/* Rows in which plain dot product (or distance) is the similarity. */
AKIN_API akin_status akin_model_embed(akin_rows **out, akin_ctx *ctx,
                                      const akin_model *m,
                                      const akin_rows *rows, akin_side side);

typedef struct akin_reason {
    int64_t feature; /* column; -1: all others together */
    double contribution;
} akin_reason;

/* The `top` features with the largest contributions by size, then one for all
 * others; they add up to the score. `*count` is at most top + 1. */
AKIN_API akin_status akin_model_explain(akin_reason *reasons, int64_t *count,
                                        akin_ctx *ctx, const akin_model *m,
                                        const akin_rows *left, int64_t i,
                                        const akin_rows *right, int64_t j,
                                        int64_t top, akin_compare by);

/* A feature of one row, one of another, and what the two add to their score. */
typedef struct akin_pair_reason {
    int64_t left,
        right; /* columns; -1: all other pairs, and what no pair has */
    double contribution;
} akin_pair_reason;

/* 1 when every feature of a row meets every feature of another: low-rank, full
 * and metric models, and what is built on them. */
AKIN_API int akin_model_has_pairs(const akin_model *m);
/* As akin_model_explain, by pairs of features that the two rows have.
 * AKIN_EINVAL for a model without. */
AKIN_API akin_status akin_model_explain_pairs(akin_pair_reason *reasons,
                                              int64_t *count, akin_ctx *ctx,
                                              const akin_model *m,
                                              const akin_rows *left, int64_t i,
                                              const akin_rows *right, int64_t j,
                                              int64_t top, akin_compare by);

/* ---- models that rank labels -------------------------------------------- */

/* A model of kind "ranker" scores labels for a row and does not compare rows:
 * score, embed and explain refuse it with AKIN_EINVAL. One of kind "posterior"
 * does both. See akin_rank_labels and akin_eval_rank of akin/eval.h. */

/* How many labels it knows (0: none), and the name of each. */
AKIN_API int64_t akin_model_label_count(const akin_model *m);
AKIN_API const char *akin_model_label_name(const akin_model *m, int64_t k);
/* 1 when it compares rows, 0 when it ranks labels alone. */
AKIN_API int akin_model_compares(const akin_model *m);
/* As akin_model_explain, of the score of a label for row i; of a "posterior",
 * of the logarithm of its probability. */
AKIN_API akin_status akin_model_explain_label(akin_reason *reasons,
                                              int64_t *count, akin_ctx *ctx,
                                              const akin_model *m,
                                              const akin_rows *rows, int64_t i,
                                              int64_t label, int64_t top);

/* What any file that akin reads or writes is, and its figures: key, value. */
typedef struct akin_file_info akin_file_info;
AKIN_API akin_status akin_file_inspect(akin_file_info **out, akin_ctx *ctx,
                                       const char *path,
                                       const akin_read_options *options);
AKIN_API int akin_file_info_at(const char **key, const char **value,
                               const akin_file_info *info, int64_t i);
AKIN_API void akin_file_info_free(akin_file_info *info);

#ifdef __cplusplus
}
#endif
#endif
