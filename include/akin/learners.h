/* akin/learners.h - the options of every learner and their defaults.
 * Included by akin/learn.h. Options are double, int64_t or const char *. */
#ifndef AKIN_LEARNERS_H
#define AKIN_LEARNERS_H

#include <akin/learn.h>

/* Sparse diagonal similarity, truncated gradient;
 * docs/reference/learners/solis-tg.md. */
typedef struct akin_solis_tg_options {
    akin_options head;
    double eta;
    double lambda;
    const char *clock;
    const char *start;
    double start_weight;
} akin_solis_tg_options;

#define AKIN_SOLIS_TG_DEFAULTS                                               \
    {                                                                        \
        {"solis-tg", sizeof(akin_solis_tg_options)},                         \
            .eta = 0.03, .lambda = 1e-5, .clock = "active", .start = "zero", \
            .start_weight = 0.3                                              \
    }

/* The same by dual averaging; docs/reference/learners/solis-da.md. */
typedef struct akin_solis_da_options {
    akin_options head;
    double lambda;
    double gamma;
    double rho;
    const char *clock;
    const char *start;
    double start_weight;
} akin_solis_da_options;

#define AKIN_SOLIS_DA_DEFAULTS                                             \
    {                                                                      \
        {"solis-da", sizeof(akin_solis_da_options)},                       \
            .lambda = 1e-5, .gamma = 0.003, .rho = 0.0, .clock = "active", \
            .start = "zero", .start_weight = 0.3                           \
    }

/* The same by adaptive forward-backward steps;
 * docs/reference/learners/solis-afb.md. */
typedef struct akin_solis_afb_options {
    akin_options head;
    double eta;
    double lambda;
    double delta;
    const char *clock;
    const char *start;
    double start_weight;
} akin_solis_afb_options;

#define AKIN_SOLIS_AFB_DEFAULTS                                            \
    {                                                                      \
        {"solis-afb", sizeof(akin_solis_afb_options)},                     \
            .eta = 0.03, .lambda = 1e-5, .delta = 3e-3, .clock = "active", \
            .start = "zero", .start_weight = 0.3                           \
    }

/* The same by adaptive dual averaging; docs/reference/learners/solis-ada.md. */
typedef struct akin_solis_ada_options {
    akin_options head;
    double eta;
    double lambda;
    double delta;
    const char *clock;
    const char *start;
    double start_weight;
} akin_solis_ada_options;

#define AKIN_SOLIS_ADA_DEFAULTS                                            \
    {                                                                      \
        {"solis-ada", sizeof(akin_solis_ada_options)},                     \
            .eta = 0.03, .lambda = 1e-5, .delta = 3e-3, .clock = "active", \
            .start = "zero", .start_weight = 0.3                           \
    }

/* Passive-aggressive diagonal similarity;
 * docs/reference/learners/oasis-diag.md. */
typedef struct akin_oasis_diag_options {
    akin_options head;
    double C;
} akin_oasis_diag_options;

#define AKIN_OASIS_DIAG_DEFAULTS                                  \
    {                                                             \
        {"oasis-diag", sizeof(akin_oasis_diag_options)}, .C = 0.1 \
    }

/* Diagonal metric by LogDet steps; docs/reference/learners/lego-diag.md. */
typedef struct akin_lego_diag_options {
    akin_options head;
    double eta;
    double y_sim;
    double y_dis;
    const char *targets;
} akin_lego_diag_options;

#define AKIN_LEGO_DIAG_DEFAULTS                                           \
    {                                                                     \
        {"lego-diag", sizeof(akin_lego_diag_options)},                    \
            .eta = 0.1, .y_sim = 1.0, .y_dis = 1.9, .targets = "equality" \
    }

/* Codebook weights by a quadratic program; docs/reference/learners/qpao.md. */
typedef struct akin_qpao_options {
    akin_options head;
    double C;
    double w0;
    double tol;
    int64_t max_sweeps;
} akin_qpao_options;

#define AKIN_QPAO_DEFAULTS                                                     \
    {                                                                          \
        {"qpao", sizeof(akin_qpao_options)}, .C = 1.0, .w0 = 0.0, .tol = 1e-3, \
                                             .max_sweeps = 200                 \
    }

/* Large-margin diagonal metric, batch; docs/reference/learners/lmnn-diag.md. */
typedef struct akin_lmnn_diag_options {
    akin_options head;
    double mu;
    double tol;
    int64_t max_iterations;
} akin_lmnn_diag_options;

#define AKIN_LMNN_DIAG_DEFAULTS                            \
    {                                                      \
        {"lmnn-diag", sizeof(akin_lmnn_diag_options)},     \
            .mu = 0.99, .tol = 1e-3, .max_iterations = 300 \
    }

/* Term frequency and inverse document frequency, no supervision. */
typedef struct akin_tfidf_options {
    akin_options head;
} akin_tfidf_options;

#define AKIN_TFIDF_DEFAULTS                     \
    {                                           \
        {                                       \
            "tfidf", sizeof(akin_tfidf_options) \
        }                                       \
    }

/* Low-rank similarity W = A B' on the manifold;
 * docs/reference/learners/loreta-1.md. */
typedef struct akin_loreta_1_options {
    akin_options head;
    int64_t rank;
    double eta;
    double max_s;
    const char *start;
    const char *score;
    int64_t prototypes;
    const char *average;
    const char *form;
    const char *task;
    const char *ybar;
} akin_loreta_1_options;

#define AKIN_LORETA_1_DEFAULTS                                        \
    {                                                                 \
        {"loreta-1", sizeof(akin_loreta_1_options)},                  \
            .rank = 0, .eta = 0.0, .max_s = 1.0, .start = "identity", \
            .score = "dot", .prototypes = 0, .average = "none",       \
            .form = "auto", .task = "similarity", .ybar = "count"     \
    }

/* The same with W = Y Y'; docs/reference/learners/loreta-psd.md. */
typedef struct akin_loreta_psd_options {
    akin_options head;
    int64_t rank;
    double eta;
    double max_s;
    const char *start;
    const char *score;
    int64_t prototypes;
    const char *average;
    const char *form;
    double blend;
} akin_loreta_psd_options;

#define AKIN_LORETA_PSD_DEFAULTS                                      \
    {                                                                 \
        {"loreta-psd", sizeof(akin_loreta_psd_options)},              \
            .rank = 0, .eta = 3.0, .max_s = 1.0, .start = "identity", \
            .score = "cosine", .prototypes = 0, .average = "none",    \
            .form = "auto", .blend = 0.0                              \
    }

/* Several triplets to a step; docs/reference/learners/loreta.md. */
typedef struct akin_loreta_options {
    akin_options head;
    int64_t rank;
    double eta;
    double max_s;
    const char *start;
    const char *score;
    int64_t prototypes;
    const char *average;
    const char *form;
    int64_t batch;
} akin_loreta_options;

#define AKIN_LORETA_DEFAULTS                                          \
    {                                                                 \
        {"loreta", sizeof(akin_loreta_options)},                      \
            .rank = 0, .eta = 3.0, .max_s = 1.0, .start = "identity", \
            .score = "dot", .prototypes = 0, .average = "none",       \
            .form = "auto", .batch = 4                                \
    }

/* Steps on the manifold, and between them steps inside the learned space;
 * docs/reference/learners/loreta-mi.md. */
typedef struct akin_loreta_mi_options {
    akin_options head;
    int64_t rank;
    double eta;
    double max_s;
    const char *start;
    const char *score;
    int64_t prototypes;
    const char *form;
    int64_t inner;
    double eta2;
} akin_loreta_mi_options;

#define AKIN_LORETA_MI_DEFAULTS                                          \
    {                                                                    \
        {"loreta-mi", sizeof(akin_loreta_mi_options)},                   \
            .rank = 0, .eta = 3.0, .max_s = 1.0, .start = "identity",    \
            .score = "dot", .prototypes = 0, .form = "auto", .inner = 1, \
            .eta2 = 0.01                                                 \
    }

/* Fixed rank between two kinds of rows; docs/reference/learners/rsl.md. */
typedef struct akin_rsl_options {
    akin_options head;
    int64_t rank;
    double lambda;
    const char *loss;
    const char *loss_scale;
    const char *reg;
    const char *hessian;
    const char *origin;
    const char *length;
    const char *start;
    int64_t starts;
    double tol;
    int64_t max_iterations;
    const char *score;
    int64_t prototypes;
    double blend;
    const char *kernel;
    const char *kernel_right;
    double gamma;
    double coef;
    int64_t degree;
    int64_t support;
    int64_t check_derivatives;
} akin_rsl_options;

#define AKIN_RSL_DEFAULTS                                                   \
    {                                                                       \
        {"rsl", sizeof(akin_rsl_options)},                                  \
            .rank = 0, .lambda = 3e-5, .loss = "log", .loss_scale = "mean", \
            .reg = "sq", .hessian = "exact", .origin = "mean",              \
            .length = "one", .start = "spectral", .starts = 1, .tol = 1e-6, \
            .max_iterations = 1000, .score = "cosine", .prototypes = 0,     \
            .blend = 0.0, .kernel = "none", .kernel_right = "same",         \
            .gamma = 0.0, .coef = 1.0, .degree = 3, .support = 0,           \
            .check_derivatives = 0                                          \
    }

/* Gradient steps on A and B; docs/reference/learners/gd.md. */
typedef struct akin_gd_options {
    akin_options head;
    int64_t rank;
    double eta;
    const char *start;
    const char *score;
    int64_t prototypes;
    const char *average;
} akin_gd_options;

#define AKIN_GD_DEFAULTS                                                   \
    {                                                                      \
        {"gd", sizeof(akin_gd_options)},                                   \
            .rank = 0, .eta = 0.3, .start = "identity", .score = "cosine", \
            .prototypes = 0, .average = "none"                             \
    }

/* The same with W = Y Y'; docs/reference/learners/psd-gd.md. */
typedef struct akin_psd_gd_options {
    akin_options head;
    int64_t rank;
    double eta;
    const char *start;
    const char *score;
    int64_t prototypes;
    const char *average;
} akin_psd_gd_options;

#define AKIN_PSD_GD_DEFAULTS                                               \
    {                                                                      \
        {"psd-gd", sizeof(akin_psd_gd_options)},                           \
            .rank = 0, .eta = 0.3, .start = "identity", .score = "cosine", \
            .prototypes = 0, .average = "none"                             \
    }

/* Passive-aggressive steps on A and B; docs/reference/learners/pa.md. */
typedef struct akin_pa_options {
    akin_options head;
    int64_t rank;
    double C;
    const char *order;
    const char *start;
    const char *score;
    int64_t prototypes;
    const char *average;
    const char *task;
    const char *ybar;
} akin_pa_options;

#define AKIN_PA_DEFAULTS                                                     \
    {                                                                        \
        {"pa", sizeof(akin_pa_options)},                                     \
            .rank = 0, .C = 0.3, .order = "sequential", .start = "identity", \
            .score = "cosine", .prototypes = 0, .average = "none",           \
            .task = "similarity", .ybar = "count"                            \
    }

/* Full bilinear similarity; docs/reference/learners/oasis.md. */
typedef struct akin_oasis_options {
    akin_options head;
    double C;
    double memory;
} akin_oasis_options;

#define AKIN_OASIS_DEFAULTS                                            \
    {                                                                  \
        {"oasis", sizeof(akin_oasis_options)}, .C = 0.1, .memory = 4.0 \
    }

/* Full metric by LogDet steps; docs/reference/learners/lego.md. */
typedef struct akin_lego_options {
    akin_options head;
    double eta;
    double y_sim;
    double y_dis;
    const char *targets;
    double memory;
} akin_lego_options;

#define AKIN_LEGO_DEFAULTS                                                 \
    {                                                                      \
        {"lego", sizeof(akin_lego_options)},                               \
            .eta = 0.1, .y_sim = 1.0, .y_dis = 1.9, .targets = "equality", \
            .memory = 4.0                                                  \
    }

/* Inverse covariance, nothing is learned;
 * docs/reference/learners/mahalanobis.md. */
typedef struct akin_mahalanobis_options {
    akin_options head;
    double ridge;
    int64_t rank;
} akin_mahalanobis_options;

#define AKIN_MAHALANOBIS_DEFAULTS                                       \
    {                                                                   \
        {"mahalanobis", sizeof(akin_mahalanobis_options)}, .ridge = 0.0 \
    }

/* Information-theoretic metric from pairs; docs/reference/learners/itml.md. */
typedef struct akin_itml_options {
    akin_options head;
    double gamma;
    double near; /* 0: taken from the pairs */
    double far;  /* 0: taken from the pairs */
    const char *start;
    const char *solver;
    double tol;
    int64_t max_iterations;
    int64_t rank;
} akin_itml_options;

#define AKIN_ITML_DEFAULTS                                                     \
    {                                                                          \
        {"itml", sizeof(akin_itml_options)},                                   \
            .gamma = 1.0, .near = 0.0, .far = 0.0, .start = "identity",        \
            .solver = "newton", .tol = 1e-6, .max_iterations = 1000, .rank = 0 \
    }

/* Sparse metric from few pairs, spread to all rows;
 * docs/reference/learners/s3ml.md. */
typedef struct akin_s3ml_options {
    akin_options head;
    const char *beta; /* "auto" or a number */
    const char *rho;  /* "auto" or a number */
    double beta_share;
    double rho_share;
    const char *start;
    const char *solver;
    double tol;
    int64_t max_iterations;
    int64_t rank;
    int64_t neighbours;
    double alpha;
    double theta;
} akin_s3ml_options;

#define AKIN_S3ML_DEFAULTS                                                \
    {                                                                     \
        {"s3ml", sizeof(akin_s3ml_options)},                              \
            .beta = "auto", .rho = "auto", .beta_share = 0.7,             \
            .rho_share = 0.5, .start = "identity", .solver = "auto",      \
            .tol = 1e-6, .max_iterations = 0, .rank = 0, .neighbours = 6, \
            .alpha = 0.5, .theta = 0.01                                   \
    }

/* The same from the pairs alone; docs/reference/learners/s2ml.md. */
typedef struct akin_s2ml_options {
    akin_options head;
    const char *beta; /* "auto" or a number */
    const char *rho;  /* "auto" or a number */
    double beta_share;
    double rho_share;
    const char *start;
    const char *solver;
    double tol;
    int64_t max_iterations;
    int64_t rank;
} akin_s2ml_options;

#define AKIN_S2ML_DEFAULTS                                           \
    {                                                                \
        {"s2ml", sizeof(akin_s2ml_options)},                         \
            .beta = "auto", .rho = "auto", .beta_share = 0.7,        \
            .rho_share = 0.5, .start = "identity", .solver = "auto", \
            .tol = 1e-6, .max_iterations = 0, .rank = 0              \
    }

/* The same, the diagonal not penalised; docs/reference/learners/sdml.md. */
typedef struct akin_sdml_options {
    akin_options head;
    const char *beta; /* "auto" or a number */
    const char *rho;  /* "auto" or a number */
    double beta_share;
    double rho_share;
    const char *start;
    const char *solver;
    double tol;
    int64_t max_iterations;
    int64_t rank;
} akin_sdml_options;

#define AKIN_SDML_DEFAULTS                                           \
    {                                                                \
        {"sdml", sizeof(akin_sdml_options)},                         \
            .beta = "auto", .rho = "auto", .beta_share = 0.7,        \
            .rho_share = 0.5, .start = "identity", .solver = "auto", \
            .tol = 1e-6, .max_iterations = 0, .rank = 0              \
    }

/* Large-margin metric; docs/reference/learners/lmnn.md. */
typedef struct akin_lmnn_options {
    akin_options head;
    double mu;
    double lambda;
    int64_t k;
    double tol;
    int64_t max_iterations;
    int64_t rank;
} akin_lmnn_options;

#define AKIN_LMNN_DEFAULTS                                                     \
    {                                                                          \
        {"lmnn", sizeof(akin_lmnn_options)}, .mu = 0.5, .lambda = 3.0, .k = 3, \
                                             .tol = 1e-5,                      \
                                             .max_iterations = 500, .rank = 0  \
    }

/* Neighbourhood components; docs/reference/learners/nca.md. */
typedef struct akin_nca_options {
    akin_options head;
    double lambda;
    double tol;
    int64_t max_iterations;
    int64_t rank;
} akin_nca_options;

#define AKIN_NCA_DEFAULTS                                                  \
    {                                                                      \
        {"nca", sizeof(akin_nca_options)}, .lambda = 0.0, .tol = 1e-5,     \
                                           .max_iterations = 50, .rank = 0 \
    }

/* Metric from pairs and neighbours; docs/reference/learners/lrml.md. */
typedef struct akin_lrml_options {
    akin_options head;
    int64_t k;
    double gamma_s;
    double gamma_d; /* 0: `share` of the largest safe one */
    double share;
    double ridge;
    int64_t rank;
} akin_lrml_options;

#define AKIN_LRML_DEFAULTS                                                 \
    {                                                                      \
        {"lrml", sizeof(akin_lrml_options)}, .k = 6, .gamma_s = 1.0,       \
                                             .gamma_d = 0.0, .share = 0.9, \
                                             .ridge = 0.0, .rank = 0       \
    }

/* Labels ranked by a full matrix; docs/reference/learners/perceptron.md. */
typedef struct akin_perceptron_options {
    akin_options head;
    double eta;
    const char *ybar;
} akin_perceptron_options;

#define AKIN_PERCEPTRON_DEFAULTS                                         \
    {                                                                    \
        {"perceptron", sizeof(akin_perceptron_options)}, .eta = 0.1,     \
                                                         .ybar = "count" \
    }

/* The same with few features in use;
 * docs/reference/learners/group-perceptron.md. */
typedef struct akin_group_perceptron_options {
    akin_options head;
    double eta;
    double exponent;
    const char *ybar;
} akin_group_perceptron_options;

#define AKIN_GROUP_PERCEPTRON_DEFAULTS                               \
    {                                                                \
        {"group-perceptron", sizeof(akin_group_perceptron_options)}, \
            .eta = 3.0, .exponent = 0.0, .ybar = "count"             \
    }

/* Directions of two kinds of rows that correlate;
 * docs/reference/learners/cca.md. */
typedef struct akin_cca_options {
    akin_options head;
    int64_t rank;
    double reg;
    double power;
} akin_cca_options;

#define AKIN_CCA_DEFAULTS                                          \
    {                                                              \
        {"cca", sizeof(akin_cca_options)}, .rank = 10, .reg = 0.1, \
                                           .power = 1.0            \
    }

/* A support vector machine for each label; docs/reference/learners/svm-t.md. */
typedef struct akin_svm_t_options {
    akin_options head;
    double C;
    const char *loss;
    double tol;
    int64_t max_sweeps;
    const char *kernel;
    double gamma;
    double coef;
    int64_t degree;
    int64_t support;
    const char *origin; /* of a kernel, as is length */
    const char *length;
} akin_svm_t_options;

#define AKIN_SVM_T_DEFAULTS                                              \
    {                                                                    \
        {"svm-t", sizeof(akin_svm_t_options)},                           \
            .C = 1.0, .loss = "hinge", .tol = 1e-6, .max_sweeps = 10000, \
            .kernel = "none", .gamma = 0.0, .coef = 1.0, .degree = 3,    \
            .support = 0, .origin = "mean", .length = "one"              \
    }

/* One metric for two kinds of rows; docs/reference/learners/symm.md. */
typedef struct akin_symm_options {
    akin_options head;
    double gamma;
    double tol;
    int64_t max_iterations;
} akin_symm_options;

#define AKIN_SYMM_DEFAULTS                                               \
    {                                                                    \
        {"symm", sizeof(akin_symm_options)}, .gamma = 0.01, .tol = 1e-6, \
                                             .max_iterations = 200       \
    }

/* Full similarity between two kinds of rows; docs/reference/learners/arc-t.md.
 */
typedef struct akin_arc_t_options {
    akin_options head;
    double C;
    double lower;
    double upper;
    int64_t rank;
    const char *score;
    double tol;
    int64_t max_iterations;
    const char *kernel;
    double gamma;
    double coef;
    int64_t degree;
    int64_t support;
    const char *origin; /* of a kernel, as is length */
    const char *length;
    const char *kernel_right;
} akin_arc_t_options;

#define AKIN_ARC_T_DEFAULTS                                           \
    {                                                                 \
        {"arc-t", sizeof(akin_arc_t_options)},                        \
            .C = 100.0, .lower = 1.0, .upper = -1.0, .rank = 0,       \
            .score = "cosine", .tol = 1e-6, .max_iterations = 300,    \
            .kernel = "none", .gamma = 0.0, .coef = 1.0, .degree = 3, \
            .support = 0, .origin = "mean", .length = "one",          \
            .kernel_right = "same"                                    \
    }

/* Machines of a target, helped by a source; docs/reference/learners/hfa.md. */
typedef struct akin_hfa_options {
    akin_options head;
    double C;
    double lambda;
    const char *loss;
    double tol;
    int64_t max_iterations;
    int64_t max_sweeps;
    const char *kernel;
    double gamma;
    double coef;
    int64_t degree;
    int64_t support;
    const char *kernel_right;
    const char *origin; /* of a kernel, as is length */
    const char *length;
} akin_hfa_options;

#define AKIN_HFA_DEFAULTS                                                \
    {                                                                    \
        {"hfa", sizeof(akin_hfa_options)},                               \
            .C = 1.0, .lambda = 100.0, .loss = "hinge", .tol = 1e-3,     \
            .max_iterations = 200, .max_sweeps = 1000, .kernel = "none", \
            .gamma = 0.0, .coef = 1.0, .degree = 3, .support = 0,        \
            .kernel_right = "same", .origin = "mean", .length = "one"    \
    }

/* A metric from candidate names; docs/reference/learners/asml.md. */
typedef struct akin_asml_options {
    akin_options head;
    double sigma;
    int64_t outer;
    int64_t epochs;
    int64_t batch;
    double eps;
    int64_t rank;
} akin_asml_options;

#define AKIN_ASML_DEFAULTS                                                     \
    {                                                                          \
        {"asml", sizeof(akin_asml_options)},                                   \
            .sigma = 0.01, .outer = 5, .epochs = 4, .batch = 100, .eps = 1e-4, \
            .rank = 0                                                          \
    }

/* A metric from photos that share a name; docs/reference/learners/mildml.md. */
typedef struct akin_mildml_options {
    akin_options head;
    int64_t rank;
    double tol;
    int64_t iterations;
} akin_mildml_options;

#define AKIN_MILDML_DEFAULTS                                              \
    {                                                                     \
        {"mildml", sizeof(akin_mildml_options)}, .rank = 64, .tol = 0.01, \
                                                 .iterations = 200        \
    }

/* A linear score for each name, by margins; docs/reference/learners/mms.md. */
typedef struct akin_mms_options {
    akin_options head;
    double sigma;
    int64_t outer;
    int64_t epochs;
    int64_t batch;
    double eps;
} akin_mms_options;

#define AKIN_MMS_DEFAULTS                                                    \
    {                                                                        \
        {"mms", sizeof(akin_mms_options)},                                   \
            .sigma = 0.01, .outer = 5, .epochs = 4, .batch = 20, .eps = 1e-4 \
    }

/* Faces of a name are of low rank; docs/reference/learners/lr-svm.md. */
typedef struct akin_lr_svm_options {
    akin_options head;
    double sparse;
    double C;
    double rho;
    double delta_rho;
    double eps;
    int64_t iterations;
} akin_lr_svm_options;

#define AKIN_LR_SVM_DEFAULTS                                        \
    {                                                               \
        {"lr-svm", sizeof(akin_lr_svm_options)},                    \
            .sparse = 0.3, .C = 0.01, .rho = 0.1, .delta_rho = 0.2, \
            .eps = 1e-4, .iterations = 200                          \
    }

#endif
