/* In place of all other files here, in a build without collections. */
#include <akin/codebook.h>
#include <akin/collection.h>
#include <akin/events.h>
#include <akin/versions.h>

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
                             akin_items_info *info)
{
    return absent(ctx);
}

akin_status akin_images_add(akin_ctx *ctx, const char *path, const char *folder,
                            const akin_images_options *options,
                            akin_items_info *info)
{
    return akin_images_make(ctx, path, folder, options, info);
}

akin_status akin_documents_make(akin_ctx *ctx, const char *path,
                                const char *input,
                                const akin_documents_options *options,
                                akin_items_info *info)
{
    return absent(ctx);
}

akin_status akin_documents_add(akin_ctx *ctx, const char *path,
                               const char *input,
                               const akin_documents_options *options,
                               akin_items_info *info)
{
    return absent(ctx);
}

akin_status akin_vectors_make(akin_ctx *ctx, const char *path,
                              const akin_rows *rows,
                              const akin_vectors_options *options,
                              akin_items_info *info)
{
    return absent(ctx);
}

akin_status akin_vectors_add(akin_ctx *ctx, const char *path,
                             const akin_rows *rows,
                             const akin_vectors_options *options,
                             akin_items_info *info)
{
    return absent(ctx);
}

akin_status akin_collection_describe_text(akin_rows **out, akin_ctx *ctx,
                                          akin_collection *c,
                                          const char *const *texts,
                                          const size_t *lengths, int64_t n)
{
    return absent(ctx);
}

akin_status akin_collection_set_model(akin_ctx *ctx, const char *path,
                                      const akin_model *model)
{
    return absent(ctx);
}

akin_status akin_collection_remove(int64_t *removed, akin_ctx *ctx,
                                   const char *path, const char *const *names,
                                   int64_t n_names, const char *where)
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

akin_status akin_collection_info(akin_items_info *info, akin_ctx *ctx,
                                 const akin_collection *c)
{
    return absent(ctx);
}

int akin_collection_is_open(const akin_collection *c)
{
    return 0;
}

akin_status akin_collection_item(akin_item *out, akin_ctx *ctx,
                                 akin_collection *c, int64_t row)
{
    return absent(ctx);
}

akin_status akin_collection_find(int64_t *row, akin_ctx *ctx,
                                 akin_collection *c, const char *name)
{
    return absent(ctx);
}

akin_status akin_collection_row_of(int64_t *row, akin_ctx *ctx,
                                   akin_collection *c, int64_t id)
{
    return absent(ctx);
}

akin_status akin_collection_select(int64_t **rows, int64_t *n, akin_ctx *ctx,
                                   akin_collection *c, const char *where)
{
    return absent(ctx);
}

akin_status akin_collection_thumbnail(uint8_t **jpeg, int64_t *n, akin_ctx *ctx,
                                      akin_collection *c, int64_t row,
                                      int64_t side)
{
    return absent(ctx);
}

akin_status akin_collection_rows(akin_rows **out, akin_ctx *ctx,
                                 const akin_collection *c, const char *features,
                                 const akin_read_options *options)
{
    return absent(ctx);
}

akin_status akin_collection_describe(akin_rows **out, akin_ctx *ctx,
                                     akin_collection *c,
                                     const char *const *files, int64_t n_files)
{
    return absent(ctx);
}

akin_status akin_collection_use(akin_ctx *ctx, akin_collection *c,
                                const akin_model *model)
{
    return absent(ctx);
}

akin_status akin_collection_search(int64_t **rows, double **scores,
                                   akin_ctx *ctx, akin_collection *c,
                                   const akin_rows *queries,
                                   const akin_find_options *options)
{
    return absent(ctx);
}

akin_status akin_collection_ask(akin_ctx *ctx, akin_collection *c,
                                const char *kind)
{
    return absent(ctx);
}

akin_status akin_collection_release(akin_ctx *ctx, akin_collection *c)
{
    return absent(ctx);
}

akin_status akin_collection_refresh(akin_ctx *ctx, akin_collection *c)
{
    return absent(ctx);
}

int64_t akin_collection_count(const akin_collection *c)
{
    return 0;
}

int64_t akin_collection_dim(const akin_collection *c)
{
    return 0;
}

const char *akin_collection_kind(const akin_collection *c)
{
    return "";
}

akin_status akin_collection_index_base(int64_t *base, akin_ctx *ctx,
                                       const akin_collection *c)
{
    return absent(ctx);
}

int64_t akin_collection_version(const akin_collection *c)
{
    return 0;
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

akin_status akin_collection_match_file(akin_match **out, int64_t *n,
                                       double *score, int64_t *width,
                                       int64_t *height, akin_ctx *ctx,
                                       akin_collection *c, const char *file,
                                       int64_t j)
{
    return absent(ctx);
}

akin_status akin_collection_verify(int64_t *rows, double *scores,
                                   int64_t *agreeing, akin_ctx *ctx,
                                   akin_collection *c, const char *file,
                                   int64_t query, int64_t n)
{
    return absent(ctx);
}

akin_status akin_collection_tag(akin_tag **tags, int64_t *n, akin_ctx *ctx,
                                akin_collection *c, const akin_rows *query,
                                int64_t k)
{
    return absent(ctx);
}

void akin_tags_free(akin_tag *tags)
{
}

akin_status akin_collection_duplicates(akin_duplicate **out, int64_t *n,
                                       akin_ctx *ctx, akin_collection *c,
                                       double at_least)
{
    return absent(ctx);
}

akin_status akin_collection_pair(akin_rows **left, akin_rows **right,
                                 const akin_model **model, akin_ctx *ctx,
                                 akin_collection *c, int64_t i, int64_t j)
{
    return absent(ctx);
}

akin_status akin_collection_pair_row(akin_rows **left, akin_rows **right,
                                     const akin_model **model, akin_ctx *ctx,
                                     akin_collection *c, const akin_rows *query,
                                     int64_t j)
{
    return absent(ctx);
}

akin_status akin_collection_draw(akin_ctx *ctx, akin_collection *c, int64_t i,
                                 int64_t j, const akin_match *matches,
                                 int64_t n, double score, const char *path)
{
    return absent(ctx);
}

akin_status akin_events_open(akin_events **out, akin_ctx *ctx, const char *path)
{
    return absent(ctx);
}

/* No caller has events to pass. */

void akin_events_close(akin_events *e)
{
}

akin_status akin_events_add(int64_t *number, akin_ctx *ctx, akin_events *e,
                            const akin_event *event)
{
    return absent(ctx);
}

akin_status akin_events_add_json(int64_t *number, akin_ctx *ctx, akin_events *e,
                                 const char *text, uint64_t size)
{
    return absent(ctx);
}

akin_status akin_events_begin(akin_ctx *ctx, akin_events *e)
{
    return absent(ctx);
}

akin_status akin_events_end(akin_ctx *ctx, akin_events *e, akin_status st)
{
    return absent(ctx);
}

akin_status akin_events_undo(akin_ctx *ctx, akin_events *e, int64_t number)
{
    return absent(ctx);
}

akin_status akin_events_next(char **text, int64_t *number, akin_ctx *ctx,
                             akin_events *e, int64_t after)
{
    return absent(ctx);
}

akin_status akin_events_previous(char **text, int64_t *number, akin_ctx *ctx,
                                 akin_events *e, int64_t before, int64_t item)
{
    return absent(ctx);
}

akin_status akin_events_count(int64_t *count, akin_ctx *ctx, akin_events *e)
{
    return absent(ctx);
}

akin_status akin_collection_learn(akin_version_info *out, akin_ctx *ctx,
                                  const char *path, const char *learner)
{
    return absent(ctx);
}

akin_status akin_collection_learn_user(akin_version_info *out, akin_ctx *ctx,
                                       const char *path, const char *learner,
                                       const char *user)
{
    return absent(ctx);
}

akin_status akin_collection_learn_due(akin_version_info *out, akin_ctx *ctx,
                                      const char *path)
{
    return absent(ctx);
}

akin_status akin_collection_learn_after(akin_ctx *ctx, const char *path,
                                        int64_t events)
{
    return absent(ctx);
}

akin_status akin_collection_versions(akin_version_info **out, int64_t *n,
                                     akin_ctx *ctx, const char *path)
{
    return absent(ctx);
}

akin_status akin_collection_version_model(akin_model **out, akin_ctx *ctx,
                                          akin_collection *c, int64_t version)
{
    return absent(ctx);
}

akin_status akin_collection_rollback(akin_ctx *ctx, const char *path,
                                     int64_t version)
{
    return absent(ctx);
}

akin_status akin_collection_rollback_user(akin_ctx *ctx, const char *path,
                                          const char *user, int64_t version)
{
    return absent(ctx);
}

akin_status akin_codebook_count(akin_rows **bags, akin_ctx *ctx,
                                const char *input,
                                const akin_codebook_options *options,
                                akin_codebook_info *info)
{
    return absent(ctx);
}
