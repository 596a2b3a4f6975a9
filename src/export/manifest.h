/* export/manifest.h - is a folder an export? */
#ifndef AK_EXPORT_MANIFEST_H
#define AK_EXPORT_MANIFEST_H

#include "base/ctx.h"

#define AK_MANIFEST "manifest.json"

bool ak_manifest_is(akin_ctx *ctx, const char *folder);

#endif
