#include "text/words.h"

#include <string.h>
#include <utf8proc.h>

enum { OTHER, LETTER, DIGIT, MARK };

static const utf8proc_option_t compose = UTF8PROC_COMPOSE | UTF8PROC_STABLE;
static const utf8proc_option_t fold = UTF8PROC_COMPOSE | UTF8PROC_COMPAT |
                                      UTF8PROC_CASEFOLD | UTF8PROC_IGNORE;

enum {
    ZERO_WIDTH_SPACE = 0x200b,
    MOST_PARTS = 32,  // one character taken apart; the longest known has 18
};

/* What ASCII characters become: letters small, digits themselves, others 0. */
static const unsigned char plain_of[128] = {
    ['0'] = '0', ['1'] = '1', ['2'] = '2', ['3'] = '3', ['4'] = '4',
    ['5'] = '5', ['6'] = '6', ['7'] = '7', ['8'] = '8', ['9'] = '9',
    ['A'] = 'a', ['B'] = 'b', ['C'] = 'c', ['D'] = 'd', ['E'] = 'e',
    ['F'] = 'f', ['G'] = 'g', ['H'] = 'h', ['I'] = 'i', ['J'] = 'j',
    ['K'] = 'k', ['L'] = 'l', ['M'] = 'm', ['N'] = 'n', ['O'] = 'o',
    ['P'] = 'p', ['Q'] = 'q', ['R'] = 'r', ['S'] = 's', ['T'] = 't',
    ['U'] = 'u', ['V'] = 'v', ['W'] = 'w', ['X'] = 'x', ['Y'] = 'y',
    ['Z'] = 'z', ['a'] = 'a', ['b'] = 'b', ['c'] = 'c', ['d'] = 'd',
    ['e'] = 'e', ['f'] = 'f', ['g'] = 'g', ['h'] = 'h', ['i'] = 'i',
    ['j'] = 'j', ['k'] = 'k', ['l'] = 'l', ['m'] = 'm', ['n'] = 'n',
    ['o'] = 'o', ['p'] = 'p', ['q'] = 'q', ['r'] = 'r', ['s'] = 's',
    ['t'] = 't', ['u'] = 'u', ['v'] = 'v', ['w'] = 'w', ['x'] = 'x',
    ['y'] = 'y', ['z'] = 'z',
};

static int kind_of(int32_t point)
{
    switch (utf8proc_category(point)) {
    case UTF8PROC_CATEGORY_LU:
    case UTF8PROC_CATEGORY_LL:
    case UTF8PROC_CATEGORY_LT:
    case UTF8PROC_CATEGORY_LM:
    case UTF8PROC_CATEGORY_LO:
        return LETTER;
    case UTF8PROC_CATEGORY_ND:
        return DIGIT;
    case UTF8PROC_CATEGORY_MN:
    case UTF8PROC_CATEGORY_MC:
    case UTF8PROC_CATEGORY_ME:
        return MARK;
    default:
        return OTHER;
    }
}

/* Marks on one letter in the order that Unicode prescribes: those that are
 * typed one way or the other make the same word. Stable, as it must be. */
static void order_marks(int32_t *points, int64_t n)
{
    for (int64_t i = 1; i < n; ++i) {
        const int32_t x = points[i];
        const int class = (int)utf8proc_get_property(x)->combining_class;
        int64_t k = i;
        while (class > 0 && k > 0 &&
               (int)utf8proc_get_property(points[k - 1])->combining_class >
                   class) {
            points[k] = points[k - 1];
            --k;
        }
        points[k] = x;
    }
}

static akin_status end_wide(ak_words *w)
{
    unsigned char text[4 * AK_WORD_MOST];
    order_marks(w->points, w->n);
    const int64_t n = utf8proc_normalize_utf32(w->points, w->n, compose);
    if (n < w->least || n > w->most)
        return AKIN_OK;
    size_t at = 0;
    for (int64_t i = 0; i < n; ++i)
        at += (size_t)utf8proc_encode_char(w->points[i], text + at);
    return w->take(w->arg, (const char *)text, at);
}

static akin_status end_run(ak_words *w)
{
    akin_status st = AKIN_OK;
    if (w->run == AK_RUN_PLAIN && w->n >= w->least)
        st = w->take(w->arg, w->plain, w->n_plain);
    else if (w->run == AK_RUN_WIDE)
        st = end_wide(w);
    w->run = AK_RUN_NONE;
    w->n = 0;
    return st;
}

/* Take a plain word apart: a mark follows, or a character of more bytes. */
static void widen(ak_words *w)
{
    const unsigned char *p = (const unsigned char *)w->plain;
    const unsigned char *end = p + w->n_plain;
    int64_t n = 0;
    while (p < end) {
        int32_t point = 0;
        int last = 0;
        p += utf8proc_iterate(p, end - p, &point);
        n += utf8proc_decompose_char(point, w->points + n, AK_WORD_POINTS - n,
                                     fold, &last);
    }
    w->n = n;
    w->run = AK_RUN_WIDE;
}

/* A character taken apart, of a kind other than OTHER. */
static void add_point(ak_words *w, int32_t point, int kind)
{
    if (w->run == AK_RUN_NONE && kind == MARK)
        return;  // on a symbol, with which it goes
    if (w->run == AK_RUN_NONE)
        w->run = kind == LETTER ? AK_RUN_WIDE : AK_RUN_NO_WORD;
    if (w->run == AK_RUN_PLAIN)
        widen(w);
    if (w->run != AK_RUN_WIDE)
        return;
    if (w->n < AK_WORD_POINTS)
        w->points[w->n++] = point;
    else
        w->run = AK_RUN_NO_WORD;
}

/* What a character below AK_WORD_SIMPLE becomes, where that is one letter or
 * digit below it too; 0 where it is something else. */
static int32_t simple_of(ak_words *w, int32_t point)
{
    enum { NOT_SIMPLE = 1 };
    int32_t parts[MOST_PARTS];
    int last = 0;
    if (w->simple[point] == 0) {
        int64_t n =
            utf8proc_decompose_char(point, parts, MOST_PARTS, fold, &last);
        if (n > 0)
            n = utf8proc_normalize_utf32(parts, n, compose);
        const bool simple =
            n == 1 && parts[0] < AK_WORD_SIMPLE &&
            (kind_of(parts[0]) == LETTER || kind_of(parts[0]) == DIGIT);
        w->simple[point] = (uint16_t)(simple ? parts[0] : NOT_SIMPLE);
    }
    return w->simple[point] == NOT_SIMPLE ? 0 : w->simple[point];
}

/* One that becomes `small`, while the word is plain or has not begun. */
static void add_simple(ak_words *w, int32_t small)
{
    if (w->run == AK_RUN_NONE) {
        w->run = kind_of(small) == LETTER ? AK_RUN_PLAIN : AK_RUN_NO_WORD;
        w->n_plain = 0;
        w->n = 0;
    }
    if (w->run == AK_RUN_NO_WORD)
        return;
    if (w->n++ < w->most)
        w->n_plain += (size_t)utf8proc_encode_char(
            small, (unsigned char *)w->plain + w->n_plain);
    else  // too long; marks to come would make no character of it less
        w->run = AK_RUN_NO_WORD;
}

/* A whole character beyond ASCII. */
static akin_status add_wide(ak_words *w, int32_t point)
{
    int32_t parts[MOST_PARTS];
    int last = 0;
    const int32_t small = point < AK_WORD_SIMPLE ? simple_of(w, point) : 0;
    if (small != 0 && w->run != AK_RUN_WIDE) {
        add_simple(w, small);
        return AKIN_OK;
    }
    if (point == ZERO_WIDTH_SPACE)
        return end_run(w);
    const int64_t n =
        utf8proc_decompose_char(point, parts, MOST_PARTS, fold, &last);
    for (int64_t i = 0; i < n && i < MOST_PARTS; ++i) {
        const int kind = kind_of(parts[i]);
        if (kind == OTHER)
            AK_CHECK(end_run(w));
        else
            add_point(w, parts[i], kind);
    }
    return AKIN_OK;
}

static akin_status add_plain(ak_words *w, unsigned char c)
{
    const unsigned char small = plain_of[c];
    if (small == 0) {
        w->n_zero += c == 0;
        return w->run == AK_RUN_NONE ? AKIN_OK : end_run(w);
    }
    if (w->run == AK_RUN_WIDE)
        add_point(w, small, LETTER);
    else
        add_simple(w, small);
    return AKIN_OK;
}

/* Bytes of the character at p, 0 when it goes beyond the n there are, -1 when
 * it is none. */
static int length_at(const unsigned char *p, size_t n, int32_t *point)
{
    const int need = *p < 0x80   ? 1
                     : *p < 0xc2 ? -1
                     : *p < 0xe0 ? 2
                     : *p < 0xf0 ? 3
                     : *p < 0xf5 ? 4
                                 : -1;
    if (need < 0)
        return -1;
    for (int i = 1; i < need && (size_t)i < n; ++i)
        if ((p[i] & 0xc0) != 0x80)
            return -1;
    if ((size_t)need > n)
        return 0;
    return utf8proc_iterate(p, need, point) == need ? need : -1;
}

/* One character or one bad byte at p; `*used` 0 when its end is not there. */
static akin_status feed_one(ak_words *w, const unsigned char *p, size_t n,
                            size_t *used)
{
    int32_t point = 0;
    const int length = length_at(p, n, &point);
    *used = length < 0 ? 1 : (size_t)length;
    if (length == 0)
        return AKIN_OK;
    if (length == 1)
        return add_plain(w, *p);
    if (length > 1)
        return add_wide(w, point);
    ++w->n_bad;
    return end_run(w);
}

/* Bytes join those of a character that was cut, until none is left over. */
static akin_status feed_cut(ak_words *w, const unsigned char **at,
                            const unsigned char *end)
{
    while (w->n_cut > 0 && *at < end) {
        size_t used = 0;
        w->cut[w->n_cut++] = *(*at)++;
        do {
            AK_CHECK(feed_one(w, w->cut, w->n_cut, &used));
            w->n_cut -= used;
            memmove(w->cut, w->cut + used, w->n_cut);
        } while (used > 0 && w->n_cut > 0);
    }
    return AKIN_OK;
}

akin_status ak_words_check(akin_ctx *ctx)
{
    (void)ctx;
    return AKIN_OK;
}

/* A plain word goes on, or begins: as far as its letters reach. */
static const unsigned char *skip_plain(ak_words *w, const unsigned char *p,
                                       const unsigned char *end)
{
    const unsigned char *begin = p;
    const int64_t room = w->most - w->n;
    char *to = w->plain + w->n_plain;
    for (; p < end && *p < 0x80 && p - begin < room; ++p) {
        const unsigned char small = plain_of[*p];
        if (small == 0)
            break;
        *to++ = (char)small;
    }
    w->n_plain += (size_t)(p - begin);
    w->n += p - begin;
    return p;
}

akin_status ak_words_feed(ak_words *w, const void *bytes, size_t n)
{
    const unsigned char *p = bytes, *end = p + n;
    AK_CHECK(feed_cut(w, &p, end));
    while (p < end) {
        size_t used = 1;
        if (*p < 0x80)
            AK_CHECK(add_plain(w, *p));
        else
            AK_CHECK(feed_one(w, p, (size_t)(end - p), &used));
        if (used == 0)
            break;
        p += used;
        if (w->run == AK_RUN_PLAIN)
            p = skip_plain(w, p, end);
    }
    if (p < end) {
        w->n_cut = (size_t)(end - p);
        memcpy(w->cut, p, w->n_cut);
    }
    return AKIN_OK;
}

akin_status ak_words_end(ak_words *w)
{
    w->n_bad += (int64_t)w->n_cut;
    w->n_cut = 0;
    return end_run(w);
}
