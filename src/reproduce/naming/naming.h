/* reproduce/naming/naming.h - parts of `akin reproduce naming`. */
#ifndef REPRODUCE_NAMING_NAMING_H
#define REPRODUCE_NAMING_NAMING_H

#include <akin/naming.h>
#include <jansson.h>

#include "app/app.h"

/* A folder as the library takes it. */
typedef struct naming_scene {
    app *a;
    const char *dataset;
    akin_rows *raw, *rows;
    akin_recipe *recipe;
    akin_supervision *known;
    akin_face_names *truth;
    int64_t n, named;  // faces, and those with a true name
    int64_t photos, caption_names;
    int32_t *names;
    akin_naming_options base;
} naming_scene;

bool naming_is_here(const char *folder);
/* Read the folder, with the recipe and options that are best for it. */
akin_status naming_open(naming_scene *s, const char *folder);
void naming_close(naming_scene *s);

/* Figure 2 on synthetic faces: three pictures into the folder. */
akin_status naming_pictures(app *a, const char *folder);

/* A row that says in which order methods are, the paper's and ours. */
akin_status naming_add_order(app *a, const char *dataset, json_t *rows);

#endif
