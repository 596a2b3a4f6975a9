/* A tagger that is learned from corrected captions: the same mistake is not
 * made again, and nothing else becomes worse; aliases and taggers of a
 * collection. */
#include <akin/mentions.h>
#include <akin/review.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/rng.h"
#include "collection/faces/captions/tagging.h"
#include "collection/faces/photos.h"
#include "collection_folder.h"
#include "context.h"

enum { PHOTOS = 80, CORRECTED = 20 };

/* Houses that are called like persons, which the default tagger takes for
 * persons. */
static const char *const given[] = {
    "Rosa", "Otto", "Karin", "Tom",  "Ann", "Bob",  "Clara", "Emil", "Nora",
    "Paul", "Ida",  "Hugo",  "Lena", "Max", "Vera", "Karl",  "Mina", "Kurt"};
static const char *const family[] = {"Klein",  "Hale",  "Vogel",  "Berg",
                                     "Moss",   "Roe",   "Keller", "Hobbs",
                                     "Brandt", "Pratt", "Tanner", "Weiss"};

typedef struct sample {
    char text[160], house[48], first[32], second[32];
} sample;

static sample samples[PHOTOS];

#define PICK(list) list[ak_rng_below(rng, sizeof list / sizeof *list)]

static void draw_sample(sample *s, ak_rng *rng, int i)
{
    snprintf(s->first, sizeof s->first, "%s %s", PICK(given), PICK(family));
    do
        snprintf(s->second, sizeof s->second, "%s %s", PICK(given),
                 PICK(family));
    while (strcmp(s->first, s->second) == 0);
    snprintf(s->house, sizeof s->house, "Villa %s %s", PICK(given),
             PICK(given));
    if (i % 3 == 0)
        snprintf(s->text, sizeof s->text, "%s and %s in the garden of %s.",
                 s->first, s->second, s->house);
    else if (i % 3 == 1)
        snprintf(s->text, sizeof s->text, "%s is opened by %s and %s.",
                 s->house, s->first, s->second);
    else
        snprintf(s->text, sizeof s->text, "%s visits %s with %s.", s->first,
                 s->house, s->second);
}

/* Photos with a face each and nobody's name; then their captions. */
static void make_photos(void)
{
    static int made;  // one that replaces another has its answers
    char name[16];
    static char captions[32 * PHOTOS];
    static float values[2 * PHOTOS];
    akin_faces_options o = AKIN_FACES_DEFAULTS;
    akin_rows *rows = NULL;
    size_t n = (size_t)sprintf(captions, "photo,faces,names\n");
    for (int i = 0; i < PHOTOS; ++i) {
        n += (size_t)sprintf(captions + n, "p%02d,%d,\n", i, i);
        values[2 * i] = 1.0F;
    }
    text_put("captions.csv", captions, n);
    snprintf(name, sizeof name, "c%d", ++made);
    snprintf(collection, sizeof collection, "%s", text_path(name));
    o.captions = text_path("captions.csv");
    assert_int_equal(akin_rows_new_dense(&rows, ctx, PHOTOS, 2, values),
                     AKIN_OK);
    assert_int_equal(akin_faces_import(ctx, collection, rows, &o, NULL),
                     AKIN_OK);
    akin_rows_free(rows);
}

static void open_catalog(ak_catalog *c)
{
    *c = (ak_catalog){.lock = -1};
    assert_int_equal(ak_catalog_open(c, ctx, collection, AK_CATALOG_WRITE),
                     AKIN_OK);
}

/* As a run of akin_faces_add begins, and gives captions to photos. */
static void tag(int first, int end, const char *tagger, const char *aliases)
{
    akin_tagger *g = NULL;
    ak_catalog c;
    open_catalog(&c);
    assert_int_equal(tagger ? akin_tagger_load(&g, ctx, tagger)
                            : akin_tagger_default(&g, ctx),
                     AKIN_OK);
    if (aliases != NULL)
        assert_int_equal(akin_tagger_add_aliases(ctx, g, aliases), AKIN_OK);
    assert_int_equal(ak_tagging_begin(&g, ctx, &c, tagger, aliases), AKIN_OK);
    for (int i = first; i < end; ++i) {
        const ak_caption caption = {samples[i].text, NULL};
        assert_int_equal(ak_photo_put_caption(&c, ctx, i, &caption, g),
                         AKIN_OK);
    }
    akin_tagger_free(g);
    ak_catalog_close(&c);
}

static void make(void)
{
    ak_rng rng = ak_rng_new(7, AK_STREAM_ORDER);
    make_photos();
    for (int i = 0; i < PHOTOS; ++i)
        draw_sample(&samples[i], &rng, i);
    tag(0, PHOTOS, NULL, NULL);
}

static akin_caption_names *names_of(int64_t photo)
{
    akin_caption_names *names = NULL;
    akin_collection *c = NULL;
    assert_int_equal(akin_collection_open(&c, ctx, collection), AKIN_OK);
    assert_int_equal(akin_caption_names_read(&names, ctx, c, photo), AKIN_OK);
    akin_collection_close(c);
    return names;
}

static bool is_person(const sample *s, const char *name)
{
    return strcmp(name, s->first) == 0 || strcmp(name, s->second) == 0;
}

/* Captions whose persons are not all and only those in the picture. */
static int count_wrong(int first, int end)
{
    int wrong = 0;
    for (int i = first; i < end; ++i) {
        akin_caption_names *names = names_of(i);
        bool right = akin_caption_names_count(names) == 2;
        for (int64_t k = 0; k < akin_caption_names_count(names); ++k) {
            akin_caption_name x;
            akin_caption_names_get(&x, names, k);
            right &= is_person(&samples[i], x.name) &&
                     x.presence == AKIN_PICTURED;
        }
        wrong += !right;
        akin_caption_names_free(names);
    }
    return wrong;
}

static void say(int64_t photo, const char *kind, const char *name)
{
    akin_answer x = AKIN_ANSWER_INIT;
    akin_answers *a = NULL;
    int64_t number;
    x.kind = kind;
    x.photo = photo;
    x.name = name;
    assert_int_equal(akin_answers_open(&a, ctx, collection), AKIN_OK);
    assert_int_equal(akin_answers_add(&number, ctx, a, &x), AKIN_OK);
    akin_answers_close(a);
}

/* What a person does who looks at the caption. */
static void correct(int photo)
{
    akin_caption_names *names = names_of(photo);
    for (int64_t k = 0; k < akin_caption_names_count(names); ++k) {
        akin_caption_name x;
        akin_caption_names_get(&x, names, k);
        if (!is_person(&samples[photo], x.name))
            say(photo, "not-person", x.name);
    }
    akin_caption_names_free(names);
    say(photo, "in-picture", samples[photo].first);
    say(photo, "in-picture", samples[photo].second);
}

static void corrections_teach(void **state)
{
    akin_tagger *g = NULL;
    akin_tagger_info info;
    (void)state;
    make();
    const int before = count_wrong(CORRECTED, PHOTOS);
    assert_true(before >= (PHOTOS - CORRECTED) / 2);
    assert_int_equal(akin_faces_learn_tagger(&g, ctx, collection, NULL, &info),
                     AKIN_EINVAL);
    for (int i = 0; i < CORRECTED; ++i)
        correct(i);
    assert_int_equal(count_wrong(0, CORRECTED), 0);
    assert_int_equal(akin_faces_learn_tagger(&g, ctx, collection, NULL, &info),
                     AKIN_OK);
    assert_int_equal(info.captions, CORRECTED);
    print_message("share %.2f, corrected %d (before %d), own %d (before %d)\n",
                  info.share, (int)info.errors, (int)info.errors_before,
                  (int)info.own_errors, (int)info.own_errors_before);
    assert_true(info.errors < info.errors_before / 2);
    assert_true(info.own_errors <= info.own_errors_before);
    assert_int_equal(akin_faces_use_tagger(ctx, collection, g), AKIN_OK);
    akin_tagger_free(g);
    const int after = count_wrong(CORRECTED, PHOTOS);
    print_message("%d captions: %d wrong, before %d\n", PHOTOS - CORRECTED,
                  after, before);
    assert_true(after <= before / 5);
    assert_int_equal(count_wrong(0, CORRECTED), 0);
    tag(CORRECTED, PHOTOS, NULL, NULL);  // a later run uses it too
    assert_int_equal(count_wrong(CORRECTED, PHOTOS), after);
    assert_int_equal(akin_faces_use_tagger(ctx, collection, NULL), AKIN_OK);
    assert_int_equal(count_wrong(CORRECTED, PHOTOS), before);
    assert_int_equal(count_wrong(0, CORRECTED), 0);
}

/* Captions that say what the default tagger finds teach nothing. */
static void nothing_to_learn_keeps_the_default(void **state)
{
    akin_tagger *g = NULL;
    akin_tagger_info info;
    (void)state;
    make();
    snprintf(samples[0].text, sizeof samples[0].text, "Ann Lee waves.");
    tag(0, 1, NULL, NULL);
    say(0, "in-picture", "Ann Lee");
    assert_int_equal(akin_faces_learn_tagger(&g, ctx, collection, NULL, &info),
                     AKIN_OK);
    assert_true(info.share == 0.0);
    assert_int_equal(info.own_errors, info.own_errors_before);
    akin_tagger_free(g);
}

static bool has_name(int64_t photo, const char *name)
{
    akin_caption_names *names = names_of(photo);
    bool found = false;
    for (int64_t k = 0; k < akin_caption_names_count(names); ++k) {
        akin_caption_name x;
        akin_caption_names_get(&x, names, k);
        found |= strcmp(x.name, name) == 0;
    }
    akin_caption_names_free(names);
    return found;
}

/* Other aliases and another tagger tag what is there, without its files. */
static void other_aliases_tag_again(void **state)
{
    static const char first[] = "alias,name\nthe mayor,Ann Keller\n";
    static const char second[] = "alias,name\nthe mayor,Eve Adams\n";
    static const char labelled[] =
        "{\"caption\": \"zork Ann sits.\", \"names\": [{\"mentions\": "
        "[\"zork Ann\"], \"in_picture\": true}]}\n";
    akin_tagger *g = NULL;
    (void)state;
    make();
    snprintf(samples[0].text, sizeof samples[0].text, "Tom Berg and the mayor");
    tag(0, 1, NULL, NULL);
    assert_false(has_name(0, "Ann Keller"));
    text_put("a.csv", first, sizeof first - 1);
    tag(0, 0, NULL, text_path("a.csv"));
    assert_true(has_name(0, "Ann Keller"));
    tag(0, 0, NULL, NULL);  // the collection keeps them
    assert_true(has_name(0, "Ann Keller"));
    text_put("a.csv", second, sizeof second - 1);
    tag(0, 0, NULL, text_path("a.csv"));
    assert_true(has_name(0, "Eve Adams") && !has_name(0, "Ann Keller"));
    text_put("l.jsonl", labelled, sizeof labelled - 1);
    assert_int_equal(
        akin_tagger_learn(&g, ctx, text_path("l.jsonl"), NULL, NULL), AKIN_OK);
    text_put("g.safetensors", "", 0);
    assert_int_equal(akin_tagger_save(ctx, g, text_path("g.safetensors")),
                     AKIN_OK);
    akin_tagger_free(g);
    assert_true(has_name(0, "Tom Berg"));
    tag(0, 0, text_path("g.safetensors"), NULL);
    assert_true(has_name(0, "Eve Adams") && !has_name(0, "Tom Berg"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        CONTEXT_CASE(corrections_teach),
        CONTEXT_CASE(nothing_to_learn_keeps_the_default),
        CONTEXT_CASE(other_aliases_tag_again),
    };
    return cmocka_run_group_tests(tests, collection_begin, collection_end);
}
