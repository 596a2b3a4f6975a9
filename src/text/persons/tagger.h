/* text/persons/tagger.h - the learned part: which tokens are names, and who is
 * in the picture. */
#ifndef AK_TEXT_PERSONS_TAGGER_H
#define AK_TEXT_PERSONS_TAGGER_H

#include <akin/persons.h>

#include "data/names.h"
#include "text/persons/features.h"

/* Tags of tokens: outside of names, first of a name, further ones. */
enum { AK_TAG_OUT, AK_TAG_FIRST, AK_TAG_NEXT, AK_TAGS };
enum { AK_TAG_BITS = 15, AK_PRESENCE_BITS = 13 };

struct akin_tagger {
    ak_lists lists;
    float *tag;                           // 2^AK_TAG_BITS x AK_TAGS
    float transition[AK_TAGS * AK_TAGS];  // from, to
    float *presence;                      // 2^AK_PRESENCE_BITS x AKIN_PRESENCES
    double slope, offset;                 // of the probability of a name
    ak_names aliases;                     // in small letters
    char **alias_names;                   // the name that each stands for
    int64_t room_aliases;
};

/* What one caption is tagged with, in scratch memory. */
typedef struct ak_tagging {
    uint8_t *tag;   // n
    float *margin;  // n: what the best tags with another here would lose
} ak_tagging;

akin_status ak_tagger_tag(ak_tagging *out, akin_ctx *ctx, const akin_tagger *g,
                          const ak_tokens *t, const ak_repeats *r);
/* The same by scores for each token and tag, n x AK_TAGS. */
akin_status ak_tagger_decode(ak_tagging *out, akin_ctx *ctx,
                             const float *transition, const float *score,
                             int64_t n);

/* The probability that tokens tagged with this least margin are a name. */
double ak_tagger_probability(const akin_tagger *g, double margin);

/* The name that a text stands for by the file of aliases, NULL: none. */
const char *ak_tagger_alias(const akin_tagger *g, const char *text, size_t n);

/* An alias as the file has it, in small letters, and the name that it stands
 * for. */
int64_t ak_tagger_alias_count(const akin_tagger *g);
const char *ak_tagger_get_alias(const akin_tagger *g, int64_t k,
                                const char **name);
akin_status ak_tagger_put_alias(akin_tagger *g, akin_ctx *ctx,
                                const char *alias, const char *name);

akin_status ak_tagger_new(akin_tagger **out, akin_ctx *ctx);
akin_status ak_tagger_put(const akin_tagger *g, akin_ctx *ctx, ak_tensors *t);
akin_status ak_tagger_take(akin_tagger **out, akin_ctx *ctx,
                           const ak_tensors *t);

#endif
