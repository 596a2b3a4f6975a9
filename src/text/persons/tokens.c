/* Captions to tokens. A word is letters and digits with apostrophes and hyphens
 * between them. The dot of an initial or a usual abbreviation belongs to its
 * word, a possessive 's and a French l' are tokens of their own. */
#include "text/persons/tokens.h"

#include <stdlib.h>
#include <string.h>

#include "text/persons/letters.h"

enum { MOST_BYTES = 1 << 30, AFFIX = 3 };

static const ak_token outside = {.shape = AK_SHAPE_END};

const ak_token *ak_tokens_at(const ak_tokens *t, int64_t i)
{
    return i >= 0 && i < t->n ? &t->token[i] : &outside;
}

bool ak_token_is(const ak_tokens *t, int64_t i, char mark)
{
    const ak_token *x = ak_tokens_at(t, i);
    return x->shape == AK_SHAPE_MARK && t->caption[x->begin] == mark;
}

bool ak_token_says(const ak_tokens *t, int64_t i, const char *word)
{
    const ak_token *x = ak_tokens_at(t, i);
    return x->n_low == strlen(word) && x->n_low > 0 &&
           memcmp(t->low + x->low, word, x->n_low) == 0;
}

bool ak_token_is_name(const ak_token *t)
{
    return t->shape >= AK_SHAPE_CAPITAL && t->shape <= AK_SHAPE_JOINED;
}

/* ---- words ---- */

/* Abbreviations whose dot is not the end of a sentence; sorted. */
static const char *const shorts[] = {
    "adm",   "amb",  "apr",  "ariz", "ark",  "aug",   "brig", "bt",   "ca",
    "calif", "capt", "cmdr", "col",  "colo", "conn",  "cpl",  "dec",  "del",
    "det",   "dr",   "dra",  "esq",  "feb",  "fla",   "fr",   "ft",   "ga",
    "gen",   "gov",  "hon",  "ill",  "ind",  "insp",  "jan",  "jnr",  "jr",
    "jul",   "jun",  "kan",  "ky",   "la",   "lieut", "lt",   "ltd",  "ma",
    "maj",   "mar",  "mass", "md",   "mgr",  "mich",  "minn", "miss", "mlle",
    "mme",   "mo",   "mont", "mr",   "mrs",  "ms",    "msgr", "mt",   "neb",
    "nev",   "no",   "nov",  "oct",  "okla", "ore",   "pa",   "pfc",  "prof",
    "pvt",   "rep",  "rev",  "sen",  "sep",  "sept",  "sgt",  "snr",  "sr",
    "sra",   "srta", "ssgt", "st",   "ste",  "supt",  "tenn", "tex",  "va",
    "vs",    "vt",   "wash", "wis",  "wm",   "wyo",
};

static int compare_word(const void *key, const void *row)
{
    return strcmp(key, *(const char *const *)row);
}

/* Those of "left" and "right", which small letters begin; sorted. */
static const char *const short_sides[] = {
    "dcha",  "dcho",  "der", "dr",  "izda", "izdo", "izq",
    "izqda", "izqdo", "li",  "lks", "mi",   "re",   "rts",
};

static bool is_short(const char *low, size_t n, bool capital)
{
    char word[8];
    if (n >= sizeof word)
        return false;
    memcpy(word, low, n);
    word[n] = '\0';
    return bsearch(word, short_sides,
                   sizeof short_sides / sizeof short_sides[0],
                   sizeof short_sides[0], compare_word) != NULL ||
           (capital && bsearch(word, shorts, sizeof shorts / sizeof shorts[0],
                               sizeof shorts[0], compare_word) != NULL);
}

/* A word as it is read. */
typedef struct reading {
    const char *text;
    size_t n, at;
    char *low;
    size_t n_low;
    uint32_t last[AFFIX];  // letters, the latest first
    uint32_t first[AFFIX];
    uint32_t letters, capitals, uncased, digits;
    bool capital_first, capital_later, parted;
} reading;

static ak_char peek(const reading *r, size_t at)
{
    const ak_char end = {.kind = AK_CHAR_BLANK, .bytes = 0};
    return at < r->n ? ak_char_read(r->text + at, r->n - at) : end;
}

static void take(reading *r, ak_char c)
{
    r->n_low += ak_char_write(c.lower, r->low + r->n_low);
    r->at += c.bytes;
    if (r->letters + r->digits < AFFIX)
        r->first[r->letters + r->digits] = c.lower;
    memmove(r->last + 1, r->last, (AFFIX - 1) * sizeof r->last[0]);
    r->last[0] = c.lower;
    if (c.kind == AK_CHAR_UPPER) {
        r->capital_first |= r->letters == 0;
        r->capital_later |= r->letters > 0;
        ++r->capitals;
    }
    r->letters += (uint32_t)ak_char_is_letter(c.kind);
    r->digits += c.kind == AK_CHAR_DIGIT;
    r->uncased += c.kind == AK_CHAR_UNCASED;
}

static bool goes_on(ak_char c)
{
    return ak_char_is_letter(c.kind) || c.kind == AK_CHAR_DIGIT;
}

/* Is this the apostrophe of a possessive: 's, and no letter behind? */
static bool is_possessive(const reading *r, ak_char apostrophe)
{
    const ak_char s = peek(r, r->at + apostrophe.bytes);
    return (s.code == 's' || s.code == 'S') &&
           !goes_on(peek(r, r->at + apostrophe.bytes + s.bytes));
}

/* "l'" of "l'actrice", "d'" of "d'Aubigny", but not "D'" of "D'Souza". */
static bool is_elision(const reading *r)
{
    const uint32_t a = r->first[0];
    if (r->letters == 2)
        return a == 'q' && r->first[1] == 'u';
    if (r->letters != 1 || a > 0x7f || strchr("lsncjmtd", (int)a) == NULL)
        return false;
    return r->capitals == 0 || a == 'l' ||
           peek(r, r->at + 1).kind == AK_CHAR_LOWER;
}

/* Read on to the end of a word. */
static void read_word(reading *r)
{
    for (;;) {
        const ak_char c = peek(r, r->at);
        if (goes_on(c)) {
            take(r, c);
            continue;
        }
        if (c.kind != AK_CHAR_APOSTROPHE && c.kind != AK_CHAR_HYPHEN)
            return;
        if (!goes_on(peek(r, r->at + c.bytes)))
            return;
        const bool apostrophe = c.kind == AK_CHAR_APOSTROPHE;
        if (apostrophe && is_possessive(r, c))
            return;
        const bool ends = apostrophe && c.code == '\'' && is_elision(r);
        r->parted = true;
        r->n_low += ak_char_write(c.lower, r->low + r->n_low);
        r->at += c.bytes;
        if (ends)
            return;
    }
}

/* The dots of "J.", "U.S." and "Sgt."; returns the shape, or `shape`. */
static ak_shape read_dots(reading *r, ak_shape shape)
{
    if (r->at >= r->n || r->text[r->at] != '.')
        return shape;
    if (r->letters == 1 && r->digits == 0 && !r->parted) {
        int more = 0;
        ++r->at;
        for (;;) {
            const ak_char c = peek(r, r->at);
            const size_t dot = r->at + c.bytes;
            if (!ak_char_is_letter(c.kind) || dot >= r->n ||
                r->text[dot] != '.')
                break;
            r->low[r->n_low++] = '.';
            take(r, c);
            ++r->at;
            ++more;
        }
        if (r->capitals == 0)
            return AK_SHAPE_LOWER;
        return more > 0 ? AK_SHAPE_DOTTED : AK_SHAPE_INITIAL;
    }
    if (is_short(r->low, r->n_low, r->capital_first)) {
        ++r->at;
        return r->capital_first ? AK_SHAPE_SHORT : shape;
    }
    return shape;
}

/* The dot of an ordinal number, "2. Reihe" or "2. v. l.": what follows is no
 * new sentence. */
static void read_ordinal(reading *r)
{
    size_t at = r->at + 1;
    if (r->letters > 0 || r->digits > 2 || r->at >= r->n ||
        r->text[r->at] != '.')
        return;
    ak_char c = peek(r, at);
    while (c.kind == AK_CHAR_BLANK && c.bytes > 0)
        c = peek(r, at += c.bytes);
    if (c.kind == AK_CHAR_LOWER ||
        (r->n - at > 5 && memcmp(r->text + at, "Reihe", 5) == 0))
        ++r->at;
}

static ak_shape shape_of(const reading *r)
{
    if (r->letters == r->uncased && r->letters > 0)
        return AK_SHAPE_UNCASED;
    if (r->capitals == 0)
        return AK_SHAPE_LOWER;
    if (!r->capital_first)
        return r->parted ? AK_SHAPE_JOINED : AK_SHAPE_LOWER;
    if (r->capitals > 1 && r->capitals == r->letters)
        return AK_SHAPE_CAPITALS;
    return r->capital_later ? AK_SHAPE_CAMEL : AK_SHAPE_CAPITAL;
}

/* ---- tokens ---- */

static uint32_t mix_letters(const uint32_t *x, int n)
{
    uint32_t h = 2166136261U;
    for (int k = 0; k < n; ++k)
        h = (h ^ x[k]) * 16777619U;
    return h;
}

/* A token of the bytes [begin, r->at), whose word is in r->low from `low`. */
static ak_token make_token(const reading *r, size_t begin, const char *low,
                           ak_shape shape)
{
    return (ak_token){
        .begin = (uint32_t)begin,
        .end = (uint32_t)r->at,
        .low = (uint32_t)(r->low - low),
        .n_low = (uint32_t)r->n_low,
        .word = ak_word_hash(r->low, r->n_low),
        .prefix = mix_letters(r->first, AFFIX),
        .suffix2 = mix_letters(r->last, 2),
        .suffix3 = mix_letters(r->last, AFFIX),
        .shape = (uint8_t)shape,
    };
}

/* The token at r->at, which is not blank. */
static ak_shape read_token(reading *r, ak_char c)
{
    if (c.kind == AK_CHAR_APOSTROPHE && is_possessive(r, c)) {
        take(r, c);
        take(r, peek(r, r->at));
        return AK_SHAPE_MARK;
    }
    if (c.kind == AK_CHAR_DIGIT) {
        read_word(r);
        read_ordinal(r);
        return AK_SHAPE_NUMBER;
    }
    if (!ak_char_is_letter(c.kind)) {
        take(r, c);
        return AK_SHAPE_MARK;
    }
    read_word(r);
    return read_dots(r, shape_of(r));
}

/* Quotes, parentheses and sentences, as they open and close. */
typedef struct surroundings {
    bool quoted, ended;
    int depth;
    ak_char_kind last;
} surroundings;

static void look_around(surroundings *s, const ak_tokens *t, ak_token *x,
                        ak_char c)
{
    const char mark = x->shape == AK_SHAPE_MARK ? t->caption[x->begin] : '\0';
    if (mark == ')' && s->depth > 0)
        --s->depth;
    if (c.kind == AK_CHAR_QUOTE)
        s->quoted = !s->quoted;
    x->quoted = s->quoted;
    x->enclosed = s->depth > 0;
    x->sentence = s->ended && x->shape != AK_SHAPE_MARK;
    s->depth += mark == '(';
    if (mark == '.' || mark == '!' || mark == '?')
        s->ended = true;
    else if (mark != ')' && c.kind != AK_CHAR_QUOTE)
        s->ended = false;  // "D-La., right": no sentence ended
}

/* Does a tab part the names on both sides of it, before token i? One that
 * stands inside a name does not. */
static bool is_parted(const ak_tokens *t, int64_t i)
{
    return ak_tokens_at(t, i)->tabbed &&
           ak_token_is_name(ak_tokens_at(t, i - 1)) &&
           ak_token_is_name(ak_tokens_at(t, i - 2)) &&
           ak_token_is_name(ak_tokens_at(t, i)) &&
           ak_token_is_name(ak_tokens_at(t, i + 1)) &&
           !ak_tokens_at(t, i - 1)->tabbed && !ak_tokens_at(t, i + 1)->tabbed;
}

/* Does the run go on from token i to the next? */
static bool is_joined(const ak_tokens *t, int64_t i)
{
    const ak_token *a = &t->token[i], *b = ak_tokens_at(t, i + 1);
    if (is_parted(t, i + 1))
        return false;
    if (!b->spaced && a->shape != AK_SHAPE_LOWER)
        return false;
    if (ak_token_is_name(b))
        return true;
    /* A particle joins what stands around it: van der Meer. */
    for (int64_t k = i + 1; k <= i + 3; ++k) {
        const ak_token *p = ak_tokens_at(t, k);
        if (ak_token_is_name(p))
            return k > i + 1;
        if (p->shape != AK_SHAPE_LOWER || (p->kinds & AK_WORD_PARTICLE) == 0 ||
            p->cue.kind == AK_CUE_AND)
            return false;
    }
    return false;
}

/* ---- headlines ---- */

/* Words that a headline has in capitals, and other text has not. */
static bool is_plain(const ak_token *x)
{
    const uint32_t names = AK_WORD_GIVEN | AK_WORD_FAMILY | AK_WORD_PLACE;
    return x->cue.kind == AK_CUE_AND || x->cue.kind == AK_CUE_AT ||
           x->cue.kind == AK_CUE_FROM || x->cue.kind == AK_CUE_ARTICLE ||
           x->cue.kind == AK_CUE_BE || x->cue.kind == AK_CUE_POSSESSIVE ||
           ((x->kinds & AK_WORD_COMMON) != 0 && (x->kinds & names) == 0);
}

/* UNESCO, L */
static bool is_capitals(const ak_token *x)
{
    return x->shape == AK_SHAPE_CAPITALS ||
           (x->shape == AK_SHAPE_CAPITAL && x->n_low == 1);
}

/* Is the sentence of the tokens [from, to) all in capitals, with words among
 * them that are no names? */
static bool is_headline(const ak_tokens *t, int64_t from, int64_t to)
{
    int64_t words = 0, plain = 0;
    for (int64_t i = from; i < to; ++i) {
        const ak_token *x = &t->token[i];
        if (x->shape == AK_SHAPE_LOWER || x->shape == AK_SHAPE_CAMEL ||
            (x->shape == AK_SHAPE_CAPITAL && !is_capitals(x)))
            return false;
        words += is_capitals(x);
        plain += is_capitals(x) && is_plain(x);
    }
    return words > 2 && plain > 0;
}

/* Headlines as if they were written with small letters. */
static void lower_headlines(ak_tokens *t)
{
    for (int64_t from = 0, to; from < t->n; from = to) {
        for (to = from + 1; to < t->n && !t->token[to].sentence;)
            ++to;
        if (!is_headline(t, from, to))
            continue;
        for (int64_t i = from; i < to; ++i) {
            ak_token *x = &t->token[i];
            if (is_capitals(x))
                x->shape = is_plain(x) ? AK_SHAPE_LOWER : AK_SHAPE_CAPITAL;
        }
    }
}

static void find_runs(ak_tokens *t)
{
    for (int64_t i = 0; i < t->n;) {
        int64_t end = i + 1;
        if (ak_token_is_name(&t->token[i]))
            while (end < t->n && is_joined(t, end - 1))
                ++end;
        for (int64_t k = i; k < end; ++k) {
            t->token[k].run = (int32_t)i;
            t->token[k].end_of_run = (int32_t)end;
        }
        i = end;
    }
}

/* The kinds of a word; roles and titles are listed without their plurals. */
static uint32_t find_kinds(const ak_lists *lists, const reading *r,
                           uint64_t word)
{
    const uint32_t kinds = ak_lists_find(lists, word);
    if (kinds != 0 || r->n_low < 5 || r->low[r->n_low - 1] != 's')
        return kinds;
    return ak_lists_find(lists, ak_word_hash(r->low, r->n_low - 1)) &
           (AK_WORD_ROLE | AK_WORD_TITLE);
}

/* Of one or two digits. */
static int64_t number_of(const reading *r)
{
    int64_t number = 0;
    for (size_t k = 0; k < r->n_low; ++k)
        number = 10 * number + r->low[k] - '0';
    return number;
}

/* The dot of "1. A 2. B": the number after `listed`, or 1 where a sentence
 * begins. */
static bool read_item(reading *r, int64_t listed, bool begins)
{
    const bool one = listed == 0 && begins;
    if (r->letters > 0 || r->digits > 2 || r->at >= r->n ||
        r->text[r->at] != '.' || (listed == 0 && !one) ||
        number_of(r) != listed + 1)
        return false;
    ++r->at;
    return true;
}

/* Some words say something else with their dot: "der." */
static ak_cue find_cue(reading *r, const ak_token *x)
{
    if (x->shape != AK_SHAPE_MARK && x->shape != AK_SHAPE_NUMBER &&
        r->text[x->end - 1] == '.') {
        r->low[r->n_low] = '.';
        const ak_cue cue = ak_cue_find(r->low, r->n_low + 1);
        if (cue.kind != AK_CUE_NONE)
            return cue;
    }
    return ak_cue_find(r->low, r->n_low);
}

static void cut(ak_tokens *t, const ak_lists *lists)
{
    surroundings s = {.ended = true};
    bool spaced = true, tabbed = false;
    int64_t listed = 0;
    char *low = t->low;
    for (size_t at = 0; at < t->n_bytes;) {
        reading r = {.text = t->caption, .n = t->n_bytes, .at = at, .low = low};
        const ak_char c = peek(&r, at);
        if (c.kind == AK_CHAR_BLANK) {
            at += c.bytes;
            spaced = true;
            tabbed |= c.code == '\t';
            continue;
        }
        const ak_shape shape = read_token(&r, c);
        if (shape == AK_SHAPE_NUMBER)
            listed += read_item(&r, listed, s.ended);
        ak_token *x = &t->token[t->n++];
        *x = make_token(&r, at, t->low, shape);
        x->spaced = spaced;
        x->tabbed = tabbed;
        x->kinds = (uint16_t)find_kinds(lists, &r, x->word);
        x->cue = find_cue(&r, x);
        look_around(&s, t, x, c);
        low += r.n_low;
        at = r.at;
        spaced = tabbed = false;
    }
}

/* Tokens at the most: each begins with a mark, with a letter or digit behind
 * something else, or with a byte beyond ASCII. */
static int64_t count_most(const char *text, size_t n)
{
    int64_t count = 0;
    bool inside = false;
    for (size_t k = 0; k < n; ++k) {
        const unsigned char c = (unsigned char)text[k];
        const bool letter = (c >= '0' && c <= '9') ||
                            ((c | 0x20) >= 'a' && (c | 0x20) <= 'z');
        count += letter ? !inside : c > ' ';
        inside = letter;
    }
    return count;
}

akin_status ak_tokens_cut(ak_tokens *out, akin_ctx *ctx, const ak_lists *lists,
                          const char *caption, size_t n)
{
    *out = (ak_tokens){.caption = caption, .n_bytes = n};
    if (n > MOST_BYTES)
        return ak_fail(ctx, AKIN_EINVAL, "a caption of more than 1 GiB");
    /* Small letters need no more bytes than capitals. */
    AK_CHECK(ak_scratch(ctx, (int64_t)n + 1, 1, &out->low));
    AK_CHECK(AK_SCRATCH(ctx, count_most(caption, n) + 1, &out->token));
    cut(out, lists);
    lower_headlines(out);
    find_runs(out);
    return AKIN_OK;
}
