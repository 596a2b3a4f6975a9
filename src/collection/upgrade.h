/* collection/upgrade.h - catalogues of earlier versions. Schema 1 and 2 knew
 * pictures alone; index, bags and model were files of their own. Schemas 3 and
 * 4 had no users. */
#ifndef AK_COLLECTION_UPGRADE_H
#define AK_COLLECTION_UPGRADE_H

#include "collection/catalog.h"

/* Fill the tables of today that schema `version` did not have, which are there
 * and empty, and add columns to others; pictures of schema 1 and 2 are indexed
 * anew. Inside of a
 * transaction. */
akin_status ak_upgrade(ak_catalog *c, akin_ctx *ctx, int64_t version);
/* Remove the files that are no longer used. After the transaction. */
akin_status ak_upgrade_files(const ak_catalog *c, akin_ctx *ctx);

#endif
