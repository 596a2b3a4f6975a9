/* cli/name.h - parts of `akin name`. */
#ifndef CLI_NAME_H
#define CLI_NAME_H

#include <akin/naming.h>
#include <jansson.h>

#include "app/app.h"
#include "cli/flags.h"

typedef struct name_own_flags {
    const char *faces, *captions, *out, *confirmed, *truth;
    const char *model, *save_model;
    const char *affinity_file, *affinity_weight;
    const char *scale, *norm;
    double theta, real_name_ratio;
    int64_t named_count;
    bool curve;
} name_own_flags;

typedef struct name_flags {
    name_own_flags own;
    akin_naming_options naming;
    akin_names_options names;
    reading_flags reading;
} name_flags;

extern const app_group name_own_group, name_naming_group, name_names_group;

enum { NAME_CURVE = 20 };  // ratios

/* Faces, what is known of them, and what was learned. */
typedef struct name_job {
    akin_rows *raw, *rows;
    akin_recipe *recipe;
    akin_model *model;
    akin_supervision *known;
    akin_naming *naming;
    akin_face_names *confirmed, *truth;
    int64_t n;
    int32_t *names;
    double *confidences;
    const char *method;
    akin_names_options o;
    akin_names_info info;
    double seconds;  // of naming, at all ratios
    akin_naming_measure measures[NAME_CURVE];
    int64_t n_measures;
    bool curve;  // names at every ratio
    char *text;  // names as csv
} name_job;

/* Do the method, or --model, and the flags go together? */
akin_status name_check_method(app *a, const name_flags *f);
akin_status name_methods_help(app *a);
/* The methods with the flags that each heeds; NULL when memory runs out. */
json_t *name_methods_json(void);

/* Is there a share for each --affinity-file at the most? */
akin_status name_check_weights(app *a, const name_own_flags *f);

/* Read faces, captions and what is said of them. */
akin_status name_open(app *a, name_job *j, const name_flags *f);
/* Learn from them, or take the model. */
akin_status name_learn(app *a, name_job *j, const name_flags *f);
void name_close(name_job *j);

/* Give names by j->o, or at every ratio, and measure them. */
akin_status name_give(app *a, name_job *j);
/* All of this, from reading to names. */
akin_status name_faces(app *a, name_job *j, const name_flags *f);
/* --out and --save-model, both or none. */
akin_status name_write(app *a, const name_job *j, const name_own_flags *f);
/* accuracy, precision and real_name_ratio; NULL when memory runs out. */
json_t *name_measure_json(const akin_naming_measure *m);
akin_status name_report(app *a, const name_job *j, const char *path);

#endif
