/* XMP is RDF in XML. The same property may be written as an attribute or as an
 * element, and a structure as a nested rdf:Description or with
 * rdf:parseType="Resource". So this goes by the names of the elements around a
 * text alone: an attribute is taken as an element with that text. */
#include "collection/faces/metadata/xmp.h"

#include <expat.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { DEEPEST = 64, MOST_REGIONS = 10000, MOST_TEXT = 1 << 20 };

#define RDF "http://www.w3.org/1999/02/22-rdf-syntax-ns# "
#define DC "http://purl.org/dc/elements/1.1/ "
#define IPTC "http://iptc.org/std/Iptc4xmpExt/2008-02-29/ "
#define MWG "http://www.metadataworkinggroup.com/schemas/regions/ "
#define AREA "http://ns.adobe.com/xmp/sType/Area# "
#define DIMENSIONS "http://ns.adobe.com/xap/1.0/sType/Dimensions# "
#define MPRI "http://ns.microsoft.com/photo/1.2/t/RegionInfo# "
#define MPREG "http://ns.microsoft.com/photo/1.2/t/Region# "

/* Names that mean something here; expat gives "NAMESPACE NAME". */
typedef enum {
    OTHER,
    LI,
    DESCRIPTION,
    PERSONS,
    REGIONS,
    REGION_LIST,
    REGION_NAME,
    REGION_TYPE,
    AREA_X,
    AREA_Y,
    AREA_W,
    AREA_H,
    AREA_UNIT,
    APPLIED,
    APPLIED_W,
    APPLIED_H,
    PEOPLE_LIST,
    PEOPLE_NAME,
    PEOPLE_RECTANGLE
} element;

static const struct {
    const char *name;
    element is;
} known_names[] = {
    {RDF "li", LI},
    {DC "description", DESCRIPTION},
    {IPTC "PersonInImage", PERSONS},
    {MWG "Regions", REGIONS},
    {MWG "RegionList", REGION_LIST},
    {MWG "Name", REGION_NAME},
    {MWG "Type", REGION_TYPE},
    {AREA "x", AREA_X},
    {AREA "y", AREA_Y},
    {AREA "w", AREA_W},
    {AREA "h", AREA_H},
    {AREA "unit", AREA_UNIT},
    {MWG "AppliedToDimensions", APPLIED},
    {DIMENSIONS "w", APPLIED_W},
    {DIMENSIONS "h", APPLIED_H},
    {MPRI "Regions", PEOPLE_LIST},
    {MPREG "PersonDisplayName", PEOPLE_NAME},
    {MPREG "Rectangle", PEOPLE_RECTANGLE},
};

static element element_of(const char *name)
{
    for (size_t i = 0; i < sizeof known_names / sizeof *known_names; ++i)
        if (strcmp(name, known_names[i].name) == 0)
            return known_names[i].is;
    return OTHER;
}

typedef struct xmp_reading {
    akin_ctx *ctx;
    ak_xmp *out;
    const char *name;
    XML_Parser parser;
    element stack[DEEPEST];
    int depth;
    int list_depth;           // of the list of regions; 0: outside
    bool is_people;           // it is Microsoft's
    int64_t n_people;         // regions of that, at the end of all
    int64_t unusable_people;  // and those that have no valid place
    ak_xmp_region region;
    bool is_face, is_normalized, is_default;
    char *text;  // of the innermost element
    int64_t n_text, text_room;
    akin_status st;
} xmp_reading;

static void stop(xmp_reading *r, akin_status st)
{
    if (r->st == AKIN_OK)
        r->st = st;
    XML_StopParser(r->parser, XML_FALSE);
}

static void refuse(xmp_reading *r, const char *why)
{
    if (r->st == AKIN_OK)
        stop(r, ak_fail(r->ctx, AKIN_EFORMAT, "%s: %s", r->name, why));
}

/* ---- values ---- */

static akin_status copy(xmp_reading *r, const char *text, size_t n, char **out)
{
    akin_free(*out);
    *out = NULL;
    AK_CHECK(ak_alloc(r->ctx, (int64_t)n + 1, 1, out));
    memcpy(*out, text, n);
    return AKIN_OK;
}

static double share_of(const char *text)
{
    char *end;
    const double x = strtod(text, &end);
    return end != text && *end == '\0' && isfinite(x) ? x : (double)NAN;
}

/* A line of its own: line ends within it become blanks. */
static akin_status add_person(xmp_reading *r, const char *text, size_t n)
{
    ak_xmp *x = r->out;
    AK_CHECK(ak_grow(r->ctx, x->n_persons + (int64_t)n + 2, &x->persons_room, 1,
                     &x->persons));
    for (size_t i = 0; i < n; ++i)
        x->persons[x->n_persons++] = (char)(text[i] == '\n' ? ' ' : text[i]);
    if (n > 0)
        x->persons[x->n_persons++] = '\n';
    x->persons[x->n_persons] = '\0';
    return AKIN_OK;
}

/* Which of the elements around the innermost one is it in? */
static bool is_inside(const xmp_reading *r, element e)
{
    for (int i = 0; i < r->depth; ++i)
        if (r->stack[i] == e)
            return true;
    return false;
}

/* "x, y, width, height": the corner at the top left, and the size. */
static void set_rectangle(ak_xmp_region *g, const char *text)
{
    double v[4];
    for (int k = 0; k < 4; ++k) {
        char *end;
        v[k] = strtod(text, &end);
        text = end + strspn(end, " ,");
        if (!isfinite(v[k]) || (*text == '\0') != (k == 3))
            return;
    }
    g->x = v[0] + v[2] / 2.0;
    g->y = v[1] + v[3] / 2.0;
    g->w = v[2];
    g->h = v[3];
}

/* A property of the region that is being read. */
static akin_status set_region(xmp_reading *r, element e, const char *text,
                              size_t n)
{
    ak_xmp_region *g = &r->region;
    if ((e == REGION_NAME || e == PEOPLE_NAME) && n > 0)
        return copy(r, text, n, &g->name);
    if (e == REGION_TYPE)
        r->is_face = strcmp(text, "Face") == 0;
    else if (e == AREA_UNIT)
        r->is_normalized = strcmp(text, "normalized") == 0;
    else if (e == AREA_X)
        g->x = share_of(text);
    else if (e == AREA_Y)
        g->y = share_of(text);
    else if (e == AREA_W)
        g->w = share_of(text);
    else if (e == AREA_H)
        g->h = share_of(text);
    else if (e == PEOPLE_RECTANGLE)
        set_rectangle(g, text);
    return AKIN_OK;
}

/* An element of this name, inside of the stack, has this text. The caption of
 * the default language goes before others, else the first. */
static akin_status take(xmp_reading *r, element e, const char *text, size_t n)
{
    if (r->list_depth > 0)
        return set_region(r, e, text, n);
    if ((e == APPLIED_W || e == APPLIED_H) && is_inside(r, APPLIED))
        r->out->applied[e == APPLIED_H] = fmax(0.0, share_of(text));
    if (e == LI && is_inside(r, PERSONS))
        return add_person(r, text, n);
    if (e == LI && is_inside(r, DESCRIPTION) && n > 0 &&
        (r->out->caption == NULL || r->is_default))
        return copy(r, text, n, &r->out->caption);
    return AKIN_OK;
}

/* ---- regions ---- */

static void begin_region(xmp_reading *r)
{
    akin_free(r->region.name);
    r->region = (ak_xmp_region){(double)NAN, (double)NAN, (double)NAN,
                                (double)NAN, NULL};
    r->is_face = true;  // a type is usual, but not required
    r->is_normalized = true;
}

/* A rectangle around a face that lies in the picture, if only in part. */
static akin_status end_region(xmp_reading *r)
{
    const ak_xmp_region *g = &r->region;
    ak_xmp *x = r->out;
    if (!r->is_face || !r->is_normalized || !(g->w > 0.0 && g->w <= 2.0) ||
        !(g->h > 0.0 && g->h <= 2.0) || !(g->x >= -1.0 && g->x <= 2.0) ||
        !(g->y >= -1.0 && g->y <= 2.0)) {
        x->has_others |= !r->is_people;
        x->n_unusable += r->is_face && !r->is_people;
        r->unusable_people += r->is_people && !isnan(g->w);  // they need none
        return AKIN_OK;
    }
    if (x->n_regions == MOST_REGIONS) {
        refuse(r, "too many regions");
        return AKIN_OK;
    }
    AK_CHECK(ak_grow(r->ctx, x->n_regions + 1, &x->regions_room,
                     sizeof *x->regions, &x->regions));
    x->regions[x->n_regions++] = *g;
    r->region.name = NULL;
    r->n_people += r->is_people;
    if (!r->is_people && r->n_people > 0) {  // those stay at the end
        const int64_t first = x->n_regions - 1 - r->n_people;
        const ak_xmp_region other = x->regions[first];
        x->regions[first] = x->regions[x->n_regions - 1];
        x->regions[x->n_regions - 1] = other;
    }
    return AKIN_OK;
}

/* An item of the list itself, not of a list inside of a region; while it is the
 * innermost element of the stack. */
static bool is_region(const xmp_reading *r)
{
    return r->list_depth > 0 && r->depth == r->list_depth + 2 &&
           r->stack[r->depth - 1] == LI;
}

/* ---- events of expat ---- */

static void XMLCALL on_start(void *data, const char *name,
                             const char **attributes)
{
    static const char language[] = "http://www.w3.org/XML/1998/namespace lang";
    xmp_reading *r = data;
    const element e = element_of(name);
    akin_status st = AKIN_OK;
    if (r->depth == DEEPEST) {
        refuse(r, "elements are nested too deeply");
        return;
    }
    r->stack[r->depth++] = e;
    r->n_text = 0;
    r->out->has_regions |= e == REGIONS;
    if (e == PERSONS)
        st = add_person(r, "", 0);
    if ((e == REGION_LIST || e == PEOPLE_LIST) && r->list_depth == 0) {
        r->list_depth = r->depth;
        r->is_people = e == PEOPLE_LIST;
    }
    if (is_region(r))
        begin_region(r);
    r->is_default = false;
    for (; *attributes != NULL && st == AKIN_OK; attributes += 2) {
        if (strcmp(attributes[0], language) == 0)
            r->is_default = strcmp(attributes[1], "x-default") == 0;
        else
            st = take(r, element_of(attributes[0]), attributes[1],
                      strlen(attributes[1]));
    }
    if (st != AKIN_OK)
        stop(r, st);
}

static void XMLCALL on_end(void *data, const char *name)
{
    xmp_reading *r = data;
    const bool ends_region = is_region(r);
    const element e = r->stack[--r->depth];
    akin_status st = ak_grow(r->ctx, r->n_text + 1, &r->text_room, 1, &r->text);
    (void)name;
    if (st == AKIN_OK) {
        r->text[r->n_text] = '\0';
        if (ends_region)
            st = end_region(r);
        else
            st = take(r, e, r->text, (size_t)r->n_text);
    }
    if (r->depth < r->list_depth)
        r->list_depth = 0;
    r->n_text = 0;
    if (st != AKIN_OK)
        stop(r, st);
}

static void XMLCALL on_text(void *data, const char *text, int n)
{
    xmp_reading *r = data;
    if (r->n_text + n > MOST_TEXT) {
        refuse(r, "a text is longer than 1 MiB");
        return;
    }
    const akin_status st =
        ak_grow(r->ctx, r->n_text + n + 1, &r->text_room, 1, &r->text);
    if (st != AKIN_OK) {
        stop(r, st);
        return;
    }
    memcpy(r->text + r->n_text, text, (size_t)n);
    r->n_text += n;
}

/* Entities would come with it. */
static void XMLCALL on_doctype(void *data, const char *name, const char *system,
                               const char *public, int internal)
{
    (void)name, (void)system, (void)public, (void)internal;
    refuse(data, "has a document type, which XMP has not");
}

/* Programs that write both kinds of regions write the same faces twice. */
static void choose_regions(xmp_reading *r)
{
    ak_xmp *x = r->out;
    for (int64_t k = 0; x->has_regions && k < r->n_people; ++k)
        akin_free(x->regions[--x->n_regions].name);
    if (!x->has_regions)
        x->n_unusable = r->unusable_people;
    x->has_regions |= r->n_people > 0;
}

akin_status ak_xmp_parse(ak_xmp *out, akin_ctx *ctx, const char *name,
                         const char *bytes, size_t n)
{
    xmp_reading r = {.ctx = ctx, .out = out, .name = name};
    akin_status st = AKIN_OK;
    while (n > 0 && bytes[n - 1] == '\0')
        --n;  // some writers fill packets with zeros
    if (n > AK_XMP_MOST)
        return ak_fail(ctx, AKIN_EFORMAT, "%s: XMP of %zu bytes", name, n);
    r.parser = XML_ParserCreateNS(NULL, ' ');
    if (r.parser == NULL)
        return ak_nomem(ctx, 0);
    XML_SetUserData(r.parser, &r);
    XML_SetElementHandler(r.parser, on_start, on_end);
    XML_SetCharacterDataHandler(r.parser, on_text);
    XML_SetStartDoctypeDeclHandler(r.parser, on_doctype);
    if (XML_Parse(r.parser, bytes, (int)n, XML_TRUE) != XML_STATUS_OK) {
        const enum XML_Error why = XML_GetErrorCode(r.parser);
        st = r.st != AKIN_OK ? r.st
             : why == XML_ERROR_NO_MEMORY
                 ? ak_nomem(ctx, n)
                 : ak_fail(ctx, AKIN_EFORMAT, "%s:%lu: not XML: %s", name,
                           XML_GetCurrentLineNumber(r.parser),
                           XML_ErrorString(why));
    }
    XML_ParserFree(r.parser);
    choose_regions(&r);
    akin_free(r.text);
    akin_free(r.region.name);
    if (st != AKIN_OK)
        ak_xmp_free(out);
    return st;
}

/* ---- how the picture is turned ---- */

void ak_xmp_turn(ak_xmp_region *g, int orientation, bool back)
{
    const int o = back && orientation == 6   ? 8
                  : back && orientation == 8 ? 6
                                             : orientation;
    const ak_xmp_region from = *g;
    if (o >= 5) {  // the sides are exchanged
        g->x = from.y;
        g->y = from.x;
        g->w = from.h;
        g->h = from.w;
    }
    if (o == 2 || o == 3 || o == 6 || o == 7)
        g->x = 1.0 - g->x;
    if (o == 3 || o == 4 || o == 7 || o == 8)
        g->y = 1.0 - g->y;
}

void ak_xmp_turn_all(ak_xmp *x, int orientation, int64_t width, int64_t height)
{
    static const double off = 0.01;  // by rounding, when pictures are shrunk
    const double w = (double)width, h = (double)height;
    const double a = x->applied[0], b = x->applied[1];
    const bool seen = fabs(a * h - b * w) <= off * b * w;
    const bool stored = fabs(a * w - b * h) <= off * b * h;
    if (orientation >= 5 && a > 0.0 && b > 0.0 && seen && !stored)
        return;
    for (int64_t k = 0; k < x->n_regions; ++k)
        ak_xmp_turn(&x->regions[k], orientation, false);
}

void ak_xmp_free(ak_xmp *x)
{
    for (int64_t i = 0; i < x->n_regions; ++i)
        akin_free(x->regions[i].name);
    akin_free(x->regions);
    akin_free(x->persons);
    akin_free(x->caption);
    *x = (ak_xmp){0};
}
