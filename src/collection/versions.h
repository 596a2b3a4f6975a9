/* collection/versions.h - the models of a collection, one of which is in use.
 * Version 0 is the measure without learning, fitted to the items. */
#ifndef AK_COLLECTION_VERSIONS_H
#define AK_COLLECTION_VERSIONS_H

#include <akin/model.h>

#include "collection/items.h"

typedef struct ak_version {
    int64_t version;
    ak_space left, right;  // of queries and of items; the same for most models
    bool is_residual;      // it is what a user's weights add to the one in use
    int64_t against;       // the version in use when it was learned
} ak_version;

/* The one in use. */
akin_status ak_version_current(const ak_catalog *c, akin_ctx *ctx,
                               ak_version *out);
akin_status ak_version_get(const ak_catalog *c, akin_ctx *ctx, int64_t version,
                           ak_version *out);
/* *out stays NULL for version 0. */
akin_status ak_version_model(akin_model **out, akin_ctx *ctx,
                             const ak_catalog *c, int64_t version);
/* "COLLECTION/versions/3.safetensors" */
akin_status ak_version_path(const ak_catalog *c, akin_ctx *ctx, int64_t version,
                            char path[PATH_MAX]);
/* Are two versions the same model? One whose file is gone is no other's. */
akin_status ak_version_is_same(bool *out, akin_ctx *ctx, const ak_catalog *c,
                               int64_t one, int64_t other);
/* The spaces that a model compares. ESHAPE: it fits none. */
akin_status ak_version_spaces(const ak_catalog *c, akin_ctx *ctx,
                              const akin_model *model, ak_version *out);

/* A new version of the model, not yet in use. */
akin_status ak_version_add(const ak_catalog *c, akin_ctx *ctx,
                           const akin_model *model, ak_version *v);
/* The two steps of it: its number and its file, then its row. */
akin_status ak_version_save(const ak_catalog *c, akin_ctx *ctx,
                            const akin_model *model, ak_version *v);
akin_status ak_version_record(const ak_catalog *c, akin_ctx *ctx,
                              const ak_version *v, const char *learner);
/* The number of the last event that a version could learn from, 0: there was
 * none; -1: it was given. And by which learner; "": it was given. */
akin_status ak_version_origin(const ak_catalog *c, akin_ctx *ctx,
                              int64_t version, int64_t *last, char *learner,
                              size_t size);

/* Sparse rows may have more columns by now than a model knows: the spaces get
 * those of the model. */
void ak_version_fit(ak_version *v, const akin_model *model);

/* Columns of the raw rows that a side of a model takes; 0: any. */
int64_t ak_model_raw_dim(const akin_model *m, akin_side side);

/* The measure without learning for rows of a space. */
akin_status ak_plain_model(akin_model **out, akin_ctx *ctx,
                           const akin_rows *rows);

#endif
