/* Properties of XMP are elements in the nodes (rdf:Description) of rdf:RDF.
 * Those that are to be written anew are cut out by their bytes, and nodes that
 * are then empty; all else stays as it is, byte for byte. */
#include "collection/faces/metadata/sidecar.h"

#include <expat.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>

#include "base/file.h"

#define RDF "http://www.w3.org/1999/02/22-rdf-syntax-ns# "
#define XML "http://www.w3.org/XML/1998/namespace "

typedef struct cutting {
    akin_ctx *ctx;
    XML_Parser parser;
    ak_sidecar *out;
    bool caption;
    bool is_foreign;  // not in UTF-8
    int depth, rdf;   // of the innermost element, of rdf:RDF (0: outside)
    size_t node_from, property_from;
    int64_t node_cuts;  // cuts before the node
    bool is_kept;       // something of the node is
    bool is_cut;        // the property is
    akin_status st;
} cutting;

static const char *const written_anew[] = {
    "http://www.metadataworkinggroup.com/schemas/regions/ Regions",
    "http://iptc.org/std/Iptc4xmpExt/2008-02-29/ PersonInImage",
};
static const char description[] = "http://purl.org/dc/elements/1.1/ "
                                  "description";

static bool is_anew(const cutting *c, const char *name)
{
    for (size_t k = 0; k < sizeof written_anew / sizeof *written_anew; ++k)
        if (strcmp(name, written_anew[k]) == 0)
            return true;
    return c->caption && strcmp(name, description) == 0;
}

static size_t byte_of(const cutting *c)
{
    return (size_t)XML_GetCurrentByteIndex(c->parser);
}

/* Behind the tag at hand. */
static size_t byte_behind(const cutting *c)
{
    return byte_of(c) + (size_t)XML_GetCurrentByteCount(c->parser);
}

/* Where the line begins, if there are but blanks before. */
static size_t line_of(const ak_sidecar *s, size_t at)
{
    size_t from = at;
    while (from > 0 && strchr(" \t", s->bytes[from - 1]) != NULL)
        --from;
    return from > 0 && s->bytes[from - 1] == '\n' ? from : at;
}

static akin_status cut(cutting *c, size_t from, size_t to)
{
    ak_sidecar *s = c->out;
    const size_t line = line_of(s, from);
    size_t end = to;
    while (end < s->n && strchr(" \t\r", s->bytes[end]) != NULL)
        ++end;
    AK_CHECK(
        ak_grow(c->ctx, s->n_cuts + 1, &s->room, sizeof *s->cuts, &s->cuts));
    s->cuts[s->n_cuts++] = end < s->n && s->bytes[end] == '\n'
                               ? (ak_sidecar_cut){line, end + 1}
                               : (ak_sidecar_cut){from, to};
    return AKIN_OK;
}

static void begin_node(cutting *c, const char **attributes)
{
    c->node_from = byte_of(c);
    c->node_cuts = c->out->n_cuts;
    c->is_kept = false;
    for (; *attributes != NULL; attributes += 2) {
        if (strcmp(attributes[0], RDF "about") == 0) {
            if (c->out->about == NULL && c->st == AKIN_OK)
                c->st = ak_strdup(c->ctx, attributes[1], &c->out->about);
        } else if (strncmp(attributes[0], XML, sizeof XML - 1) != 0) {
            c->is_kept = true;
        }
    }
}

static void XMLCALL on_start(void *data, const char *name,
                             const char **attributes)
{
    cutting *c = data;
    ++c->depth;
    if (c->rdf == 0 && strcmp(name, RDF "RDF") == 0) {
        c->rdf = c->depth;
    } else if (c->rdf > 0 && c->depth == c->rdf + 1) {
        begin_node(c, attributes);
    } else if (c->rdf > 0 && c->depth == c->rdf + 2) {
        c->property_from = byte_of(c);
        c->is_cut = is_anew(c, name);
        c->is_kept |= !c->is_cut;
    }
}

static void XMLCALL on_end(void *data, const char *name)
{
    cutting *c = data;
    ak_sidecar *s = c->out;
    (void)name;
    if (c->rdf > 0 && c->depth == c->rdf + 2 && c->is_cut && c->st == AKIN_OK) {
        c->st = cut(c, c->property_from, byte_behind(c));
    } else if (c->rdf > 0 && c->depth == c->rdf + 1 && !c->is_kept &&
               s->n_cuts > c->node_cuts && c->st == AKIN_OK) {
        s->n_cuts = c->node_cuts;
        c->st = cut(c, c->node_from, byte_behind(c));
    } else if (c->depth == c->rdf) {
        if (byte_behind(c) > byte_of(c) && s->end == 0)  // not <rdf:RDF/>
            s->end = line_of(s, byte_of(c));
        c->rdf = 0;
    }
    --c->depth;
}

static void XMLCALL on_declaration(void *data, const char *version,
                                   const char *encoding, int alone)
{
    cutting *c = data;
    (void)version, (void)alone;
    c->is_foreign = encoding != NULL && strcasecmp(encoding, "UTF-8") != 0;
}

static akin_status find_cuts(ak_sidecar *s, akin_ctx *ctx, const char *path,
                             bool caption)
{
    cutting c = {.ctx = ctx, .out = s, .caption = caption};
    c.parser = XML_ParserCreateNS(NULL, ' ');
    if (c.parser == NULL)
        return ak_nomem(ctx, 0);
    XML_SetUserData(c.parser, &c);
    XML_SetElementHandler(c.parser, on_start, on_end);
    XML_SetXmlDeclHandler(c.parser, on_declaration);
    const bool good = XML_Parse(c.parser, s->bytes, (int)s->n, XML_TRUE) ==
                      XML_STATUS_OK;
    XML_ParserFree(c.parser);
    AK_CHECK(c.st);
    if (!good || c.is_foreign || s->end == 0 ||
        memchr(s->bytes, '\0', s->n) != NULL)
        return ak_fail(ctx, AKIN_EFORMAT, "%s: not XMP that can be added to",
                       path);
    return AKIN_OK;
}

/* Takes s->bytes. */
static akin_status parse(ak_sidecar *s, akin_ctx *ctx, const char *name,
                         bool caption)
{
    AK_CHECK(ak_xmp_parse(&s->says, ctx, name, s->bytes, s->n));
    return find_cuts(s, ctx, name, caption);
}

akin_status ak_sidecar_parse(ak_sidecar *out, akin_ctx *ctx, const char *name,
                             const char *bytes, size_t n, bool caption)
{
    ak_sidecar s = {.n = n};
    akin_status st = AKIN_OK;
    AK_TRY(AK_NEW(ctx, (int64_t)n + 1, &s.bytes));
    memcpy(s.bytes, bytes, n);
    AK_TRY(parse(&s, ctx, name, caption));
    *out = s;
    s = (ak_sidecar){0};
done:
    ak_sidecar_free(&s);
    return st;
}

akin_status ak_sidecar_read(ak_sidecar *out, akin_ctx *ctx, const char *path,
                            bool caption)
{
    ak_sidecar s = {0};
    struct stat about;
    akin_status st = AKIN_OK;
    if (stat(path, &about) == 0 && about.st_size > AK_XMP_MOST)
        AK_TRY(ak_fail(ctx, AKIN_EFORMAT, "%s: too large for XMP", path));
    AK_TRY(ak_file_read(ctx, path, &s.bytes, &s.n));
    AK_TRY(parse(&s, ctx, path, caption));
    *out = s;
    s = (ak_sidecar){0};
done:
    ak_sidecar_free(&s);
    return st;
}

bool ak_sidecar_find(const char *photo, char path[PATH_MAX])
{
    const char *dot = strrchr(photo, '.');
    const int whole = snprintf(path, PATH_MAX, "%s.xmp", photo);
    if (whole > 0 && whole < PATH_MAX && ak_file_is_regular(path))
        return true;
    if (dot == NULL)
        return false;
    const int n =
        snprintf(path, PATH_MAX, "%.*s.xmp", (int)(dot - photo), photo);
    return n > 0 && n < PATH_MAX && ak_file_is_regular(path);
}

void ak_sidecar_free(ak_sidecar *s)
{
    akin_free(s->bytes);
    ak_xmp_free(&s->says);
    akin_free(s->cuts);
    akin_free(s->about);
    *s = (ak_sidecar){0};
}
