/* text/persons/lists.h - words of known kinds: given names, titles, places. */
#ifndef AK_TEXT_PERSONS_LISTS_H
#define AK_TEXT_PERSONS_LISTS_H

#include "tensors/tensors.h"

/* Kinds of words, each a bit; the files of a folder of lists are called
 * KIND.txt or KIND.ANYTHING.txt. */
#define AK_WORD_KINDS(X)            \
    X(GIVEN_FEMALE, "given_female") \
    X(GIVEN_MALE, "given_male")     \
    X(FAMILY, "family")             \
    X(PARTICLE, "particle")         \
    X(TITLE, "title")               \
    X(ROLE, "role")                 \
    X(KIN, "kin")                   \
    X(PLACE, "place")               \
    X(NATIONALITY, "nationality")   \
    X(CALENDAR, "calendar")         \
    X(ORGANISATION, "organisation") \
    X(CREDIT, "credit")             \
    X(SUFFIX, "suffix")             \
    X(THING, "thing")               \
    X(DEPICTION, "depiction")       \
    X(COMMON, "common")

#define AK_WORD_NUMBER(id, name) AK_WORD_##id##_NUMBER,
enum { AK_WORD_KINDS(AK_WORD_NUMBER) AK_WORD_KIND_COUNT };
#undef AK_WORD_NUMBER

#define AK_WORD_BIT(id, name) AK_WORD_##id = 1 << AK_WORD_##id##_NUMBER,
enum { AK_WORD_KINDS(AK_WORD_BIT) AK_WORD_NONE = 0 };
#undef AK_WORD_BIT

enum { AK_WORD_GIVEN = AK_WORD_GIVEN_FEMALE | AK_WORD_GIVEN_MALE };

/* Words by their hashes, increasing: 48 bits of the hash, then 16 of kinds. All
 * zero to begin with. */
typedef struct ak_lists {
    uint64_t *words;
    int64_t n;
} ak_lists;

/* All files of a folder that are lists; one word in a line. EFORMAT: a name of
 * a file is no kind, or a line is not UTF-8. */
akin_status ak_lists_read(ak_lists *out, akin_ctx *ctx, const char *folder);
akin_status ak_lists_copy(ak_lists *out, akin_ctx *ctx, const ak_lists *from);
akin_status ak_lists_put(const ak_lists *l, akin_ctx *ctx, ak_tensors *t);
akin_status ak_lists_take(ak_lists *out, akin_ctx *ctx, const ak_tensors *t);
void ak_lists_free(ak_lists *l);

/* The hash of a word in small letters. */
uint64_t ak_word_hash(const char *word, size_t n);
/* The kinds of the word with this hash, 0: none. */
uint32_t ak_lists_find(const ak_lists *l, uint64_t hash);

#endif
