/* Faces, captions, boxes and XMP, with each allocation failing once; of those
 * that write to the disk one in several. */
#include <akin/faces.h>
#include <akin/mentions.h>
#include <akin/review.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#include "collection/faces/boxes.h"
#include "collection/faces/captions/tagging.h"
#include "collection/faces/metadata/sidecar.h"
#include "collection/faces/person_names.h"
#include "collection/faces/photos.h"
#include "collection_folder.h"
#include "faulty.h"
#include "png.h"

static char captions[128];

/* A text, and what reads it. */
static akin_status read_captions(akin_ctx *ctx, void *arg)
{
    static const char csv[] = "photo,names,caption\na,Ann;Bob,On the left\n";
    static const char json[] = "{\"photo\":\"a\",\"names\":[\"Ann\",\"Bob\"]}\n"
                               "{\"photo\":\"b\",\"caption\":\"x\"}\n";
    const char *text = arg ? json : csv;
    ak_caption_file f = {0};
    ak_source *s = NULL;
    akin_status st = AKIN_OK;
    AK_TRY(ak_source_memory(&s, ctx, arg ? "c.jsonl" : "c.csv", AK_SOURCE_TEXT,
                            text, strlen(text)));
    AK_TRY(ak_caption_file_read(&f, ctx, s));
done:
    ak_source_close(s);
    ak_caption_file_free(&f);
    return st;
}

static akin_status read_boxes(akin_ctx *ctx, void *arg)
{
    static const char text[] = "photo,x,y,width,height,name\na,1,2,3,4,Ann\n"
                               "b,1,2,3,4,\na,5,6,7,8,Bob\n";
    ak_box_file f = {0};
    ak_source *s = NULL;
    akin_status st = AKIN_OK;
    (void)arg;
    AK_TRY(ak_source_memory(&s, ctx, "b.csv", AK_SOURCE_TEXT, text,
                            sizeof text - 1));
    AK_TRY(ak_box_file_read(&f, ctx, s));
done:
    ak_source_close(s);
    ak_box_file_free(&f);
    return st;
}

static akin_status parse_xmp(akin_ctx *ctx, void *arg)
{
    static const char text[] =
        "<R xmlns:rdf='http://www.w3.org/1999/02/22-rdf-syntax-ns#' "
        "xmlns:dc='http://purl.org/dc/elements/1.1/' "
        "xmlns:e='http://iptc.org/std/Iptc4xmpExt/2008-02-29/' "
        "xmlns:r='http://www.metadataworkinggroup.com/schemas/regions/' "
        "xmlns:a='http://ns.adobe.com/xmp/sType/Area#'>"
        "<dc:description><rdf:Alt><rdf:li>Two</rdf:li></rdf:Alt>"
        "</dc:description><e:PersonInImage><rdf:Bag><rdf:li>Ann</rdf:li>"
        "</rdf:Bag></e:PersonInImage><r:Regions><r:RegionList><rdf:Bag>"
        "<rdf:li r:Name='Ann'><r:Area a:x='.5' a:y='.5' a:w='.1' a:h='.1'/>"
        "</rdf:li></rdf:Bag></r:RegionList></r:Regions></R>";
    ak_xmp x = {0};
    (void)arg;
    const akin_status st =
        ak_xmp_parse(&x, ctx, "t.xmp", text, sizeof text - 1);
    if (st == AKIN_OK && x.n_regions != 1)
        return AKIN_EFORMAT;
    ak_xmp_free(&x);
    return st;
}

/* XMP that is to be added to. */
static akin_status parse_sidecar(akin_ctx *ctx, void *arg)
{
    static const char text[] =
        "<rdf:RDF xmlns:rdf='http://www.w3.org/1999/02/22-rdf-syntax-ns#' "
        "xmlns:e='http://iptc.org/std/Iptc4xmpExt/2008-02-29/'>"
        "<rdf:Description rdf:about='x'><e:PersonInImage><rdf:Bag>"
        "<rdf:li>Ann</rdf:li></rdf:Bag></e:PersonInImage></rdf:Description>"
        "</rdf:RDF>";
    ak_sidecar s = {0};
    (void)arg;
    const akin_status st =
        ak_sidecar_parse(&s, ctx, "t.xmp", text, sizeof text - 1, true);
    if (st == AKIN_OK && s.n_cuts != 1)
        return AKIN_EFORMAT;
    ak_sidecar_free(&s);
    return st;
}

/* Rows into a collection, and out of it as supervision and as files. */
static akin_status import(akin_ctx *ctx, void *arg)
{
    static const float values[] = {1, 0, 0, 1, 1, 1};
    akin_faces_options o = AKIN_FACES_DEFAULTS;
    akin_faces_export_options to = AKIN_FACES_EXPORT_DEFAULTS;
    akin_collection *c = NULL;
    akin_supervision *s = NULL;
    akin_rows *rows = NULL;
    akin_face_weight *prior = NULL;
    int64_t n_prior;
    double quality[3];
    akin_status st = AKIN_OK;
    (void)arg;
    akin_ctx_set_threads(ctx, 1);
    o.captions = captions;
    o.force = 1;
    to.to = "json";
    AK_TRY(akin_rows_new_dense(&rows, ctx, 3, 2, values));
    AK_TRY(akin_faces_import(ctx, collection, rows, &o, NULL));
    AK_TRY(akin_collection_open(&c, ctx, collection));
    AK_TRY(akin_supervision_new(&s, ctx, rows, NULL, NULL));
    AK_TRY(akin_faces_captions(ctx, s, c));
    AK_TRY(akin_faces_prior(&prior, &n_prior, ctx, c, s));
    AK_TRY(akin_faces_quality(quality, ctx, c));
    AK_TRY(akin_faces_export(ctx, c, text_path("out"), &to, NULL));
done:
    akin_free(prior);
    akin_supervision_free(s);
    akin_collection_close(c);
    akin_rows_free(rows);
    return st;
}

/* A caption is corrected, once for the key, and the correction undone. */
static akin_status correct(akin_ctx *ctx, void *arg)
{
    akin_answer x = AKIN_ANSWER_INIT;
    akin_answers *a = NULL;
    akin_collection *c = NULL;
    akin_caption_names *names = NULL;
    int64_t number;
    akin_status st = AKIN_OK;
    (void)arg;
    akin_ctx_set_threads(ctx, 1);
    x.kind = "means";
    x.photo = 0;
    x.name = "Ann";
    x.other = "Eve";
    x.key = "eve";
    AK_TRY(akin_answers_open(&a, ctx, collection));
    AK_TRY(akin_answers_add(&number, ctx, a, &x));
    AK_TRY(akin_answers_undo(ctx, a, number));
    AK_TRY(akin_collection_open(&c, ctx, collection));
    AK_TRY(akin_caption_names_read(&names, ctx, c, 0));
    if (akin_caption_names_count(names) != 2)
        st = AKIN_EFORMAT;
done:
    akin_caption_names_free(names);
    akin_collection_close(c);
    akin_answers_close(a);
    return st;
}

/* Further rows, all or none: a run that fails leaves no photo behind. */
static akin_status import_more(akin_ctx *ctx, void *arg)
{
    static const float values[] = {1, 0, 0, 1};
    akin_faces_options o = AKIN_FACES_DEFAULTS;
    akin_rows *rows = NULL;
    akin_status st = AKIN_OK;
    o.captions = arg;
    akin_ctx_set_threads(ctx, 1);
    AK_TRY(akin_rows_new_dense(&rows, ctx, 2, 2, values));
    AK_TRY(akin_faces_import_more(ctx, collection, rows, &o, NULL));
done:
    akin_rows_free(rows);
    return st;
}

/* A caption in prose, and all captions tagged again by other aliases. */
static akin_status tag(akin_ctx *ctx, void *arg)
{
    static char text[] = "Tom Berg and the mayor";
    const ak_caption caption = {text, NULL};
    akin_tagger *tagger = NULL;
    ak_catalog c = {.lock = -1};
    akin_status st = AKIN_OK;
    (void)arg;
    AK_TRY(ak_catalog_open(&c, ctx, collection, AK_CATALOG_WRITE));
    AK_TRY(akin_tagger_default(&tagger, ctx));
    AK_TRY(ak_photo_put_caption(&c, ctx, 1, &caption, tagger));
    AK_TRY(ak_catalog_set(&c, ctx, "tagger", ""));
    AK_TRY(akin_tagger_add_aliases(ctx, tagger, text_path("aliases.csv")));
    AK_TRY(ak_tagging_begin(&tagger, ctx, &c, NULL, "given"));
done:
    akin_tagger_free(tagger);
    ak_catalog_close(&c);
    return st;
}

/* An answer, and names by all answers. Each run stores one more. */
static akin_status review(akin_ctx *ctx, void *arg)
{
    akin_answer x = AKIN_ANSWER_INIT;
    akin_answers *a = NULL;
    akin_review *r = NULL;
    akin_person *persons = NULL;
    int64_t number, n, stale, groups[3];
    akin_status st = AKIN_OK;
    (void)arg;
    akin_ctx_set_threads(ctx, 1);
    x.kind = "is";
    x.face = 0;
    x.name = "Zed";
    AK_TRY(akin_review_open(&r, ctx, collection));
    AK_TRY(akin_answers_open(&a, ctx, collection));
    AK_TRY(akin_answers_add(&number, ctx, a, &x));
    AK_TRY(akin_answers_next(&x, ctx, a, number - 1));
    AK_TRY(akin_review_update(&stale, ctx, r));
    AK_TRY(akin_review_persons(&persons, &n, ctx, r));
    AK_TRY(akin_review_groups(groups, &n, ctx, r));
done:
    akin_free(persons);
    akin_answers_close(a);
    akin_review_close(r);
    return st;
}

/* A caption loses a person. */
static akin_status blank(akin_ctx *ctx, void *arg)
{
    static const char *const kept[] = {"John Smith"};
    static const char *const forms[] = {"Bibi"};
    const ak_person_caption caption = {
        "John and Mary Smith, or Bibi. SMITH won.", kept, 1, forms, 1, true};
    ak_person_names who = {0};
    char *text = NULL;
    akin_status st = AKIN_OK;
    AK_TRY(ak_person_names_add(&who, ctx, "mary smith"));
    AK_TRY(ak_person_names_add(&who, ctx, "M\xc3\xa0ry van den Berg Jr."));
    AK_TRY(ak_person_names_other(&who, ctx, "Mary Smith III"));
    AK_TRY(ak_person_blank(&text, NULL, ctx, &who, arg, &caption));
    assert_string_equal(
        text, "John and [removed] Smith, or [removed]. [removed] won.");
done:
    akin_free(text);
    ak_person_names_free(&who);
    return st;
}

static akin_status look_for(akin_ctx *ctx, void *arg)
{
    int64_t files;
    return akin_faces_mentions(&files, ctx, collection, arg);
}

/* The person may be gone already when it fails. */
static akin_status leave(akin_ctx *ctx, void *arg)
{
    static const char *const names[] = {"ann", "", ""};
    int64_t removed;
    AK_CHECK(import(ctx, arg));
    return akin_faces_remove_person(&removed, ctx, collection, "Ann", names);
}

/* A photo, which the program of tests/cli finds two faces in. */
static char photos[128];

static akin_status make_photos(akin_ctx *ctx)
{
    akin_faces_options o = AKIN_FACES_DEFAULTS;
    o.captions = captions;
    o.force = 1;
    akin_ctx_set_threads(ctx, 1);
    return akin_faces_make(ctx, collection, photos, &o, NULL);
}

/* A box, a face that is refused, both undone; and the photo. */
static akin_status draw(akin_ctx *ctx, void *arg)
{
    akin_drawing d = AKIN_DRAWING_INIT;
    akin_answer x = AKIN_ANSWER_INIT;
    akin_answers *a = NULL;
    akin_collection *c = NULL;
    uint8_t *jpeg = NULL;
    int64_t *ids = NULL;
    int64_t face, number, refused, n;
    akin_status st = AKIN_OK;
    (void)arg;
    akin_ctx_set_threads(ctx, 1);
    d.x = 45.0;
    d.y = 10.0;
    d.width = 20.0;
    d.height = 24.0;
    AK_TRY(akin_answers_open(&a, ctx, collection));
    AK_TRY(akin_answers_draw(&face, &number, ctx, a, &d));
    x.kind = "no-face";
    x.face = face;
    AK_TRY(akin_answers_add(&refused, ctx, a, &x));
    AK_TRY(akin_answers_undo(ctx, a, refused));
    AK_TRY(akin_answers_undo(ctx, a, number));
    AK_TRY(akin_collection_open(&c, ctx, collection));
    AK_TRY(akin_faces_without(&ids, &n, ctx, c));
    AK_TRY(akin_faces_photo_picture(&jpeg, &n, ctx, c, 0, 64));
done:
    akin_free(ids);
    akin_free(jpeg);
    akin_collection_close(c);
    akin_answers_close(a);
    return st;
}

static akin_status make_again(akin_ctx *ctx, void *arg)
{
    (void)arg;
    return make_photos(ctx);
}

static void assert_survives(akin_status (*work)(akin_ctx *ctx, void *arg),
                            void *arg, int64_t step)
{
    const int64_t n = faulty_run_some(work, arg, step);
    if (n < 0)
        fail_msg("allocation %d", (int)(-1 - n));
    assert_true(n > 2);
}

static void readers_survive(void **state)
{
    (void)state;
    assert_survives(read_captions, NULL, 1);
    assert_survives(read_captions, captions, 1);
    assert_survives(read_boxes, NULL, 1);
    assert_survives(parse_xmp, NULL, 1);
    assert_survives(parse_sidecar, NULL, 1);
}

static void collection_survives(void **state)
{
    static const char text[] = "photo,faces,names\np,0;2,Ann;Bob\nq,1,Bob\n";
    static const char more[] = "photo,faces,names\nr,0;1,Ann;Bob\n";
    static const char aliases[] = "alias,name\nthe mayor,Ann\n";
    (void)state;
    text_put("captions.csv", text, sizeof text - 1);
    snprintf(captions, sizeof captions, "%s", text_path("captions.csv"));
    assert_survives(import, NULL, 11);
    assert_survives(correct, NULL, 5);
    text_put("aliases.csv", aliases, sizeof aliases - 1);
    assert_survives(tag, NULL, 3);
    assert_survives(review, NULL, 7);
    assert_survives(look_for, "Ann", 19);
    assert_survives(leave, NULL, 67);
    text_put("captions.csv", more, sizeof more - 1);
    assert_survives(import_more, captions, 11);
}

static void captions_survive(void **state)
{
    akin_ctx *plain = NULL;
    akin_tagger *tagger = NULL;
    (void)state;
    assert_int_equal(akin_ctx_new(&plain, NULL), AKIN_OK);
    assert_int_equal(akin_tagger_default(&tagger, plain), AKIN_OK);
    assert_survives(blank, tagger, 1);
    akin_tagger_free(tagger);
    akin_ctx_free(plain);
}

/* Programs and weights as tests/cli/faces.sh has them. */
static void use_painted_faces(void)
{
    char from[512], to[512];
    const char *tests = getenv("AKIN_TESTS"), *libexec = getenv("AKIN_LIBEXEC");
    assert_non_null(tests);
    assert_non_null(libexec);
    snprintf(from, sizeof from, "%s/akin-decode", libexec);
    snprintf(to, sizeof to, "%s", text_path("akin-decode"));
    assert_int_equal(symlink(from, to), 0);
    snprintf(from, sizeof from,
             "install -m 755 '%s/cli/fake_face.py' '%s/akin-face'", tests,
             text_folder);
    assert_int_equal(system(from), 0);
    text_put("shape_predictor_5_face_landmarks.dat", "", 0);
    setenv("AKIN_LIBEXEC", text_folder, 1);
    setenv("AKIN_FACES", text_folder, 1);
}

/* Two squares in a photo of 120 x 60 pixels. */
static void paint(void)
{
    enum { WIDTH = 120, HEIGHT = 60, SIDE = 30 };
    static unsigned char rgb[3 * WIDTH * HEIGHT];
    for (int y = 15; y < 15 + SIDE; ++y)
        for (int x = 0; x < SIDE; ++x) {
            rgb[3 * (y * WIDTH + 10 + x)] = 250;
            rgb[3 * (y * WIDTH + 70 + x)] = 220;
        }
    text_sub("photos");
    snprintf(photos, sizeof photos, "%s", text_path("photos"));
    assert_true(png_write(text_path("photos/a.png"), WIDTH, HEIGHT, rgb, 1.0));
}

static void drawing_survives(void **state)
{
    static const char text[] = "photo,names\na.png,Ann;Bob\n";
    akin_ctx *ctx = NULL;
    (void)state;
    use_painted_faces();
    paint();
    text_put("captions.csv", text, sizeof text - 1);
    assert_int_equal(akin_ctx_new(&ctx, NULL), AKIN_OK);
    const akin_status st = make_photos(ctx);
    if (st != AKIN_OK)
        fail_msg("%s", akin_ctx_message(ctx));
    akin_ctx_free(ctx);
    assert_survives(draw, NULL, 47);
    assert_survives(make_again, NULL, 131);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(readers_survive),
        cmocka_unit_test(captions_survive),
        cmocka_unit_test(collection_survives),
        cmocka_unit_test(drawing_survives),
    };
    return cmocka_run_group_tests(tests, collection_begin, collection_end);
}
