/* Persons of captions: words, names, positions, who is in the picture; hostile
 * captions; taggers that are learned, saved and loaded. */
#include <akin/persons.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "context.h"
#include "text/persons/position.h"
#include "text/persons/tagger.h"
#include "text/persons/tokens.h"

static akin_tagger *tagger;

static int begin(void **state)
{
    return context_begin(state) || akin_tagger_default(&tagger, ctx) != AKIN_OK;
}

static int end(void **state)
{
    akin_tagger_free(tagger);
    return context_end(state);
}

#define TAGGER_CASE(f) cmocka_unit_test_setup_teardown(f, begin, end)

static const char *path_of(const char *name)
{
    static char path[64];
    snprintf(path, sizeof path, "/tmp/akin-persons-%d-%s", (int)getpid(), name);
    return path;
}

static void write_file(const char *path, const char *text)
{
    FILE *f = fopen(path, "w");
    assert_non_null(f);
    fputs(text, f);
    assert_int_equal(fclose(f), 0);
}

/* ---- words ---- */

static void expect_tokens(const char *caption, const char *expected)
{
    const ak_mark mark = ak_scratch_begin(ctx);
    char text[256] = "";
    ak_tokens t;
    assert_int_equal(
        ak_tokens_cut(&t, ctx, &tagger->lists, caption, strlen(caption)),
        AKIN_OK);
    for (int64_t i = 0; i < t.n; ++i) {
        const ak_token *x = &t.token[i];
        snprintf(text + strlen(text), sizeof text - strlen(text), "%s%.*s",
                 i > 0 ? "|" : "", (int)(x->end - x->begin),
                 caption + x->begin);
    }
    assert_string_equal(text, expected);
    ak_scratch_end(ctx, mark);
}

static void words_keep_their_marks(void **state)
{
    (void)state;
    expect_tokens("Sgt. O'Dowd's dog.", "Sgt.|O'Dowd|'s|dog|.");
    expect_tokens("J. T. Roe III, U.S. envoy", "J.|T.|Roe|III|,|U.S.|envoy");
    expect_tokens("l'actrice Clémence d'Aubigny",
                  "l'|actrice|Clémence|d'|Aubigny");
    expect_tokens("Anne-Marie D’Souza’s", "Anne-Marie|D’Souza|’s");
    expect_tokens("Ismail al-Bakri (R)", "Ismail|al-Bakri|(|R|)");
    expect_tokens("\"Đặng\xff"
                  "Văn\"",
                  "\"|Đặng|Văn|\"");
    expect_tokens("2. Reihe, 3. v. r., in 12. Then",
                  "2.|Reihe|,|3.|v.|r.|,|in|12|.|Then");
    expect_tokens("(izq.) y (der.)", "(|izq.|)|y|(|der.|)");
    expect_tokens("", "");
}

static void sentences_end_with_a_dot(void **state)
{
    (void)state;
    const char *caption = "Rep. Ann Roe, D-La., right, waves. She left.";
    const ak_mark mark = ak_scratch_begin(ctx);
    ak_tokens t;
    int64_t n = 0;
    assert_int_equal(
        ak_tokens_cut(&t, ctx, &tagger->lists, caption, strlen(caption)),
        AKIN_OK);
    for (int64_t i = 0; i < t.n; ++i)
        n += t.token[i].sentence;
    assert_int_equal(n, 2);
    ak_scratch_end(ctx, mark);
}

/* ---- persons ---- */

/* "name/in_picture/position; ..." */
static void write_persons(const akin_persons *p, char *text, size_t size)
{
    static const char *const words[] = {"yes", "no", "credit"};
    text[0] = '\0';
    for (int64_t i = 0; i < akin_persons_count(p); ++i) {
        const size_t at = strlen(text);
        snprintf(text + at, size - at, "%s%s/%s/%s", i > 0 ? "; " : "",
                 akin_persons_name(p, i), words[akin_persons_presence(p, i)],
                 akin_persons_position(NULL, p, i));
    }
}

static void expect(const char *caption, const char *expected)
{
    akin_persons *p = NULL;
    char text[1024];
    assert_int_equal(
        akin_persons_find(&p, ctx, tagger, caption, strlen(caption)), AKIN_OK);
    write_persons(p, text, sizeof text);
    assert_string_equal(text, expected);
    akin_persons_free(p);
}

static void titles_are_no_part_of_names(void **state)
{
    (void)state;
    expect("Sen. Martha Holbrook speaks to Dr. Samuel Ortiz in Boston.",
           "Martha Holbrook/yes/; Samuel Ortiz/yes/");
    expect("Judge Klein opens the fair.", "Klein/yes/");
    expect("A view of the Brooklyn Bridge in winter.", "");
}

static void short_forms_are_folded(void **state)
{
    (void)state;
    expect("Mayor Peter Lundgren opens the fair. Lundgren's speech was short.",
           "Peter Lundgren/yes/");
    expect("Coach Robert \"Bob\" Keller retires. Keller won 300 games.",
           "Robert Keller/yes/");
}

static void couples_share_their_name(void **state)
{
    (void)state;
    expect("Harold and Ruth Bergman cut the cake.",
           "Harold Bergman/yes/; Ruth Bergman/yes/");
    expect("Sisters Anna, Clara and Emma Fischer on the beach, 1931.",
           "Anna Fischer/yes/; Clara Fischer/yes/; Emma Fischer/yes/");
    expect("Mr. and Mrs. Walter Fleming leave the church.",
           "Mrs. Walter Fleming/yes/; Walter Fleming/yes/");
}

static void children_have_the_name_of_their_parents(void **state)
{
    (void)state;
    expect("Frank Castellano and his daughter Maria at the zoo.",
           "Frank Castellano/yes/; Maria Castellano/yes/");
    expect("The Delaney brothers, Patrick and Michael, at work in 1950.",
           "Patrick Delaney/yes/; Michael Delaney/yes/");
}

static void credits_are_told_apart(void **state)
{
    (void)state;
    expect("Anna Fischer waves to the crowd. (AP Photo/Peter Keller)",
           "Anna Fischer/yes/; Peter Keller/credit/");
    expect("A storm over the harbor. Photo by Susan Walker",
           "Susan Walker/credit/");
    expect("Photo by Susan Walker. Anna Fischer in Bonn.",
           "Susan Walker/credit/; Anna Fischer/yes/");
}

static void absent_persons_are_told_apart(void **state)
{
    (void)state;
    expect("Tom Becker and Lisa Gordon. Not pictured: Karen Holt.",
           "Tom Becker/yes/; Lisa Gordon/yes/; Karen Holt/no/");
    expect("A statue of Thomas Becker in the park.", "Thomas Becker/no/");
    expect("Nicht im Bild: Karen Holt. Tom Becker lacht.",
           "Karen Holt/no/; Tom Becker/yes/");
}

static void positions_are_found(void **state)
{
    (void)state;
    expect("Minister Anna Fischer (L) greets Peter Keller (R).",
           "Anna Fischer/yes/left; Peter Keller/yes/right");
    expect("From left: Anna Fischer, Peter Keller and Susan Walker.",
           "Anna Fischer/yes/first from left; "
           "Peter Keller/yes/second from left; "
           "Susan Walker/yes/third from left");
    expect("Back row, left to right: J. Fischer, A. Keller. Seated: T. Walker.",
           "J. Fischer/yes/back row, first from left; "
           "A. Keller/yes/back row, second from left; T. Walker/yes/seated");
    expect("Anna Fischer, chairman of the board, second from right, speaks.",
           "Anna Fischer/yes/second from right");
    expect("At right is chief engineer Peter Keller.",
           "Peter Keller/yes/right");
    expect("Von links: Anna Fischer, Peter Keller und Susanne Walter.",
           "Anna Fischer/yes/first from left; "
           "Peter Keller/yes/second from left; "
           "Susanne Walter/yes/third from left");
}

/* Three persons in a list, all from left. */
static void expect_three(const char *caption)
{
    expect(caption, "Anna Fischer/yes/first from left; "
                    "Peter Keller/yes/second from left; "
                    "Susan Walker/yes/third from left");
}

static void orders_are_written_in_many_ways(void **state)
{
    (void)state;
    expect_three("L to R: Anna Fischer, Peter Keller, Susan Walker.");
    expect_three("Pictured l. to r. are Anna Fischer, Peter Keller and "
                 "Susan Walker.");
    expect_three("v.l.n.r.: Anna Fischer, Peter Keller, Susan Walker");
    expect_three("V. l.: Anna Fischer, Peter Keller, Susan Walker");
    expect_three("De g. à d. : Anna Fischer, Peter Keller et Susan Walker.");
    expect_three("De izq. a der.: Anna Fischer, Peter Keller y Susan Walker.");
    expect_three("Anna Fischer, Peter Keller and Susan Walker (from left) "
                 "at the fair.");
    expect_three("Anna Fischer, Peter Keller and Susan Walker, left to right, "
                 "at the fair.");
    expect_three("Anna Fischer, from left, Peter Keller and Susan Walker "
                 "arrive at the fair.");
}

static void rows_are_written_in_many_ways(void **state)
{
    static const char rows[] = "Anna Fischer/yes/first row, first from left; "
                               "Peter Keller/yes/first row, second from left; "
                               "Susan Walker/yes/second row, first from left; "
                               "Tom Becker/yes/second row, second from left";
    (void)state;
    expect("Row 1 (l-r): Anna Fischer, Peter Keller. "
           "Row 2 (l-r): Susan Walker, Tom Becker.",
           rows);
    expect("1. Reihe v.l.n.r.: Anna Fischer, Peter Keller; "
           "2. Reihe: Susan Walker, Tom Becker",
           rows);
    expect("First row, left to right - Anna Fischer, Peter Keller; "
           "second row - Susan Walker, Tom Becker.",
           rows);
    expect("In the back row (left to right): Anna Fischer, Peter Keller.",
           "Anna Fischer/yes/back row, first from left; "
           "Peter Keller/yes/back row, second from left");
    expect("Fila superior, de izquierda a derecha: Anna Fischer, Peter Keller.",
           "Anna Fischer/yes/top row, first from left; "
           "Peter Keller/yes/top row, second from left");
    expect("Anna Fischer, third from left in the second row, waves.",
           "Anna Fischer/yes/second row, third from left");
}

static void sides_stand_before_and_behind_names(void **state)
{
    static const char sides[] = "Anna Fischer/yes/left; Peter Keller/yes/right";
    (void)state;
    expect("Left: Anna Fischer. Right: Peter Keller.", sides);
    expect("Anna Fischer on the left, with Peter Keller on the right.", sides);
    expect("Links Anna Fischer, rechts Peter Keller.", sides);
    expect("Anna Fischer (li.) und Peter Keller (re.) in Bonn.", sides);
    expect("Anna Fischer (à g.) et Peter Keller (à dr.) à Lyon.", sides);
    expect("Anna Fischer (izq.) y Peter Keller (der.) en Lima.", sides);
    expect("Anna Fischer at far left; Peter Keller at far right.",
           "Anna Fischer/yes/far left; Peter Keller/yes/far right");
    expect("Anna Fischer (2. v. l.) und Peter Keller (3.v.r.) in Bonn.",
           "Anna Fischer/yes/second from left; "
           "Peter Keller/yes/third from right");
    expect("Anna Fischer on the left bank of the Rhine.", "Anna Fischer/yes/");
}

static void other_layouts_are_read(void **state)
{
    (void)state;
    expect("Keller, Anna; Becker, Tom", "Anna Keller/yes/; Tom Becker/yes/");
    expect("KELLER, Anna (1922-1990)", "Anna KELLER/yes/");
    expect("Anna Fischer\tPeter Keller\tSusan Walker",
           "Anna Fischer/yes/; Peter Keller/yes/; Susan Walker/yes/");
    expect("MAYOR ANNA FISCHER GREETS PETER KELLER AT THE HARBOR.",
           "ANNA FISCHER/yes/; PETER KELLER/yes/");
    expect("Hochzeit von Anna und Peter Keller, 1920.",
           "Anna Keller/yes/; Peter Keller/yes/");
    expect("Anna Fischer with husband Peter at home.",
           "Anna Fischer/yes/; Peter Fischer/yes/");
    expect("From left: Anna Hall, Tom Woods and Susan Lane.",
           "Anna Hall/yes/first from left; Tom Woods/yes/second from left; "
           "Susan Lane/yes/third from left");
}

static void positions_have_parts(void **state)
{
    (void)state;
    const char *caption =
        "Front row from right: Anna Fischer, Peter Keller and Susan Walker.";
    akin_persons *p = NULL;
    akin_position at;
    assert_int_equal(
        akin_persons_find(&p, ctx, tagger, caption, strlen(caption)), AKIN_OK);
    assert_int_equal(akin_persons_count(p), 3);
    assert_string_equal(akin_persons_position(&at, p, 1),
                        "front row, second from right");
    assert_int_equal(at.side, AKIN_SIDE_RIGHT);
    assert_int_equal(at.rank, 2);
    assert_int_equal(at.listed, 3);
    assert_int_equal(at.row, AKIN_ROW_FRONT);
    assert_int_equal(at.in_row, 1);
    akin_persons_free(p);
}

static void positions_are_read_back(void **state)
{
    static const char *const texts[] = {
        "left",           "far right",         "center",
        "front left",     "second from right", "back row, third from left",
        "back row",       "kneeling, first",   "second row, fourth from left",
        "13th from left", "standing, left",    ""};
    (void)state;
    akin_position p;
    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; ++i) {
        char text[AK_POSITION_ROOM];
        assert_true(ak_position_read(&p, texts[i]));
        ak_position_write(text, &p);
        assert_string_equal(text, texts[i]);
    }
    assert_false(ak_position_read(&p, "left of the door"));
    assert_false(ak_position_read(&p, "1x3th from left"));
}

static void mentions_have_places(void **state)
{
    (void)state;
    const char *caption = "Peter Lundgren opens the fair. Lundgren smiles.";
    akin_persons *p = NULL;
    size_t start, stop;
    assert_int_equal(
        akin_persons_find(&p, ctx, tagger, caption, strlen(caption)), AKIN_OK);
    assert_int_equal(akin_persons_count(p), 1);
    assert_int_equal(akin_persons_mention_count(p, 0), 2);
    akin_persons_mention(&start, &stop, p, 0, 1);
    assert_int_equal(start, 31);
    assert_int_equal(stop, 39);
    assert_true(akin_persons_probability(p, 0) > 0.5);
    akin_persons_free(p);
}

/* ---- hostile captions ---- */

/* Mentions inside the caption, names that are text. */
static void check_all(const akin_persons *p, size_t n)
{
    for (int64_t i = 0; i < akin_persons_count(p); ++i) {
        assert_true(akin_persons_name(p, i)[0] != '\0');
        assert_true(akin_persons_mention_count(p, i) > 0);
        for (int64_t k = 0; k < akin_persons_mention_count(p, i); ++k) {
            size_t start, stop;
            akin_persons_mention(&start, &stop, p, i, k);
            assert_true(start < stop && stop <= n);
        }
    }
}

/* A text again and again, 1 MB of it. The time is linear, or this never ends.
 */
static void find_in_long(const char *part)
{
    const size_t n = 1000000, m = strlen(part);
    char *caption = malloc(n);
    akin_persons *p = NULL;
    assert_non_null(caption);
    for (size_t k = 0; k < n; ++k)
        caption[k] = part[k % m];
    assert_int_equal(akin_persons_find(&p, ctx, tagger, caption, n), AKIN_OK);
    check_all(p, n);
    akin_persons_free(p);
    free(caption);
}

static void long_captions_take_linear_time(void **state)
{
    (void)state;
    find_in_long("Anna Fischer and Peter Keller, left, ");
    find_in_long("Anna, Clara, Emma, ");
    find_in_long("from left, Anna Fischer, ");
    find_in_long("Anna, Clara (from left), ");
    find_in_long("his son Tom, ");
    find_in_long("(");
    find_in_long("\"");
    find_in_long("A");
    find_in_long("Mr. and Mrs. ");
    find_in_long("\xf0\x9f\x98\x80");
    find_in_long("is ");
}

static void control_characters_are_blanks(void **state)
{
    (void)state;
    expect("Mayor Anna\x1b Fischer\x07 waves.", "Anna Fischer/yes/");
    expect("Mayor Anna\tFischer\r\nwaves.", "Anna Fischer/yes/");
    /* Right-to-left overrides and zero-width blanks are not in names. */
    expect("Mayor Anna\xe2\x80\xae Fischer\xe2\x80\x8b waves.",
           "Anna Fischer/yes/");
}

static void zero_bytes_are_blanks(void **state)
{
    (void)state;
    static const char caption[] = "Mayor Anna\0Fischer waves.";
    akin_persons *p = NULL;
    assert_int_equal(
        akin_persons_find(&p, ctx, tagger, caption, sizeof caption - 1),
        AKIN_OK);
    assert_int_equal(akin_persons_count(p), 1);
    assert_string_equal(akin_persons_name(p, 0), "Anna Fischer");
    akin_persons_free(p);
}

/* ---- aliases ---- */

static void aliases_give_names(void **state)
{
    (void)state;
    write_file(
        path_of("a.csv"),
        "alias,name\nThe Boss,Anna Fischer\nPETER KELLER,P. J. Keller\n");
    assert_int_equal(akin_tagger_add_aliases(ctx, tagger, path_of("a.csv")),
                     AKIN_OK);
    expect("Peter Keller with the boss at the office.",
           "P. J. Keller/yes/; Anna Fischer/yes/");
    write_file(path_of("a.csv"), "alias,name\nthe boss,Someone Else\n");
    assert_int_equal(akin_tagger_add_aliases(ctx, tagger, path_of("a.csv")),
                     AKIN_EFORMAT);
    unlink(path_of("a.csv"));
}

/* ---- learning ---- */

static const char labelled[] =
    "{\"photo\": \"1\", \"caption\": \"Anna Fischer waves.\", \"names\": "
    "[{\"mentions\": [\"Anna Fischer\"], \"in_picture\": true}]}\n"
    "{\"photo\": \"2\", \"caption\": \"Peter Keller waves. Photo by Tom Roe\", "
    "\"names\": [{\"mentions\": [\"Peter Keller\"], \"in_picture\": true}, "
    "{\"mentions\": [\"Tom Roe\"], \"in_picture\": \"credit\"}]}\n";

static uint64_t fingerprint(const akin_tagger *g)
{
    ak_tensors *t = NULL;
    assert_int_equal(ak_tensors_new(&t, ctx), AKIN_OK);
    assert_int_equal(ak_tagger_put(g, ctx, t), AKIN_OK);
    const uint64_t x = ak_tensors_fingerprint(t);
    ak_tensors_free(t);
    return x;
}

static void learned_taggers_are_saved(void **state)
{
    (void)state;
    akin_tagger *learned = NULL, *again = NULL, *loaded = NULL;
    akin_tagger_info info;
    write_file(path_of("l.jsonl"), labelled);
    assert_int_equal(
        akin_tagger_learn(&learned, ctx, path_of("l.jsonl"), NULL, &info),
        AKIN_OK);
    assert_int_equal(info.captions, 2);
    assert_int_equal(info.persons, 3);
    assert_int_equal(info.unmatched, 0);
    assert_int_equal(
        akin_tagger_learn(&again, ctx, path_of("l.jsonl"), NULL, NULL),
        AKIN_OK);
    assert_true(fingerprint(learned) == fingerprint(again));
    assert_int_equal(akin_tagger_save(ctx, learned, path_of("m")), AKIN_OK);
    assert_int_equal(akin_tagger_load(&loaded, ctx, path_of("m")), AKIN_OK);
    assert_true(fingerprint(learned) == fingerprint(loaded));
    akin_tagger_free(learned);
    akin_tagger_free(again);
    akin_tagger_free(loaded);
    unlink(path_of("l.jsonl"));
    unlink(path_of("m"));
}

/* docs/reference/persons.md has this as a command. */
static void default_is_learned_from_our_captions(void **state)
{
    (void)state;
    const char *tests = getenv("AKIN_TESTS");
    akin_tagger_options o = AKIN_TAGGER_DEFAULTS;
    akin_tagger *learned = NULL;
    char captions[512], lists[512];
    assert_non_null(tests);
    snprintf(captions, sizeof captions,
             "%s/../src/text/persons/training/captions.jsonl", tests);
    snprintf(lists, sizeof lists, "%s/../src/text/persons/lists", tests);
    o.lists = lists;
    assert_int_equal(akin_tagger_learn(&learned, ctx, captions, &o, NULL),
                     AKIN_OK);
    assert_true(fingerprint(learned) == fingerprint(tagger));
    akin_tagger_free(learned);
}

int main(void)
{
    const struct CMUnitTest cases[] = {
        TAGGER_CASE(words_keep_their_marks),
        TAGGER_CASE(sentences_end_with_a_dot),
        TAGGER_CASE(titles_are_no_part_of_names),
        TAGGER_CASE(short_forms_are_folded),
        TAGGER_CASE(couples_share_their_name),
        TAGGER_CASE(children_have_the_name_of_their_parents),
        TAGGER_CASE(credits_are_told_apart),
        TAGGER_CASE(absent_persons_are_told_apart),
        TAGGER_CASE(positions_are_found),
        TAGGER_CASE(orders_are_written_in_many_ways),
        TAGGER_CASE(rows_are_written_in_many_ways),
        TAGGER_CASE(sides_stand_before_and_behind_names),
        TAGGER_CASE(other_layouts_are_read),
        TAGGER_CASE(positions_have_parts),
        TAGGER_CASE(positions_are_read_back),
        TAGGER_CASE(mentions_have_places),
        TAGGER_CASE(long_captions_take_linear_time),
        TAGGER_CASE(control_characters_are_blanks),
        TAGGER_CASE(zero_bytes_are_blanks),
        TAGGER_CASE(aliases_give_names),
        TAGGER_CASE(learned_taggers_are_saved),
        TAGGER_CASE(default_is_learned_from_our_captions),
    };
    return cmocka_run_group_tests(cases, NULL, NULL);
}
