/* In place of all other files here, in a build without collections. */
#include <akin/collection.h>

#include "base/ctx.h"

#pragma GCC diagnostic ignored "-Wunused-parameter"

static akin_status absent(akin_ctx *ctx)
{
    return ak_fail(ctx, AKIN_EABSENT,
                   "this akin was built without collections (needs libvips, "
                   "libvlfeat and libsqlite3)");
}

akin_status akin_images_make(akin_ctx *ctx, const char *path,
                             const char *folder,
                             const akin_images_options *options,
                             akin_images_info *info)
{
    return absent(ctx);
}

akin_status akin_images_add(akin_ctx *ctx, const char *path, const char *folder,
                            const akin_images_options *options,
                            akin_images_info *info)
{
    return akin_images_make(ctx, path, folder, options, info);
}

akin_status akin_images_model(akin_ctx *ctx, const char *path,
                              const akin_model *model)
{
    return absent(ctx);
}

int akin_collection_is(const char *path)
{
    return 0;
}

akin_status akin_collection_open(akin_collection **out, akin_ctx *ctx,
                                 const char *path)
{
    return absent(ctx);
}

/* No caller has a collection to pass. */

void akin_collection_close(akin_collection *c)
{
}

akin_status akin_collection_info(akin_images_info *info, akin_ctx *ctx,
                                 const akin_collection *c)
{
    return absent(ctx);
}

int akin_collection_is_open(const akin_collection *c)
{
    return 0;
}

akin_status akin_collection_picture(akin_picture *out, akin_ctx *ctx,
                                    akin_collection *c, int64_t row)
{
    return absent(ctx);
}

akin_status akin_collection_find(int64_t *row, akin_ctx *ctx,
                                 akin_collection *c, const char *name)
{
    return absent(ctx);
}

akin_status akin_collection_rows(akin_rows **out, akin_ctx *ctx,
                                 const akin_collection *c)
{
    return absent(ctx);
}

akin_status akin_collection_describe(akin_rows **out, akin_ctx *ctx,
                                     akin_collection *c,
                                     const char *const *files, int64_t n_files)
{
    return absent(ctx);
}

akin_status akin_collection_index(akin_index **out, akin_ctx *ctx,
                                  const akin_collection *c,
                                  const akin_model *model)
{
    return absent(ctx);
}

akin_status akin_collection_check(akin_ctx *ctx, const akin_collection *c)
{
    return absent(ctx);
}

akin_status akin_collection_match(akin_match **out, int64_t *n, double *score,
                                  akin_ctx *ctx, akin_collection *c,
                                  const akin_model *model, int64_t i, int64_t j)
{
    return absent(ctx);
}

akin_status akin_collection_draw(akin_ctx *ctx, akin_collection *c, int64_t i,
                                 int64_t j, const akin_match *matches,
                                 int64_t n, const char *path)
{
    return absent(ctx);
}
