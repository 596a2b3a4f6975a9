/* naming/naming.h - what was learned from captions; inside naming/ alone. */
#ifndef AK_NAMING_NAMING_H
#define AK_NAMING_NAMING_H

#include <akin/naming.h>

#include "data/captions/face_list.h"
#include "naming/assign.h"

/* The score of name q for a face x, above that of no name: W_q.x + b_q. */
typedef struct ak_linear {
    double *W;  // n_names x d
    double *b;  // n_names
} ak_linear;

struct akin_naming {
    void *kept;  // all memory of the rest
    const akin_supervision *data;
    akin_naming_options o;
    akin_naming_info info;
    ak_peers peers;
    const ak_peers *candidates;  // to learn from: narrower, by what was said
    int64_t d;
    double *X;  // n x d, the faces
    double *W;  // n x n, of few faces; NULL
    ak_affinity affinity;
    ak_scorer scorer;
    const akin_model *model;  // borrowed; NULL: learned from the captions
    double theta;             // where none is asked for; NAN: see named
    int64_t named;            // faces to name where nothing is asked; -1: all
    ak_linear linear;         // W NULL: scores are not linear in a face
    bool means;               // scores are by the mean direction of a name
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

/* Lines of a person as labels and refusals; scratch memory. A name that no
 * caption has, two faces of a photo that are one, and what is said both ways
 * are refused. */
akin_status ak_confirmed_take(ak_confirmed *out, akin_ctx *ctx,
                              const akin_naming *s, const akin_face_names *c);

akin_status ak_face_names_read(akin_face_names **out, akin_ctx *ctx,
                               const char *path, const ak_bags *bags,
                               int64_t n_rows);
/* Names of n faces, of which photos[f] is the photo (-1: none), against the
 * truth; as akin_naming_compare. */
akin_status ak_names_compare(akin_naming_measure *out, akin_ctx *ctx,
                             const ak_bags *bags, const int32_t *photos,
                             int64_t n, const int32_t *names,
                             const akin_face_names *truth);

/* A method, and what fills scorer, from scratch that is kept. */
typedef struct ak_naming_method {
    akin_naming_method about;
    akin_status (*learn)(akin_naming *s, akin_ctx *ctx);
} ak_naming_method;

/* akin_naming_fuse of lines `i j value`. */
akin_status ak_naming_fuse_lines(akin_naming *s, akin_ctx *ctx,
                                 ak_source *source, double share);

/* What s compares faces by into the state of m, where it does, and how many
 * of them have a name. */
akin_status ak_state_put(akin_model *m, akin_ctx *ctx, const akin_naming *s,
                         const int32_t *names);
/* From s->model, where it has that of the same faces and captions:
 * info.same_faces tells. */
akin_status ak_state_take(akin_naming *s, akin_ctx *ctx);

/* Not in the list: scores of s->model. */
akin_status ak_learn_by_model(akin_naming *s, akin_ctx *ctx);

extern const ak_naming_method ak_naming_methods[];
extern const int64_t ak_naming_n_methods;

#endif
