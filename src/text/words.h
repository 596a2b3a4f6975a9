/* text/words.h - the words of a text that comes in pieces.
 *
 * Characters go through Unicode's NFKC_Casefold (compatibility forms made
 * plain, upper case made lower, accents composed, invisible ones dropped). A
 * word is a run of letters, decimal digits and the marks on them that begins
 * with a letter; all else parts words, bytes that are not UTF-8 too. The words
 * of a text are the same however it is cut into pieces. */
#ifndef AK_TEXT_WORDS_H
#define AK_TEXT_WORDS_H

#include "base/ctx.h"
#include "data/names.h"

enum {
    AK_WORD_MOST = 100,      // characters of the longest word there can be
    AK_WORD_POINTS = 512,    // the same, taken apart
    AK_WORD_SIMPLE = 0x800,  // characters of at most two bytes are below
};

/* A word of n bytes, borrowed; what it returns ends the reading unless OK. */
typedef akin_status (*ak_word_fn)(void *arg, const char *word, size_t n);

/* Set the first four, the rest zero. */
typedef struct ak_words {
    ak_word_fn take;
    void *arg;
    int64_t least, most;  // characters of a word

    int64_t n_bad;   // bytes that are not UTF-8
    int64_t n_zero;  // zero bytes: a binary file

    enum { AK_RUN_NONE, AK_RUN_PLAIN, AK_RUN_WIDE, AK_RUN_NO_WORD } run;
    /* PLAIN: characters that become one letter or digit of at most two bytes
     * each, and have become it. */
    char plain[2 * AK_WORD_MOST];
    size_t n_plain;
    int32_t points[AK_WORD_POINTS];   // WIDE: taken apart
    int64_t n;                        // characters of either
    uint16_t simple[AK_WORD_SIMPLE];  // what they become; 0: not asked yet
    unsigned char cut[4];             // the beginning of a character
    size_t n_cut;
} ak_words;

/* EABSENT where the build has no Unicode. */
akin_status ak_words_check(akin_ctx *ctx);
akin_status ak_words_feed(ak_words *w, const void *bytes, size_t n);
/* The text is over; ready for the next one. */
akin_status ak_words_end(ak_words *w);

/* Words that are no terms: "english", "none" (or NULL), or those of a file. */
akin_status ak_stop_words(ak_names *out, akin_ctx *ctx, const char *which);

#endif
