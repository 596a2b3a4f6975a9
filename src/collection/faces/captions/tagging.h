/* collection/faces/captions/tagging.h - the tagger of a collection, and what it
 * has tagged. */
#ifndef AK_COLLECTION_FACES_CAPTIONS_TAGGING_H
#define AK_COLLECTION_FACES_CAPTIONS_TAGGING_H

#include "collection/faces/captions/mentions.h"

/* The file of a collection that has a tagger of its own. */
extern const char ak_file_tagger[];

/* A run that tags captions begins: `*tagger` is the one that was given, or the
 * default, with the aliases that were given (paths; NULL: not given). What is
 * given is kept; where it is not, the collection's own takes its place. Where
 * captions were tagged otherwise before, they are tagged again. */
akin_status ak_tagging_begin(akin_tagger **tagger, akin_ctx *ctx,
                             const ak_catalog *c, const char *given,
                             const char *aliases);

/* A person was removed from captions: a tagger that was learned from captions
 * of the collection leaves with its words. *had: there was one. */
akin_status ak_tagging_forget(const ak_catalog *c, akin_ctx *ctx, bool *had);

#endif
