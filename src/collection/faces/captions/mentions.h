/* collection/faces/captions/mentions.h - the persons that a caption names, in
 * memory and in the catalogue. */
#ifndef AK_COLLECTION_FACES_CAPTIONS_MENTIONS_H
#define AK_COLLECTION_FACES_CAPTIONS_MENTIONS_H

#include <akin/mentions.h>

#include "collection/catalog.h"

/* Bytes [start, end) of a caption. */
typedef struct ak_caption_span {
    int32_t start, end;
} ak_caption_span;

typedef struct ak_caption_name {
    char *name;
    char *key;  // the name folded, made when it is first needed; NULL: not yet
    akin_presence presence;
    char *position;
    double probability, present;
    bool said;
    ak_caption_span *spans;
    int64_t n_spans, room;
} ak_caption_name;

/* All zero to begin with. */
struct akin_caption_names {
    ak_caption_name *all;
    int64_t n, room;
    char *text;  // of akin_caption_names_read; NULL: none
};

/* What the tagger found or a file gave, and what holds with all corrections;
 * the first is kept for captions that have corrections. */
typedef enum { AK_NAMES_FOUND, AK_NAMES_HELD } ak_names_table;

akin_status ak_caption_names_load(akin_caption_names *out, akin_ctx *ctx,
                                  const ak_catalog *c, ak_names_table from,
                                  int64_t photo);
/* In place of those there are; needs a transaction that writes. */
akin_status ak_caption_names_store(const ak_catalog *c, akin_ctx *ctx,
                                   ak_names_table to, int64_t photo,
                                   const akin_caption_names *names);
/* Another one at the end, surely in the picture and a person. */
akin_status ak_caption_names_add(akin_caption_names *names, akin_ctx *ctx,
                                 const char *name, size_t n,
                                 ak_caption_name **out);
akin_status ak_caption_name_add_span(ak_caption_name *x, akin_ctx *ctx,
                                     ak_caption_span span);
/* However it is written; NULL: it is not there. */
akin_status ak_caption_names_find(ak_caption_name **out, akin_ctx *ctx,
                                  akin_caption_names *names, const char *name);
void ak_caption_names_drop(akin_caption_names *names, ak_caption_name *x);
void ak_caption_names_clear(akin_caption_names *names);

/* Find the names that have no mention as whole words of the text, however they
 * are written. The time is linear in the text. */
akin_status ak_caption_names_locate(akin_caption_names *names, akin_ctx *ctx,
                                    const char *text);
/* The persons that the tagger finds in a text. */
akin_status ak_caption_names_tag(akin_caption_names *out, akin_ctx *ctx,
                                 const akin_tagger *tagger, const char *text);

/* The caption of a photo, to be freed with akin_free; NULL: it has none.
 * *found: there is such a photo. */
akin_status ak_caption_load(char **out, akin_ctx *ctx, const ak_catalog *c,
                            int64_t photo, bool *found);
/* Each photo and caption that a question (SELECT id, caption) has for an
 * answer; `visit` may change what is kept of the photo. */
typedef akin_status ak_caption_visitor(const ak_catalog *c, akin_ctx *ctx,
                                       int64_t photo, const char *text,
                                       void *arg);
akin_status ak_captions_each(const ak_catalog *c, akin_ctx *ctx,
                             const char *question, ak_caption_visitor *visit,
                             void *arg);
/* Do bytes [start, end) of the text begin and end between characters? */
bool ak_span_is_whole(const char *text, int64_t start, int64_t end);

/* For schema 10: older catalogues have neither places nor columns for them. */
akin_status ak_mentions_upgrade(const ak_catalog *c, akin_ctx *ctx);

#endif
