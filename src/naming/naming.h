/* naming/naming.h - what was learned from captions; inside naming/ alone. */
#ifndef AK_NAMING_NAMING_H
#define AK_NAMING_NAMING_H

#include <akin/naming.h>

#include "data/captions/face_list.h"
#include "learn/learner.h"
#include "naming/decoys.h"
#include "naming/photos.h"

/* The score of name q for a face x, above that of no name: W_q.x + b_q. */
typedef struct ak_linear {
    double *W;  // n_names x d
    double *b;  // n_names
} ak_linear;

/* How alike faces x and y are that came later, by what was learned: v'A v with
 * v = x Q / s, scaled as the affinities are. */
typedef struct ak_basis {
    int64_t r;
    double *Q;  // d x r; NULL: nothing is known of it
    double *s;  // r
    double *A;  // r x r, symmetric
} ak_basis;

/* How rounds of names are made, by the options of the method. */
typedef struct ak_rounds {
    int64_t most;
    bool uniform, minorise, no_self;  // as in ak_assign_options
    bool one_theta;                   // for all rounds, to reach a count
} ak_rounds;

struct akin_naming {
    void *kept;  // all memory of the rest
    const akin_supervision *data;
    const char *method;  // the learner that its options or model name
    int64_t k;           // of fused: nearest faces of a name
    ak_rounds rounds;
    akin_naming_info info;
    ak_shared_names peers;
    const ak_shared_names
        *candidates;  // to learn from: narrower, by what was said
    int64_t d;
    double *X;  // n x d, the faces
    double *W;  // n x n, of few faces; NULL
    ak_affinity affinity;
    ak_basis basis;    // of fused
    ak_decoys decoys;  // of fused; affinity.values NULL: none
    ak_scorer scorer;
    struct ak_resumed *resumed;  // of akin_naming_resume; NULL: none
    const akin_model *model;     // borrowed; NULL: learned from the captions
    double theta;                // where none is asked for; NAN: see named
    int64_t named;     // faces to name where nothing is asked; -1: all
    double *prior;     // of all photos, faces by names: logs of
                       // weights; NULL: none
    double *quality;   // n: of the faces; NULL: all 1
    ak_linear linear;  // W NULL: scores are not linear in a face
    bool means;        // scores are by the mean direction of a name
};

/* In place of a name of the captions, where faces are told. */
enum {
    AK_NO_NAME = AKIN_NO_NAME,
    AK_OTHER_NAME = -2,  // one that no caption has
    AK_UNTOLD = -3       // nothing is said of the face
};

struct akin_face_names {
    ak_face_list list;
    int32_t *names;  // of each line: a name of the captions, AK_NO_NAME or
                     // AK_OTHER_NAME
};

/* Are these names that `akin name` gave to n faces before? */
akin_status ak_names_check_earlier(akin_ctx *ctx, const ak_face_list *l,
                                   const ak_bags *bags, int64_t n);
/* Lines face,name,weight of a source. */
akin_status ak_face_names_weights(akin_face_names **out, akin_ctx *ctx,
                                  ak_source *source, const ak_bags *bags,
                                  int64_t n_rows);
/* As akin_face_names_read, by captions alone. */
akin_status ak_face_names_read(akin_face_names **out, akin_ctx *ctx,
                               const char *path, const ak_bags *bags,
                               int64_t n_rows);

/* Lines of a person as labels and refusals; scratch memory. A name that no
 * caption has, two faces of a photo that are one, and what is said both ways
 * are refused. */
akin_status ak_confirmed_take(ak_confirmed *out, akin_ctx *ctx,
                              const akin_naming *s, const akin_face_names *c);

/* Names of n faces, of which photos[f] is the photo (-1: none), against the
 * truth; as akin_naming_compare. probabilities (or NULL): of the names, NAN
 * where there is none. */
akin_status ak_names_compare(akin_naming_measure *out, akin_ctx *ctx,
                             const ak_bags *bags, const int32_t *photos,
                             int64_t n, const int32_t *names,
                             const double *probabilities,
                             const akin_face_names *truth);

/* Fills the scorer, from scratch memory that is kept, by the options of the
 * entry. */
typedef akin_status (*ak_naming_fn)(akin_naming *s, akin_ctx *ctx,
                                    const akin_options *options);
typedef struct ak_naming_method {
    const ak_learner *entry;
    ak_naming_fn learn;
} ak_naming_method;

/* Every NAMING_METHOD of learners.def has one. */
#define LEARNER(file, name, ...)
#define NAMING_METHOD(file, name, ...)                           \
    akin_status ak_name_by_##name(akin_naming *s, akin_ctx *ctx, \
                                  const akin_options *options);
#include "learn/learners.def"
#undef LEARNER
/* EINVAL: there is no such learner, or it names no faces. */
akin_status ak_naming_method_find(const ak_naming_method **out, akin_ctx *ctx,
                                  const char *name);

/* akin_naming_fuse of lines `i j value` in memory, for tests. */
akin_status ak_naming_fuse_lines(akin_naming *s, akin_ctx *ctx,
                                 ak_source *source, double share);

/* akin_naming_read_prior of a source, for tests. */
akin_status ak_naming_prior_lines(akin_ctx *ctx, akin_naming *s,
                                  ak_source *source);

/* In place of a method: scores of s->model, or the affinities that it has of
 * the same faces and captions; info.same_faces tells. */
akin_status ak_name_by_model(akin_naming *s, akin_ctx *ctx);

/* In place of learning: what a file of akin_estimate_save has. */
akin_status ak_name_by_resuming(akin_naming *s, akin_ctx *ctx,
                                const char *path);
void ak_resumed_free(struct ak_resumed *r);
/* Those without another choice get it; NAN: the largest of all. */
double ak_resumed_confidence(const struct ak_resumed *r);

/* The affinities of fused with its defaults, for any method; scratch memory. */
akin_status ak_fused_affinities(ak_affinity *a, ak_decoys *decoys,
                                akin_ctx *ctx, const akin_naming *s);
/* The kernel of asml's metric, into a. */
akin_status ak_asml_kernel(akin_naming *s, akin_ctx *ctx, ak_affinity *a,
                           const akin_asml_options *o);

#endif
