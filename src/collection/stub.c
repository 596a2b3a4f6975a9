/* In place of all other files here, in a build without collections. */
#include <akin/codebook.h>
#include <akin/collection.h>
#include <akin/events.h>
#include <akin/faces.h>
#include <akin/mentions.h>
#include <akin/review.h>
#include <akin/versions.h>

#include "base/ctx.h"

#pragma GCC diagnostic ignored "-Wunused-parameter"

static akin_status absent(akin_ctx *ctx)
{
    return ak_fail(ctx, AKIN_EABSENT,
                   "this akin was built without collections (needs libvips, "
                   "libvlfeat, libsqlite3 and libexpat)");
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

akin_status akin_collection_fields(akin_field **fields, int64_t *n,
                                   akin_ctx *ctx, akin_collection *c,
                                   int64_t row)
{
    return absent(ctx);
}

void akin_fields_free(akin_field *fields)
{
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

int akin_collection_can_ask(const akin_collection *c, const char *kind)
{
    return 0;
}

int64_t akin_collection_query_dim(const akin_collection *c)
{
    return 0;
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

int akin_events_has_moved(const akin_events *e)
{
    return 0;
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

akin_status akin_faces_make(akin_ctx *ctx, const char *path, const char *folder,
                            const akin_faces_options *options,
                            akin_faces_info *info)
{
    return absent(ctx);
}

akin_status akin_faces_add(akin_ctx *ctx, const char *path, const char *folder,
                           const akin_faces_options *options,
                           akin_faces_info *info)
{
    return absent(ctx);
}

akin_status akin_faces_import(akin_ctx *ctx, const char *path,
                              const akin_rows *rows,
                              const akin_faces_options *options,
                              akin_faces_info *info)
{
    return absent(ctx);
}

akin_status akin_faces_import_more(akin_ctx *ctx, const char *path,
                                   const akin_rows *rows,
                                   const akin_faces_options *options,
                                   akin_faces_info *info)
{
    return absent(ctx);
}

akin_status akin_faces_count(akin_faces_info *info, akin_ctx *ctx,
                             const akin_collection *c)
{
    return absent(ctx);
}

akin_status akin_faces_get(akin_face *out, akin_ctx *ctx, akin_collection *c,
                           int64_t row)
{
    return absent(ctx);
}

akin_status akin_faces_photo(akin_photo *out, akin_ctx *ctx, akin_collection *c,
                             int64_t photo_id)
{
    return absent(ctx);
}

akin_status akin_faces_without(int64_t **ids, int64_t *n, akin_ctx *ctx,
                               akin_collection *c)
{
    return absent(ctx);
}

akin_status akin_faces_photo_picture(uint8_t **jpeg, int64_t *n, akin_ctx *ctx,
                                     akin_collection *c, int64_t photo_id,
                                     int64_t side)
{
    return absent(ctx);
}

akin_status akin_faces_of_photo(int64_t **ids, int64_t *n, akin_ctx *ctx,
                                akin_collection *c, int64_t photo_id)
{
    return absent(ctx);
}

akin_status akin_faces_picture(uint8_t **jpeg, int64_t *n, akin_ctx *ctx,
                               akin_collection *c, int64_t row, int64_t side,
                               int crop)
{
    return absent(ctx);
}

akin_status akin_faces_captions(akin_ctx *ctx, akin_supervision *s,
                                akin_collection *c)
{
    return absent(ctx);
}

akin_status akin_faces_prior(akin_face_weight **out, int64_t *n, akin_ctx *ctx,
                             akin_collection *c,
                             const akin_supervision *captions)
{
    return absent(ctx);
}

akin_status akin_faces_quality(double *quality, akin_ctx *ctx,
                               akin_collection *c)
{
    return absent(ctx);
}

akin_status akin_faces_export(akin_ctx *ctx, akin_collection *c,
                              const char *folder,
                              const akin_faces_export_options *options,
                              akin_faces_export_info *info)
{
    return absent(ctx);
}

akin_status akin_faces_remove_person(int64_t *removed, akin_ctx *ctx,
                                     const char *path, const char *name,
                                     const char *const *names)
{
    return absent(ctx);
}

akin_status akin_faces_mentions(int64_t *files, akin_ctx *ctx, const char *path,
                                const char *name)
{
    return absent(ctx);
}

akin_status akin_caption_names_read(akin_caption_names **out, akin_ctx *ctx,
                                    akin_collection *c, int64_t photo)
{
    return absent(ctx);
}

void akin_caption_names_free(akin_caption_names *names)
{
}

int64_t akin_caption_names_count(const akin_caption_names *names)
{
    return 0;
}

const char *akin_caption_names_text(const akin_caption_names *names)
{
    return NULL;
}

void akin_caption_names_get(akin_caption_name *out,
                            const akin_caption_names *names, int64_t i)
{
}

void akin_caption_names_mention(size_t *start, size_t *end,
                                const akin_caption_names *names, int64_t i,
                                int64_t k)
{
}

akin_status akin_faces_learn_tagger(akin_tagger **out, akin_ctx *ctx,
                                    const char *path,
                                    const akin_tagger_options *options,
                                    akin_tagger_info *info)
{
    return absent(ctx);
}

akin_status akin_faces_use_tagger(akin_ctx *ctx, const char *path,
                                  const akin_tagger *tagger)
{
    return absent(ctx);
}

akin_status akin_faces_learn_due(akin_tagger_info *info, akin_ctx *ctx,
                                 const char *path)
{
    return absent(ctx);
}

akin_status akin_answers_open(akin_answers **out, akin_ctx *ctx,
                              const char *path)
{
    return absent(ctx);
}

void akin_answers_close(akin_answers *a)
{
}

akin_status akin_answers_add(int64_t *number, akin_ctx *ctx, akin_answers *a,
                             const akin_answer *answer)
{
    return absent(ctx);
}

akin_status akin_answers_draw(int64_t *face, int64_t *number, akin_ctx *ctx,
                              akin_answers *a, const akin_drawing *drawing)
{
    return absent(ctx);
}

akin_status akin_answers_undo(akin_ctx *ctx, akin_answers *a, int64_t number)
{
    return absent(ctx);
}

akin_status akin_answers_next(akin_answer *out, akin_ctx *ctx, akin_answers *a,
                              int64_t after)
{
    return absent(ctx);
}

akin_status akin_answers_confirmed(akin_face_names **out, akin_ctx *ctx,
                                   akin_supervision *captions,
                                   akin_collection *c)
{
    return absent(ctx);
}

akin_status akin_review_open(akin_review **out, akin_ctx *ctx, const char *path)
{
    return absent(ctx);
}

void akin_review_close(akin_review *r)
{
}

akin_status akin_review_update(int64_t *stale, akin_ctx *ctx, akin_review *r)
{
    return absent(ctx);
}

int64_t akin_review_count(const akin_review *r)
{
    return 0;
}

void akin_review_get(akin_review_face *out, const akin_review *r, int64_t row)
{
}

akin_status akin_review_find(akin_review_face *out, akin_ctx *ctx,
                             const akin_review *r, int64_t id)
{
    return absent(ctx);
}

int64_t akin_review_queue(const int64_t **rows, const akin_review *r)
{
    return 0;
}

int64_t akin_review_is_behind(const akin_review *r)
{
    return 0;
}

int64_t akin_review_last(const akin_review *r)
{
    return 0;
}

int64_t akin_review_candidates(akin_candidate *out, const akin_review *r,
                               int64_t row, int64_t most)
{
    return 0;
}

akin_status akin_review_persons(akin_person **out, int64_t *n, akin_ctx *ctx,
                                const akin_review *r)
{
    return absent(ctx);
}

akin_status akin_review_groups(int64_t *groups, int64_t *n_groups,
                               akin_ctx *ctx, const akin_review *r)
{
    return absent(ctx);
}
