/* text/persons/people.h - mentions of one caption, and the persons they are of.
 */
#ifndef AK_TEXT_PERSONS_PEOPLE_H
#define AK_TEXT_PERSONS_PEOPLE_H

#include "text/persons/tagger.h"

enum { AK_NAME_WORDS = 16 };

typedef struct ak_mention {
    int32_t first, end;  // tokens [first, end)
    int32_t given;       // the token "Ed" of "Pike, Ed", 0: as written
    int32_t person;
    float margin;  // the least of its tokens
} ak_mention;

typedef struct ak_person {
    int32_t name[AK_NAME_WORDS];  // tokens
    int32_t n_name;
    int32_t mention;    // the first
    const char *alias;  // the name that a file of aliases gives, or NULL
    float margin;       // the largest of its mentions
    bool placed;        // the caption says where
    akin_position position;
    double presence[AKIN_PRESENCES];  // probabilities
} ak_person;

typedef struct ak_people {
    const ak_tokens *tokens;
    ak_mention *mentions;  // by their first token
    int64_t n_mentions;
    ak_person *persons;  // by their first mention
    int64_t n_persons;
    int32_t *mention_at;  // of each token: the mention it is in, + 1
} ak_people;

/* Mentions by their tags, put together to persons; in scratch memory. */
akin_status ak_people_find(ak_people *out, akin_ctx *ctx, const akin_tagger *g,
                           const ak_tokens *t, const ak_tagging *tagging);
/* Where the caption says they are. */
void ak_people_place(ak_people *p);
/* Who of them is in the picture. */
void ak_people_see(ak_people *p, const akin_tagger *g);
/* The features by which that is decided for person i. */
void ak_features_of_person(ak_hashed *f, const ak_people *p, int64_t i);

/* Scores to probabilities. */
void ak_softmax(double x[AKIN_PRESENCES]);

#endif
