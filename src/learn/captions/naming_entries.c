/* Methods that name the faces of captioned photos and train no model by
 * akin_learn: what each is, and its options. naming/ has their functions, and
 * says how they work.
 *   [1] Xiao, Xu, Wu. Automatic face naming by learning discriminative affinity
 *       matrices from weakly labeled images. TNNLS 26(10), 2015. */
#include "learn/captions/faces.h"

/* A low-rank representation W of faces by faces, which becomes an affinity. */
#define REPRESENTATION_OPTIONS(type)                                           \
    AK_OPTION_WORD(type, affinity, "minmax|clip|abs",                          \
                   "how a representation becomes an affinity from 0 to 1"),    \
        AK_OPTION_ZERO(                                                        \
            type, lambda, "auto", 1e12,                                        \
            "weight of the reconstruction error; 0: from the data"),           \
        AK_OPTION(type, kappa, 1e-6, 1e6,                                      \
                  "lambda auto is this times the mean over faces of the "      \
                  "norm of S^-1 v"),                                           \
        AK_OPTION(type, rho, 1e-12, 1e12, "initial penalty of the solver"),    \
        AK_OPTION(type, delta_rho, 0, 1e3,                                     \
                  "growth of rho a step; 0 converges to the optimum, slowly"), \
        AK_OPTION(type, rho_max, 1e-12, 1e300, "upper limit of rho"),          \
        AK_OPTION(type, eps, 1e-15, 1, "residuals at which the solver stops"), \
        AK_OPTION_ZERO(type, gap, "off", 1,                                    \
                       "stop also when the value is certified to lie within "  \
                       "this share of the optimum; 0: never"),                 \
        AK_OPTION(type, iterations, 1, 1e9, "maximum number of iterations")

/* A representation that prefers faces with a shared name. */
#define RELEVANCE_OPTIONS(type)                                               \
    AK_OPTION(type, gamma, 0, 1e12, "penalty of faces that share no name"),   \
        AK_OPTION_WORD(type, penalise, "both|irrelevant|self",                \
                       "faces that share no name, the face itself, or both"), \
        AK_OPTION_WORD(                                                       \
            type, form, "auto|dense|structured",                              \
            "dense matrices of all faces by all faces, or factors only")

/* The metric of asml, and how much its kernel counts. */
#define METRIC_OPTIONS(type)                                                 \
    AK_OPTION(type, sigma, 1e-12, 1e12, "pull towards the plain distance"),  \
        AK_OPTION(type, outer, 1, 1e6,                                       \
                  "rounds of asml, each with the labels that fit best"),     \
        AK_OPTION_ZERO(type, pca, "all", 1e6,                                \
                       "principal components of the faces that asml keeps; " \
                       "0: all"),                                            \
        AK_OPTION(type, alpha, 0, 1, "share of asml's kernel")

/* Its entry: the options are the rest, in the order of learners.def. */
#define METHOD(method, NAME, what, use_it, source, affinities, ...) \
    static const akin_option method##_options[] = {__VA_ARGS__};    \
    const ak_learner ak_learner_##method = {                        \
        .info = {.name = #method,                                   \
                 .summary = (what),                                 \
                 .when = (use_it),                                  \
                 .paper = (source),                                 \
                 .takes = AKIN_BAGS,                                \
                 .makes = "ranker",                                 \
                 .names_faces = 2,                                  \
                 .has_affinities = (affinities),                    \
                 .recipe = &ak_recipe_faces,                        \
                 AK_OPTION_ROWS(akin_##method##_options,            \
                                AKIN_##NAME##_DEFAULTS, method##_options)}}

METHOD(fused, FUSED,
       "votes of lrr, weighted by what they found, and how photos are named",
       "start here: the most accurate, and takes seconds", NULL, 1,
       REPRESENTATION_OPTIONS(akin_fused_options),
       AK_OPTION(akin_fused_options, k, 1, 1e6, "nearest faces of a name"),
       AK_OPTION_USE(akin_fused_options, rounds, 1, 1e6, AKIN_NAMING,
                     "rounds of estimation"));

METHOD(lrr, LRR, "low-rank representation of faces by faces",
       "affinities alone, in time linear in the number of faces",
       "xiao2015naming", 1, REPRESENTATION_OPTIONS(akin_lrr_options),
       AK_VOTE_OPTIONS(akin_lrr_options));

METHOD(rlrr, RLRR,
       "low-rank representation that prefers faces with a shared name",
       "the paper's method; no better than lrr, 30 times slower",
       "xiao2015naming", 1, REPRESENTATION_OPTIONS(akin_rlrr_options),
       RELEVANCE_OPTIONS(akin_rlrr_options),
       AK_VOTE_OPTIONS(akin_rlrr_options));

METHOD(lrrml, LRRML, "lrr and the kernel of asml together",
       "a learned metric beside lrr; as good as lrr where measured",
       "xiao2015naming", 1, REPRESENTATION_OPTIONS(akin_lrrml_options),
       METRIC_OPTIONS(akin_lrrml_options), AK_VOTE_OPTIONS(akin_lrrml_options));

METHOD(rlrrml, RLRRML, "rlrr and the kernel of asml together",
       "the paper's best; as good as lrr where measured", "xiao2015naming", 1,
       REPRESENTATION_OPTIONS(akin_rlrrml_options),
       RELEVANCE_OPTIONS(akin_rlrrml_options),
       METRIC_OPTIONS(akin_rlrrml_options),
       AK_VOTE_OPTIONS(akin_rlrrml_options));

METHOD(knn, KNN, "a vote of the nearest faces",
       "fast; needs descriptors that separate people", NULL, 0,
       AK_OPTION(akin_knn_options, k, 1, 1e6, "nearest faces that vote"),
       AK_ROUND_OPTIONS(akin_knn_options));

METHOD(mean, MEAN, "the mean direction of a name's faces",
       "the fastest; also needs descriptors that separate people", NULL, 0,
       AK_ROUND_OPTIONS(akin_mean_options));

METHOD(kmeans, KMEANS, "the nearest mean of a name's faces",
       "like mean, for descriptors that are not normalised", NULL, 0,
       AK_ROUND_OPTIONS(akin_kmeans_options));

METHOD(kernel, KERNEL, "by plain distances, nothing is learned",
       "shows what learning adds; can be fused with others", NULL, 1,
       AK_VOTE_OPTIONS(akin_kernel_options));

METHOD(cgmm, CGMM, "a Gaussian for each name and for none", "a baseline", NULL,
       0, AK_ROUND_OPTIONS(akin_cgmm_options));
