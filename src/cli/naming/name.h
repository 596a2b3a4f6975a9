/* cli/name.h - faces, learned from and named, as `akin name` does. */
#ifndef CLI_NAME_H
#define CLI_NAME_H

#include <akin/faces.h>
#include <akin/naming.h>
#include <jansson.h>

#include "app/app.h"
#include "cli/flags.h"

typedef struct name_own_flags {
    const char *faces, *captions, *out, *confirmed, *truth;
    const char *model, *save_model;
    const char *affinity_file, *affinity_weight;
    const char *method;  // how they are compared
    const char *scale, *norm;
    const char *real_name_ratio;  // a number or "auto"
    const char *changes, *review, *answers;
    const char *prior, *quality;
    double theta, at_least;
    int64_t named_count, min_count;
    bool curve, all;
} name_own_flags;

extern const app_group name_own_group;

enum { NAME_CURVE = 20 };  // ratios

/* Faces, what is known of them, and what was learned. */
typedef struct name_job {
    akin_collection *collection;  // of faces with captions; NULL
    akin_rows *raw, *rows;
    akin_recipe *recipe;
    akin_model *model;
    akin_supervision *known;
    akin_options *options;  // of the method; NULL: by a model
    akin_naming *naming;
    akin_face_names *confirmed, *truth;
    int64_t n;
    int32_t *names;
    double *confidences, *probabilities, *gains;
    akin_estimate *estimate;  // NULL: a model names other faces
    akin_face_names *before;  // of --changes
    const char *method;
    akin_names_options o;
    akin_names_info info;
    double seconds;  // of naming, at all ratios
    akin_naming_measure measures[NAME_CURVE];
    int64_t n_measures;
    double at_least;
    bool keeps;      // what is found, in the collection
    bool resumes;    // what was kept: only new photos are named
    bool curve;      // names at every ratio
    char **dropped;  // photos, by --min-count
    int64_t n_dropped;
    char *review;   // as csv
    char *answers;  // the same
    bool is_auto;   // the number of faces to name is estimated
    char *text;     // names as csv
} name_job;

#define NAME_JOB                 \
    {                            \
        .o = AKIN_NAMES_DEFAULTS \
    }

/* The file that a collection keeps names in; false: its path is too long. */
bool name_kept_path(const char *collection, char path[4096]);

/* From reading to names, by j->options or the model of the flags. */
akin_status name_faces(app *a, name_job *j, const name_own_flags *f,
                       const reading_flags *reading);
void name_close(name_job *j);

/* A learner that names faces; NULL with a message that suggests the nearest. */
const akin_learner_info *name_method_find(app *a, const char *name);
/* The methods with the flags that each has; NULL when memory runs out. */
json_t *name_methods_json(void);
/* accuracy, precision and real_name_ratio; NULL when memory runs out. */
json_t *name_measure_json(const akin_naming_measure *m);

#endif
