/* cli/synth.h - parts of `akin synth`. */
#ifndef CLI_SYNTH_H
#define CLI_SYNTH_H

#include <akin/synth.h>

#include "app/app.h"

typedef struct synth_own_flags {
    const char *kind, *out, *like;
    int64_t rows, dim;
} synth_own_flags;

typedef struct synth_file_flags {
    const char *captions, *truth;
} synth_file_flags;

typedef struct synth_flags {
    synth_own_flags own;
    akin_synth_bags_options bags;
    akin_synth_labels_options labels;
    akin_synth_faces_options faces;
    synth_file_flags files;
    akin_synth_scenes_options scenes;
} synth_flags;

/* ---- faces ----------------------------------------------------------------
 */

extern const app_group synth_faces_group, synth_files_group;

akin_status synth_run_faces(app *a, const synth_flags *f);

#endif
