/* text/persons/labelled.h - captions whose persons are known, to learn from. */
#ifndef AK_TEXT_PERSONS_LABELLED_H
#define AK_TEXT_PERSONS_LABELLED_H

#include <akin/persons.h>

#include "data/io/source.h"

/* A form of a name as the caption has it, and what is known of the person. */
typedef struct ak_labelled_mention {
    char *text;
    size_t n;
    akin_presence presence;
} ak_labelled_mention;

typedef struct ak_labelled_caption {
    char *text;
    size_t n;
    int64_t first, end;  // its mentions
    int64_t persons;
} ak_labelled_caption;

/* All zero to begin with. */
typedef struct ak_labelled_captions {
    ak_labelled_caption *captions;
    int64_t n, room;
    ak_labelled_mention *mentions;
    int64_t n_mentions, room_mentions;
} ak_labelled_captions;

/* JSON lines: {"caption": "...", "names": [{"mentions": ["..."],
 * "in_picture": true, false or "credit"}]}. EFORMAT with file and line. */
akin_status ak_labelled_read(ak_labelled_captions *out, akin_ctx *ctx,
                             ak_source *source);
void ak_labelled_free(ak_labelled_captions *l);

/* Learn from the captions of the default tagger and from further ones, in the
 * format of akin_tagger_learn. The default is kept as far as the others would
 * cost it something. */
akin_status ak_tagger_learn_further(akin_tagger **out, akin_ctx *ctx,
                                    ak_source *source,
                                    const akin_tagger_options *options,
                                    akin_tagger_info *info);

#endif
