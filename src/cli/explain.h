/* cli/explain.h - parts of akin explain. */
#ifndef CLI_EXPLAIN_H
#define CLI_EXPLAIN_H

#include "app/app.h"

/* Two pictures of a collection, and where they are drawn. */
typedef struct picture_flags {
    const char *a, *b, *model, *out;
} picture_flags;

akin_status cli_explain_pictures(app *a, const char *path,
                                 const picture_flags *f, int64_t top);

#endif
