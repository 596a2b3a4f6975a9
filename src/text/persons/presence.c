/* Who is in the picture: multinomial logistic regression on what is said
 * around the first mention of a person,
 *   P(y) = exp(v_y . f) / sum over z of exp(v_z . f)            (1) */
#include <math.h>

#include "text/persons/people.h"

enum { WINDOW = 4, SENTENCE_WORDS = 32, HEAD_BACK = 10 };

/* Templates, numbered as they come. */
enum {
    BIAS = 200,
    BEFORE,
    BEFORE_ANY = BEFORE + WINDOW,
    AFTER,
    AFTER_ANY = AFTER + WINDOW,
    KINDS_BEFORE,
    KINDS_AFTER,
    HEAD,
    HEADS,
    HEAD_KINDS,
    PHRASE_KINDS,
    PHRASE,
    SENTENCE,
    SENTENCE_KINDS,
    ORDER,
    MARK_BEFORE,
    MARK_AFTER,
    BETWEEN,
    PLACED,
    LATER_BEFORE,
    LATER_AFTER,
    LAST,
    CREDIT_BEFORE,
    VERB,
    OPENING,
    BEFORE_HEAD_KINDS,
    DEPICTED,
    OPENINGS
};

static const ak_token *at(const ak_people *p, int64_t i)
{
    return ak_tokens_at(p->tokens, i);
}

/* A word that is no part of a name: what a sentence says. */
static bool is_plain(const ak_people *p, int64_t i)
{
    const ak_token *x = at(p, i);
    return x->shape != AK_SHAPE_END && x->shape != AK_SHAPE_NUMBER &&
           p->mention_at[i] == 0;
}

static void add_windows(ak_hashed *f, const ak_people *p, const ak_mention *m)
{
    for (int k = 0; k < WINDOW; ++k) {
        const ak_token *a = at(p, m->first - 1 - k), *b = at(p, m->end + k);
        ak_features_add(f, BEFORE + (uint32_t)k, a->word);
        ak_features_add(f, BEFORE_ANY, a->word);
        ak_features_add_kinds(f, KINDS_BEFORE, a->kinds);
        ak_features_add(f, AFTER + (uint32_t)k, b->word);
        ak_features_add(f, AFTER_ANY, b->word);
        ak_features_add_kinds(f, KINDS_AFTER,
                              b->kinds & (AK_WORD_CREDIT | AK_WORD_DEPICTION |
                                          AK_WORD_ORGANISATION));
    }
    ak_features_add(f, MARK_BEFORE,
                    (uint64_t)at(p, m->first - 1)->shape * 4 +
                        at(p, m->first)->enclosed * 2U +
                        at(p, m->first)->sentence);
    ak_features_add(f, MARK_AFTER, at(p, m->end)->shape);
}

/* "late", "injured", before another word of the phrase. */
static bool is_adjective(const ak_people *p, int64_t i)
{
    static const char *const words[] = {
        "late",   "injured", "missing",  "fallen", "slain", "jailed", "young",
        "former", "ousted",  "deceased", "dead",   "new",   "absent"};
    for (size_t k = 0; k < sizeof words / sizeof words[0]; ++k)
        if (ak_token_says(p->tokens, i, words[k]))
            return true;
    return false;
}

/* What the name depends on: titles, roles, kinship and articles before it are
 * passed over, up to "of", "by", "beats"; and the word before that. */
static void add_head(ak_hashed *f, const ak_people *p, const ak_mention *m)
{
    const uint32_t phrase = AK_WORD_TITLE | AK_WORD_ROLE | AK_WORD_KIN |
                            AK_WORD_NATIONALITY;
    int64_t i = m->first - 1;
    uint32_t kinds = 0;
    for (; i > m->first - HEAD_BACK && i >= 0 && p->mention_at[i] == 0; --i) {
        const ak_token *x = at(p, i);
        const bool passed = (x->kinds & phrase) != 0 ||
                            x->cue.kind == AK_CUE_ARTICLE ||
                            x->cue.kind == AK_CUE_POSSESSIVE ||
                            ak_token_is(p->tokens, i, ',') ||
                            (ak_token_is_name(x) && !x->sentence) ||
                            is_adjective(p, i);
        if (!passed)
            break;
        kinds |= x->kinds;
        ak_features_add(f, PHRASE, x->word);
    }
    const ak_token *head = at(p, i), *before = at(p, i - 1);
    ak_features_add_kinds(f, PHRASE_KINDS, kinds);
    if (i >= 0 && p->mention_at[i] != 0) {
        ak_features_add(f, HEAD, 1);
        return;
    }
    ak_features_add(f, HEAD, head->word);
    ak_features_add(f, HEADS, ak_mix64(head->word) ^ before->word);
    ak_features_add_kinds(f, HEAD_KINDS, head->kinds);
    ak_features_add_kinds(f, BEFORE_HEAD_KINDS, before->kinds);
    ak_features_add(
        f, DEPICTED,
        (uint64_t)(before->kinds & (AK_WORD_DEPICTION | AK_WORD_CREDIT)) ^
            ak_mix64(head->word));
}

/* The words of the sentence before and after the name, and its place in the
 * caption. */
static void add_sentence(ak_hashed *f, const ak_people *p, const ak_mention *m)
{
    int64_t from = m->first, to = m->end;
    uint32_t kinds = 0;
    bool credit = false;
    while (from > 0 && m->first - from < SENTENCE_WORDS &&
           !at(p, from)->sentence)
        --from;
    while (to < p->tokens->n && to - m->end < SENTENCE_WORDS &&
           !at(p, to)->sentence)
        ++to;
    ak_features_add(f, OPENING, at(p, from)->word);
    ak_features_add(f, OPENINGS,
                    ak_mix64(at(p, from)->word) ^ at(p, from + 1)->word);
    for (int64_t i = from; i < to; ++i) {
        if (!is_plain(p, i))
            continue;
        const ak_token *x = at(p, i);
        kinds |= x->kinds & (AK_WORD_CREDIT | AK_WORD_DEPICTION);
        if (x->shape == AK_SHAPE_LOWER || x->sentence)
            ak_features_add(f, SENTENCE + (i < m->first ? 0U : 300U), x->word);
        credit |= i < m->first && (x->kinds & AK_WORD_CREDIT) != 0;
    }
    ak_features_add_kinds(f, SENTENCE_KINDS, kinds);
    ak_features_add(f, CREDIT_BEFORE, credit);
    ak_features_add(f, LAST,
                    (to >= p->tokens->n) + 2U * (from == 0) +
                        4U * (m->end >= p->tokens->n - 1));
}

/* What is said between the mention before it and this one. */
static void add_between(ak_hashed *f, const ak_people *p, int64_t m)
{
    const ak_mention *x = &p->mentions[m];
    const int64_t from = m > 0 ? p->mentions[m - 1].end : 0;
    if (m == 0 || x->first - from > SENTENCE_WORDS / 2)
        return;
    for (int64_t i = from; i < x->first; ++i)
        ak_features_add(f, BETWEEN, at(p, i)->word);
}

void ak_features_of_person(ak_hashed *f, const ak_people *p, int64_t i)
{
    const ak_person *x = &p->persons[i];
    const ak_mention *m = &p->mentions[x->mention];
    f->n = 0;
    ak_features_add(f, BIAS, 0);
    ak_features_add(f, ORDER, (uint64_t)(i < 3 ? i : 3));
    ak_features_add(f, PLACED, x->placed);
    add_head(f, p, m);
    add_windows(f, p, m);
    add_between(f, p, x->mention);
    add_sentence(f, p, m);
}

void ak_softmax(double x[AKIN_PRESENCES])
{
    double top = x[0], sum = 0.0;
    for (int y = 1; y < AKIN_PRESENCES; ++y)
        top = fmax(top, x[y]);
    for (int y = 0; y < AKIN_PRESENCES; ++y)
        sum += x[y] = exp(x[y] - top);
    for (int y = 0; y < AKIN_PRESENCES; ++y)
        x[y] /= sum;
}

void ak_people_see(ak_people *p, const akin_tagger *g)
{
    ak_hashed f = {.bits = AK_PRESENCE_BITS};
    for (int64_t i = 0; i < p->n_persons; ++i) {
        double *x = p->persons[i].presence;
        ak_features_of_person(&f, p, i);
        for (int y = 0; y < AKIN_PRESENCES; ++y)
            x[y] = 0.0;
        for (int k = 0; k < f.n; ++k)
            for (int y = 0; y < AKIN_PRESENCES; ++y)
                x[y] +=
                    (double)g->presence[f.at[k] * AKIN_PRESENCES + (uint32_t)y];
        ak_softmax(x);
    }
}
