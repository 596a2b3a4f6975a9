/* collection/upgrade.h - catalogues of earlier versions. Schema 1 and 2 knew
 * pictures alone; index, bags and model were files of their own. */
#ifndef AK_COLLECTION_UPGRADE_H
#define AK_COLLECTION_UPGRADE_H

#include "collection/catalog.h"

/* Move the pictures of schema `version` into the tables of today, which are
 * there and empty, and index them. Inside of a transaction. */
akin_status ak_upgrade_pictures(ak_catalog *c, akin_ctx *ctx, int64_t version);
/* Remove the files that are no longer used. After the transaction. */
akin_status ak_upgrade_files(const ak_catalog *c, akin_ctx *ctx);

#endif
