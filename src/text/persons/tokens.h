/* text/persons/tokens.h - a caption cut into words, numbers and marks. */
#ifndef AK_TEXT_PERSONS_TOKENS_H
#define AK_TEXT_PERSONS_TOKENS_H

#include "base/ctx.h"
#include "text/persons/cues.h"
#include "text/persons/lists.h"

/* How a token is written. */
typedef enum ak_shape {
    AK_SHAPE_MARK,
    AK_SHAPE_NUMBER,  // begins with a digit
    AK_SHAPE_LOWER,
    AK_SHAPE_CAPITAL,   // Smith
    AK_SHAPE_CAMEL,     // McLean, O'Dowd, Anne-Marie
    AK_SHAPE_CAPITALS,  // UNESCO
    AK_SHAPE_INITIAL,   // J.
    AK_SHAPE_DOTTED,    // U.S.
    AK_SHAPE_SHORT,     // Sgt.
    AK_SHAPE_JOINED,    // al-Bakri
    AK_SHAPE_UNCASED,
    AK_SHAPE_END  // before the first token, and behind the last
} ak_shape;

typedef struct ak_token {
    uint32_t begin, end;  // bytes of the caption
    uint32_t low, n_low;  // in small letters, without a dot at its end
    uint64_t word;        // hash of that
    uint32_t prefix, suffix2, suffix3;  // hashes of a few letters
    uint16_t kinds;                     // of the lists
    uint8_t shape;                      // an ak_shape
    ak_cue cue;
    bool spaced;              // a blank before it
    bool quoted;              // inside quotes
    bool enclosed;            // inside parentheses
    bool sentence;            // the first of a sentence
    bool tabbed;              // a tab before it
    int32_t run, end_of_run;  // tokens of the run of capitals it is in: [run,
                              // end_of_run), or itself alone
} ak_token;

typedef struct ak_tokens {
    const char *caption;
    size_t n_bytes;
    char *low;        // the words in small letters
    ak_token *token;  // n, in scratch memory
    int64_t n;
} ak_tokens;

/* In scratch memory of the context. */
akin_status ak_tokens_cut(ak_tokens *out, akin_ctx *ctx, const ak_lists *lists,
                          const char *caption, size_t n);

/* Token i, or one of shape END where there is none. */
const ak_token *ak_tokens_at(const ak_tokens *t, int64_t i);
/* Is token i a mark of this one byte? */
bool ak_token_is(const ak_tokens *t, int64_t i, char mark);
/* Can it be part of a name by its shape? */
bool ak_token_is_name(const ak_token *t);
/* Is the word, in small letters, this one? */
bool ak_token_says(const ak_tokens *t, int64_t i, const char *word);

#endif
