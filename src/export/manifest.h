/* export/manifest.h - files of JSON, and the one that says what a folder is. */
#ifndef AK_EXPORT_MANIFEST_H
#define AK_EXPORT_MANIFEST_H

#include <jansson.h>

#include "export/export.h"

#define AK_MANIFEST "manifest.json"

/* A file of the export; `body` (NULL: memory ran out) is given up. */
akin_status ak_export_put_json(const ak_export *e, akin_ctx *ctx,
                               const char *file, json_t *body);

/* Is the folder an export? */
bool ak_manifest_is(akin_ctx *ctx, const char *folder);

#endif
