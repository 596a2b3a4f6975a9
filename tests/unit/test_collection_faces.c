/* Captions, boxes and XMP as they are read, and faces in a collection. */
#include <akin/data.h>
#include <akin/faces.h>
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "collection/faces/boxes.h"
#include "collection/faces/captions/caption_file.h"
#include "collection/faces/metadata/iptc.h"
#include "collection/faces/metadata/sidecar.h"
#include "collection/faces/places.h"
#include "collection_folder.h"
#include "context.h"
#include "data/supervision/supervision.h"
#include "text/persons/position.h"

/* ---- captions ---- */

static akin_status read_captions(ak_caption_file *f, const char *path,
                                 const char *text)
{
    ak_source *s = NULL;
    akin_status st =
        ak_source_memory(&s, ctx, path, AK_SOURCE_TEXT, text, strlen(text));
    if (st == AKIN_OK)
        st = ak_caption_file_read(f, ctx, s);
    ak_source_close(s);
    return st;
}

static void refused(const char *path, const char *text, const char *why)
{
    ak_caption_file f = {0};
    assert_int_equal(read_captions(&f, path, text), AKIN_EFORMAT);
    if (strstr(akin_ctx_message(ctx), why) == NULL)
        fail_msg("%s", akin_ctx_message(ctx));
    ak_caption_file_free(&f);
}

static void captions_of_csv_and_json(void **state)
{
    static const struct {
        const char *path, *text;
    } files[] = {
        {"c.csv", "names,photo,caption\n\" Ann; Bob ;;Ann\",a.jpg,\"On, the "
                  "left\"\n,b.jpg,\n"},
        {"c.jsonl", "{\"photo\":\"a.jpg\",\"names\":[\"Ann\",\" Bob\",\"Ann\"],"
                    "\"caption\":\"On, the left\"}\n\n{\"photo\":\"b.jpg\","
                    "\"names\":\"\",\"caption\":\"\"}\n"},
    };
    (void)state;
    for (int i = 0; i < 2; ++i) {
        ak_caption_file f = {0};
        assert_int_equal(read_captions(&f, files[i].path, files[i].text),
                         AKIN_OK);
        const ak_caption *c = ak_caption_file_find(&f, "2019/a.jpg");
        assert_non_null(c);
        assert_string_equal(c->text, "On, the left");
        assert_string_equal(c->names, "Ann\nBob");
        assert_string_equal(ak_caption_file_find(&f, "b.jpg")->names, "");
        assert_null(ak_caption_file_find(&f, "c.jpg"));
        ak_caption_file_free(&f);
    }
}

static void captions_are_cleaned(void **state)
{
    ak_caption_file f = {0};
    (void)state;
    assert_int_equal(
        read_captions(&f, "c.csv",
                      "photo,names,caption\na,\"A\x01nn\xff\xc3\xa9;B\nob\","
                      "\"x\x02\n\xc3\xc2\xa0\"\nb,Jos\xe9,\xfcnal\n"),
        AKIN_OK);
    assert_string_equal(f.captions[0].names, "A nn\xef\xbf\xbd\xc3\xa9\nB ob");
    assert_string_equal(f.captions[0].text, "x \n\xef\xbf\xbd\xc2\xa0");
    assert_string_equal(f.captions[1].names, "Jos\xc3\xa9");
    assert_string_equal(f.captions[1].text, "\xc3\xbcnal");
    assert_int_equal(f.n_latin1, 1);
    assert_int_equal(f.latin1_line, 5);
    ak_caption_file_free(&f);
}

static void captions_that_are_wrong(void **state)
{
    (void)state;
    refused("c.csv", "photo,name\na,b\n", "c.csv:1: expected a header");
    refused("c.csv", "photo,names\na,b\na,c\n", "c.csv:3: second caption");
    refused("c.csv", "photo,caption\na,b,c\n", "c.csv:2: 3 cells (expected 2");
    refused("c.csv", "photo,caption\n,b\n", "c.csv:2: the photo has no name");
    refused("c.csv", "photo,caption\n", "no captions");
    refused("c.jsonl", "{\"photo\":\"a\"}\n", "c.jsonl:1: expected");
    refused("c.jsonl", "{\"photo\":1,\"names\":[]}\n", "c.jsonl:1: expected");
    refused("c.jsonl", "{\"photo\":\"a\",\"names\":[1]}\n",
            "c.jsonl:1: a name is not text");
    refused("c.jsonl", "{\"photo\":\n", "c.jsonl:1: ");
}

static void caption_of_a_megabyte_and_more(void **state)
{
    const size_t n = AK_CAPTION_MOST;
    char *text = malloc(n + 64);
    ak_caption_file f = {0};
    (void)state;
    assert_non_null(text);
    memcpy(text, "photo,caption\na,", 16);
    memset(text + 16, 'x', n);
    strcpy(text + 16 + n, "\n");
    assert_int_equal(read_captions(&f, "c.csv", text), AKIN_OK);
    assert_int_equal(strlen(f.captions[0].text), n);
    ak_caption_file_free(&f);
    strcpy(text + 16 + n, "x\n");
    refused("c.csv", text, "c.csv:2: too long (a caption has at most 1 MiB");
    free(text);
}

/* ---- boxes ---- */

static akin_status read_boxes(ak_box_file *f, const char *text)
{
    ak_source *s = NULL;
    akin_status st =
        ak_source_memory(&s, ctx, "b.csv", AK_SOURCE_TEXT, text, strlen(text));
    if (st == AKIN_OK)
        st = ak_box_file_read(f, ctx, s);
    ak_source_close(s);
    return st;
}

static void boxes_of_a_file(void **state)
{
    ak_box_file f = {0};
    (void)state;
    assert_int_equal(read_boxes(&f, "photo,x,y,width,height,name\n"
                                    "a.jpg,-3,4.5,10,20,Ann\n"
                                    "b.jpg,0,0,1,1,\n"
                                    "a.jpg,1e2,4,10,20,\n"),
                     AKIN_OK);
    const ak_boxes *a = ak_box_file_find(&f, "x/a.jpg");
    assert_int_equal(a->n, 2);
    assert_true(a->boxes[0] == -3.0 && a->boxes[1] == 4.5);
    assert_true(a->boxes[4] == 100.0 && a->boxes[7] == 20.0);
    assert_string_equal(a->names[0], "Ann");
    assert_null(a->names[1]);
    assert_null(ak_box_file_find(&f, "c.jpg"));
    ak_box_file_free(&f);
}

static void boxes_that_are_wrong(void **state)
{
    static const char *const texts[][2] = {
        {"photo,x,y,width\na,1,2,3\n", "height"},
        {"photo,x,y,width,height\na,1,2,3\n", "b.csv:2: 4 cells"},
        {"photo,x,y,width,height\na,1,2,0,4\n", "b.csv:2: \"0\" is not"},
        {"photo,x,y,width,height\na,nan,2,3,4\n", "b.csv:2: \"nan\" is not"},
        {"photo,x,y,width,height\na,1,,3,4\n", "b.csv:2: \"\" is not"},
        {"photo,x,y,width,height\n,1,2,3,4\n", "no name"},
    };
    (void)state;
    for (size_t i = 0; i < sizeof texts / sizeof *texts; ++i) {
        ak_box_file f = {0};
        assert_int_equal(read_boxes(&f, texts[i][0]), AKIN_EFORMAT);
        if (strstr(akin_ctx_message(ctx), texts[i][1]) == NULL)
            fail_msg("%s", akin_ctx_message(ctx));
        ak_box_file_free(&f);
    }
}

/* ---- XMP and IPTC ---- */

#define HEAD                                                          \
    "<x:xmpmeta xmlns:x='adobe:ns:meta/'><rdf:RDF "                   \
    "xmlns:rdf='http://www.w3.org/1999/02/22-rdf-syntax-ns#' "        \
    "xmlns:dc='http://purl.org/dc/elements/1.1/' "                    \
    "xmlns:e='http://iptc.org/std/Iptc4xmpExt/2008-02-29/' "          \
    "xmlns:r='http://www.metadataworkinggroup.com/schemas/regions/' " \
    "xmlns:a='http://ns.adobe.com/xmp/sType/Area#'>"                  \
    "<rdf:Description rdf:about=''>"
#define TAIL "</rdf:Description></rdf:RDF></x:xmpmeta>"

static akin_status parse(ak_xmp *x, const char *text)
{
    return ak_xmp_parse(x, ctx, "t.xmp", text, strlen(text));
}

/* The three ways to write a structure, and what is no face. */
static void regions_however_they_are_written(void **state)
{
    ak_xmp x = {0};
    (void)state;
    assert_int_equal(
        parse(&x, HEAD
              "<r:Regions rdf:parseType='Resource'><r:RegionList><rdf:Bag>"
              "<rdf:li rdf:parseType='Resource'><r:Name>Ann</r:Name><r:Type>"
              "Face</r:Type><r:Area a:x='0.5' a:y='0.25' a:w='0.1' a:h='0.2' "
              "a:unit='normalized'/></rdf:li>"
              "<rdf:li><rdf:Description r:Name='Bob' r:Type='Face'><r:Area "
              "rdf:parseType='Resource'><a:x>0.1</a:x><a:y>.2</a:y><a:w>.3"
              "</a:w><a:h>.4</a:h></r:Area><r:Extensions><rdf:Bag><rdf:li>no"
              "</rdf:li></rdf:Bag></r:Extensions></rdf:Description></rdf:li>"
              "<rdf:li r:Type='Pet' r:Name='Rex'><r:Area a:x='.5' a:y='.5' "
              "a:w='.1' a:h='.1'/></rdf:li>"
              "<rdf:li r:Type='Face'><r:Area a:x='.5' a:y='.5' a:d='.1'/>"
              "</rdf:li>"
              "<rdf:li r:Type='Face'><r:Area a:x='9' a:y='5' a:w='7' a:h='8' "
              "a:unit='pixel'/></rdf:li>"
              "</rdf:Bag></r:RegionList></r:Regions>" TAIL),
        AKIN_OK);
    assert_true(x.has_regions);
    assert_int_equal(x.n_regions, 2);
    assert_string_equal(x.regions[0].name, "Ann");
    assert_true(x.regions[0].x == 0.5 && x.regions[0].h == 0.2);
    assert_string_equal(x.regions[1].name, "Bob");
    assert_true(x.regions[1].y == 0.2 && x.regions[1].w == 0.3);
    assert_null(x.persons);
    ak_xmp_free(&x);
}

static void persons_and_the_caption_of_the_default_language(void **state)
{
    ak_xmp x = {0};
    (void)state;
    assert_int_equal(
        parse(&x, HEAD
              "<dc:description><rdf:Alt><rdf:li xml:lang='de'>Zwei</rdf:li>"
              "<rdf:li xml:lang='x-default'>Two &amp; more</rdf:li><rdf:li>No"
              "</rdf:li></rdf:Alt></dc:description>"
              "<e:PersonInImage><rdf:Bag><rdf:li>Ann</rdf:li><rdf:li>B\nob"
              "</rdf:li></rdf:Bag></e:PersonInImage>" TAIL),
        AKIN_OK);
    assert_string_equal(x.caption, "Two & more");
    assert_string_equal(x.persons, "Ann\nB ob\n");
    assert_false(x.has_regions);
    ak_xmp_free(&x);
}

static void regions_of_microsoft(void **state)
{
    static const char people[] =
        "<m:RegionInfo xmlns:m='http://ns.microsoft.com/photo/1.2/' "
        "xmlns:i='http://ns.microsoft.com/photo/1.2/t/RegionInfo#' "
        "xmlns:g='http://ns.microsoft.com/photo/1.2/t/Region#'>"
        "<rdf:Description><i:Regions><rdf:Bag>"
        "<rdf:li g:Rectangle='0.25, 0.5, 0.5, 0.25' g:PersonDisplayName='Ann'/>"
        "<rdf:li><rdf:Description><g:Rectangle>.1,.1,.2,.2</g:Rectangle>"
        "</rdf:Description></rdf:li>"
        "<rdf:li g:PersonDisplayName='Bob'/><rdf:li g:Rectangle='1,2,3'/>"
        "<rdf:li g:Rectangle='0,0,0.1,0.1,0.1'/>"
        "</rdf:Bag></i:Regions></rdf:Description></m:RegionInfo>";
    static const char working_group[] =
        "<r:Regions rdf:parseType='Resource'><r:AppliedToDimensions "
        "xmlns:d='http://ns.adobe.com/xap/1.0/sType/Dimensions#' d:w='40' "
        "d:h='30'/><r:RegionList><rdf:Bag><rdf:li><rdf:Description>"
        "<r:Area a:x='0.5' a:y='0.5' a:w='0.5' a:h='0.5'/><r:Name>Cid</r:Name>"
        "</rdf:Description></rdf:li><rdf:li><rdf:Description r:Type='Pet'>"
        "<r:Area a:x='0.5' a:y='0.5' a:w='0.5' a:h='0.5'/></rdf:Description>"
        "</rdf:li></rdf:Bag></r:RegionList></r:Regions>";
    char text[4096];
    (void)state;
    for (int both = 0; both < 3; ++both) {
        ak_xmp x = {0};
        snprintf(text, sizeof text, "%s%s%s%s", HEAD,
                 both == 1   ? working_group
                 : both == 2 ? people
                             : "",
                 both == 2 ? working_group : people, TAIL);
        assert_int_equal(parse(&x, text), AKIN_OK);
        assert_true(x.has_regions);
        assert_int_equal(x.has_others, both > 0);
        assert_int_equal(x.n_regions, both ? 1 : 2);
        assert_string_equal(x.regions[0].name, both ? "Cid" : "Ann");
        assert_true(fabs(x.regions[0].x - (0.5)) <= 1e-12);
        assert_true(fabs(x.regions[0].y - (both ? 0.5 : 0.625)) <= 1e-12);
        assert_true(fabs(x.applied[0] - (both ? 40.0 : 0.0)) <= 0.0);
        assert_true(fabs(x.applied[1] - (both ? 30.0 : 0.0)) <= 0.0);
        if (both == 0)
            assert_true(fabs(x.regions[1].x - (0.2)) <= 1e-12);
        ak_xmp_free(&x);
    }
}

static void regions_turn_back(void **state)
{
    (void)state;
    for (int o = 1; o <= 8; ++o) {
        const ak_xmp_region g = {0.2, 0.3, 0.1, 0.4, NULL};
        ak_xmp_region h = g;
        ak_xmp_turn(&h, o, false);
        assert_true(fabs(h.w - (o < 5 ? 0.1 : 0.4)) <= 0.0);
        ak_xmp_turn(&h, o, true);
        assert_true(fabs(h.x - (g.x)) <= 1e-12);
        assert_true(fabs(h.y - (g.y)) <= 1e-12);
        assert_true(fabs(h.w - (g.w)) <= 0.0);
    }
}

static void sidecars_lose_what_is_written_anew(void **state)
{
    static const char text[] = HEAD
        "\n  <dc:title>T</dc:title>\n  <e:PersonInImage/>\n"
        "  <r:Regions/> <dc:description>D</dc:description>"
        "</rdf:Description>\n <rdf:Description rdf:about='x'>\n"
        "  <r:Regions><r:RegionList/></r:Regions>\n"
        " </rdf:Description>\n </rdf:RDF></x:xmpmeta>";
    static const char *const refused[] = {
        "<a/>",
        "<a><rdf:RDF xmlns:rdf='http://www.w3.org/1999/02/22-rdf-syntax-"
        "ns#'/></a>",
        "<?xml version='1.0' encoding='ISO-8859-1'?>" HEAD TAIL};
    (void)state;
    for (int caption = 0; caption < 2; ++caption) {
        ak_sidecar s = {0};
        char left[sizeof text] = "";
        size_t at = 0;
        assert_int_equal(
            ak_sidecar_parse(&s, ctx, "t.xmp", text, sizeof text - 1, caption),
            AKIN_OK);
        for (int64_t k = 0; k < s.n_cuts; ++k) {
            strncat(left, s.bytes + at, s.cuts[k].from - at);
            at = s.cuts[k].to;
        }
        strncat(left, s.bytes + at, s.end - at);
        strcat(left, "|");
        strcat(left, s.bytes + s.end);
        assert_string_equal(left + strlen(HEAD),
                            caption ? "\n  <dc:title>T</dc:title>\n   "
                                      "</rdf:Description>\n| "
                                      "</rdf:RDF></x:xmpmeta>"
                                    : "\n  <dc:title>T</dc:title>\n   "
                                      "<dc:description>D</dc:description>"
                                      "</rdf:Description>\n| "
                                      "</rdf:RDF></x:xmpmeta>");
        ak_sidecar_free(&s);
    }
    for (size_t k = 0; k < sizeof refused / sizeof *refused; ++k) {
        ak_sidecar s = {0};
        assert_int_equal(ak_sidecar_parse(&s, ctx, "t.xmp", refused[k],
                                          strlen(refused[k]), false),
                         AKIN_EFORMAT);
    }
}

static void xmp_that_is_refused(void **state)
{
    char deep[2000] = "";
    ak_xmp x = {0};
    (void)state;
    assert_int_equal(parse(&x, "<a><b></a>"), AKIN_EFORMAT);
    assert_non_null(strstr(akin_ctx_message(ctx), "t.xmp:1: not XML"));
    assert_int_equal(parse(&x, "<!DOCTYPE a [<!ENTITY b 'cc'>]><a>&b;</a>"),
                     AKIN_EFORMAT);
    assert_non_null(strstr(akin_ctx_message(ctx), "document type"));
    for (int i = 0; i < 100; ++i)
        strcat(deep, "<a>");
    assert_int_equal(parse(&x, deep), AKIN_EFORMAT);
    assert_non_null(strstr(akin_ctx_message(ctx), "nested too deeply"));
    assert_int_equal(parse(&x, ""), AKIN_EFORMAT);
}

static void caption_of_iptc(void **state)
{
    static const unsigned char iim[] = "\x1c\x02\x05\x00\x02"
                                       "ab"
                                       "\x1c\x02\x78\x00\x03"
                                       "xyz";
    static const unsigned char block[] = "Photoshop 3.0\0"
                                         "8BIM\x04\x25\x00\x00\x00\x00\x00\x01"
                                         "q\0"
                                         "8BIM\x04\x04\x00\x00\x00\x00\x00\x08"
                                         "\x1c\x02\x78\x00\x03"
                                         "xyz";
    size_t n;
    (void)state;
    const char *text = ak_iptc_caption(iim, sizeof iim - 1, &n);
    assert_int_equal(n, 3);
    assert_memory_equal(text, "xyz", 3);
    text = ak_iptc_caption(block, sizeof block - 1, &n);
    assert_int_equal(n, 3);
    assert_memory_equal(text, "xyz", 3);
    for (size_t cut = 0; cut < sizeof iim - 1; ++cut)
        assert_null(ak_iptc_caption(iim, cut, &n));
}

/* ---- faces that are vectors ---- */

static akin_rows *rows_of_four(void)
{
    static const float values[] = {1, 0, 0, 1, 1, 0.1F, 0.1F, 1};
    akin_rows *rows = NULL;
    assert_int_equal(akin_rows_new_dense(&rows, ctx, 4, 2, values), AKIN_OK);
    return rows;
}

static const char *text_file(const char *name, const char *text)
{
    text_put(name, text, strlen(text));
    return text_path(name);
}

/* ---- places ---- */

enum { MOST_FACES = 8 };

/* Where each position of "a;b;c" puts its person: the best of faces at "x,y"
 * with a size of 10, as digits. */
static const char *best_faces(const char *positions, int64_t m,
                              const double (*centres)[2])
{
    static char best[MOST_FACES + 1];
    akin_position p[MOST_FACES];
    ak_placed_face faces[MOST_FACES];
    double weights[MOST_FACES * MOST_FACES];
    int64_t n = 0;
    char text[256], *rest = text;
    snprintf(text, sizeof text, "%s", positions);
    for (char *one; (one = strsep(&rest, ";")) != NULL; ++n)
        assert_true(ak_position_read(&p[n], one));
    for (int64_t i = 0; i < m; ++i)
        faces[i] = (ak_placed_face){centres[i][0], centres[i][1], 10.0};
    assert_int_equal(ak_place_weights(weights, ctx, p, n, faces, m), AKIN_OK);
    for (int64_t k = 0; k < n; ++k) {
        const double *w = weights + k * m;
        double sum = 0.0;
        int64_t top = 0;
        for (int64_t i = 0; i < m; ++i) {
            assert_true(w[i] > 0.0);
            sum += w[i];
            top = w[i] > w[top] ? i : top;
        }
        assert_true(fabs(sum - (double)m) < 1e-9);
        best[k] = (char)('0' + top);
    }
    best[n] = '\0';
    return best;
}

static void places_of_faces(void **state)
{
    static const double four[][2] = {{90, 0}, {10, 1}, {60, 2}, {30, 0}};
    static const double rows[][2] = {
        {5, 50}, {15, 51}, {10, 20}, {30, 19}, {20, 80}};
    (void)state;
    assert_string_equal(best_faces("left;right", 4, four), "10");
    assert_string_equal(
        best_faces("second from left;second from right", 4, four), "32");
    assert_string_equal(
        best_faces("first from left;second from left;third from left;fourth "
                   "from left",
                   4, four),
        "1320");
    /* One face is missing, or there is one more: the ends are sure. */
    assert_string_equal(best_faces("first from left;fifth from left", 4, four),
                        "10");
    assert_string_equal(
        best_faces("first from right;third from right", 4, four), "01");
    assert_string_equal(best_faces("center", 3, four), "2");
    assert_string_equal(
        best_faces("back row, second from left;back row, first from left;"
                   "middle row, right;front row",
                   5, rows),
        "3214");
    /* Not apart enough for rows: the side still counts. */
    assert_string_equal(best_faces("front row, left;back row, right", 4, four),
                        "10");
}

static void places_that_say_nothing(void **state)
{
    static const double three[][2] = {{90, 0}, {10, 1}, {60, 2}};
    const ak_placed_face face = {1.0, 1.0, 10.0};
    ak_placed_face faces[3];
    akin_position p[2] = {{0}, {.side = AKIN_SIDE_LEFT}};
    double weights[6];
    (void)state;
    for (int i = 0; i < 3; ++i)
        faces[i] = (ak_placed_face){three[i][0], three[i][1], 10.0};
    assert_int_equal(ak_place_weights(weights, ctx, p, 2, faces, 3), AKIN_OK);
    for (int i = 0; i < 3; ++i)
        assert_true(fabs(weights[i] - 1.0) < 1e-12);
    assert_true(weights[3 + 1] > 2.0 && weights[3] < 0.3);
    p[0].rank = 1000000;
    assert_int_equal(ak_place_weights(weights, ctx, p, 1, &face, 1), AKIN_OK);
    assert_true(fabs(weights[0] - 1.0) < 1e-12);
}

static void make(const char *captions, akin_faces_info *info)
{
    akin_faces_options o = AKIN_FACES_DEFAULTS;
    akin_rows *rows = rows_of_four();
    o.captions = captions;
    o.force = 1;
    assert_int_equal(akin_faces_import(ctx, collection, rows, &o, info),
                     AKIN_OK);
    akin_rows_free(rows);
}

static void rows_become_faces_with_captions(void **state)
{
    akin_collection *c = NULL;
    akin_supervision *s = NULL;
    akin_rows *rows = NULL;
    akin_faces_info info;
    akin_face f;
    (void)state;
    make(text_file("c.csv", "photo,faces,names\np,2;0,Ann;Bob\nq,1;3,Bob\n"),
         &info);
    assert_int_equal(info.faces, 4);
    assert_int_equal(info.photos, 2);
    assert_int_equal(info.captions, 2);
    assert_int_equal(akin_collection_open(&c, ctx, collection), AKIN_OK);
    assert_string_equal(akin_collection_kind(c), "faces");
    assert_int_equal(akin_faces_get(&f, ctx, c, 2), AKIN_OK);
    assert_string_equal(f.photo, "p");
    assert_int_equal(f.photo_id, 0);
    assert_true(isnan(f.x));
    assert_int_equal(akin_faces_get(&f, ctx, c, 4), AKIN_ESHAPE);
    assert_int_equal(akin_collection_rows(&rows, ctx, c, NULL, NULL), AKIN_OK);
    assert_int_equal(akin_supervision_new(&s, ctx, rows, NULL, NULL), AKIN_OK);
    assert_int_equal(akin_faces_captions(ctx, s, c), AKIN_OK);
    assert_int_equal(s->bags->n_photos, 2);
    assert_int_equal(s->bags->n_names, 2);
    assert_int_equal(s->bags->items[0], 2);
    assert_int_equal(s->bags->items[1], 0);
    assert_int_equal(akin_collection_check(ctx, c), AKIN_OK);
    akin_supervision_free(s);
    akin_rows_free(rows);
    akin_collection_close(c);
}

static void rows_without_a_photo_are_refused(void **state)
{
    akin_faces_options o = AKIN_FACES_DEFAULTS;
    akin_rows *rows = rows_of_four();
    (void)state;
    o.captions = text_file("d.csv", "photo,faces,names\np,2;0,Ann\nq,1,Bob\n");
    o.force = 1;
    assert_int_equal(akin_faces_import(ctx, collection, rows, &o, NULL),
                     AKIN_ESHAPE);
    assert_non_null(strstr(akin_ctx_message(ctx), "no photo has row 3"));
    assert_int_equal(akin_collection_is(collection), 1);  // the one before
    akin_rows_free(rows);
}

static void removed_face_leaves_its_photo(void **state)
{
    const char *const name = "p#1";
    akin_collection *c = NULL;
    akin_faces_info info;
    int64_t removed;
    akin_face f;
    (void)state;
    make(text_path("c.csv"), NULL);
    assert_int_equal(
        akin_collection_remove(&removed, ctx, collection, &name, 1, NULL),
        AKIN_OK);
    assert_int_equal(akin_collection_open(&c, ctx, collection), AKIN_OK);
    assert_int_equal(akin_faces_count(&info, ctx, c), AKIN_OK);
    assert_int_equal(info.faces, 3);
    assert_int_equal(info.photos, 2);
    assert_int_equal(akin_faces_get(&f, ctx, c, 2), AKIN_OK);
    assert_string_equal(f.photo, "q");
    akin_collection_close(c);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        CONTEXT_CASE(captions_of_csv_and_json),
        CONTEXT_CASE(captions_are_cleaned),
        CONTEXT_CASE(captions_that_are_wrong),
        CONTEXT_CASE(caption_of_a_megabyte_and_more),
        CONTEXT_CASE(boxes_of_a_file),
        CONTEXT_CASE(boxes_that_are_wrong),
        CONTEXT_CASE(regions_however_they_are_written),
        CONTEXT_CASE(persons_and_the_caption_of_the_default_language),
        CONTEXT_CASE(regions_of_microsoft),
        CONTEXT_CASE(regions_turn_back),
        CONTEXT_CASE(sidecars_lose_what_is_written_anew),
        CONTEXT_CASE(xmp_that_is_refused),
        CONTEXT_CASE(caption_of_iptc),
        CONTEXT_CASE(places_of_faces),
        CONTEXT_CASE(places_that_say_nothing),
        CONTEXT_CASE(rows_become_faces_with_captions),
        CONTEXT_CASE(rows_without_a_photo_are_refused),
        CONTEXT_CASE(removed_face_leaves_its_photo),
    };
    return cmocka_run_group_tests(tests, collection_begin, collection_end);
}
