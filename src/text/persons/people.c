/* Mentions to persons. Rules in their order:
 *   1. "Mr. and Mrs. X Y" are two persons;
 *   2. a shorter form (family name, given name) is the person with the longer
 *      one, and what follows "alias" is the person before it;
 *   3. "A and B X" share X, as do "A, B and C X";
 *   4. wives, husbands, children, brothers and sisters share the family name of
 *      the person they are said to belong to, and "the X brothers, A and B" X;
 *   5. "the former A Z" is the wife among "Mr. and Mrs. X Y": A Y;
 *   6. a file of aliases has the last word.
 * A mention is compared with the RECENT latest persons, so that the time is
 * linear in the caption. */
#include "text/persons/people.h"

#include <stdlib.h>
#include <string.h>

enum { RECENT = 128, LOOK_BACK = 16, ALIAS_WORDS = 6 };

static const ak_token *at(const ak_people *p, int64_t i)
{
    return ak_tokens_at(p->tokens, i);
}

static bool is_cue(const ak_people *p, int64_t i, ak_cue_kind kind)
{
    return at(p, i)->cue.kind == kind;
}

/* ---- mentions ---- */

/* Titles that stand in the middle of a German name. */
static bool is_noble(const ak_people *p, int64_t i)
{
    static const char *const titles[] = {"freiherr", "freifrau", "graf",
                                         "gräfin",   "ritter",   "edler"};
    for (size_t k = 0; k < sizeof titles / sizeof titles[0]; ++k)
        if (ak_token_says(p->tokens, i, titles[k]))
            return true;
    return false;
}

/* The tokens of a mention that make a name: no nickname in quotes, nothing in
 * parentheses, no title in the middle. Returns their number, 0: too many. */
static int32_t name_of(const ak_people *p, const ak_mention *m,
                       int32_t name[AK_NAME_WORDS])
{
    const int32_t first = m->first, end = m->end, length = end - first;
    const bool quoted = at(p, first)->quoted;
    const bool enclosed = at(p, first)->enclosed;
    const int32_t turned = m->given > 0 ? m->given - first : 0;
    int32_t n = 0;
    for (int32_t k = 0; k < length; ++k) {
        const int32_t i = first + (k + turned) % length;
        const ak_token *x = at(p, i);
        if (x->shape == AK_SHAPE_MARK || (x->quoted && !quoted) ||
            (x->enclosed && !enclosed) ||
            (i > first && i + 1 < end && is_noble(p, i)))
            continue;
        if (n == AK_NAME_WORDS)
            return 0;
        name[n++] = i;
    }
    return n;
}

static void add_mention(ak_people *p, int64_t first, int64_t end, float margin)
{
    p->mentions[p->n_mentions++] = (ak_mention){.first = (int32_t)first,
                                                .end = (int32_t)end,
                                                .person = -1,
                                                .margin = margin};
    for (int64_t i = first; i < end; ++i)
        p->mention_at[i] = (int32_t)p->n_mentions;
}

/* Words of places: "From L-R", "Back Row", "Links". */
static bool is_of_place(const ak_people *p, int64_t i)
{
    return is_cue(p, i, AK_CUE_SIDE) || is_cue(p, i, AK_CUE_ORDER) ||
           is_cue(p, i, AK_CUE_ROW) || is_cue(p, i, AK_CUE_PLACE) ||
           is_cue(p, i, AK_CUE_FAR) || is_cue(p, i, AK_CUE_RANK);
}

/* Behind what is before a name, but was tagged as part of it: "Links X",
 * "Mariage de X"; returns the first token of the name. */
static int64_t skip_words(const ak_people *p, int64_t first, int64_t end)
{
    const uint32_t names = AK_WORD_GIVEN | AK_WORD_FAMILY;
    int64_t i = first;
    while (i + 1 < end && is_of_place(p, i) &&
           (at(p, i)->kinds & AK_WORD_GIVEN) == 0)
        ++i;
    if (i + 2 < end && (at(p, i)->kinds & AK_WORD_COMMON) != 0 &&
        (at(p, i)->kinds & names) == 0 && at(p, i + 1)->shape == AK_SHAPE_LOWER)
        i += 2;
    return i;
}

/* "Earl" of "Earl Hutchins": a given name where a family name follows. */
static bool is_given_title(const ak_people *p, int64_t first, int64_t end)
{
    static const char *const words[] = {"earl", "duke", "king", "prince"};
    const uint32_t kinds = at(p, first)->kinds;
    bool title = false;
    for (size_t k = 0; k < sizeof words / sizeof words[0]; ++k)
        title |= ak_token_says(p->tokens, first - 1, words[k]);
    return title && end - first == 1 && (kinds & AK_WORD_FAMILY) != 0 &&
           (kinds & AK_WORD_GIVEN) == 0 && at(p, first)->run == first - 1;
}

/* "Mrs." before the name of a husband, or a family name alone. */
static bool is_wife_of(const ak_people *p, int64_t first, int64_t end)
{
    const uint32_t kinds = at(p, first)->kinds;
    const bool husband = end - first > 1 &&
                         (kinds & AK_WORD_GIVEN) == AK_WORD_GIVEN_MALE;
    const bool family = end - first == 1 && (kinds & AK_WORD_GIVEN) == 0;
    return ak_token_says(p->tokens, first - 1, "mrs") &&
           !is_cue(p, first - 2, AK_CUE_AND) && (husband || family);
}

/* The mention without a title at its beginning, with what belongs to it on
 * both sides: "Ute" of "Ute Freifrau von X", "Jr." */
static void adjust(const ak_people *p, int64_t *first, int64_t *end)
{
    const uint32_t names = AK_WORD_GIVEN | AK_WORD_FAMILY | AK_WORD_PARTICLE;
    *first = skip_words(p, *first, *end);
    while (*first + 1 < *end && (at(p, *first)->kinds & AK_WORD_TITLE) != 0 &&
           (at(p, *first)->kinds & names) == 0 &&
           at(p, *first)->shape != AK_SHAPE_INITIAL &&
           !is_cue(p, *first, AK_CUE_MRS) && !is_noble(p, *first) &&
           at(p, *first + 1)->shape != AK_SHAPE_MARK)
        ++*first;
    const bool free = *first > 0 && p->mention_at[*first - 1] == 0;
    if (free &&
        ((is_noble(p, *first) && ak_token_is_name(at(p, *first - 1))) ||
         is_given_title(p, *first, *end) || is_wife_of(p, *first, *end)))
        --*first;
    const ak_token *next = at(p, *end);
    if ((next->kinds & AK_WORD_SUFFIX) != 0 && ak_token_is_name(next) &&
        next->shape != AK_SHAPE_INITIAL)
        ++*end;
}

/* "Mr. and Mrs. X Y": where "Mrs." is, -1: nowhere. */
static int64_t find_wife(const ak_people *p, int64_t first)
{
    for (int64_t i = first; i >= first - 1; --i)
        if (is_cue(p, i, AK_CUE_MRS) && is_cue(p, i - 1, AK_CUE_AND) &&
            (is_cue(p, i - 2, AK_CUE_MR) ||
             ak_token_says(p->tokens, i - 2, "m")))
            return i;
    return -1;
}

/* The mention without marks at its ends; false: nothing is left. */
static bool trim(const ak_people *p, int64_t *first, int64_t *end)
{
    while (*first < *end && at(p, *first)->shape == AK_SHAPE_MARK)
        ++*first;
    while (*first < *end && at(p, *end - 1)->shape == AK_SHAPE_MARK)
        --*end;
    for (int64_t i = *first; i < *end; ++i)
        if ((ak_token_is_name(at(p, i)) && !is_cue(p, i, AK_CUE_MR) &&
             !is_cue(p, i, AK_CUE_MRS)) ||
            at(p, i)->shape == AK_SHAPE_UNCASED)
            return true;
    return false;
}

/* What stands inside a name, between two parts of it: a nickname in quotes or
 * (née X). Returns the token behind it, or i. */
static int64_t skip_inside(const ak_people *p, int64_t i)
{
    const bool born = ak_token_is(p->tokens, i, '(') &&
                      (ak_token_says(p->tokens, i + 1, "née") ||
                       ak_token_says(p->tokens, i + 1, "nee") ||
                       ak_token_says(p->tokens, i + 1, "geb"));
    const bool nickname = at(p, i)->shape == AK_SHAPE_MARK && at(p, i)->quoted;
    if (!born && !nickname)
        return i;
    for (int64_t k = i + 2; k < i + 6; ++k)
        if (born ? ak_token_is(p->tokens, k, ')')
                 : at(p, k)->shape == AK_SHAPE_MARK && !at(p, k)->quoted)
            return at(p, k + 1)->spaced ? k + 1 : i;
    return i;
}

/* Things and families: "The Silver Ghost", "the X brothers", "Familie X". */
static bool is_thing(const ak_people *p, int64_t first, int64_t end)
{
    const bool article = ak_token_says(p->tokens, first, "the") ||
                         ak_token_says(p->tokens, first, "a") ||
                         ak_token_says(p->tokens, first, "an");
    const bool family = (is_cue(p, end, AK_CUE_FAMILY) ||
                         ak_token_says(p->tokens, end, "brothers")) &&
                        is_cue(p, first - 1, AK_CUE_ARTICLE);
    bool place = true;  // "From L-R"
    for (int64_t i = first; i < end; ++i)
        place &= is_of_place(p, i) || is_cue(p, i, AK_CUE_FROM);
    return place ||
           (article && !at(p, first)->quoted &&
            at(p, first)->shape != AK_SHAPE_INITIAL) ||
           family || (is_cue(p, first, AK_CUE_FAMILY) && first + 1 < end);
}

/* A part on the stage: "A as Carmen", "A als Don José". */
static bool is_part(const ak_people *p, int64_t first)
{
    const int64_t title = (at(p, first - 1)->kinds & AK_WORD_TITLE) != 0;
    const int64_t i = first - 1 - title;
    return (ak_token_says(p->tokens, i, "as") ||
            ak_token_says(p->tokens, i, "als")) &&
           i > 0 && p->mention_at[i - 1] != 0;
}

/* A given name that "and" joins to a mention, and that was not tagged: the one
 * before token i, where a mention begins, or behind it. */
static void add_partner(ak_people *p, int64_t i, float margin, bool behind)
{
    const int64_t and = behind ? i : i - 1;
    const int64_t who = behind ? i + 1 : i - 2;
    const ak_token *x = at(p, who);
    if (!is_cue(p, and, AK_CUE_AND) || !ak_token_is_name(x) ||
        (x->kinds & AK_WORD_GIVEN) == 0 || p->mention_at[who] != 0 ||
        (x->kinds & ~(AK_WORD_GIVEN | AK_WORD_FAMILY)) != 0)
        return;
    const ak_mention *last = p->n_mentions > 0 ? &p->mentions[p->n_mentions - 1]
                                               : NULL;
    const bool alone =
        behind
            ? x->end_of_run == who + 1 && last->end - last->first == 1
            : x->run == who ||
                  (at(p, who - 1)->kinds & (AK_WORD_ROLE | AK_WORD_KIN)) != 0;
    if (alone && (behind || (at(p, i)->kinds & AK_WORD_GIVEN) != 0))
        add_mention(p, who, who + 1, margin);
}

/* A given name that stands alone, and was not tagged. */
static bool is_given_alone(const ak_people *p, int64_t i)
{
    const ak_token *x = at(p, i);
    const uint32_t kinds = AK_WORD_GIVEN | AK_WORD_FAMILY | AK_WORD_COMMON;
    return i >= 0 && p->mention_at[i] == 0 && ak_token_is_name(x) &&
           (x->kinds & AK_WORD_GIVEN) != 0 && (x->kinds & ~kinds) == 0 &&
           x->end_of_run - x->run == 1;
}

/* Given names of a list before a mention that were not tagged: "Rose, Will, "
 */
static void add_listed_before(ak_people *p, int64_t first, float margin)
{
    int64_t from = first;
    while (ak_token_is(p->tokens, from - 1, ',') && is_given_alone(p, from - 2))
        from -= 2;
    const bool begins = from == 0 || at(p, from)->sentence ||
                        ak_token_is(p->tokens, from - 1, ':') ||
                        ak_token_is(p->tokens, from - 1, ',');
    for (; begins && from < first; from += 2)
        add_mention(p, from, from + 1, margin);
}

/* The same behind one: ", Hope" where the list goes on or ends. */
static void add_listed_behind(ak_people *p, int64_t end, float margin)
{
    while (ak_token_is(p->tokens, end, ',') && is_given_alone(p, end + 1) &&
           (end + 2 >= p->tokens->n || ak_token_is(p->tokens, end + 2, ',') ||
            ak_token_is(p->tokens, end + 2, '.') ||
            is_cue(p, end + 2, AK_CUE_AND))) {
        add_mention(p, end + 1, end + 2, margin);
        end += 2;
    }
}

static void take_mentions(ak_people *p, const ak_tagging *g)
{
    const int64_t n = p->tokens->n;
    for (int64_t i = 0; i < n;) {
        int64_t first = i, end = i + 1;
        float margin = g->margin[i];
        if (g->tag[i] == AK_TAG_OUT) {
            ++i;
            continue;
        }
        for (; end < n; ++end) {
            const int64_t inside = skip_inside(p, end);
            if (inside > end && inside < n && g->tag[inside] != AK_TAG_OUT)
                end = inside;
            else if (g->tag[end] != AK_TAG_NEXT ||
                     ak_token_is(p->tokens, end, '.') ||
                     (at(p, end)->tabbed && at(p, end)->run == end))
                break;
            margin = margin < g->margin[end] ? margin : g->margin[end];
        }
        i = end;
        if (!trim(p, &first, &end) || is_part(p, first) ||
            is_thing(p, first, end))
            continue;
        adjust(p, &first, &end);
        if (end - first == 1)
            add_listed_before(p, first, margin);
        add_partner(p, first, margin, false);
        const int64_t wife = find_wife(p, first);
        if (wife >= 0 && wife + 1 < end) {
            add_mention(p, wife, end, margin);
            first = wife + 1;
        }
        add_mention(p, first, end, margin);
        if (end - first == 1)
            add_listed_behind(p, end, margin);
        add_partner(p, p->mentions[p->n_mentions - 1].end, margin, true);
        if (p->mentions[p->n_mentions - 1].end > i)
            i = p->mentions[p->n_mentions - 1].end;
    }
}

/* ---- archives ---- */

/* "Pike, Ed", up to a semicolon, a parenthesis or the end: the token behind the
 * name, or `first`; `*given` is where "Ed" begins. */
static int64_t read_turned(const ak_people *p, int64_t first, int64_t *given)
{
    const int64_t comma = at(p, first)->end_of_run;
    if (!ak_token_is_name(at(p, first)) || comma - first > 3 ||
        !ak_token_is(p->tokens, comma, ',') ||
        !ak_token_is_name(at(p, comma + 1)))
        return first;
    *given = comma + 1;
    const int64_t end = at(p, *given)->end_of_run;
    const bool closed =
        end >= p->tokens->n || ak_token_is(p->tokens, end, ';') ||
        ak_token_is(p->tokens, end, '(') ||
        (ak_token_is(p->tokens, end, '.') && end + 1 == p->tokens->n);
    return closed && end - *given < 4 ? end : first;
}

/* Behind "(1922-1990)" and a semicolon. */
static int64_t skip_years(const ak_people *p, int64_t i)
{
    if (ak_token_is(p->tokens, i, '('))
        while (i < p->tokens->n && !ak_token_is(p->tokens, i++, ')'))
            ;
    return i +
           (ak_token_is(p->tokens, i, ';') || ak_token_is(p->tokens, i, '.'));
}

/* A caption that is an archive's list of names, family names first: two of
 * them, or one with its years. Half of the given names at least are known. */
static bool is_archive(const ak_people *p)
{
    int64_t n = 0, known = 0, i = 0;
    bool years = false;
    while (i < p->tokens->n) {
        int64_t given;
        const int64_t end = read_turned(p, i, &given);
        if (end == i)
            return false;
        known += (at(p, given)->kinds & AK_WORD_GIVEN) != 0;
        years |= ak_token_is(p->tokens, end, '(') &&
                 at(p, end + 1)->shape == AK_SHAPE_NUMBER;
        i = skip_years(p, end);
        ++n;
    }
    return (n > 1 || years) && 2 * known >= n;
}

static void take_archive(ak_people *p, const ak_tagging *g)
{
    int64_t i = 0, given = 0;
    while (i < p->tokens->n) {
        const int64_t end = read_turned(p, i, &given);
        add_mention(p, i, end, g->margin[given]);
        p->mentions[p->n_mentions - 1].given = (int32_t)given;
        i = skip_years(p, end);
    }
}

/* ---- names ---- */

static uint64_t word(const ak_people *p, int32_t token)
{
    return at(p, token)->word;
}

static bool is_same(const ak_people *p, const int32_t *a, const int32_t *b,
                    int32_t n)
{
    for (int32_t k = 0; k < n; ++k)
        if (word(p, a[k]) != word(p, b[k]))
            return false;
    return true;
}

/* Words without Jr. */
static int32_t without_suffix(const ak_people *p, const int32_t *name,
                              int32_t n)
{
    while (n > 1 && (at(p, name[n - 1])->kinds & AK_WORD_SUFFIX) != 0 &&
           (at(p, name[n - 1])->kinds & AK_WORD_GIVEN) == 0)
        --n;
    return n;
}

static bool is_wife(const ak_people *p, const int32_t *name, int32_t n)
{
    return n > 1 && is_cue(p, name[0], AK_CUE_MRS);
}

/* Is the shorter one the end or the beginning of the longer? */
static bool is_short_form(const ak_people *p, const int32_t *full,
                          int32_t n_full, const int32_t *part, int32_t n)
{
    const int32_t most = without_suffix(p, full, n_full);
    if (is_wife(p, full, n_full) != is_wife(p, part, n))
        return false;
    if (is_wife(p, full, n_full)) {
        ++part;
        --n;
    }
    if (n < 1 || n >= n_full ||
        (n == 1 && at(p, part[0])->shape == AK_SHAPE_INITIAL))
        return false;
    return (n <= most && is_same(p, full + most - n, part, n)) ||
           is_same(p, full, part, n);
}

static void new_person(ak_people *p, int64_t mention, const int32_t *name,
                       int32_t n)
{
    ak_person *x = &p->persons[p->n_persons];
    *x = (ak_person){.n_name = n, .mention = (int32_t)mention};
    memcpy(x->name, name, (size_t)n * sizeof *name);
    p->mentions[mention].person = (int32_t)p->n_persons++;
}

/* The person before the mention, where "alias" or "known as" stands between
 * them; -1: none. */
static int32_t find_alias(const ak_people *p, int64_t mention)
{
    int64_t i = p->mentions[mention].first - 1;
    while (i >= 0 && at(p, i)->shape == AK_SHAPE_MARK &&
           !ak_token_is(p->tokens, i, '.'))
        --i;
    const bool known = ak_token_says(p->tokens, i, "as") &&
                       ak_token_says(p->tokens, i - 1, "known");
    if (mention == 0 || (!known && !is_cue(p, i, AK_CUE_ALIAS)))
        return -1;
    return p->mentions[mention - 1].person;
}

/* The person that a name is of, among the latest; -1: a new one. */
static int32_t find_person(ak_people *p, const int32_t *name, int32_t n)
{
    for (int64_t k = p->n_persons - 1; k >= 0 && k >= p->n_persons - RECENT;
         --k) {
        ak_person *x = &p->persons[k];
        if ((x->n_name == n && is_same(p, x->name, name, n)) ||
            is_short_form(p, x->name, x->n_name, name, n))
            return (int32_t)k;
        if (!is_short_form(p, name, n, x->name, x->n_name))
            continue;
        memcpy(x->name, name, (size_t)n * sizeof *name);
        x->n_name = n;
        return (int32_t)k;
    }
    return -1;
}

static void group_mentions(ak_people *p)
{
    int32_t name[AK_NAME_WORDS];
    for (int64_t m = 0; m < p->n_mentions; ++m) {
        ak_mention *x = &p->mentions[m];
        const int32_t n = name_of(p, x, name);
        if (n == 0)
            continue;
        x->person = find_alias(p, m);
        if (x->person < 0)
            x->person = find_person(p, name, n);
        if (x->person < 0)
            new_person(p, m, name, n);
    }
}

/* ---- family names ---- */

/* Is everything between the mentions m and m + 1 a comma, an "and" or both? 0:
 * no, 1: a comma, 2: with an "and". */
static int link_of(const ak_people *p, int64_t m)
{
    if (m < 0 || m + 1 >= p->n_mentions)
        return 0;
    int link = 0;
    const int32_t from = p->mentions[m].end, to = p->mentions[m + 1].first;
    if (to <= from || to - from > 2)
        return 0;
    for (int32_t i = from; i < to; ++i) {
        if (is_cue(p, i, AK_CUE_AND))
            link = 2;
        else if (!ak_token_is(p->tokens, i, ','))
            return 0;
        else if (link == 0)
            link = 1;
    }
    return link;
}

/* Has the mention's person one word for a name, from this very mention? */
static ak_person *single(ak_people *p, int64_t m)
{
    const int32_t i = p->mentions[m].person;
    if (i < 0 || p->persons[i].mention != m)
        return NULL;
    ak_person *x = &p->persons[i];
    /* "Willie B." is one too. */
    const bool initial = x->n_name == 2 &&
                         at(p, x->name[1])->shape == AK_SHAPE_INITIAL;
    return x->n_name == 1 || initial ? x : NULL;
}

/* The tokens of a family name, with its particles; returns their number. */
static int32_t family_of(const ak_people *p, const ak_person *x,
                         const int32_t **family)
{
    const int32_t n = without_suffix(p, x->name, x->n_name);
    int32_t first = n - 1;
    while (first > 1 &&
           (at(p, x->name[first - 1])->kinds & AK_WORD_PARTICLE) != 0 &&
           (at(p, x->name[first - 1])->kinds & AK_WORD_GIVEN) == 0)
        --first;
    *family = x->name + first;
    /* "Whitmore and his wife Jane" */
    const uint32_t kinds = at(p, x->name[first])->kinds;
    const bool alone = n == 1 && (kinds & AK_WORD_FAMILY) != 0 &&
                       (kinds & AK_WORD_GIVEN) == 0;
    return first > 0 || alone ? n - first : 0;
}

static void add_family(ak_person *x, const int32_t *family, int32_t n)
{
    if (n == 0 || x->n_name + n > AK_NAME_WORDS)
        return;
    memcpy(x->name + x->n_name, family, (size_t)n * sizeof *family);
    x->n_name += n;
}

/* Is the word before it a role of one person: singer Zuleika? */
static bool has_role(const ak_people *p, const ak_mention *m)
{
    const ak_token *x = at(p, m->first - 1), *own = at(p, m->first);
    return (x->kinds & AK_WORD_ROLE) != 0 &&
           (own->kinds & AK_WORD_GIVEN) == 0 &&
           p->tokens->low[x->low + x->n_low - 1] != 's';
}

/* "A, B and C X": A and B get the family name of C. */
static void share_in_lists(ak_people *p)
{
    for (int64_t m = 0; m < p->n_mentions; ++m) {
        int64_t last = m;
        int link = 0;
        if (single(p, m) == NULL || has_role(p, &p->mentions[m]))
            continue;
        while (link < 2 && single(p, last) != NULL &&
               (link = link_of(p, last)) > 0)
            ++last;
        if (link < 2 || single(p, last) != NULL ||
            p->mentions[last].person < 0) {
            /* Nobody of this list has a family name to share. */
            m = last > m + 1 ? last - 1 : m;
            continue;
        }
        const ak_person *donor = &p->persons[p->mentions[last].person];
        const int32_t *family;
        const int32_t n = family_of(p, donor, &family);
        for (; m < last; ++m)
            if (single(p, m) != NULL && single(p, m) != donor)
                add_family(single(p, m), family, n);
    }
}

/* "her mother": also of the same family name. */
static bool is_parent(const ak_people *p, int64_t i)
{
    static const char *const words[] = {
        "mother", "father", "mutter", "vater",  //
        "mère",   "père",   "madre",  "padre",
    };
    if (!is_cue(p, i - 1, AK_CUE_POSSESSIVE))
        return false;
    for (size_t k = 0; k < sizeof words / sizeof words[0]; ++k)
        if (ak_token_says(p->tokens, i, words[k]))
            return true;
    return false;
}

/* The word of kinship that a mention follows, also across other single names:
 * "her sons Luka and Marko"; -1: none. */
static int64_t find_kin(ak_people *p, int64_t m)
{
    int64_t i = p->mentions[m].first - 1;
    for (int k = 0; k < LOOK_BACK && i >= 0; ++k, --i) {
        const ak_token *x = at(p, i);
        if (is_cue(p, i, AK_CUE_KIN) || is_cue(p, i, AK_CUE_FAMILY) ||
            is_parent(p, i))
            return i;
        const int32_t other = p->mention_at[i];
        if (other > 0) {
            const int32_t person = p->mentions[other - 1].person;
            if (person < 0 || p->mentions[other - 1].end - i > 2)
                return -1;
            continue;
        }
        if (!ak_token_is(p->tokens, i, ',') &&
            !ak_token_is(p->tokens, i, ':') && !is_cue(p, i, AK_CUE_AND) &&
            !is_cue(p, i, AK_CUE_FROM) && !is_cue(p, i, AK_CUE_SIDE) &&
            !is_cue(p, i, AK_CUE_ORDER) &&
            !ak_token_says(p->tokens, i, "little") &&
            x->shape != AK_SHAPE_NUMBER)
            return -1;
    }
    return -1;
}

/* Whose relative: the possessive before the word of kinship, -1: none. */
static int64_t find_possessive(const ak_people *p, int64_t kin)
{
    for (int64_t i = kin - 1; i >= kin - 3; --i)
        if (is_cue(p, i, AK_CUE_POSSESSIVE) ||
            ak_token_says(p->tokens, i, "son"))  // French, too
            return i;
    /* ", his widow, Jelena, and sons Luka and Marko", "with husband Bob" */
    const bool with = ak_token_says(p->tokens, kin - 1, "with") ||
                      ak_token_says(p->tokens, kin - 1, "mit") ||
                      ak_token_says(p->tokens, kin - 1, "avec");
    return with || is_cue(p, kin - 1, AK_CUE_AND) ? kin : -1;
}

static bool is_small_child(const ak_people *p, int64_t kin)
{
    return ak_token_says(p->tokens, kin, "baby") ||
           ak_token_says(p->tokens, kin, "toddler") ||
           ak_token_says(p->tokens, kin, "infant");
}

/* The latest person with a family name who is named before token `before`. */
static const ak_person *find_donor(const ak_people *p, int64_t m,
                                   int64_t before)
{
    for (int64_t k = m - 1; k >= 0 && k >= m - RECENT; --k) {
        const int32_t i = p->mentions[k].person;
        const int32_t *family;
        if (i >= 0 && p->mentions[k].end <= before &&
            family_of(p, &p->persons[i], &family) > 0)
            return &p->persons[i];
    }
    return NULL;
}

/* "The X brothers, A and B": the token X, -1: none. */
static int64_t find_family_word(const ak_people *p, int64_t kin)
{
    const bool there = ak_token_is_name(at(p, kin - 1)) &&
                       p->mention_at[kin - 1] == 0 &&
                       is_cue(p, kin - 2, AK_CUE_ARTICLE);
    return there ? kin - 1 : -1;
}

static void share_with_kin(ak_people *p)
{
    for (int64_t m = 0; m < p->n_mentions; ++m) {
        ak_person *x = single(p, m);
        const int64_t kin = x != NULL ? find_kin(p, m) : -1;
        if (kin < 0)
            continue;
        const int32_t name = (int32_t)find_family_word(p, kin);
        const int64_t whose = find_possessive(p, kin);
        if (name >= 0)
            add_family(x, &name, 1);
        else if ((is_cue(p, kin, AK_CUE_KIN) || is_parent(p, kin)) &&
                 (whose >= 0 || is_small_child(p, kin))) {
            const ak_person *donor = find_donor(p, m, kin);
            const int32_t *family = NULL;
            const int32_t n = donor != NULL ? family_of(p, donor, &family) : 0;
            if (!ak_token_says(p->tokens, whose, "my"))
                add_family(x, family, n);
        }
    }
}

/* "The bride is the former A Z." */
static void find_brides(ak_people *p)
{
    for (int64_t m = 1; m < p->n_mentions; ++m) {
        ak_mention *x = &p->mentions[m];
        if (!ak_token_says(p->tokens, x->first - 1, "former") ||
            !ak_token_says(p->tokens, x->first - 2, "the") || x->person < 0)
            continue;
        for (int64_t k = m - 1; k >= 0 && k >= m - RECENT; --k) {
            const int32_t i = p->mentions[k].person;
            if (i < 0 || !is_wife(p, p->persons[i].name, p->persons[i].n_name))
                continue;
            ak_person *wife = &p->persons[i];
            const int32_t *family;
            const int32_t n = family_of(p, wife, &family);
            int32_t name[AK_NAME_WORDS];
            memcpy(name, family, (size_t)n * sizeof *name);
            wife->name[0] = p->persons[x->person].name[0];
            wife->n_name = 1;
            add_family(wife, name, n);
            x->person = i;
            break;
        }
    }
}

/* ---- aliases ---- */

static const char *find_in_file(const akin_tagger *g, const ak_people *p,
                                int64_t first, int64_t end)
{
    const uint32_t begin = at(p, first)->begin, stop = at(p, end - 1)->end;
    return ak_tagger_alias(g, p->tokens->caption + begin, stop - begin);
}

/* Mentions of aliases that were not tagged: the longest at each token. */
static void add_alias_mentions(ak_people *p, const akin_tagger *g)
{
    for (int64_t i = 0; i < p->tokens->n; ++i)
        for (int64_t end = i + ALIAS_WORDS; end > i; --end) {
            if (p->mention_at[i] != 0 || end > p->tokens->n ||
                at(p, i)->shape == AK_SHAPE_MARK ||
                at(p, end - 1)->shape == AK_SHAPE_MARK ||
                find_in_file(g, p, i, end) == NULL)
                continue;
            bool free = true;
            for (int64_t k = i; k < end; ++k)
                free &= p->mention_at[k] == 0;
            if (free)
                add_mention(p, i, end, 0.0F);
        }
}

static int compare_mentions(const void *x, const void *y)
{
    const ak_mention *a = x, *b = y;
    return a->first != b->first ? (a->first > b->first) - (a->first < b->first)
                                : (a->end < b->end) - (a->end > b->end);
}

/* Persons whose mentions stand in the file get its names. */
static void use_aliases(ak_people *p, const akin_tagger *g)
{
    for (int64_t m = 0; m < p->n_mentions; ++m) {
        const ak_mention *x = &p->mentions[m];
        const char *name = x->person < 0 ? NULL
                                         : find_in_file(g, p, x->first, x->end);
        if (name != NULL)
            p->persons[x->person].alias = name;
    }
}

/* ---- all of it ---- */

/* Without mentions that are of nobody, and persons without mentions. */
static akin_status tidy(ak_people *p, akin_ctx *ctx)
{
    int64_t n = 0, kept = 0;
    int32_t *number = NULL;
    AK_CHECK(AK_SCRATCH(ctx, p->n_persons + 1, &number));
    for (int64_t i = 0; i < p->n_persons; ++i)
        p->persons[i].mention = -1;
    for (int64_t m = 0; m < p->n_mentions; ++m) {
        const ak_mention x = p->mentions[m];
        if (x.person < 0)
            continue;
        ak_person *who = &p->persons[x.person];
        if (who->mention < 0 || x.margin > who->margin)
            who->margin = x.margin;
        if (who->mention < 0)
            who->mention = (int32_t)n;
        p->mentions[n++] = x;
    }
    p->n_mentions = n;
    for (int64_t i = 0; i < p->n_persons; ++i) {
        number[i] = (int32_t)kept;
        if (p->persons[i].mention >= 0)
            p->persons[kept++] = p->persons[i];
    }
    p->n_persons = kept;
    memset(p->mention_at, 0, (size_t)p->tokens->n * sizeof *p->mention_at);
    for (int64_t m = 0; m < n; ++m) {
        ak_mention *x = &p->mentions[m];
        x->person = number[x->person];
        for (int32_t i = x->first; i < x->end; ++i)
            p->mention_at[i] = (int32_t)m + 1;
    }
    return AKIN_OK;
}

akin_status ak_people_find(ak_people *out, akin_ctx *ctx, const akin_tagger *g,
                           const ak_tokens *t, const ak_tagging *tagging)
{
    *out = (ak_people){.tokens = t};
    /* "Mr. and Mrs." makes two mentions of one; partners have tokens of their
     * own. */
    AK_CHECK(AK_SCRATCH(ctx, 2 * t->n + 1, &out->mentions));
    AK_CHECK(AK_SCRATCH(ctx, t->n + 1, &out->mention_at));
    if (is_archive(out))
        take_archive(out, tagging);
    else
        take_mentions(out, tagging);
    if (g->aliases.n > 0) {
        add_alias_mentions(out, g);
        qsort(out->mentions, (size_t)out->n_mentions, sizeof *out->mentions,
              compare_mentions);
    }
    AK_CHECK(AK_SCRATCH(ctx, out->n_mentions + 1, &out->persons));
    group_mentions(out);
    share_in_lists(out);
    share_with_kin(out);
    find_brides(out);
    if (g->aliases.n > 0)
        use_aliases(out, g);
    return tidy(out, ctx);
}
