/* Words that are too common to tell anything. */
#include <string.h>

#include "data/io/source.h"
#include "text/words.h"

enum { PIECE = 1 << 16, MOST_BYTES = 16 << 20 };  // of a file

/* Function words of English: articles, pronouns, prepositions, conjunctions,
 * auxiliary verbs, adverbs of place, time and degree. Of contractions, what the
 * documents have of them ("don't": don, t), as the list is cut alike. */
static const char english[] =
    "a an the this that these those "
    "i me my mine myself we us our ours ourselves you your yours yourself "
    "yourselves he him his himself she her hers herself it its itself they "
    "them their theirs themselves one ones oneself "
    "who whom whose which what whoever whatever whichever whomever "
    "someone somebody something anyone anybody anything everyone everybody "
    "everything nobody nothing none each either neither both all any some "
    "every another other others such same own few fewer less least many more "
    "most much several enough "
    "about above across after against along amid among amongst around as at "
    "before behind below beneath beside besides between beyond by despite "
    "down during except for from in inside into like near of off on onto out "
    "outside over past per since through throughout till to toward towards "
    "under underneath until unto up upon via with within without "
    "and or nor but yet so if then else than because although though unless "
    "whereas while whether lest once "
    "am is are was were be been being isn't aren't wasn't weren't ain't "
    "have has had having haven't hasn't hadn't do does did doing done don't "
    "doesn't didn't will would shall should can could may might must ought "
    "need dare cannot won't wouldn't shan't shouldn't couldn't mightn't "
    "mustn't needn't i'm you're he's she'd we'll they've let lets "
    "not no never ever always often sometimes seldom usually "
    "again already also almost just only even still too very quite rather "
    "perhaps maybe however therefore thus hence otherwise instead indeed "
    "moreover furthermore nevertheless nonetheless meanwhile anyway "
    "here there where when why how now today hereby herein thereby "
    "therein thereof wherein whereby whereupon wherever whenever elsewhere "
    "anywhere everywhere nowhere somewhere somehow "
    "soon later afterwards beforehand formerly latter former together apart "
    "away back forth further "
    "get gets got getting go goes going gone went come comes came make makes "
    "made say says said seem seems seemed put take takes took give gives gave "
    "become becomes became "
    "two three first second last next";

typedef struct list {
    ak_names *names;
    akin_ctx *ctx;
} list;

static akin_status add_word(void *arg, const char *word, size_t n)
{
    const list *to = arg;
    int32_t number;
    return ak_names_add(to->names, to->ctx, word, n, &number);
}

static akin_status check_text(const ak_words *w, akin_ctx *ctx,
                              const char *path, bool is_last)
{
    if (w->n_bad == 0 && w->n_zero == 0 && (!is_last || w->n_cut == 0))
        return AKIN_OK;
    return ak_fail(ctx, AKIN_EFORMAT,
                   "%s: not UTF-8 (expected one word per line)", path);
}

static akin_status feed_file(ak_words *w, akin_ctx *ctx, const char *path)
{
    const ak_mark mark = ak_scratch_begin(ctx);
    ak_source *s = NULL;
    char *piece;
    size_t got = 0, bytes = 0;
    akin_status st = AKIN_OK;
    AK_TRY(ak_scratch(ctx, PIECE, 1, &piece));
    AK_TRY(ak_source_open(&s, ctx, path, AK_SOURCE_TEXT));
    do {
        AK_TRY(ak_source_read(s, ctx, piece, PIECE, &got));
        AK_TRY(ak_words_feed(w, piece, got));
        AK_TRY(check_text(w, ctx, path, got < PIECE));
        bytes += got;
        if (bytes > MOST_BYTES)
            AK_TRY(ak_fail(ctx, AKIN_EFORMAT,
                           "%s: more than %d MiB (expected one word per line)",
                           path, MOST_BYTES >> 20));
    } while (got == PIECE);
done:
    ak_source_close(s);
    ak_scratch_end(ctx, mark);
    return st;
}

akin_status ak_stop_words(ak_names *out, akin_ctx *ctx, const char *which)
{
    list to = {out, ctx};
    ak_words w = {
        .take = add_word, .arg = &to, .least = 1, .most = AK_WORD_MOST};
    if (which == NULL || strcmp(which, "none") == 0)
        return AKIN_OK;
    AK_CHECK(ak_words_check(ctx));
    if (strcmp(which, "english") == 0)
        AK_CHECK(ak_words_feed(&w, english, sizeof english - 1));
    else
        AK_CHECK(feed_file(&w, ctx, which));
    return ak_words_end(&w);
}
