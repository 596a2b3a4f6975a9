/* akin/mentions.h - the persons that the captions of a collection of faces
 * name, where, and what is learned from those that a person corrected.
 * docs/reference/faces.md */
#ifndef AKIN_MENTIONS_H
#define AKIN_MENTIONS_H

#include <akin/collection.h>
#include <akin/persons.h>

#ifdef __cplusplus
extern "C" {
#endif

/* The persons of one caption: those that were given or found, as corrected by
 * the answers of a person (akin/review.h). */
typedef struct akin_caption_names akin_caption_names;

typedef struct akin_caption_name {
    const char *name;
    akin_presence presence;
    const char *position; /* as akin_persons_position; "": none */
    double probability;   /* that it is the name of a person */
    double in_picture;    /* that this person is in the picture */
    int64_t said;         /* 1: a person added or changed it */
    int64_t mentions;     /* how often the caption has it */
} akin_caption_name;

/* `photo` is the photo_id of a face; a photo that is not there has no names. */
AKIN_API akin_status akin_caption_names_read(akin_caption_names **out,
                                             akin_ctx *ctx, akin_collection *c,
                                             int64_t photo);
AKIN_API void akin_caption_names_free(akin_caption_names *names);
AKIN_API int64_t akin_caption_names_count(const akin_caption_names *names);
/* The caption itself, borrowed; NULL: the photo has none. */
AKIN_API const char *akin_caption_names_text(const akin_caption_names *names);
/* Texts are borrowed. */
AKIN_API void akin_caption_names_get(akin_caption_name *out,
                                     const akin_caption_names *names,
                                     int64_t i);
/* Mention k of name i: its bytes [*start, *end) of the caption, which are whole
 * characters of UTF-8. */
AKIN_API void akin_caption_names_mention(size_t *start, size_t *end,
                                         const akin_caption_names *names,
                                         int64_t i, int64_t k);

/* ---- taggers ---- */

/* Learn from the captions that a person corrected, beside those of the default
 * tagger. A tagger that makes more errors than the default in captions that
 * nobody corrected is not taken: `info` has the figures, by cross-validation.
 * AKIN_EINVAL: no caption was corrected. */
AKIN_API akin_status akin_faces_learn_tagger(akin_tagger **out, akin_ctx *ctx,
                                             const char *path,
                                             const akin_tagger_options *options,
                                             akin_tagger_info *info);
/* Tag the captions of a collection by it, now and later; corrections hold.
 * NULL: the default. Names that were given are not touched. */
AKIN_API akin_status akin_faces_use_tagger(akin_ctx *ctx, const char *path,
                                           const akin_tagger *tagger);
/* Both, where 20 corrections or more have come since; else info->captions is 0.
 */
AKIN_API akin_status akin_faces_learn_due(akin_tagger_info *info, akin_ctx *ctx,
                                          const char *path);

#ifdef __cplusplus
}
#endif
#endif
