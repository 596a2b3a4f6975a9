/* The flags of akin name. */
#include <math.h>

#include "cli/name.h"

static const app_option own_options[] = {
    {"FACES", NULL, APP_FIELD(name_own_flags, faces),
     .help = "the faces, one row each", .flags = APP_ARGUMENT | APP_NEEDED},
    {"captions", "FILE", APP_FIELD(name_own_flags, captions),
     .help = "photos: csv with a header photo,faces,names, where rows of faces "
             "and names are parted by ';', or JSON lines with these keys; with "
             "--model not needed: any face can then have any name"},
    {"model", "FILE", APP_FIELD(name_own_flags, model),
     .help = "name by what --save-model or akin train kept; nothing is "
             "learned, and faces go through the recipe in it. The same faces "
             "and captions as before are named by the affinities that were "
             "kept, at once",
     .excludes = "save-model method scale norm"},
    {"affinity-file", "FILE[,FILE...]",
     APP_FIELD(name_own_flags, affinity_file),
     .help = "affinities of your own, fused with those of the method: data of "
             "as many rows and columns as there are faces (npy, svm, ...), or "
             "a .txt of lines i j value"},
    {"affinity-weight", "X[,X...]", APP_FIELD(name_own_flags, affinity_weight),
     .help = "the share of each --affinity-file in what was fused so far",
     .needs = "affinity-file"},
    {"save-model", "FILE", APP_FIELD(name_own_flags, save_model),
     .help = "keep what names faces that come later: the scores of mms, lr-svm "
             "and asml, else the mean direction of each name's faces; and, for "
             "the same faces again, the affinities of methods that have them",
     .flags = APP_OUTPUT},
    {"out", "FILE", APP_FIELD(name_own_flags, out),
     .help = "where the names go: csv, face,photo,name,confidence; an empty "
             "name: not in the caption",
     .flags = APP_NEEDED | APP_OUTPUT},
    {"real-name-ratio", "R", APP_FIELD(name_own_flags, real_name_ratio),
     .help = "the share of faces to name, or the nearest that ties allow",
     .max = 1},
    {"named-count", "K", APP_FIELD(name_own_flags, named_count),
     .help = "how many faces to name, or the nearest that ties allow",
     .max = 1e12},
    {"theta", "T", APP_FIELD(name_own_flags, theta),
     .help = "the score that a name must reach; without it, --named-count "
             "and --real-name-ratio, that of --model, or all are named that "
             "can be",
     .min = -1e300, .max = 1e300},
    {"confirmed", "FILE", APP_FIELD(name_own_flags, confirmed),
     .help = "what a person has said, kept always: lines face,name or "
             "face,name,is-not; an empty name: not in the caption"},
    {"truth", "FILE", APP_FIELD(name_own_flags, truth),
     .help = "lines face,name, one for each face of a photo: measure the "
             "names against it"},
    {"curve", NULL, APP_FIELD(name_own_flags, curve),
     .help = "names at real-name ratios 0.05, 0.1, ... 1, with a first column "
             "real_name_ratio; with --truth measured at each"},
    {"scale", "none|minmax|zscore|su", APP_FIELD(name_own_flags, scale),
     .help = "what happens to the faces first; su: principal directions, each "
             "by the square root of its singular value"},
    {"norm", "none|l2|global", APP_FIELD(name_own_flags, norm),
     .help = "bring faces to one length: each (l2), or on average"},
};

const app_group name_own_group = APP_GROUP("Faces and names", own_options,
                                           (&(const name_own_flags){
                                               .scale = "su",
                                               .norm = "none",
                                               .affinity_weight = "0.1",
                                               .theta = (double)NAN,
                                               .real_name_ratio = (double)NAN,
                                               .named_count = -1,
                                           }));

#define FIELD(field) APP_FIELD(akin_naming_options, field)

static const akin_naming_options naming_standard = AKIN_NAMING_DEFAULTS;

static const app_option naming_options[] = {
    {"method", "METHOD", FIELD(method),
     .help = "how faces are compared; see the list below"},
    {"affinity", "minmax|clip|abs", FIELD(affinity),
     .help = "how a representation becomes an affinity from 0 to 1"},
    {"alpha", "X", FIELD(alpha), .help = "lrrml, rlrrml: share of the kernel",
     .max = 1},
    {"lambda", "X", FIELD(lambda),
     .help = "fused, lrr, rlrr: weight of what is not represented", .max = 1e12,
     .zero = "auto"},
    {"kappa", "X", FIELD(kappa),
     .help =
         "fused, lrr, rlrr: --lambda auto is this times the mean over faces of "
         "|S^-1 v|",
     .min = 1e-6, .max = 1e6},
    {"gamma", "X", FIELD(gamma),
     .help = "rlrr: penalty of faces that share no name", .max = 1e12},
    {"penalise", "both|irrelevant|self", FIELD(penalise),
     .help = "rlrr: faces that share no name, the face itself, or both"},
    {"form", "auto|dense|structured", FIELD(form),
     .help = "rlrr: full matrices, or none of all faces by all faces"},
    {"rho", "X", FIELD(rho), .help = "penalty of the solver to begin with",
     .min = 1e-12, .max = 1e12},
    {"delta-rho", "X", FIELD(delta_rho),
     .help = "growth of rho a step; 0 converges to the optimum, slowly",
     .max = 1e3},
    {"rho-max", "X", FIELD(rho_max), .help = "rho grows no further",
     .min = 1e-12, .max = 1e300},
    {"eps", "X", FIELD(eps), .help = "residuals at which the solver stops",
     .min = 1e-15, .max = 1},
    {"gap", "X", FIELD(gap),
     .help = "fused, lrr, rlrr: stop also when the value is certified to lie "
             "within "
             "this share of the optimum",
     .max = 1, .zero = "off"},
    {"iterations", "N", FIELD(iterations), .help = "at most so many", .min = 1,
     .max = 1e9},
    {"sigma", "X", FIELD(sigma),
     .help = "asml, mms: pull towards the plain distance, towards zero",
     .min = 1e-12, .max = 1e12},
    {"outer", "N", FIELD(outer), .help = "asml, mms: linearisations", .min = 1,
     .max = 1e6},
    {"pca", "N", FIELD(pca), .help = "asml: principal components to keep",
     .max = 1e6, .zero = "all"},
    {"k", "N", FIELD(k), .help = "fused, knn: neighbours", .min = 1,
     .max = 1e6},
    {"sparse", "X", FIELD(sparse),
     .help = "lr-svm: weight of what is not of low rank", .max = 1e12},
    {"C", "X", FIELD(C),
     .help = "lr-svm: weight of the margins against short weights", .min = 1e-9,
     .max = 1e9},
    {"rank", "N", FIELD(rank), .help = "mildml: rank of the metric", .min = 1,
     .max = 1e6},
};

const app_group name_naming_group =
    APP_GROUP("Learning", naming_options, &naming_standard);

#undef FIELD
#define FIELD(field) APP_FIELD(akin_names_options, field)

static const akin_names_options names_standard = AKIN_NAMES_DEFAULTS;

static const app_option names_options[] = {
    {"count-by", "gains|theta", FIELD(count_by),
     .help = "how a count is reached: theta anew in each round, exactly, or "
             "one theta for all rounds, by bisection"},
    {"surrogate", "mean|minorised", FIELD(surrogate),
     .help = "score of a name: the mean affinity to its faces, or the bound "
             "that never lets the objective fall"},
    {"start", "ones|uniform", FIELD(start),
     .help = "the first round: each face has all names of its caption, whole "
             "or in equal parts"},
    {"rounds", "N", FIELD(rounds), .help = "at most so many", .min = 1,
     .max = 1e6},
    {"self-votes", "0|1", FIELD(self_votes),
     .help = "1: a face counts among the faces of its name", .max = 1},
};

const app_group name_names_group =
    APP_GROUP("Giving names", names_options, &names_standard);
