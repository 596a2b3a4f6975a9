/* Learning a tagger from labelled captions.
 *   [1] Collins. Discriminative training methods for hidden Markov models:
 *       theory and experiments with perceptron algorithms. EMNLP 2002.
 *   [2] Platt. Probabilistic outputs for support vector machines. 1999.
 *
 *   w <- w + f(i, gold) - f(i, found)   where the tags differ      (1)  [1]
 *   the weights are the mean of all w                              (2)  [1]
 *   P(name) = 1 / (1 + exp(-(a margin + b)))                       (3)  [2]
 * The margins of (3) are those of captions that a tagger did not learn from:
 * the captions are cut into FOLDS parts. While learning, words in capitals are
 * hidden at random, so that the tagger does not rely on the names it has seen.
 *
 * Captions that a person corrected are learned beside our own:
 *   w = (1 - share) w_own + share w_all                            (4)
 * where w_all has learned both, corrected ones EXTRA_TIMES in each pass. Of all
 * shares the one is used that makes the fewest errors in corrected captions
 * held out, and no more in our own than share 0 does. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "data/io/source.h"
#include "text/persons/labelled.h"
#include "text/persons/own_captions.h"
#include "text/persons/people.h"

enum { FOLDS = 5, ROUNDS = 5, PRESENCE_PASSES = 15, NEWTON_STEPS = 50 };
enum { EXTRA_TIMES = 3, SHARES = 9 };

static const double hidden_words = 0.35, hidden_kinds = 0.25;
static const double presence_rate = 0.2;

typedef struct example {
    ak_tokens tokens;
    ak_token *original;  // the tokens before some are hidden
    ak_repeats repeats;
    uint8_t *gold;
    const ak_labelled_caption *caption;
    int fold;
} example;

/* What a tagger does to captions that it did not learn from. */
typedef struct tally {
    double *margin;   // of the mentions that it finds
    double *correct;  // 1: it is one
    int64_t n, room;
    int64_t found, wanted;
    int64_t errors[2];  // in our captions and in further ones
} tally;

typedef struct work {
    const ak_labelled_captions *labelled;
    akin_tagger *tagger;
    const akin_tagger_options *options;
    example *examples;
    int64_t n;
    int64_t unmatched;
    double *w, *sum;  // tags: weights, and what averaging takes away
    double T[AK_TAGS * AK_TAGS], T_sum[AK_TAGS * AK_TAGS];
    double step;
    int64_t *order;
    int64_t n_own;       // examples before further ones
    bool skips_further;  // learn from our own alone
    tally tallies[SHARES];
} work;

enum { TAG_WEIGHTS = (1 << AK_TAG_BITS) * AK_TAGS };

/* ---- examples ---- */

/* The token that begins (or ends) at a byte, -1: none. */
static int64_t token_at(const ak_tokens *t, size_t byte, bool end)
{
    for (int64_t i = 0; i < t->n; ++i)
        if ((end ? t->token[i].end : t->token[i].begin) == byte)
            return i;
    return -1;
}

/* Tag every place at which the caption has the text; false: none has it. */
static bool tag_text(example *x, const ak_labelled_mention *m)
{
    const ak_tokens *t = &x->tokens;
    bool found = false;
    for (size_t begin = 0; begin + m->n <= t->n_bytes; ++begin) {
        if (memcmp(t->caption + begin, m->text, m->n) != 0)
            continue;
        const int64_t first = token_at(t, begin, false);
        const int64_t last = token_at(t, begin + m->n, true);
        if (first < 0 || last < first)
            continue;
        found = true;
        if (x->gold[first] != AK_TAG_OUT)
            continue;
        x->gold[first] = AK_TAG_FIRST;
        for (int64_t i = first + 1; i <= last; ++i)
            x->gold[i] = AK_TAG_NEXT;
    }
    return found;
}

static int compare_mentions(const void *x, const void *y)
{
    const ak_labelled_mention *a = *(const ak_labelled_mention *const *)x;
    const ak_labelled_mention *b = *(const ak_labelled_mention *const *)y;
    if (a->n != b->n)
        return (a->n < b->n) - (a->n > b->n);
    return memcmp(a->text, b->text, a->n);
}

/* The longest first: "Mrs. X Y" before "X Y". */
static akin_status tag_example(work *w, akin_ctx *ctx, example *x)
{
    const ak_labelled_caption *c = x->caption;
    const int64_t n = c->end - c->first;
    const ak_labelled_mention **mentions = NULL;
    AK_CHECK(AK_SCRATCH(ctx, n + 1, &mentions));
    for (int64_t k = 0; k < n; ++k)
        mentions[k] = &w->labelled->mentions[c->first + k];
    qsort(mentions, (size_t)n, sizeof *mentions, compare_mentions);
    for (int64_t k = 0; k < n; ++k)
        w->unmatched += !tag_text(x, mentions[k]);
    return AKIN_OK;
}

static akin_status prepare(work *w, akin_ctx *ctx)
{
    ak_rng rng = ak_rng_new(0, AK_STREAM_FOLDS);
    w->n = w->labelled->n;
    AK_CHECK(AK_SCRATCH(ctx, w->n, &w->examples));
    AK_CHECK(AK_SCRATCH(ctx, w->n, &w->order));
    for (int64_t i = 0; i < w->n; ++i) {
        example *x = &w->examples[i];
        x->caption = &w->labelled->captions[i];
        x->fold = (int)ak_rng_below(&rng, FOLDS);
        AK_CHECK(ak_tokens_cut(&x->tokens, ctx, &w->tagger->lists,
                               x->caption->text, x->caption->n));
        AK_CHECK(ak_repeats_find(&x->repeats, ctx, &x->tokens));
        AK_CHECK(AK_SCRATCH(ctx, x->tokens.n + 1, &x->gold));
        AK_CHECK(AK_SCRATCH(ctx, x->tokens.n + 1, &x->original));
        memcpy(x->original, x->tokens.token,
               (size_t)x->tokens.n * sizeof *x->original);
        AK_CHECK(tag_example(w, ctx, x));
    }
    return AKIN_OK;
}

/* ---- the perceptron ---- */

static void show_all(example *x)
{
    memcpy(x->tokens.token, x->original,
           (size_t)x->tokens.n * sizeof *x->original);
}

static void hide_some(example *x, ak_rng *rng)
{
    const uint32_t names = AK_WORD_GIVEN | AK_WORD_FAMILY | AK_WORD_COMMON;
    show_all(x);
    for (int64_t i = 0; i < x->tokens.n; ++i) {
        ak_token *t = &x->tokens.token[i];
        const bool word = ak_rng_unit(rng) < hidden_words;
        const bool kinds = ak_rng_unit(rng) < hidden_kinds;
        if (!ak_token_is_name(t) || (t->kinds & ~(names | AK_WORD_PLACE)) != 0)
            continue;
        if (word)
            t->word = t->prefix = t->suffix2 = t->suffix3 = 0;
        if (kinds)
            t->kinds &= (uint16_t)~names;
    }
}

static void add_tag(work *w, const ak_hashed *f, int tag, double by)
{
    for (int k = 0; k < f->n; ++k) {
        const int64_t at = (int64_t)f->at[k] * AK_TAGS + tag;
        w->w[at] += by;
        w->sum[at] += by * w->step;
    }
}

static void add_transitions(work *w, const uint8_t *tag, int64_t n, double by)
{
    int before = AK_TAG_OUT;
    for (int64_t i = 0; i < n; ++i) {
        w->T[before * AK_TAGS + tag[i]] += by;
        w->T_sum[before * AK_TAGS + tag[i]] += by * w->step;
        before = tag[i];
    }
}

/* One caption: (1). */
static akin_status take_step(work *w, akin_ctx *ctx, example *x)
{
    const ak_mark mark = ak_scratch_begin(ctx);
    const int64_t n = x->tokens.n;
    ak_hashed *f = NULL;
    ak_tagging found;
    float *score = NULL, T[AK_TAGS * AK_TAGS];
    akin_status st = AKIN_OK;
    AK_TRY(AK_SCRATCH(ctx, n + 1, &f));
    AK_TRY(AK_SCRATCH(ctx, n * AK_TAGS + 1, &score));
    AK_TRY(AK_SCRATCH(ctx, n + 1, &found.tag));
    AK_TRY(AK_SCRATCH(ctx, n + 1, &found.margin));
    for (int64_t i = 0; i < n; ++i) {
        double s[AK_TAGS] = {0};
        f[i].bits = AK_TAG_BITS;
        ak_features_of_token(&f[i], &x->tokens, &x->repeats, i);
        for (int k = 0; k < f[i].n; ++k)
            for (int y = 0; y < AK_TAGS; ++y)
                s[y] += w->w[(int64_t)f[i].at[k] * AK_TAGS + y];
        for (int y = 0; y < AK_TAGS; ++y)
            score[i * AK_TAGS + y] = (float)s[y];
    }
    for (int k = 0; k < AK_TAGS * AK_TAGS; ++k)
        T[k] = (float)w->T[k];
    AK_TRY(ak_tagger_decode(&found, ctx, T, score, n));
    if (n > 0 && memcmp(found.tag, x->gold, (size_t)n) != 0) {
        for (int64_t i = 0; i < n; ++i)
            if (found.tag[i] != x->gold[i]) {
                add_tag(w, &f[i], x->gold[i], 1.0);
                add_tag(w, &f[i], found.tag[i], -1.0);
            }
        add_transitions(w, x->gold, n, 1.0);
        add_transitions(w, found.tag, n, -1.0);
    }
    w->step += 1.0;
done:
    ak_scratch_end(ctx, mark);
    return st;
}

static bool is_learned(const work *w, int64_t i, int held_out)
{
    return w->examples[i].fold != held_out &&
           !(w->skips_further && i >= w->n_own);
}

static akin_status learn_example(work *w, akin_ctx *ctx, int64_t i,
                                 int held_out, ak_rng *rng)
{
    const int times = i < w->n_own ? 1 : EXTRA_TIMES;
    for (int k = 0; k < times && is_learned(w, i, held_out); ++k) {
        hide_some(&w->examples[i], rng);
        AK_CHECK(take_step(w, ctx, &w->examples[i]));
    }
    return AKIN_OK;
}

/* From one order of the captions: those that are not in part `held_out` (-1:
 * all), hidden words as the number of the round has it. Further captions come
 * after our own, which are the same with and without them. */
static akin_status learn_round(work *w, akin_ctx *ctx, int held_out, int round)
{
    const ak_rng root = ak_rng_new(0, AK_STREAM_ORDER);
    ak_rng rng = ak_rng_split(root, (uint64_t)round);
    ak_rng further = ak_rng_split(root, (uint64_t)(ROUNDS + round));
    memset(w->w, 0, TAG_WEIGHTS * sizeof *w->w);
    memset(w->sum, 0, TAG_WEIGHTS * sizeof *w->sum);
    memset(w->T, 0, sizeof w->T);
    memset(w->T_sum, 0, sizeof w->T_sum);
    w->step = 1.0;
    for (int64_t i = 0; i < w->n; ++i)
        w->order[i] = i;
    for (int64_t pass = 0; pass < w->options->passes; ++pass) {
        ak_rng_shuffle(&rng, w->n_own, w->order);
        for (int64_t k = 0; k < w->n_own; ++k)
            AK_CHECK(learn_example(w, ctx, w->order[k], held_out, &rng));
        for (int64_t k = w->n_own; k < w->n; ++k)
            AK_CHECK(learn_example(w, ctx, k, held_out, &further));
    }
    for (int64_t k = 0; k < TAG_WEIGHTS; ++k)  // (2)
        w->tagger->tag[k] += (float)((w->w[k] - w->sum[k] / w->step) / ROUNDS);
    for (int k = 0; k < AK_TAGS * AK_TAGS; ++k)
        w->tagger->transition[k] +=
            (float)((w->T[k] - w->T_sum[k] / w->step) / ROUNDS);
    return AKIN_OK;
}

/* The mean of ROUNDS orders, of which each errs in its own way. */
static akin_status learn_tags(work *w, akin_ctx *ctx, int held_out)
{
    memset(w->tagger->tag, 0, TAG_WEIGHTS * sizeof *w->tagger->tag);
    memset(w->tagger->transition, 0, sizeof w->tagger->transition);
    for (int round = 0; round < ROUNDS; ++round) {
        AK_CHECK(ak_ctx_tick(ctx, "learn names",
                             (held_out + 1) * ROUNDS + round,
                             (FOLDS + 1) * ROUNDS, NAN));
        AK_CHECK(learn_round(w, ctx, held_out, round));
    }
    for (int64_t i = 0; i < w->n; ++i)
        show_all(&w->examples[i]);
    return AKIN_OK;
}

/* ---- probabilities ---- */

/* The end of the name that begins at token i by these tags. */
static int64_t end_of(const uint8_t *tag, int64_t i, int64_t n)
{
    for (++i; i < n && tag[i] == AK_TAG_NEXT;)
        ++i;
    return i;
}

static akin_status add_margin(tally *t, akin_ctx *ctx, double margin,
                              bool correct)
{
    int64_t room = t->room;
    AK_CHECK(ak_grow(ctx, t->n + 1, &room, sizeof *t->margin, &t->margin));
    AK_CHECK(ak_grow(ctx, t->n + 1, &t->room, sizeof *t->correct, &t->correct));
    t->margin[t->n] = margin;
    t->correct[t->n++] = correct;
    return AKIN_OK;
}

/* The names that a tagger finds in a caption it has not learned from; errors
 * are names that it misses or makes up. */
static akin_status hold_out(tally *t, akin_ctx *ctx, const akin_tagger *tagger,
                            const example *x, int64_t *errors)
{
    const ak_mark mark = ak_scratch_begin(ctx);
    const int64_t n = x->tokens.n;
    ak_tagging g;
    akin_status st = AKIN_OK;
    AK_TRY(ak_tagger_tag(&g, ctx, tagger, &x->tokens, &x->repeats));
    for (int64_t i = 0; i < n; ++i) {
        t->wanted += x->gold[i] == AK_TAG_FIRST;
        *errors += x->gold[i] == AK_TAG_FIRST;
        if (g.tag[i] != AK_TAG_FIRST)
            continue;
        const int64_t end = end_of(g.tag, i, n);
        const bool correct = x->gold[i] == AK_TAG_FIRST &&
                             end_of(x->gold, i, n) == end;
        double margin = (double)g.margin[i];
        for (int64_t k = i + 1; k < end; ++k)
            margin = fmin(margin, (double)g.margin[k]);
        t->found += correct;
        *errors += correct ? -1 : 1;
        AK_TRY(add_margin(t, ctx, margin, correct));
    }
done:
    ak_scratch_end(ctx, mark);
    return st;
}

/* (3) by Newton's method on the log-likelihood; a little of a prior keeps it
 * finite where all are right. */
static void fit_probability(akin_tagger *g, const tally *t)
{
    const double prior = 1e-2;
    double a = 1.0, b = 0.0, scale = 0.0;
    for (int64_t k = 0; k < t->n; ++k)
        scale += fabs(t->margin[k]) / (double)t->n;
    scale = scale > 0.0 ? scale : 1.0;
    for (int step = 0; step < NEWTON_STEPS; ++step) {
        double ga = -prior * (a - 1.0), gb = -prior * b;
        double haa = prior, hab = 0.0, hbb = prior;
        for (int64_t k = 0; k < t->n; ++k) {
            const double m = t->margin[k] / scale;
            const double p = 1.0 / (1.0 + exp(-(a * m + b)));
            const double q = p * (1.0 - p), r = t->correct[k] - p;
            ga += r * m;
            gb += r;
            haa += q * m * m;
            hab += q * m;
            hbb += q;
        }
        const double det = haa * hbb - hab * hab;
        if (!(det > 1e-12))
            break;
        a += fmax(-1.0, fmin(1.0, (hbb * ga - hab * gb) / det));
        b += fmax(-1.0, fmin(1.0, (haa * gb - hab * ga) / det));
    }
    g->slope = a / scale;
    g->offset = b;
}

/* ---- who is in the picture ---- */

typedef struct sight {
    ak_hashed features;
    akin_presence presence;
} sight;

typedef struct sights {
    sight *x;
    int64_t n, room;
} sights;

/* What is known of the person whose first mention has this text. */
static const ak_labelled_mention *find_label(const work *w, const example *x,
                                             const ak_mention *m)
{
    const ak_token *t = x->tokens.token;
    const uint32_t begin = t[m->first].begin, end = t[m->end - 1].end;
    for (int64_t k = x->caption->first; k < x->caption->end; ++k) {
        const ak_labelled_mention *l = &w->labelled->mentions[k];
        if (l->n == end - begin &&
            memcmp(l->text, x->caption->text + begin, l->n) == 0)
            return l;
    }
    return NULL;
}

static akin_status add_sights(const work *w, akin_ctx *ctx, sights *s,
                              const example *x)
{
    const ak_mark mark = ak_scratch_begin(ctx);
    ak_tagging gold = {.tag = x->gold};
    ak_people p;
    akin_status st = AKIN_OK;
    AK_TRY(AK_SCRATCH(ctx, x->tokens.n + 1, &gold.margin));
    AK_TRY(ak_people_find(&p, ctx, w->tagger, &x->tokens, &gold));
    ak_people_place(&p);
    for (int64_t i = 0; i < p.n_persons; ++i) {
        const ak_labelled_mention *l =
            find_label(w, x, &p.mentions[p.persons[i].mention]);
        if (l == NULL)
            continue;
        AK_TRY(ak_grow(ctx, s->n + 1, &s->room, sizeof *s->x, &s->x));
        s->x[s->n].features.bits = AK_PRESENCE_BITS;
        s->x[s->n].presence = l->presence;
        ak_features_of_person(&s->x[s->n].features, &p, i);
        ++s->n;
    }
done:
    ak_scratch_end(ctx, mark);
    return st;
}

/* One step of logistic regression with AdaGrad's rates. */
static void see_one(float *v, double *square, const sight *s)
{
    const ak_hashed *f = &s->features;
    double x[AKIN_PRESENCES] = {0};
    for (int k = 0; k < f->n; ++k)
        for (int y = 0; y < AKIN_PRESENCES; ++y)
            x[y] += (double)v[f->at[k] * AKIN_PRESENCES + (uint32_t)y];
    ak_softmax(x);
    for (int y = 0; y < AKIN_PRESENCES; ++y) {
        const double gradient = ((int)s->presence == y) - x[y];
        for (int k = 0; k < f->n; ++k) {
            const uint32_t at = f->at[k] * AKIN_PRESENCES + (uint32_t)y;
            square[at] += gradient * gradient;
            v[at] +=
                (float)(presence_rate * gradient / sqrt(square[at] + 1e-6));
        }
    }
}

/* Persons whose presence a tagger gets wrong in a caption. */
static akin_status count_unseen(const work *w, akin_ctx *ctx,
                                const akin_tagger *tagger, const example *x,
                                int64_t *errors)
{
    sights s = {0};
    akin_status st = AKIN_OK;
    AK_TRY(add_sights(w, ctx, &s, x));
    for (int64_t i = 0; i < s.n; ++i) {
        const ak_hashed *f = &s.x[i].features;
        float score[AKIN_PRESENCES] = {0};
        int best = 0;
        for (int k = 0; k < f->n; ++k)
            for (int y = 0; y < AKIN_PRESENCES; ++y)
                score[y] +=
                    tagger->presence[f->at[k] * AKIN_PRESENCES + (uint32_t)y];
        for (int y = 1; y < AKIN_PRESENCES; ++y)
            best = score[y] > score[best] ? y : best;
        *errors += best != (int)s.x[i].presence;
    }
done:
    akin_free(s.x);
    return st;
}

static akin_status learn_presence(work *w, akin_ctx *ctx, int held_out)
{
    const ak_mark mark = ak_scratch_begin(ctx);
    const int64_t size = (int64_t)(1 << AK_PRESENCE_BITS) * AKIN_PRESENCES;
    ak_rng rng = ak_rng_new(0, AK_STREAM_SHUFFLE);
    sights s = {0};
    int64_t n_own = 0;
    double *square = NULL;
    int64_t *order = NULL;
    float *v = w->tagger->presence;
    akin_status st = AKIN_OK;
    memset(v, 0, (size_t)size * sizeof *v);
    for (int64_t i = 0; i < w->n; ++i) {
        if (is_learned(w, i, held_out))
            AK_TRY(add_sights(w, ctx, &s, &w->examples[i]));
        n_own = i < w->n_own ? s.n : n_own;
    }
    AK_TRY(AK_SCRATCH(ctx, size, &square));
    AK_TRY(AK_SCRATCH(ctx, s.n + 1, &order));
    for (int64_t i = 0; i < s.n; ++i)
        order[i] = i;
    for (int pass = 0; pass < PRESENCE_PASSES; ++pass) {
        ak_rng_shuffle(&rng, n_own, order);
        for (int64_t i = 0; i < s.n; ++i)
            see_one(v, square, &s.x[order[i]]);
    }
done:
    akin_free(s.x);
    ak_scratch_end(ctx, mark);
    return st;
}

/* ---- all of it ---- */

static akin_status learn_own(work *w, akin_ctx *ctx)
{
    int64_t errors = 0;
    for (int fold = 0; fold < FOLDS; ++fold) {
        AK_CHECK(learn_tags(w, ctx, fold));
        for (int64_t i = 0; i < w->n; ++i)
            if (w->examples[i].fold == fold)
                AK_CHECK(hold_out(&w->tallies[0], ctx, w->tagger,
                                  &w->examples[i], &errors));
    }
    fit_probability(w->tagger, &w->tallies[0]);
    AK_CHECK(learn_tags(w, ctx, -1));
    return learn_presence(w, ctx, -1);
}

/* ---- with further captions ---- */

static double share_of(int k)
{
    return (double)k / (SHARES - 1);
}

/* (4): `to` is between two taggers. */
static void blend(akin_tagger *to, const akin_tagger *own,
                  const akin_tagger *all, double share)
{
    const float s = (float)share;
    for (int64_t k = 0; k < TAG_WEIGHTS; ++k)
        to->tag[k] = (1.0F - s) * own->tag[k] + s * all->tag[k];
    for (int k = 0; k < AK_TAGS * AK_TAGS; ++k)
        to->transition[k] = (1.0F - s) * own->transition[k] +
                            s * all->transition[k];
    for (int64_t k = 0; k < (int64_t)(1 << AK_PRESENCE_BITS) * AKIN_PRESENCES;
         ++k)
        to->presence[k] = (1.0F - s) * own->presence[k] + s * all->presence[k];
}

/* Taggers of our own captions and of all, without part `held_out`. */
static akin_status learn_both(work *w, akin_ctx *ctx, akin_tagger *own,
                              int held_out)
{
    w->skips_further = true;
    AK_CHECK(learn_tags(w, ctx, held_out));
    AK_CHECK(learn_presence(w, ctx, held_out));
    blend(own, w->tagger, w->tagger, 0.0);
    w->skips_further = false;
    AK_CHECK(learn_tags(w, ctx, held_out));
    return learn_presence(w, ctx, held_out);
}

static akin_status hold_out_fold(work *w, akin_ctx *ctx, const akin_tagger *own,
                                 akin_tagger *mixed, int fold)
{
    for (int k = 0; k < SHARES; ++k) {
        blend(mixed, own, w->tagger, share_of(k));
        for (int64_t i = 0; i < w->n; ++i) {
            int64_t *errors = &w->tallies[k].errors[i >= w->n_own];
            if (w->examples[i].fold != fold)
                continue;
            AK_CHECK(
                hold_out(&w->tallies[k], ctx, mixed, &w->examples[i], errors));
            AK_CHECK(count_unseen(w, ctx, mixed, &w->examples[i], errors));
        }
    }
    return AKIN_OK;
}

/* The best share that costs nothing. */
static int choose_share(const work *w)
{
    int best = 0;
    for (int k = 1; k < SHARES; ++k) {
        const int64_t *e = w->tallies[k].errors, *b = w->tallies[best].errors;
        if (e[0] <= w->tallies[0].errors[0] && e[1] < b[1])
            best = k;
    }
    return best;
}

static akin_status learn_further(work *w, akin_ctx *ctx, int *share)
{
    akin_tagger *own = NULL, *mixed = NULL;
    akin_status st = AKIN_OK;
    AK_TRY(ak_tagger_new(&own, ctx));
    AK_TRY(ak_tagger_new(&mixed, ctx));
    AK_TRY(ak_lists_copy(&mixed->lists, ctx, &w->tagger->lists));
    for (int fold = 0; fold < FOLDS; ++fold) {
        AK_TRY(learn_both(w, ctx, own, fold));
        AK_TRY(hold_out_fold(w, ctx, own, mixed, fold));
    }
    *share = choose_share(w);
    AK_TRY(learn_both(w, ctx, own, -1));
    blend(w->tagger, own, w->tagger, share_of(*share));
    fit_probability(w->tagger, &w->tallies[*share]);
done:
    akin_tagger_free(own);
    akin_tagger_free(mixed);
    return st;
}

static akin_status learn_all(work *w, akin_ctx *ctx, int *share)
{
    const ak_mark mark = ak_scratch_begin(ctx);
    akin_status st = AKIN_OK;
    AK_TRY(AK_SCRATCH(ctx, TAG_WEIGHTS, &w->w));
    AK_TRY(AK_SCRATCH(ctx, TAG_WEIGHTS, &w->sum));
    AK_TRY(prepare(w, ctx));
    AK_TRY(w->n_own < w->n ? learn_further(w, ctx, share) : learn_own(w, ctx));
done:
    ak_scratch_end(ctx, mark);
    for (int k = 0; k < SHARES; ++k) {
        akin_free(w->tallies[k].margin);
        akin_free(w->tallies[k].correct);
    }
    return st;
}

static akin_status take_lists(akin_tagger *g, akin_ctx *ctx, const char *folder)
{
    akin_tagger *standard = NULL;
    akin_status st = AKIN_OK;
    if (folder != NULL)
        return ak_lists_read(&g->lists, ctx, folder);
    AK_TRY(akin_tagger_default(&standard, ctx));
    AK_TRY(ak_lists_copy(&g->lists, ctx, &standard->lists));
done:
    akin_tagger_free(standard);
    return st;
}

static void tell(akin_tagger_info *info, const work *w, int share)
{
    const tally *t = &w->tallies[share];
    *info = (akin_tagger_info){
        .captions = w->labelled->n - (w->n_own < w->n ? w->n_own : 0),
        .unmatched = w->unmatched,
        .accuracy = (double)t->found / fmax(1.0, (double)t->wanted),
        .share = share_of(share),
        .own_errors = t->errors[0],
        .own_errors_before = w->tallies[0].errors[0],
        .errors = t->errors[1],
        .errors_before = w->tallies[0].errors[1]};
    for (int64_t i = w->labelled->n - info->captions; i < w->labelled->n; ++i)
        info->persons += w->labelled->captions[i].persons;
}

/* `own`: captions that come before those of the source; NULL: none. */
static akin_status learn_from(akin_tagger **out, akin_ctx *ctx, ak_source *own,
                              ak_source *source,
                              const akin_tagger_options *options,
                              akin_tagger_info *info)
{
    akin_tagger_options o = AKIN_TAGGER_DEFAULTS;
    ak_labelled_captions labelled = {0};
    work w = {.labelled = &labelled, .options = &o};
    int share = 0;
    akin_status st = AKIN_OK;
    ak_options_take(&o, sizeof o, options);
    if (o.passes < 1 || o.passes > 1000)
        return ak_fail(ctx, AKIN_EINVAL, "`passes` must be 1 to 1000");
    if (own != NULL)
        AK_TRY(ak_labelled_read(&labelled, ctx, own));
    w.n_own = labelled.n;
    AK_TRY(ak_labelled_read(&labelled, ctx, source));
    if (own == NULL)
        w.n_own = labelled.n;
    AK_TRY(ak_tagger_new(&w.tagger, ctx));
    AK_TRY(take_lists(w.tagger, ctx, o.lists));
    AK_TRY(learn_all(&w, ctx, &share));
    if (info != NULL)
        tell(info, &w, share);
    *out = w.tagger;
    w.tagger = NULL;
done:
    akin_tagger_free(w.tagger);
    ak_labelled_free(&labelled);
    return st;
}

akin_status akin_tagger_learn(akin_tagger **out, akin_ctx *ctx,
                              const char *path,
                              const akin_tagger_options *options,
                              akin_tagger_info *info)
{
    ak_source *source = NULL;
    akin_status st = AKIN_OK;
    AK_TRY(ak_source_open(&source, ctx, path, AK_SOURCE_TEXT));
    AK_TRY(learn_from(out, ctx, NULL, source, options, info));
done:
    ak_source_close(source);
    return st;
}

akin_status ak_tagger_learn_further(akin_tagger **out, akin_ctx *ctx,
                                    ak_source *source,
                                    const akin_tagger_options *options,
                                    akin_tagger_info *info)
{
    ak_source *own = NULL;
    akin_status st = AKIN_OK;
    AK_TRY(ak_source_memory(&own, ctx, "captions of the default tagger",
                            AK_SOURCE_TEXT, own_captions, own_captions_size));
    AK_TRY(learn_from(out, ctx, own, source, options, info));
done:
    ak_source_close(own);
    return st;
}
