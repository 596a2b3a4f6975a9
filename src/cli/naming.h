/* cli/naming.h - parts of `akin reproduce naming`. */
#ifndef CLI_NAMING_H
#define CLI_NAMING_H

#include <jansson.h>

#include "app/app.h"

/* Figure 2 on synthetic faces: three pictures into the folder. */
akin_status naming_pictures(app *a, const char *folder);

/* A row that says in which order methods are, the paper's and ours. */
akin_status naming_add_order(app *a, const char *dataset, json_t *rows);

#endif
