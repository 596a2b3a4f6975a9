/* The words of a text: known by heart; the same however it is cut; and those
 * of the whole text made NFKC_Casefold first and parted then. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <utf8proc.h>

#include "base/rng.h"
#include "context.h"
#include "text/words.h"

enum { ROOM = 1 << 16, TEXTS = 400 };

/* Words, each with a blank behind it. */
typedef struct list {
    char text[ROOM];
    size_t n;
} list;

static akin_status add(void *arg, const char *word, size_t n)
{
    list *l = arg;
    assert_true(l->n + n + 1 < ROOM);
    memcpy(l->text + l->n, word, n);
    l->n += n;
    l->text[l->n++] = ' ';
    l->text[l->n] = '\0';
    return AKIN_OK;
}

/* In pieces of at most `piece` bytes. */
static ak_words words_of(list *l, const char *text, size_t n, size_t piece,
                         int64_t least, int64_t most)
{
    ak_words w = {.take = add, .arg = l, .least = least, .most = most};
    l->n = 0;
    l->text[0] = '\0';
    for (size_t at = 0; at < n; at += piece)
        assert_int_equal(
            ak_words_feed(&w, text + at, n - at < piece ? n - at : piece),
            AKIN_OK);
    assert_int_equal(ak_words_end(&w), AKIN_OK);
    return w;
}

static void expect(const char *text, const char *words)
{
    static list l;
    for (size_t piece = 1; piece < 5; ++piece) {
        words_of(&l, text, strlen(text), piece, 1, 40);
        assert_string_equal(l.text, words);
    }
}

static void words_are_runs_that_begin_with_a_letter(void **state)
{
    (void)state;
    expect("", "");
    expect("The cat, the MAT.", "the cat the mat ");
    expect("don't x_y a-b c++", "don t x y a b c ");
    expect("mp3 4th 2024 h2o", "mp3 h2o ");
    expect("  end", "end ");
    expect("\xe2\x87\x8dup \xcc\x88two", "up two ");  // marks on symbols
}

static void case_form_and_accents_do_not_matter(void **state)
{
    (void)state;
    expect("\xc3\x89"
           "COLE e\xcc\x81"
           "cole",
           "\xc3\xa9"
           "cole \xc3\xa9"
           "cole ");
    expect("Stra\xc3\x9f"
           "e STRASSE",
           "strasse strasse ");
    expect("\xef\xac\x81sh \xe2\x84\xa1", "fish tel ");  // ligature, sign TEL
    expect("\xef\xbc\xa1\xef\xbc\xa2", "ab ");           // full width
    expect("soft\xc2\xadly a\xe2\x80\x8b"
           "b",
           "softly a b ");
    /* cedilla and acute in either order */
    expect("c\xcc\x81\xcc\xa7 c\xcc\xa7\xcc\x81", "\xe1\xb8\x89 \xe1\xb8\x89 ");
    expect("\xe1\x84\x92\xe1\x85\xa1\xe1\x86\xab", "\xed\x95\x9c ");  // Hangul
    expect("\xce\xa3\xce\xa9\xce\xa3", "\xcf\x83\xcf\x89\xcf\x83 ");
    expect("\xef\xbb\xbf"
           "bom",
           "bom ");
}

static void bad_bytes_part_words(void **state)
{
    (void)state;
    static list l;
    const char *texts[] = {"a\xff"
                           "b",
                           "a\xc3",
                           "\xed\xa0\x80x",
                           "\xc0\xaf",
                           "\xf4\x90\x80\x80",
                           "\xe2\x82"
                           "b"};
    const int64_t bad[] = {1, 1, 3, 2, 4, 2};
    const char *words[] = {"a b ", "a ", "x ", "", "", "b "};
    for (int k = 0; k < 6; ++k)
        for (size_t piece = 1; piece < 6; ++piece) {
            const ak_words w =
                words_of(&l, texts[k], strlen(texts[k]), piece, 1, 40);
            assert_string_equal(l.text, words[k]);
            assert_int_equal(w.n_bad, bad[k]);
        }
    assert_int_equal(words_of(&l, "a\0b\0", 4, 4, 1, 40).n_zero, 2);
}

static void lengths_are_counted_in_characters(void **state)
{
    (void)state;
    static list l;
    static char long_text[4000];
    const char text[] = "a bb ccc \xc3\xa9\xc3\xa9\xc3\xa9 dddd e\xcc\x81"
                        "ee";
    words_of(&l, text, sizeof text - 1, 3, 2, 3);
    assert_string_equal(l.text, "bb ccc \xc3\xa9\xc3\xa9\xc3\xa9 \xc3\xa9"
                                "ee ");
    memset(long_text, 'a', sizeof long_text);
    for (size_t n = 90; n < sizeof long_text; n += n / 10)
        for (int wide = 0; wide < 2; ++wide) {
            if (wide)
                memcpy(long_text, "\xc3\xa9", 2);
            else
                memset(long_text, 'a', 2);
            words_of(&l, long_text, n, 7, 1, AK_WORD_MOST);
            const size_t length = n - (size_t)wide;
            assert_int_equal(l.n, length > AK_WORD_MOST ? 0 : n + 1);
        }
}

/* ---- against the definition ---------------------------------------------- */

static bool is_letter(int32_t c)
{
    const utf8proc_category_t k = utf8proc_category(c);
    return k >= UTF8PROC_CATEGORY_LU && k <= UTF8PROC_CATEGORY_LO;
}

/* In a run that has begun, or as its first. */
static bool belongs(int32_t c, bool first)
{
    const utf8proc_category_t k = utf8proc_category(c);
    const bool mark = k >= UTF8PROC_CATEGORY_MN && k <= UTF8PROC_CATEGORY_ME;
    return is_letter(c) || k == UTF8PROC_CATEGORY_ND || (mark && !first);
}

static void words_by_definition(list *l, const char *text, size_t n,
                                int64_t least, int64_t most)
{
    utf8proc_uint8_t *folded = NULL;
    const utf8proc_ssize_t m = utf8proc_map(
        (const utf8proc_uint8_t *)text, (utf8proc_ssize_t)n, &folded,
        UTF8PROC_STABLE | UTF8PROC_COMPOSE | UTF8PROC_COMPAT |
            UTF8PROC_CASEFOLD | UTF8PROC_IGNORE);
    assert_true(m >= 0);
    l->n = 0;
    l->text[0] = '\0';
    for (utf8proc_ssize_t at = 0; at < m;) {
        const utf8proc_ssize_t begin = at;
        bool word = false;
        int64_t length = 0;
        int32_t c;
        utf8proc_ssize_t k;
        while (at < m && (k = utf8proc_iterate(folded + at, m - at, &c)) > 0 &&
               belongs(c, length == 0)) {
            word = length++ == 0 ? is_letter(c) : word;
            at += k;
        }
        if (word && length >= least && length <= most)
            add(l, (const char *)folded + begin, (size_t)(at - begin));
        if (length == 0)
            at += utf8proc_iterate(folded + at, m - at, &c);
    }
    free(folded);
}

/* Characters of many kinds, close together; no zero width space, which parts
 * words here and vanishes there. */
static int32_t random_character(ak_rng *rng)
{
    static const int32_t from[] = {
        ' ',    'a',    'A',    '0',    0xa0,   0x300,   0x370,  0x400,
        0x590,  0x600,  0x900,  0x1100, 0x1e00, 0x2000,  0x2100, 0x3040,
        0x4e00, 0xac00, 0xf900, 0xfb00, 0xff00, 0x1d400, 0x1f600};
    static const int32_t many[] = {16,  26,  26,  10,  352, 112,  144, 256,
                                   112, 256, 384, 256, 512, 112,  256, 192,
                                   64,  64,  256, 80,  240, 1024, 80};
    const int64_t k = ak_rng_below(rng, 23);
    const int32_t c = from[k] + (int32_t)ak_rng_below(rng, many[k]);
    return c == 0x200b ? 'b' : c;
}

static void words_are_those_of_the_folded_text(void **state)
{
    (void)state;
    static list l, expected;
    for (uint64_t seed = 0; seed < TEXTS; ++seed) {
        ak_rng rng = ak_rng_new(seed, AK_STREAM_SYNTH);
        char text[1200];
        size_t n = 0;
        while (n < 1000) {
            const int32_t c = ak_rng_unit(&rng) < 0.15 ? ' '
                                                       : random_character(&rng);
            if (utf8proc_codepoint_valid(c))
                n += (size_t)utf8proc_encode_char(c,
                                                  (utf8proc_uint8_t *)text + n);
        }
        const int64_t least = 1 + ak_rng_below(&rng, 3);
        words_by_definition(&expected, text, n, least, 30);
        words_of(&l, text, n, 1 + (size_t)ak_rng_below(&rng, 50), least, 30);
        if (strcmp(l.text, expected.text) != 0)
            fail_msg("seed %d:\n%s\n%s", (int)seed, l.text, expected.text);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        CONTEXT_CASE(words_are_runs_that_begin_with_a_letter),
        CONTEXT_CASE(case_form_and_accents_do_not_matter),
        CONTEXT_CASE(bad_bytes_part_words),
        CONTEXT_CASE(lengths_are_counted_in_characters),
        CONTEXT_CASE(words_are_those_of_the_folded_text),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
