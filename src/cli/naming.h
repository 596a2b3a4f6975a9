/* cli/naming.h - parts of `akin reproduce naming`. */
#ifndef CLI_NAMING_H
#define CLI_NAMING_H

#include "app/app.h"

/* Figure 2 on synthetic faces: three pictures into the folder. */
akin_status naming_pictures(app *a, const char *folder);

#endif
