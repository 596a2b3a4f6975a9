/* Persons of random captions: mentions lie in the caption and in order, names
 * are text, probabilities are probabilities, and the result is always the same.
 */
#include <akin/persons.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/rng.h"
#include "base/utf8.h"
#include "context.h"

enum { CAPTIONS = 3000, PARTS = 24, ROOM = 1024 };

/* Words and marks that rules look for, and bytes that nobody expects. */
static const char *const parts[] = {
    "Anna",       "Peter",
    "Keller",     "Fischer",
    "Mr.",        "Mrs.",
    " and ",      ", ",
    ". ",         "(",
    ")",          "\"",
    "from left",  "left",
    "second",     "from right",
    ": ",         "back row",
    "his son ",   "his wife, ",
    "Jr.",        "van der ",
    "d'",         "'s",
    "Photo by ",  "AP Photo/",
    "is ",        "are ",
    "alias ",     "seated",
    "the ",       "former ",
    "as ",        "Freiherr ",
    "von ",       "III",
    "J. ",        "U.S. ",
    "\xff",       "\xe2\x80\xae",
    "\xc3",       "\x01",
    "Đặng ",      "王小明",
    "née ",       "Not pictured: ",
    " ",          " ",
    "brothers, ", "The ",
    "L-R: ",      "R",
    "2nd ",       "12",
};

static size_t make_caption(ak_rng *rng, char *text)
{
    const int64_t n = ak_rng_below(rng, PARTS);
    text[0] = '\0';
    for (int64_t k = 0; k < n; ++k) {
        const int64_t m = (int64_t)(sizeof parts / sizeof parts[0]);
        strcat(text, parts[ak_rng_below(rng, m)]);
        if (ak_rng_below(rng, 2) == 0)
            strcat(text, " ");
    }
    return strlen(text);
}

static void check_person(const akin_persons *p, int64_t i, size_t n)
{
    const char *name = akin_persons_name(p, i);
    double sum = 0.0;
    size_t last = 0;
    assert_true(name[0] != '\0');
    assert_int_equal(ak_utf8_span(name, strlen(name)), strlen(name));
    assert_true(akin_persons_probability(p, i) >= 0.0 &&
                akin_persons_probability(p, i) <= 1.0);
    for (int y = 0; y < AKIN_PRESENCES; ++y)
        sum += akin_persons_presence_probability(p, i, (akin_presence)y);
    assert_true(fabs(sum - 1.0) < 1e-9);
    assert_true(akin_persons_mention_count(p, i) > 0);
    for (int64_t k = 0; k < akin_persons_mention_count(p, i); ++k) {
        size_t start, end;
        akin_persons_mention(&start, &end, p, i, k);
        assert_true(start < end && end <= n);
        assert_true(k == 0 || start >= last);
        last = start;
    }
}

static void check_same(const akin_persons *p, const akin_persons *q)
{
    assert_int_equal(akin_persons_count(p), akin_persons_count(q));
    for (int64_t i = 0; i < akin_persons_count(p); ++i) {
        assert_string_equal(akin_persons_name(p, i), akin_persons_name(q, i));
        assert_string_equal(akin_persons_position(NULL, p, i),
                            akin_persons_position(NULL, q, i));
    }
}

static void persons_of_random_captions_are_sound(void **state)
{
    (void)state;
    akin_tagger *tagger = NULL;
    assert_int_equal(akin_tagger_default(&tagger, ctx), AKIN_OK);
    for (uint64_t seed = 0; seed < CAPTIONS; ++seed) {
        ak_rng rng = ak_rng_new(seed, AK_STREAM_SYNTH);
        char caption[ROOM];
        akin_persons *p = NULL, *q = NULL;
        const size_t n = make_caption(&rng, caption);
        size_t before = 0;
        assert_int_equal(akin_persons_find(&p, ctx, tagger, caption, n),
                         AKIN_OK);
        assert_int_equal(akin_persons_find(&q, ctx, tagger, caption, n),
                         AKIN_OK);
        for (int64_t i = 0; i < akin_persons_count(p); ++i) {
            size_t start, end;
            check_person(p, i, n);
            akin_persons_mention(&start, &end, p, i, 0);
            assert_true(start >= before);
            before = start;
        }
        check_same(p, q);
        akin_persons_free(p);
        akin_persons_free(q);
    }
    akin_tagger_free(tagger);
}

int main(void)
{
    const struct CMUnitTest cases[] = {
        CONTEXT_CASE(persons_of_random_captions_are_sound),
    };
    return cmocka_run_group_tests(cases, NULL, NULL);
}
