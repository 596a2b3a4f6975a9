#include "text/persons/features.h"

#include <string.h>

enum {
    REPEATED = 1,
    IN_RUN = 2,
    LAST_OF_RUN = 4,
    FIRST_OF_RUN = 8,
    LATER = 16
};

/* ---- repeated words ---- */

/* What a token says to later ones of the same word. */
static uint8_t role_in_run(const ak_token *x, int64_t i)
{
    const int32_t length = x->end_of_run - x->run;
    if (length < 2)
        return 0;
    return (uint8_t)(IN_RUN | (i == x->end_of_run - 1 ? LAST_OF_RUN : 0) |
                     (i == x->run ? FIRST_OF_RUN : 0));
}

/* A table of the words seen so far, by hash: the last token of each. */
akin_status ak_repeats_find(ak_repeats *out, akin_ctx *ctx, const ak_tokens *t)
{
    int64_t size = 16;
    int32_t *table = NULL;
    while (size < 2 * t->n)
        size *= 2;
    AK_CHECK(AK_SCRATCH(ctx, t->n + 1, &out->flags));
    AK_CHECK(AK_SCRATCH(ctx, size, &table));
    for (int64_t i = 0; i < t->n; ++i) {
        const ak_token *x = &t->token[i];
        int64_t k = (int64_t)(x->word & (uint64_t)(size - 1));
        if (!ak_token_is_name(x))
            continue;
        while (table[k] != 0 && t->token[table[k] - 1].word != x->word)
            k = (k + 1) & (size - 1);
        if (table[k] != 0) {
            const int32_t before = table[k] - 1;
            out->flags[before] |= REPEATED;
            out->flags[i] = (uint8_t)(REPEATED | LATER |
                                      role_in_run(&t->token[before], before) |
                                      (out->flags[before] & ~REPEATED));
        }
        table[k] = (int32_t)i + 1;
    }
    return AKIN_OK;
}

/* ---- features ---- */

/* Templates, numbered as they come. */
enum {
    BIAS = 1,
    WORD,
    WORDS = WORD + 5,
    PREFIX = WORDS + 2,
    SUFFIX2,
    SUFFIX3,
    SHAPE,
    SHAPES = SHAPE + 5,
    KINDS,
    KIND_PAIR = KINDS + 5,
    SHAPE_KIND,
    FLAGS,
    PLACE_IN_RUN,
    BEFORE_RUN,
    BEFORE_RUN_2,
    BEFORE_RUN_KINDS,
    AFTER_RUN,
    AFTER_RUN_2,
    AFTER_RUN_KINDS,
    FIRST_KINDS,
    LAST_KINDS,
    RIGHT_KINDS,
    LEFT_KINDS,
    LAST_WORD,
    REPEATS,
    BEFORE_SHAPE,
    SENTENCE_SHAPE,
    TITLE_BEFORE,
    CUE,
    CUE_BEFORE_RUN = CUE + 3,
    CUE_AFTER_RUN
};

static uint64_t pair(uint64_t a, uint64_t b)
{
    return ak_mix64(a + UINT64_C(0x9e3779b97f4a7c15)) ^ b;
}

/* Words, shapes and kinds of the token and its two neighbours on each side. */
static void add_window(ak_hashed *f, const ak_tokens *t, int64_t i)
{
    const ak_token *x = ak_tokens_at(t, i), *a = ak_tokens_at(t, i - 1),
                   *b = ak_tokens_at(t, i + 1);
    for (int k = -2; k <= 2; ++k) {
        const ak_token *y = ak_tokens_at(t, i + k);
        const uint32_t offset = (uint32_t)(k + 2);
        ak_features_add(f, WORD + offset, y->word);
        ak_features_add(f, SHAPE + offset, y->shape);
        ak_features_add_kinds(f, KINDS + offset, y->kinds);
    }
    ak_features_add(f, CUE, pair(a->cue.kind, x->shape));
    ak_features_add(f, CUE + 1, pair(x->cue.kind, x->shape));
    ak_features_add(f, CUE + 2, pair(b->cue.kind, x->shape));
    ak_features_add(f, WORDS, pair(a->word, x->shape));
    ak_features_add(f, WORDS + 1, pair(b->word, x->shape));
    ak_features_add(f, SHAPES, pair(pair(a->shape, x->shape), b->shape));
    ak_features_add(f, KIND_PAIR, pair(x->kinds, b->kinds));
    ak_features_add(f, SHAPE_KIND, pair(x->shape, x->kinds));
    ak_features_add(f, PREFIX, x->prefix);
    ak_features_add(f, SUFFIX2, x->suffix2);
    ak_features_add(f, SUFFIX3, x->suffix3);
}

/* The run of capitals around the token, and what stands on both sides. */
static void add_run(ak_hashed *f, const ak_tokens *t, int64_t i)
{
    const ak_token *x = &t->token[i];
    const int64_t begin = x->run, end = x->end_of_run;
    const ak_token *first = ak_tokens_at(t, begin),
                   *last = ak_tokens_at(t, end - 1),
                   *before = ak_tokens_at(t, begin - 1),
                   *after = ak_tokens_at(t, end);
    const int64_t length = end - begin;
    const uint64_t at = (uint64_t)((i == begin) + 2 * (i == end - 1)) +
                        4 * (uint64_t)(length > 4 ? 4 : length);
    uint32_t right = 0, left = 0;
    if (!ak_token_is_name(first))
        return;
    for (int64_t k = i + 1; k < end && k < i + 8; ++k)
        right |= t->token[k].kinds;
    for (int64_t k = i - 1; k >= begin && k > i - 8; --k)
        left |= t->token[k].kinds;
    ak_features_add(f, PLACE_IN_RUN, at);
    ak_features_add(f, BEFORE_RUN, pair(before->word, i == begin));
    ak_features_add(f, BEFORE_RUN_2,
                    pair(ak_tokens_at(t, begin - 2)->word, before->word));
    ak_features_add_kinds(f, BEFORE_RUN_KINDS, before->kinds);
    ak_features_add(f, BEFORE_SHAPE, pair(before->shape, at));
    ak_features_add(f, CUE_BEFORE_RUN, before->cue.kind);
    ak_features_add(f, CUE_AFTER_RUN, after->cue.kind);
    ak_features_add(f, AFTER_RUN, after->word);
    ak_features_add(f, AFTER_RUN_2,
                    pair(after->word, ak_tokens_at(t, end + 1)->word));
    ak_features_add_kinds(f, AFTER_RUN_KINDS, ak_tokens_at(t, end + 1)->kinds);
    ak_features_add_kinds(f, FIRST_KINDS, first->kinds);
    ak_features_add_kinds(f, LAST_KINDS, last->kinds);
    ak_features_add(f, LAST_WORD, last->word);
    ak_features_add_kinds(f, RIGHT_KINDS, right);
    ak_features_add_kinds(f, LEFT_KINDS, left);
    ak_features_add(f, TITLE_BEFORE,
                    pair((left | before->kinds) &
                             (AK_WORD_TITLE | AK_WORD_ROLE | AK_WORD_KIN),
                         at));
}

void ak_features_of_token(ak_hashed *f, const ak_tokens *t, const ak_repeats *r,
                          int64_t i)
{
    const ak_token *x = &t->token[i];
    f->n = 0;
    ak_features_add(f, BIAS, 0);
    add_window(f, t, i);
    add_run(f, t, i);
    ak_features_add(f, FLAGS,
                    (uint64_t)x->quoted + 2 * (uint64_t)x->enclosed +
                        4 * (uint64_t)x->spaced);
    ak_features_add(f, SENTENCE_SHAPE,
                    pair(x->shape, x->sentence + 2U * (i == 0)));
    ak_features_add(f, REPEATS, pair(r->flags[i], x->run == i));
    ak_features_add(f, REPEATS, pair(r->flags[i], x->shape + 100));
}
