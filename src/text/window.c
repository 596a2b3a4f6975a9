#include "text/window.h"

#include <string.h>

#include "base/parallel.h"
#include "data/io/source.h"

enum {
    LONG = 1 << 20,  // bytes of a document that is read alone
    FULL = 4 << 20,  // bytes of a window
    SPARE = 64,      // tokens of a document beside one for each byte
    WORD = sizeof(int32_t),
};

typedef struct ak_cutter {
    ak_words words;
    const ak_bag *bag;
    int32_t *to;
    int64_t n, room;  // n -1: there was no room
} ak_cutter;

/* ---- taking in ------------------------------------------------------------
 */

static akin_status make_room(ak_window *w, int64_t more)
{
    const int64_t used = w->n > 0 ? w->parts[w->n - 1].end : 0;
    if (used + more <= w->room)
        return AKIN_OK;
    const int64_t room = 2 * w->room + more;
    const akin_status st = ak_resize(w->r->ctx, room, 1, &w->bytes);
    if (st == AKIN_OK)
        w->room = room;
    return st;
}

static akin_status read_all(ak_window *w, ak_source *s, ak_window_part *p)
{
    size_t got = 0;
    akin_status st = AKIN_OK;
    do {
        if (p->end - p->begin > LONG)
            return AKIN_OK;
        AK_TRY(make_room(w, p->end - p->begin + AK_TEXT_PIECE));
        AK_TRY(ak_source_read(s, w->r->ctx, w->bytes + p->end, AK_TEXT_PIECE,
                              &got));
        p->end += (int64_t)got;
    } while (got == AK_TEXT_PIECE);
done:
    return st;
}

akin_status ak_window_take(ak_window *w, const char *path, const char *label,
                           bool *taken)
{
    akin_ctx *ctx = w->r->ctx;
    ak_window_part *p = &w->parts[w->n];
    const int64_t begin = w->n > 0 ? p[-1].end : 0;
    ak_source *s = NULL;
    akin_status st;
    *p = (ak_window_part){path, label, begin, begin, 0, 0, 0};
    ak_ctx_quiet_begin(ctx);
    st = ak_source_open(&s, ctx, path, AK_SOURCE_TEXT);
    if (st == AKIN_OK)
        st = read_all(w, s, p);
    ak_source_close(s);
    ak_ctx_quiet_end(ctx);
    *taken = st == AKIN_OK && p->end - begin <= LONG;
    w->n += *taken;
    return st == AKIN_ENOMEM ? st : AKIN_OK;
}

bool ak_window_is_full(const ak_window *w)
{
    return w->n == AK_WINDOW_DOCUMENTS ||
           (w->n > 0 && w->parts[w->n - 1].end >= FULL);
}

/* ---- cutting, in several threads ------------------------------------------
 */

/* Where the tokens of a document go, and how many there is room for. */
static int64_t token_begin(const ak_window_part *p, int64_t i)
{
    return p->begin + i * SPARE;
}

static int64_t token_end(const ak_window_part *p, int64_t i)
{
    return p->end + (i + 1) * SPARE;
}

static akin_status cut_word(void *arg, const char *word, size_t n)
{
    ak_cutter *c = arg;
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

static akin_status cut_block(void *arg, int64_t begin, int64_t end,
                             int64_t worker)
{
    ak_window *w = arg;
    ak_cutter *c = &w->cutters[worker];
    for (int64_t i = begin; i < end; ++i) {
        ak_window_part *p = &w->parts[i];
        c->n = 0;
        c->to = w->tokens + token_begin(p, i);
        c->room = token_end(p, i) - token_begin(p, i);
        c->words.n_bad = c->words.n_zero = 0;
        ak_words_feed(&c->words, w->bytes + p->begin,
                      (size_t)(p->end - p->begin));
        ak_words_end(&c->words);
        p->n_tokens = c->n;
        p->n_bad = c->words.n_bad;
        p->n_zero = c->words.n_zero;
    }
    return AKIN_OK;
}

static akin_status make_cutters(ak_window *w)
{
    akin_ctx *ctx = w->r->ctx;
    const ak_bag *bag = &w->r->bag;
    const int64_t n = ak_workers(ctx);
    const akin_status st = AK_NEW(ctx, n, &w->cutters);
    for (int64_t i = 0; st == AKIN_OK && i < n; ++i) {
        ak_cutter *c = &w->cutters[i];
        c->bag = bag;
        c->words.take = cut_word;
        c->words.arg = c;
        c->words.least = bag->words.least;
        c->words.most = bag->words.most;
    }
    return st;
}

/* ---- counting -------------------------------------------------------------
 */

static akin_status count_tokens(ak_bag *b, int64_t count, const int32_t *tokens)
{
    akin_status st = AKIN_OK;
    for (int64_t k = 0; k < count;) {
        if (tokens[k] >= 0) {
            AK_TRY(ak_bag_count(b, tokens[k++]));
            continue;
        }
        const size_t n = (size_t)tokens[k + 1];
        AK_TRY(ak_bag_add(b, (const char *)(tokens + k + 2), n));
        k += 2 + (int64_t)(n + WORD - 1) / WORD;
    }
done:
    return st;
}

static akin_status count_part(ak_window *w, const ak_window_part *p,
                              const int32_t *tokens)
{
    ak_bag *b = &w->r->bag;
    const size_t n = (size_t)(p->end - p->begin);
    if (p->n_tokens < 0)
        return ak_bag_feed(b, w->bytes + p->begin, n);
    b->words.n_bad = p->n_bad;
    b->words.n_zero = p->n_zero;
    return p->n_zero == 0 ? count_tokens(b, p->n_tokens, tokens) : AKIN_OK;
}

akin_status ak_window_count(ak_window *w)
{
    ak_reading *r = w->r;
    akin_status st = AKIN_OK;
    if (w->n == 0)
        return AKIN_OK;
    const int64_t need = token_end(&w->parts[w->n - 1], w->n - 1);
    if (w->cutters == NULL)
        AK_TRY(make_cutters(w));
    if (need > w->token_room) {
        AK_TRY(ak_resize(r->ctx, need, sizeof *w->tokens, &w->tokens));
        w->token_room = need;
    }
    AK_TRY(ak_parallel_for(r->ctx, w->n, 1, cut_block, w));
    for (int64_t i = 0; i < w->n; ++i) {
        const ak_window_part *p = &w->parts[i];
        ak_bag_open(&r->bag);
        AK_TRY(count_part(w, p, w->tokens + token_begin(p, i)));
        AK_TRY(ak_reading_close(r, p->path, p->label, '\0'));
    }
    w->n = 0;
done:
    return st;
}

void ak_window_free(ak_window *w)
{
    akin_free(w->bytes);
    akin_free(w->tokens);
    akin_free(w->cutters);
}
