/* akin/learners.h - the options of every learner and their defaults.
 * Included by akin/learn.h. Options are double, int64_t or const char *.
 * Made by tools/gen.py from src/learn/learners.def and the tables of the
 * learners; do not edit. */
/* clang-format off */
#ifndef AKIN_LEARNERS_H
#define AKIN_LEARNERS_H

#include <akin/learn.h>

/* sparse diagonal similarity by adaptive dual averaging;
 * docs/reference/learners/solis-ada.md */
typedef struct akin_solis_ada_options {
    akin_options head;
    /* step size */
    double eta;
    /* strength of the L1 penalty: larger sets more weights to zero */
    double lambda;
    /* damps the first steps of a coordinate, about delta^2 of them */
    double delta;
    /* rounds that count as steps: those with a loss, or all */
    const char *clock;
    /* initial weights: 1 (the plain measure of the rows), zero, a weight for
     * the words of the positives, or a model */
    const char *start;
    /* weight of the words of the positives when start is mask */
    double start_weight;
    /* margin, steps and lambda relative to the triplets seen, or as
     * published */
    const char *units;
} akin_solis_ada_options;

#define AKIN_SOLIS_ADA_DEFAULTS \
    { \
        {"solis-ada", sizeof(akin_solis_ada_options)}, \
        .eta = 0.2, \
        .lambda = 0.0, \
        .delta = 3.0, \
        .clock = "active", \
        .start = "measure", \
        .start_weight = 0.3, \
        .units = "relative", \
    }

/* sparse diagonal similarity by adaptive forward-backward steps;
 * docs/reference/learners/solis-afb.md */
typedef struct akin_solis_afb_options {
    akin_options head;
    /* step size */
    double eta;
    /* strength of the L1 penalty: larger sets more weights to zero */
    double lambda;
    /* damps the first steps of a coordinate, about delta^2 of them */
    double delta;
    /* rounds that count as steps: those with a loss, or all */
    const char *clock;
    /* initial weights: 1 (the plain measure of the rows), zero, a weight for
     * the words of the positives, or a model */
    const char *start;
    /* weight of the words of the positives when start is mask */
    double start_weight;
    /* margin, steps and lambda relative to the triplets seen, or as
     * published */
    const char *units;
} akin_solis_afb_options;

#define AKIN_SOLIS_AFB_DEFAULTS \
    { \
        {"solis-afb", sizeof(akin_solis_afb_options)}, \
        .eta = 0.2, \
        .lambda = 0.0, \
        .delta = 3.0, \
        .clock = "active", \
        .start = "measure", \
        .start_weight = 0.3, \
        .units = "relative", \
    }

/* sparse diagonal similarity by dual averaging;
 * docs/reference/learners/solis-da.md */
typedef struct akin_solis_da_options {
    akin_options head;
    /* strength of the L1 penalty: larger sets more weights to zero */
    double lambda;
    /* how fast the weights may grow: smaller is faster */
    double gamma;
    /* extra L1 penalty that decreases with the rounds */
    double rho;
    /* rounds that count as steps: those with a loss, or all */
    const char *clock;
    /* initial weights: 1 (the plain measure of the rows), zero, a weight for
     * the words of the positives, or a model */
    const char *start;
    /* weight of the words of the positives when start is mask */
    double start_weight;
    /* margin, steps and lambda relative to the triplets seen, or as
     * published */
    const char *units;
} akin_solis_da_options;

#define AKIN_SOLIS_DA_DEFAULTS \
    { \
        {"solis-da", sizeof(akin_solis_da_options)}, \
        .lambda = 0.0, \
        .gamma = 0.2, \
        .rho = 0.0, \
        .clock = "active", \
        .start = "measure", \
        .start_weight = 0.3, \
        .units = "relative", \
    }

/* sparse diagonal similarity by truncated gradient;
 * docs/reference/learners/solis-tg.md */
typedef struct akin_solis_tg_options {
    akin_options head;
    /* step size */
    double eta;
    /* strength of the L1 penalty: larger sets more weights to zero */
    double lambda;
    /* rounds that count as steps: those with a loss, or all */
    const char *clock;
    /* initial weights: 1 (the plain measure of the rows), zero, a weight for
     * the words of the positives, or a model */
    const char *start;
    /* weight of the words of the positives when start is mask */
    double start_weight;
    /* margin, steps and lambda relative to the triplets seen, or as
     * published */
    const char *units;
} akin_solis_tg_options;

#define AKIN_SOLIS_TG_DEFAULTS \
    { \
        {"solis-tg", sizeof(akin_solis_tg_options)}, \
        .eta = 0.03, \
        .lambda = 0.0, \
        .clock = "active", \
        .start = "measure", \
        .start_weight = 0.3, \
        .units = "relative", \
    }

/* diagonal similarity by passive-aggressive steps;
 * docs/reference/learners/oasis-diag.md */
typedef struct akin_oasis_diag_options {
    akin_options head;
    /* largest step for one triplet */
    double C;
    /* margin and steps relative to the triplets seen, or as published; auto:
     * relative for dense rows */
    const char *units;
} akin_oasis_diag_options;

#define AKIN_OASIS_DIAG_DEFAULTS \
    { \
        {"oasis-diag", sizeof(akin_oasis_diag_options)}, \
        .C = 0.1, \
        .units = "auto", \
    }

/* diagonal metric by LogDet steps to target distances;
 * docs/reference/learners/lego-diag.md */
typedef struct akin_lego_diag_options {
    akin_options head;
    /* weight of the target distance against staying */
    double eta;
    /* target squared distance of a similar pair */
    double y_sim;
    /* target squared distance of a dissimilar pair */
    double y_dis;
    /* reach the targets, or only the right side of them */
    const char *targets;
    /* margin and steps relative to the triplets seen, or as published; auto:
     * relative for dense rows */
    const char *units;
} akin_lego_diag_options;

#define AKIN_LEGO_DIAG_DEFAULTS \
    { \
        {"lego-diag", sizeof(akin_lego_diag_options)}, \
        .eta = 0.1, \
        .y_sim = 1.0, \
        .y_dis = 1.9, \
        .targets = "equality", \
        .units = "auto", \
    }

/* non-negative diagonal similarity by a quadratic program;
 * docs/reference/learners/qpao.md */
typedef struct akin_qpao_options {
    akin_options head;
    /* weight of a violation */
    double C;
    /* initial weight of every word; -1 = auto (1 in relative units, else 0) */
    double w0;
    /* stop when no optimality condition is violated by more */
    double tol;
    /* maximum number of sweeps */
    int64_t max_sweeps;
    /* margin and steps relative to the triplets seen, or as published; auto:
     * relative for dense rows */
    const char *units;
} akin_qpao_options;

#define AKIN_QPAO_DEFAULTS \
    { \
        {"qpao", sizeof(akin_qpao_options)}, \
        .C = 1.0, \
        .w0 = -1.0, \
        .tol = 1e-3, \
        .max_sweeps = 200, \
        .units = "auto", \
    }

/* large-margin diagonal metric, all triplets at once;
 * docs/reference/learners/lmnn-diag.md */
typedef struct akin_lmnn_diag_options {
    akin_options head;
    /* weight of the margins; 1 - mu is that of the distances to positives */
    double mu;
    /* stop when the relative improvement stays below this */
    double tol;
    /* maximum number of iterations */
    int64_t max_iterations;
} akin_lmnn_diag_options;

#define AKIN_LMNN_DIAG_DEFAULTS \
    { \
        {"lmnn-diag", sizeof(akin_lmnn_diag_options)}, \
        .mu = 0.99, \
        .tol = 1e-3, \
        .max_iterations = 300, \
    }

/* low-rank similarity, learned online on the manifold;
 * docs/reference/learners/loreta-1.md */
typedef struct akin_loreta_1_options {
    akin_options head;
    /* rank of W; 0 = auto (30, for dense rows 128; or fewer when there are
     * fewer columns or labels) */
    int64_t rank;
    /* step size; 0 = auto (3, and 0.1 in relative units; 0.3 to rank labels) */
    double eta;
    /* largest step in the learned space: a longer one is cut, so that no
     * rank is lost; 0 = no limit */
    double max_s;
    /* initial factors: the first RANK columns (identity), directions with
     * most of the rows' length (principal; auto: for dense rows of more than
     * RANK columns), those of a full matrix learned from 2 RANK mistakes,
     * random, or a model */
    const char *start;
    /* how the model compares rows; auto: what does best on held-out examples */
    const char *score;
    /* compare rows by the nearest of at most so many clusters of the learned
     * rows; 0 = off */
    int64_t prototypes;
    /* the factors as they are at the end, or their mean over the later part */
    const char *average;
    /* whether a step updates the columns of a row or all columns; auto takes
     * the faster, the result is the same */
    const char *form;
    /* compare rows, or rank their labels */
    const char *task;
    /* push the best wrong label down once per violation, or once per row, as
     * the paper prints */
    const char *ybar;
    /* margin and steps relative to the triplets seen, or as published; auto:
     * relative for dense rows */
    const char *units;
    /* compare rows by the positive part of W + W', or by W as published;
     * auto: positive for dense rows */
    const char *symmetry;
} akin_loreta_1_options;

#define AKIN_LORETA_1_DEFAULTS \
    { \
        {"loreta-1", sizeof(akin_loreta_1_options)}, \
        .rank = 0, \
        .eta = 0.0, \
        .max_s = 1.0, \
        .start = "auto", \
        .score = "auto", \
        .prototypes = 0, \
        .average = "none", \
        .form = "auto", \
        .task = "similarity", \
        .ybar = "count", \
        .units = "auto", \
        .symmetry = "auto", \
    }

/* low-rank similarity, several triplets per step;
 * docs/reference/learners/loreta.md */
typedef struct akin_loreta_options {
    akin_options head;
    /* rank of W; 0 = auto (30, for dense rows 128; or fewer when there are
     * fewer columns or labels) */
    int64_t rank;
    /* step size; 0 = auto (3, and 0.1 in relative units) */
    double eta;
    /* largest step in the learned space: a longer one is cut, so that no
     * rank is lost; 0 = no limit */
    double max_s;
    /* initial factors: the first RANK columns (identity), directions with
     * most of the rows' length (principal; auto: for dense rows of more than
     * RANK columns), those of a full matrix learned from 2 RANK mistakes,
     * random, or a model */
    const char *start;
    /* how the model compares rows; auto: what does best on held-out examples */
    const char *score;
    /* compare rows by the nearest of at most so many clusters of the learned
     * rows; 0 = off */
    int64_t prototypes;
    /* the factors as they are at the end, or their mean over the later part */
    const char *average;
    /* whether a step updates the columns of a row or all columns; auto takes
     * the faster, the result is the same */
    const char *form;
    /* triplets per step; the cost of a step grows up to cubically */
    int64_t batch;
    /* margin and steps relative to the triplets seen, or as published; auto:
     * relative for dense rows */
    const char *units;
    /* compare rows by the positive part of W + W', or by W as published;
     * auto: positive for dense rows */
    const char *symmetry;
} akin_loreta_options;

#define AKIN_LORETA_DEFAULTS \
    { \
        {"loreta", sizeof(akin_loreta_options)}, \
        .rank = 0, \
        .eta = 0.0, \
        .max_s = 1.0, \
        .start = "auto", \
        .score = "auto", \
        .prototypes = 0, \
        .average = "none", \
        .form = "auto", \
        .batch = 4, \
        .units = "auto", \
        .symmetry = "auto", \
    }

/* low-rank symmetric similarity, online on the manifold;
 * docs/reference/learners/loreta-psd.md */
typedef struct akin_loreta_psd_options {
    akin_options head;
    /* rank of W; 0 = auto (30, for dense rows 128; or fewer when there are
     * fewer columns or labels) */
    int64_t rank;
    /* step size; 0 = auto (3, and 0.1 in relative units) */
    double eta;
    /* largest step in the learned space: a longer one is cut, so that no
     * rank is lost; 0 = no limit */
    double max_s;
    /* initial factors: the first RANK columns (identity), directions with
     * most of the rows' length (principal; auto: for dense rows of more than
     * RANK columns), those of a full matrix learned from 2 RANK mistakes,
     * random, or a model */
    const char *start;
    /* how the model compares rows; auto: what does best on held-out examples */
    const char *score;
    /* compare rows by the nearest of at most so many clusters of the learned
     * rows; 0 = off */
    int64_t prototypes;
    /* the factors as they are at the end, or their mean over the later part */
    const char *average;
    /* whether a step updates the columns of a row or all columns; auto takes
     * the faster, the result is the same */
    const char *form;
    /* weight of the cosine of the rows themselves beside the learned score,
     * for classes not in the training data */
    double blend;
    /* margin and steps relative to the triplets seen, or as published; auto:
     * relative for dense rows */
    const char *units;
    /* compare rows by the positive part of W + W', or by W as published;
     * auto: positive for dense rows */
    const char *symmetry;
} akin_loreta_psd_options;

#define AKIN_LORETA_PSD_DEFAULTS \
    { \
        {"loreta-psd", sizeof(akin_loreta_psd_options)}, \
        .rank = 0, \
        .eta = 0.0, \
        .max_s = 1.0, \
        .start = "auto", \
        .score = "auto", \
        .prototypes = 0, \
        .average = "none", \
        .form = "auto", \
        .blend = 0.0, \
        .units = "auto", \
        .symmetry = "auto", \
    }

/* low-rank similarity, refined inside its own space;
 * docs/reference/learners/loreta-mi.md */
typedef struct akin_loreta_mi_options {
    akin_options head;
    /* rank of W; 0 = auto (30, for dense rows 128; or fewer when there are
     * fewer columns or labels) */
    int64_t rank;
    /* step size; 0 = auto (3, and 0.1 in relative units) */
    double eta;
    /* largest step in the learned space: a longer one is cut, so that no
     * rank is lost; 0 = no limit */
    double max_s;
    /* initial factors: the first RANK columns (identity), directions with
     * most of the rows' length (principal; auto: for dense rows of more than
     * RANK columns), those of a full matrix learned from 2 RANK mistakes,
     * random, or a model */
    const char *start;
    /* how the model compares rows; auto: what does best on held-out examples */
    const char *score;
    /* compare rows by the nearest of at most so many clusters of the learned
     * rows; 0 = off */
    int64_t prototypes;
    /* whether a step updates the columns of a row or all columns; auto takes
     * the faster, the result is the same */
    const char *form;
    /* steps inside the learned space after each on the manifold */
    int64_t inner;
    /* size of a step inside the learned space */
    double eta2;
    /* margin and steps relative to the triplets seen, or as published; auto:
     * relative for dense rows */
    const char *units;
    /* compare rows by the positive part of W + W', or by W as published;
     * auto: positive for dense rows */
    const char *symmetry;
} akin_loreta_mi_options;

#define AKIN_LORETA_MI_DEFAULTS \
    { \
        {"loreta-mi", sizeof(akin_loreta_mi_options)}, \
        .rank = 0, \
        .eta = 0.0, \
        .max_s = 1.0, \
        .start = "auto", \
        .score = "auto", \
        .prototypes = 0, \
        .form = "auto", \
        .inner = 1, \
        .eta2 = 0.01, \
        .units = "auto", \
        .symmetry = "auto", \
    }

/* low-rank similarity by gradient steps on its factors;
 * docs/reference/learners/gd.md */
typedef struct akin_gd_options {
    akin_options head;
    /* rank of W; 0 = auto (30, for dense rows 128; or fewer when there are
     * fewer columns or labels) */
    int64_t rank;
    /* step size; 0 = auto (0.3, and 0.05 in relative units) */
    double eta;
    /* initial factors: the first RANK columns (identity), directions with
     * most of the rows' length (principal; auto: for dense rows of more than
     * RANK columns), random, or a model */
    const char *start;
    /* how the model compares rows; auto: what does best on held-out examples */
    const char *score;
    /* compare rows by the nearest of at most so many clusters of the learned
     * rows; 0 = off */
    int64_t prototypes;
    /* the factors as they are at the end, or their mean over the later part */
    const char *average;
    /* margin and steps relative to the triplets seen, or as published; auto:
     * relative for dense rows */
    const char *units;
    /* compare rows by the positive part of W + W', or by W as published;
     * auto: positive for dense rows */
    const char *symmetry;
} akin_gd_options;

#define AKIN_GD_DEFAULTS \
    { \
        {"gd", sizeof(akin_gd_options)}, \
        .rank = 0, \
        .eta = 0.0, \
        .start = "auto", \
        .score = "auto", \
        .prototypes = 0, \
        .average = "none", \
        .units = "auto", \
        .symmetry = "auto", \
    }

/* low-rank symmetric similarity by gradient steps;
 * docs/reference/learners/psd-gd.md */
typedef struct akin_psd_gd_options {
    akin_options head;
    /* rank of W; 0 = auto (30, for dense rows 128; or fewer when there are
     * fewer columns or labels) */
    int64_t rank;
    /* step size; 0 = auto (0.3, and 0.05 in relative units) */
    double eta;
    /* initial factors: the first RANK columns (identity), directions with
     * most of the rows' length (principal; auto: for dense rows of more than
     * RANK columns), random, or a model */
    const char *start;
    /* how the model compares rows; auto: what does best on held-out examples */
    const char *score;
    /* compare rows by the nearest of at most so many clusters of the learned
     * rows; 0 = off */
    int64_t prototypes;
    /* the factors as they are at the end, or their mean over the later part */
    const char *average;
    /* margin and steps relative to the triplets seen, or as published; auto:
     * relative for dense rows */
    const char *units;
    /* compare rows by the positive part of W + W', or by W as published;
     * auto: positive for dense rows */
    const char *symmetry;
} akin_psd_gd_options;

#define AKIN_PSD_GD_DEFAULTS \
    { \
        {"psd-gd", sizeof(akin_psd_gd_options)}, \
        .rank = 0, \
        .eta = 0.0, \
        .start = "auto", \
        .score = "auto", \
        .prototypes = 0, \
        .average = "none", \
        .units = "auto", \
        .symmetry = "auto", \
    }

/* low-rank similarity by passive-aggressive steps;
 * docs/reference/learners/pa.md */
typedef struct akin_pa_options {
    akin_options head;
    /* rank of W; 0 = auto (30, for dense rows 128; or fewer when there are
     * fewer columns or labels) */
    int64_t rank;
    /* largest step for one example */
    double C;
    /* whether the second factor sees the step of the first */
    const char *order;
    /* initial factors: the first RANK columns (identity), directions with
     * most of the rows' length (principal; auto: for dense rows of more than
     * RANK columns), those of a full matrix learned from 2 RANK mistakes (to
     * rank labels only), random, or a model */
    const char *start;
    /* how the model compares rows; auto: what does best on held-out examples */
    const char *score;
    /* compare rows by the nearest of at most so many clusters of the learned
     * rows; 0 = off */
    int64_t prototypes;
    /* the factors as they are at the end, or their mean over the later part */
    const char *average;
    /* compare rows, or rank their labels */
    const char *task;
    /* push the best wrong label down once per violation, or once per row, as
     * the paper prints */
    const char *ybar;
    /* margin and steps relative to the triplets seen, or as published; auto:
     * relative for dense rows */
    const char *units;
    /* compare rows by the positive part of W + W', or by W as published;
     * auto: positive for dense rows */
    const char *symmetry;
} akin_pa_options;

#define AKIN_PA_DEFAULTS \
    { \
        {"pa", sizeof(akin_pa_options)}, \
        .rank = 0, \
        .C = 0.3, \
        .order = "sequential", \
        .start = "auto", \
        .score = "auto", \
        .prototypes = 0, \
        .average = "none", \
        .task = "similarity", \
        .ybar = "count", \
        .units = "auto", \
        .symmetry = "auto", \
    }

/* bilinear similarity by passive-aggressive steps;
 * docs/reference/learners/oasis.md */
typedef struct akin_oasis_options {
    akin_options head;
    /* largest step for one triplet */
    double C;
    /* memory limit of the matrix, in GiB */
    double memory;
    /* margin and steps relative to the triplets seen, or as published; auto:
     * relative for dense rows */
    const char *units;
    /* compare rows by the positive part of W + W', or by W as published;
     * auto: positive for dense rows */
    const char *symmetry;
} akin_oasis_options;

#define AKIN_OASIS_DEFAULTS \
    { \
        {"oasis", sizeof(akin_oasis_options)}, \
        .C = 0.1, \
        .memory = 4.0, \
        .units = "auto", \
        .symmetry = "auto", \
    }

/* full metric by LogDet steps to target distances;
 * docs/reference/learners/lego.md */
typedef struct akin_lego_options {
    akin_options head;
    /* weight of the target distance against staying */
    double eta;
    /* target squared distance of a similar pair */
    double y_sim;
    /* target squared distance of a dissimilar pair */
    double y_dis;
    /* reach the targets, or only the right side of them */
    const char *targets;
    /* margin and steps relative to the triplets seen, or as published; auto:
     * relative for dense rows */
    const char *units;
    /* memory limit of the matrix, in GiB */
    double memory;
} akin_lego_options;

#define AKIN_LEGO_DEFAULTS \
    { \
        {"lego", sizeof(akin_lego_options)}, \
        .eta = 0.1, \
        .y_sim = 1.0, \
        .y_dis = 1.9, \
        .targets = "equality", \
        .units = "auto", \
        .memory = 4.0, \
    }

/* inverse covariance of the rows; nothing is learned;
 * docs/reference/learners/mahalanobis.md */
typedef struct akin_mahalanobis_options {
    akin_options head;
    /* share of the mean variance that is added to each */
    double ridge;
    /* dimensions kept of the learned space, by principal components; 0: all */
    int64_t rank;
} akin_mahalanobis_options;

#define AKIN_MAHALANOBIS_DEFAULTS \
    { \
        {"mahalanobis", sizeof(akin_mahalanobis_options)}, \
        .ridge = 1.0, \
        .rank = 0, \
    }

/* principal components of the rows; needs no examples;
 * docs/reference/learners/pca.md */
typedef struct akin_pca_options {
    akin_options head;
    /* components kept; auto: as `variance` says, and 200 of sparse rows at
     * most */
    int64_t rank;
    /* share of the variance that the components keep */
    double variance;
    /* power of its standard deviation that a component is divided by; 1:
     * equal variances */
    double whiten;
} akin_pca_options;

#define AKIN_PCA_DEFAULTS \
    { \
        {"pca", sizeof(akin_pca_options)}, \
        .rank = 0, \
        .variance = 0.95, \
        .whiten = 0.0, \
    }

/* directions that separate classes best, linearly;
 * docs/reference/learners/lda.md */
typedef struct akin_lda_options {
    akin_options head;
    /* directions kept; auto: classes - 1 */
    int64_t rank;
    /* share of the diagonal in the covariance within classes; -1: by the
     * rule of Ledoit and Wolf */
    double shrinkage;
    /* weighted: by the share that classes have in their variance */
    const char *directions;
} akin_lda_options;

#define AKIN_LDA_DEFAULTS \
    { \
        {"lda", sizeof(akin_lda_options)}, \
        .rank = 0, \
        .shrinkage = -1.0, \
        .directions = "weighted", \
    }

/* metric close to a given one that separates pairs;
 * docs/reference/learners/itml.md */
typedef struct akin_itml_options {
    akin_options head;
    /* weight of the distance targets against staying near the start */
    double gamma;
    /* upper bound on the squared distance of similar pairs; 0: the 5th
     * percentile of all pairs */
    double near;
    /* lower bound on the squared distance of dissimilar pairs; 0: the 95th
     * percentile of all pairs */
    double far;
    /* the metric to stay near: the plain one, or mahalanobis */
    const char *start;
    /* Newton's method, or projections one pair after the other */
    const char *solver;
    /* stopping tolerance: the Newton decrement, or the relative change of
     * the multipliers in a sweep */
    double tol;
    /* maximum number of iterations or sweeps */
    int64_t max_iterations;
    /* dimensions kept of the learned space, by principal components; 0: all */
    int64_t rank;
} akin_itml_options;

#define AKIN_ITML_DEFAULTS \
    { \
        {"itml", sizeof(akin_itml_options)}, \
        .gamma = 0.3, \
        .near = 0.0, \
        .far = 0.0, \
        .start = "identity", \
        .solver = "newton", \
        .tol = 1e-6, \
        .max_iterations = 1000, \
        .rank = 0, \
    }

/* sparse metric from few pairs, spread to all rows;
 * docs/reference/learners/s3ml.md */
typedef struct akin_s3ml_options {
    akin_options head;
    /* weight of the pairs; auto: a share of the largest that is safe */
    const char *beta;
    /* penalty for entries that are not 0; auto: a share of the mean entry of
     * Sigma */
    const char *rho;
    /* with beta auto, the share of the largest safe one */
    double beta_share;
    /* with rho auto, the share of the mean off the diagonal */
    double rho_share;
    /* M0: the identity in the units of the rows, or the inverse covariance */
    const char *start;
    /* the method; paper: as published, slow, without exact zeros */
    const char *solver;
    /* stops when the duality gap is below this */
    double tol;
    /* maximum number of iterations; 0: depends on the solver */
    int64_t max_iterations;
    /* dimensions kept of the learned space, by principal components; 0: all */
    int64_t rank;
    /* nearest rows that a row takes its pairs from */
    int64_t neighbours;
    /* share that comes from these neighbours in each step */
    double alpha;
    /* affinities below this are dropped; 0: keep all */
    double theta;
} akin_s3ml_options;

#define AKIN_S3ML_DEFAULTS \
    { \
        {"s3ml", sizeof(akin_s3ml_options)}, \
        .beta = "auto", \
        .rho = "auto", \
        .beta_share = 0.7, \
        .rho_share = 0.5, \
        .start = "identity", \
        .solver = "auto", \
        .tol = 1e-6, \
        .max_iterations = 0, \
        .rank = 0, \
        .neighbours = 6, \
        .alpha = 0.5, \
        .theta = 0.01, \
    }

/* sparse metric from pairs alone; docs/reference/learners/s2ml.md */
typedef struct akin_s2ml_options {
    akin_options head;
    /* weight of the pairs; auto: a share of the largest that is safe */
    const char *beta;
    /* penalty for entries that are not 0; auto: a share of the mean entry of
     * Sigma */
    const char *rho;
    /* with beta auto, the share of the largest safe one */
    double beta_share;
    /* with rho auto, the share of the mean off the diagonal */
    double rho_share;
    /* M0: the identity in the units of the rows, or the inverse covariance */
    const char *start;
    /* the method; paper: as published, slow, without exact zeros */
    const char *solver;
    /* stops when the duality gap is below this */
    double tol;
    /* maximum number of iterations; 0: depends on the solver */
    int64_t max_iterations;
    /* dimensions kept of the learned space, by principal components; 0: all */
    int64_t rank;
} akin_s2ml_options;

#define AKIN_S2ML_DEFAULTS \
    { \
        {"s2ml", sizeof(akin_s2ml_options)}, \
        .beta = "auto", \
        .rho = "auto", \
        .beta_share = 0.7, \
        .rho_share = 0.5, \
        .start = "identity", \
        .solver = "auto", \
        .tol = 1e-6, \
        .max_iterations = 0, \
        .rank = 0, \
    }

/* sparse metric from pairs, diagonal not penalised;
 * docs/reference/learners/sdml.md */
typedef struct akin_sdml_options {
    akin_options head;
    /* weight of the pairs; auto: a share of the largest that is safe */
    const char *beta;
    /* penalty for entries that are not 0; auto: a share of the mean entry of
     * Sigma */
    const char *rho;
    /* with beta auto, the share of the largest safe one */
    double beta_share;
    /* with rho auto, the share of the mean off the diagonal */
    double rho_share;
    /* M0: the identity in the units of the rows, or the inverse covariance */
    const char *start;
    /* the method; paper: as published, slow, without exact zeros */
    const char *solver;
    /* stops when the duality gap is below this */
    double tol;
    /* maximum number of iterations; 0: depends on the solver */
    int64_t max_iterations;
    /* dimensions kept of the learned space, by principal components; 0: all */
    int64_t rank;
} akin_sdml_options;

#define AKIN_SDML_DEFAULTS \
    { \
        {"sdml", sizeof(akin_sdml_options)}, \
        .beta = "auto", \
        .rho = "auto", \
        .beta_share = 0.7, \
        .rho_share = 0.5, \
        .start = "identity", \
        .solver = "auto", \
        .tol = 1e-6, \
        .max_iterations = 0, \
        .rank = 0, \
    }

/* large-margin metric for nearest neighbours;
 * docs/reference/learners/lmnn.md */
typedef struct akin_lmnn_options {
    akin_options head;
    /* weight of the margins; 1 - mu weighs the distances to targets */
    double mu;
    /* weight of staying near the Euclidean distance */
    double lambda;
    /* with labels: target neighbours of a row, from its class */
    int64_t k;
    /* stops when ten iterations improve the objective by less than this
     * fraction */
    double tol;
    /* maximum number of iterations */
    int64_t max_iterations;
    /* dimensions of the learned space; 0: as many as columns */
    int64_t rank;
} akin_lmnn_options;

#define AKIN_LMNN_DEFAULTS \
    { \
        {"lmnn", sizeof(akin_lmnn_options)}, \
        .mu = 0.5, \
        .lambda = 3.0, \
        .k = 3, \
        .tol = 1e-5, \
        .max_iterations = 500, \
        .rank = 0, \
    }

/* transform in which neighbours share a label;
 * docs/reference/learners/nca.md */
typedef struct akin_nca_options {
    akin_options head;
    /* L2 penalty on the transform */
    double lambda;
    /* stops when ten iterations improve the objective by less than this
     * fraction */
    double tol;
    /* maximum number of iterations; few keep it near the start */
    int64_t max_iterations;
    /* dimensions of the learned space; 0: as many as columns */
    int64_t rank;
    /* lda: the directions of lda, as many as it has; auto: lda where these
     * fill the learned space or rows are few, else identity, lengthened
     * where the rows are close together */
    const char *start;
} akin_nca_options;

#define AKIN_NCA_DEFAULTS \
    { \
        {"nca", sizeof(akin_nca_options)}, \
        .lambda = 0.0, \
        .tol = 1e-5, \
        .max_iterations = 200, \
        .rank = 0, \
        .start = "auto", \
    }

/* metric from pairs and neighbours, closed form;
 * docs/reference/learners/lrml.md */
typedef struct akin_lrml_options {
    akin_options head;
    /* neighbours of a row */
    int64_t k;
    /* weight of similar pairs against neighbours */
    double gamma_s;
    /* weight of dissimilar pairs; 0: a share of the largest safe one */
    double gamma_d;
    /* share of the largest safe gamma_d that is used where gamma_d is 0 */
    double share;
    /* ridge added to the diagonal */
    double ridge;
    /* dimensions kept of the learned space, by principal components; 0: all */
    int64_t rank;
} akin_lrml_options;

#define AKIN_LRML_DEFAULTS \
    { \
        {"lrml", sizeof(akin_lrml_options)}, \
        .k = 6, \
        .gamma_s = 1.0, \
        .gamma_d = 0.0, \
        .share = 0.9, \
        .ridge = 0.0, \
        .rank = 0, \
    }

/* ranks labels by a full matrix, learned online;
 * docs/reference/learners/perceptron.md */
typedef struct akin_perceptron_options {
    akin_options head;
    /* step size; 0 = auto (0.1, and 0.3 in relative units) */
    double eta;
    /* push the best wrong label down once per violation, or once per row, as
     * the paper prints */
    const char *ybar;
    /* steps relative to the squared length of the rows, or as published;
     * auto: relative for dense rows */
    const char *units;
    /* a constant column beside those of the rows; auto: for dense rows */
    const char *constant;
    /* the matrix as it is at the end, or the mean of all that were before;
     * auto: all for dense rows */
    const char *average;
} akin_perceptron_options;

#define AKIN_PERCEPTRON_DEFAULTS \
    { \
        {"perceptron", sizeof(akin_perceptron_options)}, \
        .eta = 0.0, \
        .ybar = "count", \
        .units = "auto", \
        .constant = "auto", \
        .average = "auto", \
    }

/* ranks labels by a full matrix that uses few features;
 * docs/reference/learners/group-perceptron.md */
typedef struct akin_group_perceptron_options {
    akin_options head;
    /* step size */
    double eta;
    /* exponent of the norms of columns, 2 or more (2: the plain perceptron);
     * 0 = the logarithm of the dimension */
    double exponent;
    /* push the best wrong label down once per violation, or once per row, as
     * the paper prints */
    const char *ybar;
    /* steps relative to the squared length of the rows, or as published;
     * auto: relative for dense rows */
    const char *units;
    /* a constant column beside those of the rows; auto: for dense rows */
    const char *constant;
    /* the matrix as it is at the end, or the mean of all that were before;
     * auto: all for dense rows */
    const char *average;
} akin_group_perceptron_options;

#define AKIN_GROUP_PERCEPTRON_DEFAULTS \
    { \
        {"group-perceptron", sizeof(akin_group_perceptron_options)}, \
        .eta = 3.0, \
        .exponent = 0.0, \
        .ybar = "count", \
        .units = "auto", \
        .constant = "auto", \
        .average = "auto", \
    }

/* probabilities of labels, which rows are compared by;
 * docs/reference/learners/logistic.md */
typedef struct akin_logistic_options {
    akin_options head;
    /* strength of the L2 penalty, relative to the variance of the rows */
    double lambda;
    /* rows are compared by this power of their probabilities */
    double sharpness;
    /* stops when the gradient is this fraction of that at the start */
    double tol;
    /* maximum number of iterations */
    int64_t max_iterations;
} akin_logistic_options;

#define AKIN_LOGISTIC_DEFAULTS \
    { \
        {"logistic", sizeof(akin_logistic_options)}, \
        .lambda = 0.1, \
        .sharpness = 2.0, \
        .tol = 1e-3, \
        .max_iterations = 1000, \
    }

/* probabilities of labels by the labelled rows around;
 * docs/reference/learners/kernel-ridge.md */
typedef struct akin_kernel_ridge_options {
    akin_options head;
    /* falls with the distance of rows, or with its square */
    const char *kernel;
    /* how narrow the kernel is, relative to the median distance */
    double narrow;
    /* strength of the penalty */
    double lambda;
    /* rows that the model keeps; 0: all, at most 2000 */
    int64_t support;
    /* rows are compared by this power of their probabilities */
    double sharpness;
} akin_kernel_ridge_options;

#define AKIN_KERNEL_RIDGE_DEFAULTS \
    { \
        {"kernel-ridge", sizeof(akin_kernel_ridge_options)}, \
        .kernel = "laplacian", \
        .narrow = 1.0, \
        .lambda = 0.1, \
        .support = 0, \
        .sharpness = 1.0, \
    }

/* logistic regression and lda in one, by labels or as a distance;
 * docs/reference/learners/blend.md */
typedef struct akin_blend_options {
    akin_options head;
    /* classes: labels by Gaussian classes; else a distance: of whitened
     * rows, of lda, or of lda and the rows */
    const char *with;
    /* of logistic regression in the blend */
    double share;
    /* strength of its penalty, as that of logistic */
    double lambda;
    /* of the covariance within classes towards a multiple of the identity;
     * -1: by the rule of Ledoit and Wolf */
    double shrinkage;
    /* rows are compared by this power of their probabilities */
    double sharpness;
} akin_blend_options;

#define AKIN_BLEND_DEFAULTS \
    { \
        {"blend", sizeof(akin_blend_options)}, \
        .with = "classes", \
        .share = 0.5, \
        .lambda = 0.01, \
        .shrinkage = -1.0, \
        .sharpness = 2.0, \
    }

/* directions of two kinds of rows that correlate most;
 * docs/reference/learners/cca.md */
typedef struct akin_cca_options {
    akin_options head;
    /* maximum number of directions to keep; auto: 10 from a list of pairs,
     * all that correlate from labels */
    int64_t rank;
    /* ridge on both covariances, as a multiple of their mean variance; -1:
     * by the rule of Ledoit and Wolf */
    double reg;
    /* directions are weighted by this power of their correlation */
    double power;
    /* how the model compares rows; auto: what does best on held-out examples */
    const char *score;
    /* weight of the cosine of the rows themselves beside the learned score,
     * where both sides have the same columns; -1: for rows of one kind what
     * does best on held-out examples */
    double blend;
} akin_cca_options;

#define AKIN_CCA_DEFAULTS \
    { \
        {"cca", sizeof(akin_cca_options)}, \
        .rank = 0, \
        .reg = -1.0, \
        .power = 1.0, \
        .score = "auto", \
        .blend = -1.0, \
    }

/* similarity of full rank between two kinds of rows;
 * docs/reference/learners/arc-t.md */
typedef struct akin_arc_t_options {
    akin_options head;
    /* weight of the pairs against the norm of the matrix */
    double C;
    /* least similarity wanted of a matching pair */
    double lower;
    /* largest similarity wanted of a pair that does not match */
    double upper;
    /* directions kept of the result; 0: all */
    int64_t rank;
    /* how the model compares rows; auto: what does best on held-out examples */
    const char *score;
    /* weight of the cosine of the rows themselves beside the learned score,
     * where both sides have the same columns; -1: for rows of one kind what
     * does best on held-out examples */
    double blend;
    /* stop when the gradient falls below this share of the first one */
    double tol;
    /* maximum number of iterations */
    int64_t max_iterations;
    /* learn in the space of a kernel; precomputed: the rows are a kernel
     * matrix */
    const char *kernel;
    /* scale of rbf, laplacian, chi2 and poly; 0: from the median distance or
     * the mean square length */
    double gamma;
    /* constant of poly */
    double coef;
    /* degree of poly */
    int64_t degree;
    /* support rows of a kernel; 0: all, at most 4000 */
    int64_t support;
    /* in the space of a kernel, rows are centred or as they are */
    const char *origin;
    /* in the space of a kernel, rows are scaled to a mean square length of
     * 1, or not */
    const char *length;
    /* kernel of the right side, if another */
    const char *kernel_right;
} akin_arc_t_options;

#define AKIN_ARC_T_DEFAULTS \
    { \
        {"arc-t", sizeof(akin_arc_t_options)}, \
        .C = 100.0, \
        .lower = 1.0, \
        .upper = -1.0, \
        .rank = 0, \
        .score = "auto", \
        .blend = -1.0, \
        .tol = 1e-6, \
        .max_iterations = 300, \
        .kernel = "none", \
        .gamma = 0.0, \
        .coef = 1.0, \
        .degree = 3, \
        .support = 0, \
        .origin = "mean", \
        .length = "one", \
        .kernel_right = "same", \
    }

/* one metric for two kinds of rows of the same columns;
 * docs/reference/learners/symm.md */
typedef struct akin_symm_options {
    akin_options head;
    /* weight of the target distances against staying near the identity */
    double gamma;
    /* stop when the Newton decrement falls below this */
    double tol;
    /* maximum number of iterations */
    int64_t max_iterations;
} akin_symm_options;

#define AKIN_SYMM_DEFAULTS \
    { \
        {"symm", sizeof(akin_symm_options)}, \
        .gamma = 0.01, \
        .tol = 1e-6, \
        .max_iterations = 200, \
    }

/* a support vector machine for each label; docs/reference/learners/svm-t.md */
typedef struct akin_svm_t_options {
    akin_options head;
    /* weight of the losses against the norm of the weights */
    double C;
    /* number that stands after every row, for an offset of each label; 0: no
     * offset */
    double bias;
    /* of a margin z: max(0, 1 - z), or its square */
    const char *loss;
    /* stop when no optimality condition is violated by more */
    double tol;
    /* maximum number of sweeps */
    int64_t max_sweeps;
    /* learn in the space of a kernel; precomputed: the rows are a kernel
     * matrix */
    const char *kernel;
    /* scale of rbf, laplacian, chi2 and poly; 0: from the median distance or
     * the mean square length */
    double gamma;
    /* constant of poly */
    double coef;
    /* degree of poly */
    int64_t degree;
    /* support rows of a kernel; 0: all, at most 4000 */
    int64_t support;
    /* in the space of a kernel, rows are centred or as they are */
    const char *origin;
    /* in the space of a kernel, rows are scaled to a mean square length of
     * 1, or not */
    const char *length;
} akin_svm_t_options;

#define AKIN_SVM_T_DEFAULTS \
    { \
        {"svm-t", sizeof(akin_svm_t_options)}, \
        .C = 10.0, \
        .bias = 1.0, \
        .loss = "hinge2", \
        .tol = 1e-6, \
        .max_sweeps = 10000, \
        .kernel = "none", \
        .gamma = 0.0, \
        .coef = 1.0, \
        .degree = 3, \
        .support = 0, \
        .origin = "mean", \
        .length = "one", \
    }

/* support vector machines helped by rows of another kind;
 * docs/reference/learners/hfa.md */
typedef struct akin_hfa_options {
    akin_options head;
    /* weight of the losses against the norm of the weights */
    double C;
    /* largest trace of the transform that labels share */
    double lambda;
    /* of a margin z: max(0, 1 - z), or its square */
    const char *loss;
    /* stop when the duality gap falls below this share of the objective */
    double tol;
    /* maximum number of iterations */
    int64_t max_iterations;
    /* maximum number of sweeps of a machine in each iteration */
    int64_t max_sweeps;
    /* learn in the space of a kernel; precomputed: the rows are a kernel
     * matrix */
    const char *kernel;
    /* scale of rbf, laplacian, chi2 and poly; 0: from the median distance or
     * the mean square length */
    double gamma;
    /* constant of poly */
    double coef;
    /* degree of poly */
    int64_t degree;
    /* support rows of a kernel; 0: all, at most 4000 */
    int64_t support;
    /* kernel of the right side, if another */
    const char *kernel_right;
    /* in the space of a kernel, rows are centred or as they are */
    const char *origin;
    /* in the space of a kernel, rows are scaled to a mean square length of
     * 1, or not */
    const char *length;
} akin_hfa_options;

#define AKIN_HFA_DEFAULTS \
    { \
        {"hfa", sizeof(akin_hfa_options)}, \
        .C = 1.0, \
        .lambda = 100.0, \
        .loss = "hinge", \
        .tol = 1e-3, \
        .max_iterations = 200, \
        .max_sweeps = 1000, \
        .kernel = "none", \
        .gamma = 0.0, \
        .coef = 1.0, \
        .degree = 3, \
        .support = 0, \
        .kernel_right = "same", \
        .origin = "mean", \
        .length = "one", \
    }

/* similarity of fixed rank between two kinds of rows;
 * docs/reference/learners/rsl.md */
typedef struct akin_rsl_options {
    akin_options head;
    /* rank of the similarity; 0: the number of classes, or 10 */
    int64_t rank;
    /* weight of the squared norm against the loss */
    double lambda;
    /* log(1 + e^-yf), max(0, 1 - yf)^2 or (f - y)^2 */
    const char *loss;
    /* the loss is the mean over the pairs, or their sum */
    const char *loss_scale;
    /* half the squared norm, or the norm as published */
    const char *reg;
    /* exact, or by differences of gradients as published */
    const char *hessian;
    /* classes: rows are centred at the mean of the class means (sparse rows
     * stay sparse), pairs as mean; mean: at the mean; zero: as they are */
    const char *origin;
    /* one: rows are scaled to a mean square length of 1; given: not scaled */
    const char *length;
    /* the first start; further ones are random */
    const char *start;
    /* number of starts; the best result is kept */
    int64_t starts;
    /* stop when the gradient falls below this share of the first one */
    double tol;
    /* maximum number of iterations of each start */
    int64_t max_iterations;
    /* how the model compares rows; auto: what does best on held-out examples */
    const char *score;
    /* 1: after learning from labels, compare rows by the shares of the class
     * means in them (up to 256 classes) */
    int64_t prototypes;
    /* weight of the cosine of the rows themselves beside the learned score,
     * where both sides have the same columns; -1: for rows of one kind what
     * does best on held-out examples */
    double blend;
    /* learn in the space of a kernel; precomputed: the rows are a kernel
     * matrix; auto: rbf for up to 4000 dense rows with labels, on at most
     * 1000 support rows, else none */
    const char *kernel;
    /* kernel of the right side, if another */
    const char *kernel_right;
    /* scale of rbf, laplacian, chi2 and poly; 0: from the median distance or
     * the mean square length */
    double gamma;
    /* constant of poly */
    double coef;
    /* degree of poly */
    int64_t degree;
    /* support rows of a kernel; 0: all, at most 4000 */
    int64_t support;
    /* 1: first check the derivatives against finite differences */
    int64_t check_derivatives;
} akin_rsl_options;

#define AKIN_RSL_DEFAULTS \
    { \
        {"rsl", sizeof(akin_rsl_options)}, \
        .rank = 0, \
        .lambda = 1e-5, \
        .loss = "log", \
        .loss_scale = "mean", \
        .reg = "sq", \
        .hessian = "exact", \
        .origin = "classes", \
        .length = "one", \
        .start = "spectral", \
        .starts = 1, \
        .tol = 1e-6, \
        .max_iterations = 1000, \
        .score = "auto", \
        .prototypes = 1, \
        .blend = -1.0, \
        .kernel = "auto", \
        .kernel_right = "same", \
        .gamma = 0.0, \
        .coef = 1.0, \
        .degree = 3, \
        .support = 0, \
        .check_derivatives = 0, \
    }

/* rare words count more; nothing is learned;
 * docs/reference/learners/tfidf.md */
typedef struct akin_tfidf_options {
    akin_options head;
} akin_tfidf_options;

#define AKIN_TFIDF_DEFAULTS \
    { \
        {"tfidf", sizeof(akin_tfidf_options)}, \
    }

/* votes of lrr, weighted by what they found, and how photos are named;
 * docs/reference/learners/fused.md */
typedef struct akin_fused_options {
    akin_options head;
    /* how a representation becomes an affinity from 0 to 1 */
    const char *affinity;
    /* weight of the reconstruction error; 0: from the data */
    double lambda;
    /* lambda auto is this times the mean over faces of the norm of S^-1 v */
    double kappa;
    /* initial penalty of the solver */
    double rho;
    /* growth of rho a step; 0 converges to the optimum, slowly */
    double delta_rho;
    /* upper limit of rho */
    double rho_max;
    /* residuals at which the solver stops */
    double eps;
    /* stop also when the value is certified to lie within this share of the
     * optimum; 0: never */
    double gap;
    /* maximum number of iterations */
    int64_t iterations;
    /* nearest faces of a name */
    int64_t k;
    /* rounds of estimation */
    int64_t rounds;
} akin_fused_options;

#define AKIN_FUSED_DEFAULTS \
    { \
        {"fused", sizeof(akin_fused_options)}, \
        .affinity = "minmax", \
        .lambda = 0.0, \
        .kappa = 0.85, \
        .rho = 0.1, \
        .delta_rho = 0.2, \
        .rho_max = 1e10, \
        .eps = 1e-4, \
        .gap = 0.0, \
        .iterations = 200, \
        .k = 5, \
        .rounds = 12, \
    }

/* low-rank representation of faces by faces; docs/reference/learners/lrr.md */
typedef struct akin_lrr_options {
    akin_options head;
    /* how a representation becomes an affinity from 0 to 1 */
    const char *affinity;
    /* weight of the reconstruction error; 0: from the data */
    double lambda;
    /* lambda auto is this times the mean over faces of the norm of S^-1 v */
    double kappa;
    /* initial penalty of the solver */
    double rho;
    /* growth of rho a step; 0 converges to the optimum, slowly */
    double delta_rho;
    /* upper limit of rho */
    double rho_max;
    /* residuals at which the solver stops */
    double eps;
    /* stop also when the value is certified to lie within this share of the
     * optimum; 0: never */
    double gap;
    /* maximum number of iterations */
    int64_t iterations;
    /* the first round: each face has all names of its caption, whole or in
     * equal parts */
    const char *start;
    /* maximum number of rounds */
    int64_t rounds;
    /* score of a name: the mean affinity to its faces, or the bound that
     * never lets the objective fall */
    const char *surrogate;
    /* 1: a face counts among the faces of its name */
    int64_t self_votes;
    /* how a number of names is reached: theta anew in each round, exactly,
     * or one theta for all rounds, by bisection */
    const char *count_by;
} akin_lrr_options;

#define AKIN_LRR_DEFAULTS \
    { \
        {"lrr", sizeof(akin_lrr_options)}, \
        .affinity = "minmax", \
        .lambda = 0.0, \
        .kappa = 0.85, \
        .rho = 0.1, \
        .delta_rho = 0.2, \
        .rho_max = 1e10, \
        .eps = 1e-4, \
        .gap = 0.0, \
        .iterations = 200, \
        .start = "ones", \
        .rounds = 15, \
        .surrogate = "mean", \
        .self_votes = 0, \
        .count_by = "gains", \
    }

/* low-rank representation that prefers faces with a shared name;
 * docs/reference/learners/rlrr.md */
typedef struct akin_rlrr_options {
    akin_options head;
    /* how a representation becomes an affinity from 0 to 1 */
    const char *affinity;
    /* weight of the reconstruction error; 0: from the data */
    double lambda;
    /* lambda auto is this times the mean over faces of the norm of S^-1 v */
    double kappa;
    /* initial penalty of the solver */
    double rho;
    /* growth of rho a step; 0 converges to the optimum, slowly */
    double delta_rho;
    /* upper limit of rho */
    double rho_max;
    /* residuals at which the solver stops */
    double eps;
    /* stop also when the value is certified to lie within this share of the
     * optimum; 0: never */
    double gap;
    /* maximum number of iterations */
    int64_t iterations;
    /* penalty of faces that share no name */
    double gamma;
    /* faces that share no name, the face itself, or both */
    const char *penalise;
    /* dense matrices of all faces by all faces, or factors only */
    const char *form;
    /* the first round: each face has all names of its caption, whole or in
     * equal parts */
    const char *start;
    /* maximum number of rounds */
    int64_t rounds;
    /* score of a name: the mean affinity to its faces, or the bound that
     * never lets the objective fall */
    const char *surrogate;
    /* 1: a face counts among the faces of its name */
    int64_t self_votes;
    /* how a number of names is reached: theta anew in each round, exactly,
     * or one theta for all rounds, by bisection */
    const char *count_by;
} akin_rlrr_options;

#define AKIN_RLRR_DEFAULTS \
    { \
        {"rlrr", sizeof(akin_rlrr_options)}, \
        .affinity = "minmax", \
        .lambda = 0.0, \
        .kappa = 0.85, \
        .rho = 0.1, \
        .delta_rho = 0.2, \
        .rho_max = 1e10, \
        .eps = 1e-4, \
        .gap = 0.0, \
        .iterations = 200, \
        .gamma = 0.03, \
        .penalise = "both", \
        .form = "auto", \
        .start = "ones", \
        .rounds = 15, \
        .surrogate = "mean", \
        .self_votes = 1, \
        .count_by = "gains", \
    }

/* lrr and the kernel of asml together; docs/reference/learners/lrrml.md */
typedef struct akin_lrrml_options {
    akin_options head;
    /* how a representation becomes an affinity from 0 to 1 */
    const char *affinity;
    /* weight of the reconstruction error; 0: from the data */
    double lambda;
    /* lambda auto is this times the mean over faces of the norm of S^-1 v */
    double kappa;
    /* initial penalty of the solver */
    double rho;
    /* growth of rho a step; 0 converges to the optimum, slowly */
    double delta_rho;
    /* upper limit of rho */
    double rho_max;
    /* residuals at which the solver stops */
    double eps;
    /* stop also when the value is certified to lie within this share of the
     * optimum; 0: never */
    double gap;
    /* maximum number of iterations */
    int64_t iterations;
    /* pull towards the plain distance */
    double sigma;
    /* rounds of asml, each with the labels that fit best */
    int64_t outer;
    /* principal components of the faces that asml keeps; 0: all */
    int64_t pca;
    /* share of asml's kernel */
    double alpha;
    /* the first round: each face has all names of its caption, whole or in
     * equal parts */
    const char *start;
    /* maximum number of rounds */
    int64_t rounds;
    /* score of a name: the mean affinity to its faces, or the bound that
     * never lets the objective fall */
    const char *surrogate;
    /* 1: a face counts among the faces of its name */
    int64_t self_votes;
    /* how a number of names is reached: theta anew in each round, exactly,
     * or one theta for all rounds, by bisection */
    const char *count_by;
} akin_lrrml_options;

#define AKIN_LRRML_DEFAULTS \
    { \
        {"lrrml", sizeof(akin_lrrml_options)}, \
        .affinity = "minmax", \
        .lambda = 0.0, \
        .kappa = 0.85, \
        .rho = 0.1, \
        .delta_rho = 0.2, \
        .rho_max = 1e10, \
        .eps = 1e-4, \
        .gap = 0.0, \
        .iterations = 200, \
        .sigma = 0.01, \
        .outer = 5, \
        .pca = 0, \
        .alpha = 0.1, \
        .start = "ones", \
        .rounds = 15, \
        .surrogate = "mean", \
        .self_votes = 1, \
        .count_by = "gains", \
    }

/* rlrr and the kernel of asml together; docs/reference/learners/rlrrml.md */
typedef struct akin_rlrrml_options {
    akin_options head;
    /* how a representation becomes an affinity from 0 to 1 */
    const char *affinity;
    /* weight of the reconstruction error; 0: from the data */
    double lambda;
    /* lambda auto is this times the mean over faces of the norm of S^-1 v */
    double kappa;
    /* initial penalty of the solver */
    double rho;
    /* growth of rho a step; 0 converges to the optimum, slowly */
    double delta_rho;
    /* upper limit of rho */
    double rho_max;
    /* residuals at which the solver stops */
    double eps;
    /* stop also when the value is certified to lie within this share of the
     * optimum; 0: never */
    double gap;
    /* maximum number of iterations */
    int64_t iterations;
    /* penalty of faces that share no name */
    double gamma;
    /* faces that share no name, the face itself, or both */
    const char *penalise;
    /* dense matrices of all faces by all faces, or factors only */
    const char *form;
    /* pull towards the plain distance */
    double sigma;
    /* rounds of asml, each with the labels that fit best */
    int64_t outer;
    /* principal components of the faces that asml keeps; 0: all */
    int64_t pca;
    /* share of asml's kernel */
    double alpha;
    /* the first round: each face has all names of its caption, whole or in
     * equal parts */
    const char *start;
    /* maximum number of rounds */
    int64_t rounds;
    /* score of a name: the mean affinity to its faces, or the bound that
     * never lets the objective fall */
    const char *surrogate;
    /* 1: a face counts among the faces of its name */
    int64_t self_votes;
    /* how a number of names is reached: theta anew in each round, exactly,
     * or one theta for all rounds, by bisection */
    const char *count_by;
} akin_rlrrml_options;

#define AKIN_RLRRML_DEFAULTS \
    { \
        {"rlrrml", sizeof(akin_rlrrml_options)}, \
        .affinity = "minmax", \
        .lambda = 0.0, \
        .kappa = 0.85, \
        .rho = 0.1, \
        .delta_rho = 0.2, \
        .rho_max = 1e10, \
        .eps = 1e-4, \
        .gap = 0.0, \
        .iterations = 200, \
        .gamma = 0.03, \
        .penalise = "both", \
        .form = "auto", \
        .sigma = 0.01, \
        .outer = 5, \
        .pca = 0, \
        .alpha = 0.1, \
        .start = "ones", \
        .rounds = 15, \
        .surrogate = "mean", \
        .self_votes = 1, \
        .count_by = "gains", \
    }

/* a metric from candidate names, by margins; docs/reference/learners/asml.md */
typedef struct akin_asml_options {
    akin_options head;
    /* pull towards the plain distance */
    double sigma;
    /* rounds, each with the labels that fit best */
    int64_t outer;
    /* passes over the photos in a round */
    int64_t epochs;
    /* photos a step; 0: all */
    int64_t batch;
    /* change of the metric in a round that ends it */
    double eps;
    /* dimensions kept of the learned space, by principal components; 0: all */
    int64_t rank;
    /* principal components of the faces to keep; 0: all */
    int64_t pca;
} akin_asml_options;

#define AKIN_ASML_DEFAULTS \
    { \
        {"asml", sizeof(akin_asml_options)}, \
        .sigma = 0.01, \
        .outer = 5, \
        .epochs = 4, \
        .batch = 100, \
        .eps = 1e-4, \
        .rank = 0, \
        .pca = 0, \
    }

/* a linear score for each name, by margins; docs/reference/learners/mms.md */
typedef struct akin_mms_options {
    akin_options head;
    /* pull of the weights towards zero */
    double sigma;
    /* rounds, each with the labels that fit best */
    int64_t outer;
    /* passes over the photos in a round */
    int64_t epochs;
    /* photos a step; 0: all */
    int64_t batch;
    /* change of the weights in a round that ends it */
    double eps;
} akin_mms_options;

#define AKIN_MMS_DEFAULTS \
    { \
        {"mms", sizeof(akin_mms_options)}, \
        .sigma = 0.01, \
        .outer = 5, \
        .epochs = 4, \
        .batch = 20, \
        .eps = 1e-4, \
    }

/* a vote of the nearest faces; docs/reference/learners/knn.md */
typedef struct akin_knn_options {
    akin_options head;
    /* nearest faces that vote */
    int64_t k;
    /* the first round: each face has all names of its caption, whole or in
     * equal parts */
    const char *start;
    /* maximum number of rounds */
    int64_t rounds;
} akin_knn_options;

#define AKIN_KNN_DEFAULTS \
    { \
        {"knn", sizeof(akin_knn_options)}, \
        .k = 5, \
        .start = "ones", \
        .rounds = 15, \
    }

/* the mean direction of a name's faces; docs/reference/learners/mean.md */
typedef struct akin_mean_options {
    akin_options head;
    /* the first round: each face has all names of its caption, whole or in
     * equal parts */
    const char *start;
    /* maximum number of rounds */
    int64_t rounds;
} akin_mean_options;

#define AKIN_MEAN_DEFAULTS \
    { \
        {"mean", sizeof(akin_mean_options)}, \
        .start = "ones", \
        .rounds = 15, \
    }

/* the nearest mean of a name's faces; docs/reference/learners/kmeans.md */
typedef struct akin_kmeans_options {
    akin_options head;
    /* the first round: each face has all names of its caption, whole or in
     * equal parts */
    const char *start;
    /* maximum number of rounds */
    int64_t rounds;
} akin_kmeans_options;

#define AKIN_KMEANS_DEFAULTS \
    { \
        {"kmeans", sizeof(akin_kmeans_options)}, \
        .start = "ones", \
        .rounds = 15, \
    }

/* by plain distances, nothing is learned; docs/reference/learners/kernel.md */
typedef struct akin_kernel_options {
    akin_options head;
    /* the first round: each face has all names of its caption, whole or in
     * equal parts */
    const char *start;
    /* maximum number of rounds */
    int64_t rounds;
    /* score of a name: the mean affinity to its faces, or the bound that
     * never lets the objective fall */
    const char *surrogate;
    /* 1: a face counts among the faces of its name */
    int64_t self_votes;
    /* how a number of names is reached: theta anew in each round, exactly,
     * or one theta for all rounds, by bisection */
    const char *count_by;
} akin_kernel_options;

#define AKIN_KERNEL_DEFAULTS \
    { \
        {"kernel", sizeof(akin_kernel_options)}, \
        .start = "ones", \
        .rounds = 15, \
        .surrogate = "mean", \
        .self_votes = 1, \
        .count_by = "gains", \
    }

/* a metric from photos that share a name; docs/reference/learners/mildml.md */
typedef struct akin_mildml_options {
    akin_options head;
    /* dimensions of the learned space */
    int64_t rank;
    /* stops when ten iterations improve the objective by less than this
     * fraction */
    double tol;
    /* maximum number of iterations */
    int64_t iterations;
    /* a hundredth of the stops when ten iterations improve the objective by
     * less than this fraction */
    double eps;
    /* the first round: each face has all names of its caption, whole or in
     * equal parts */
    const char *start;
    /* maximum number of rounds */
    int64_t rounds;
    /* score of a name: the mean affinity to its faces, or the bound that
     * never lets the objective fall */
    const char *surrogate;
    /* 1: a face counts among the faces of its name */
    int64_t self_votes;
    /* how a number of names is reached: theta anew in each round, exactly,
     * or one theta for all rounds, by bisection */
    const char *count_by;
} akin_mildml_options;

#define AKIN_MILDML_DEFAULTS \
    { \
        {"mildml", sizeof(akin_mildml_options)}, \
        .rank = 64, \
        .tol = 0.01, \
        .iterations = 200, \
        .eps = 1e-4, \
        .start = "ones", \
        .rounds = 15, \
        .surrogate = "mean", \
        .self_votes = 1, \
        .count_by = "gains", \
    }

/* a Gaussian for each name and for none; docs/reference/learners/cgmm.md */
typedef struct akin_cgmm_options {
    akin_options head;
    /* the first round: each face has all names of its caption, whole or in
     * equal parts */
    const char *start;
    /* maximum number of rounds */
    int64_t rounds;
} akin_cgmm_options;

#define AKIN_CGMM_DEFAULTS \
    { \
        {"cgmm", sizeof(akin_cgmm_options)}, \
        .start = "ones", \
        .rounds = 15, \
    }

/* faces of a name are of low rank; then machines;
 * docs/reference/learners/lr-svm.md */
typedef struct akin_lr_svm_options {
    akin_options head;
    /* weight of the deviation from low rank */
    double sparse;
    /* weight of the margins against short weights */
    double C;
    /* initial penalty of the solver */
    double rho;
    /* growth of rho a step */
    double delta_rho;
    /* relative residual at which it ends */
    double eps;
    /* maximum number of iterations */
    int64_t iterations;
} akin_lr_svm_options;

#define AKIN_LR_SVM_DEFAULTS \
    { \
        {"lr-svm", sizeof(akin_lr_svm_options)}, \
        .sparse = 0.3, \
        .C = 0.01, \
        .rho = 0.1, \
        .delta_rho = 0.2, \
        .eps = 1e-4, \
        .iterations = 200, \
    }

#endif
