/* reproduce/naming/naming.h - parts of `akin reproduce naming`. */
#ifndef REPRODUCE_NAMING_NAMING_H
#define REPRODUCE_NAMING_NAMING_H

#include <akin/naming.h>
#include <jansson.h>

#include "app/app.h"

/* A folder of faces, read into the objects of the library. */
typedef struct naming_dataset {
    app *a;
    const char *dataset;
    akin_rows *raw, *rows;
    akin_recipe *recipe;
    akin_supervision *known;
    akin_face_names *truth;
    int64_t n, named;  // faces, and those with a true name
    int64_t photos, caption_names;
    int32_t *names;
    const char *kappa;  // NULL: the default
} naming_dataset;

bool naming_is_here(const char *folder);
/* Read the folder, with the recipe and options that suit it. */
akin_status naming_open(naming_dataset *s, const char *folder);
/* The options of a method that suit the folder. */
akin_status naming_options(akin_options **out, const naming_dataset *s,
                           const char *method);
void naming_close(naming_dataset *s);

/* Figure 2 on synthetic faces: three pictures into the folder. */
akin_status naming_pictures(app *a, const char *folder);

#endif
