#include "text/batch.h"

#include <string.h>

#include "base/parallel.h"

enum {
    BATCH_BYTES = 4 << 20,
    LONG = 1 << 20,  // bytes of a document that is counted alone
    SPARE = 64,      // tokens of a document beside one for each byte
    WORD = sizeof(int32_t),
};

/* Cuts documents into words, one for each worker. */
typedef struct ak_tokenizer {
    ak_words words;
    const ak_bag *bag;
    int32_t *to;
    int64_t n, room;  // n -1: there was no room
} ak_tokenizer;

/* ---- words ---- */

/* Where the tokens of a document go, and how many there is room for. */
static int64_t token_begin(const ak_batch_document *p, int64_t i)
{
    return p->begin + i * SPARE;
}

static int64_t token_end(const ak_batch_document *p, int64_t i)
{
    return p->end + (i + 1) * SPARE;
}

static akin_status cut_word(void *arg, const char *word, size_t n)
{
    ak_tokenizer *c = arg;
    const int64_t more = 2 + (int64_t)(n + WORD - 1) / WORD;
    const int32_t term = ak_bag_look(c->bag, word, n);
    if (term == AK_BAG_NO_TERM || c->n < 0)
        return AKIN_OK;
    if (c->n + more > c->room) {
        c->n = -1;
        return AKIN_OK;
    }
    if (term >= 0) {
        c->to[c->n++] = term;
        return AKIN_OK;
    }
    c->to[c->n] = -1;
    c->to[c->n + 1] = (int32_t)n;
    memcpy(c->to + c->n + 2, word, n);
    c->n += more;
    return AKIN_OK;
}

static akin_status tokenize(void *arg, int64_t begin, int64_t end,
                            int64_t worker)
{
    ak_batch *b = arg;
    ak_tokenizer *c = &b->tokenizers[worker];
    for (int64_t i = begin; i < end; ++i) {
        ak_batch_document *p = &b->documents[i];
        c->n = 0;
        c->to = b->tokens + token_begin(p, i);
        c->room = token_end(p, i) - token_begin(p, i);
        c->words.n_bad = c->words.n_zero = 0;
        if (p->end > p->begin)
            ak_words_feed(&c->words, b->bytes + p->begin,
                          (size_t)(p->end - p->begin));
        ak_words_end(&c->words);
        p->n_tokens = c->n;
        p->n_bad = c->words.n_bad;
        p->n_zero = c->words.n_zero;
    }
    return AKIN_OK;
}

static akin_status make_tokenizers(ak_batch *b)
{
    akin_ctx *ctx = b->bag->ctx;
    const int64_t n = ak_workers(ctx);
    const akin_status st = AK_NEW(ctx, n, &b->tokenizers);
    for (int64_t i = 0; st == AKIN_OK && i < n; ++i) {
        ak_tokenizer *c = &b->tokenizers[i];
        c->bag = b->bag;
        c->words.take = cut_word;
        c->words.arg = c;
        c->words.least = b->bag->words.least;
        c->words.most = b->bag->words.most;
    }
    return st;
}

/* ---- counting ---- */

static akin_status count_tokens(ak_bag *b, int64_t count, const int32_t *tokens)
{
    for (int64_t k = 0; k < count;) {
        if (tokens[k] >= 0) {
            AK_CHECK(ak_bag_count(b, tokens[k++]));
            continue;
        }
        const size_t n = (size_t)tokens[k + 1];
        AK_CHECK(ak_bag_add(b, (const char *)(tokens + k + 2), n));
        k += 2 + (int64_t)(n + WORD - 1) / WORD;
    }
    return AKIN_OK;
}

static akin_status count_document(ak_batch *b, const ak_batch_document *p,
                                  const int32_t *tokens)
{
    ak_bag *bag = b->bag;
    const size_t n = (size_t)(p->end - p->begin);
    if (p->n_tokens < 0)
        return ak_bag_feed(bag, b->bytes + p->begin, n);
    bag->words.n_bad = p->n_bad;
    bag->words.n_zero = p->n_zero;
    return count_tokens(bag, p->n_tokens, tokens);
}

akin_status ak_batch_flush(ak_batch *b)
{
    akin_ctx *ctx = b->bag->ctx;
    if (b->n == 0)
        return AKIN_OK;
    const int64_t need = token_end(&b->documents[b->n - 1], b->n - 1);
    if (b->tokenizers == NULL)
        AK_CHECK(make_tokenizers(b));
    AK_CHECK(ak_grow(ctx, need, &b->token_room, sizeof *b->tokens, &b->tokens));
    AK_CHECK(ak_parallel_for(ctx, b->n, 1, tokenize, b));
    for (int64_t i = 0; i < b->n; ++i) {
        const ak_batch_document *p = &b->documents[i];
        ak_bag_open(b->bag);
        AK_CHECK(count_document(b, p, b->tokens + token_begin(p, i)));
        AK_CHECK(b->end(b->arg));
    }
    b->n = 0;
    return AKIN_OK;
}

/* ---- a document ---- */

void ak_batch_open(ak_batch *b)
{
    ak_batch_document *p = &b->documents[b->n];
    const int64_t begin = b->n > 0 ? p[-1].end : 0;
    *p = (ak_batch_document){.begin = begin, .end = begin};
    b->alone = false;
}

/* The document at work is long: it goes into the bag from now on. */
static akin_status go_alone(ak_batch *b)
{
    const ak_batch_document p = b->documents[b->n];
    AK_CHECK(ak_batch_flush(b));
    b->alone = true;
    ak_bag_open(b->bag);
    return ak_bag_feed(b->bag, b->bytes + p.begin, (size_t)(p.end - p.begin));
}

akin_status ak_batch_feed(ak_batch *b, const void *bytes, size_t n)
{
    ak_batch_document *p = &b->documents[b->n];
    if (!b->alone && p->end - p->begin + (int64_t)n > LONG)
        AK_CHECK(go_alone(b));
    if (b->alone)
        return ak_bag_feed(b->bag, bytes, n);
    AK_CHECK(ak_grow(b->bag->ctx, p->end + (int64_t)n, &b->room, 1, &b->bytes));
    if (n > 0)
        memcpy(b->bytes + p->end, bytes, n);
    p->end += (int64_t)n;
    return AKIN_OK;
}

bool ak_batch_is_binary(const ak_batch *b)
{
    return b->alone && b->bag->words.n_zero > 0;
}

akin_status ak_batch_close(ak_batch *b)
{
    if (b->alone)
        return b->end(b->arg);
    const int64_t bytes = b->documents[b->n++].end;
    return b->n == AK_BATCH_DOCUMENTS || bytes >= BATCH_BYTES
               ? ak_batch_flush(b)
               : AKIN_OK;
}

void ak_batch_cancel(ak_batch *b)
{
    if (b->alone)
        ak_bag_undo(b->bag);
}

void ak_batch_free(ak_batch *b)
{
    akin_free(b->bytes);
    akin_free(b->tokens);
    akin_free(b->tokenizers);
}
