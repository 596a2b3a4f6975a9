/* Faces and names for other programs: a table, JSON, or a file of XMP beside
 * each photo with the regions of the Metadata Working Group, which are those of
 * the photo as it is stored. */
#include <akin/faces.h>
#include <errno.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/file.h"
#include "base/utf8.h"
#include "collection/collection.h"
#include "collection/faces/metadata/sidecar.h"
#include "data/io/sink.h"
#include "vision/decode.h"

typedef struct exported_face {
    char *name;            // NULL: none
    ak_xmp_region region;  // of the photo as it is seen
} exported_face;

typedef struct exporting {
    akin_ctx *ctx;
    akin_collection *c;
    const char *folder;
    akin_faces_export_options o;
    akin_faces_export_info info;
    ak_sink *sink;
    sqlite3_stmt *photos;
    ak_decoder *decoder;
    int orientation;       // of the photo at hand
    exported_face *faces;  // of it
    int64_t n_faces, room;
    ak_sidecar there;  // the file of it; `bytes` NULL: there is none
} exporting;

/* ---- text ---- */

static akin_status put(const exporting *x, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* Numbers and fixed words: short. */
static akin_status put(const exporting *x, const char *format, ...)
{
    char text[512];
    va_list args;
    va_start(args, format);
    vsnprintf(text, sizeof text, format, args);
    va_end(args);
    return ak_sink_text(x->sink, x->ctx, text);
}

/* A number as short as it can be without losing anything; nothing for NAN. */
static akin_status put_real(const exporting *x, double value)
{
    char text[32] = "";
    for (int digits = 6; digits <= 17 && !isnan(value); ++digits) {
        snprintf(text, sizeof text, "%.*g", digits, value);
        if (strtod(text, NULL) == value)
            break;
    }
    return ak_sink_text(x->sink, x->ctx, text);
}

/* Bytes, with those in `marks` replaced by the texts in `by`. */
static akin_status put_replaced(const exporting *x, const char *text,
                                const char *marks, const char *const *by)
{
    while (*text != '\0') {
        const size_t n = strcspn(text, marks);
        AK_CHECK(ak_sink_put(x->sink, x->ctx, text, n));
        text += n;
        if (*text != '\0') {
            AK_CHECK(ak_sink_text(x->sink, x->ctx,
                                  by[strchr(marks, *text) - marks]));
            ++text;
        }
    }
    return AKIN_OK;
}

/* A csv cell, quoted where necessary. */
static akin_status put_cell(const exporting *x, const char *text)
{
    static const char *const doubled[] = {"\"\""};
    if (text[strcspn(text, ",\"\n\r")] == '\0')
        return ak_sink_text(x->sink, x->ctx, text);
    AK_CHECK(put(x, "\""));
    AK_CHECK(put_replaced(x, text, "\"", doubled));
    return put(x, "\"");
}

static akin_status put_xml(const exporting *x, const char *text)
{
    static const char *const entities[] = {"&amp;", "&lt;", "&gt;", "&quot;"};
    return put_replaced(x, text, "&<>\"", entities);
}

/* ---- names ---- */

/* The name of a face: the one that was passed, else its label; NULL: none. */
static akin_status name_of(exporting *x, int64_t row, const char **name)
{
    akin_item item;
    *name = NULL;
    if (x->o.names != NULL) {
        *name = x->o.names[row];
    } else {
        AK_CHECK(akin_collection_item(&item, x->ctx, x->c, row));
        *name = item.labels;
    }
    if (*name != NULL && **name == '\0')
        *name = NULL;
    x->info.named += *name != NULL;
    return AKIN_OK;
}

/* ---- a table ---- */

static akin_status put_row(exporting *x, int64_t row)
{
    const char *name;
    akin_face f;
    AK_CHECK(name_of(x, row, &name));
    AK_CHECK(put(x, "%" PRId64 ",", row));
    if (name != NULL)
        AK_CHECK(put_cell(x, name));
    AK_CHECK(akin_faces_get(&f, x->ctx, x->c, row));
    AK_CHECK(put(x, ","));
    AK_CHECK(put_cell(x, f.photo));
    const double numbers[] = {f.x,     f.y,         f.width, f.height,
                              f.score, f.sharpness, f.roll,  f.turn};
    for (size_t k = 0; k < sizeof numbers / sizeof *numbers; ++k) {
        AK_CHECK(put(x, ","));
        AK_CHECK(put_real(x, numbers[k]));
    }
    return put(x, "\n");
}

static akin_status put_table(exporting *x)
{
    AK_CHECK(put(x, "face,name,photo,x,y,width,height,score,sharpness,roll,turn"
                    "\n"));
    for (int64_t row = 0; row < x->c->n_items; ++row)
        AK_CHECK(put_row(x, row));
    x->info.faces = x->c->n_items;
    return AKIN_OK;
}

/* ---- photos and their faces ---- */

/* Something for each face of a photo, in its order; `first` is true once. */
typedef akin_status face_fn(exporting *x, int64_t row, bool first);

static akin_status each_face(exporting *x, int64_t photo, face_fn *fn)
{
    sqlite3_stmt *q = NULL;
    bool row = true;
    akin_status st = AKIN_OK;
    AK_TRY(ak_sql_ask(&x->c->catalog.sql, x->ctx, &q,
                      "SELECT item FROM faces WHERE photo = ? ORDER BY number",
                      "i", photo));
    for (bool first = true;; first = false) {
        AK_TRY(ak_sql_next(&x->c->catalog.sql, x->ctx, q, &row));
        if (!row)
            break;
        AK_TRY(
            fn(x, ak_collection_row(x->c, sqlite3_column_int64(q, 0)), first));
    }
done:
    sqlite3_finalize(q);
    return st;
}

typedef akin_status photo_fn(exporting *x, bool first);

/* `photos` has id, name, path, width, height and caption of one. */
static akin_status each_photo(exporting *x, photo_fn *fn)
{
    bool row = true;
    akin_status st = AKIN_OK;
    AK_TRY(ak_sql_ask(&x->c->catalog.sql, x->ctx, &x->photos,
                      "SELECT id, CAST(name AS TEXT), CAST(path AS TEXT), "
                      "width, height, caption FROM photos ORDER BY id",
                      ""));
    for (bool first = true;; first = false) {
        AK_TRY(ak_sql_next(&x->c->catalog.sql, x->ctx, x->photos, &row));
        if (!row)
            break;
        AK_TRY(fn(x, first));
    }
done:
    sqlite3_finalize(x->photos);
    x->photos = NULL;
    return st;
}

static const char *photo_text(const exporting *x, int column)
{
    return (const char *)sqlite3_column_text(x->photos, column);
}

/* ---- JSON ---- */

/* Names of files may have any bytes but a zero: what is no UTF-8 becomes
 * U+FFFD. */
static akin_status put_string(const exporting *x, const char *text)
{
    AK_CHECK(put(x, "\""));
    for (size_t n = strlen(text), len; n > 0; text += len, n -= len) {
        const unsigned char c = (unsigned char)*text;
        const size_t size = ak_utf8_length(text, n);
        len = size ? size : 1;
        AK_CHECK(c < ' '                 ? put(x, "\\u%04x", c)
                 : c == '"' || c == '\\' ? put(x, "\\%c", c)
                 : size > 0 || c == 0x7f
                     ? ak_sink_put(x->sink, x->ctx, text, len)
                     : put(x, "\xef\xbf\xbd"));
    }
    return put(x, "\"");
}

static akin_status put_key(const exporting *x, const char *key, double value)
{
    if (isnan(value))
        return AKIN_OK;
    AK_CHECK(put(x, ", \"%s\": ", key));
    return put_real(x, value);
}

static akin_status put_face_object(exporting *x, int64_t row, bool first)
{
    const char *name;
    akin_face f;
    AK_CHECK(put(x, "%s\n      {\"face\": %" PRId64, first ? "" : ",", row));
    AK_CHECK(name_of(x, row, &name));
    if (name != NULL) {
        AK_CHECK(put(x, ", \"name\": "));
        AK_CHECK(put_string(x, name));
    }
    AK_CHECK(akin_faces_get(&f, x->ctx, x->c, row));
    AK_CHECK(put_key(x, "x", f.x));
    AK_CHECK(put_key(x, "y", f.y));
    AK_CHECK(put_key(x, "width", f.width));
    AK_CHECK(put_key(x, "height", f.height));
    AK_CHECK(put_key(x, "score", f.score));
    AK_CHECK(put_key(x, "sharpness", f.sharpness));
    AK_CHECK(put_key(x, "roll", f.roll));
    AK_CHECK(put_key(x, "turn", f.turn));
    ++x->info.faces;
    return put(x, "}");
}

static akin_status put_photo_object(exporting *x, bool first)
{
    const char *caption = photo_text(x, 5);
    AK_CHECK(put(x, "%s\n  {\n    \"photo\": ", first ? "" : ","));
    AK_CHECK(put_string(x, photo_text(x, 1)));
    if (caption != NULL) {
        AK_CHECK(put(x, ",\n    \"caption\": "));
        AK_CHECK(put_string(x, caption));
    }
    if (sqlite3_column_int64(x->photos, 3) > 0)
        AK_CHECK(put(x, ",\n    \"width\": %" PRId64 ", \"height\": %" PRId64,
                     (int64_t)sqlite3_column_int64(x->photos, 3),
                     (int64_t)sqlite3_column_int64(x->photos, 4)));
    AK_CHECK(put(x, ",\n    \"faces\": ["));
    AK_CHECK(each_face(x, sqlite3_column_int64(x->photos, 0), put_face_object));
    ++x->info.photos;
    return put(x, "]\n  }");
}

static akin_status put_json(exporting *x)
{
    AK_CHECK(put(x, "["));
    AK_CHECK(each_photo(x, put_photo_object));
    return put(x, "\n]\n");
}

/* ---- XMP ---- */

static const char xmp_head[] =
    "<?xpacket begin=\"\xef\xbb\xbf\" id=\"W5M0MpCehiHzreSzNTczkc9d\"?>\n"
    "<x:xmpmeta xmlns:x=\"adobe:ns:meta/\">\n"
    " <rdf:RDF xmlns:rdf=\"http://www.w3.org/1999/02/22-rdf-syntax-ns#\">\n";

static const char node_head[] =
    "\"\n"
    "    xmlns:rdf=\"http://www.w3.org/1999/02/22-rdf-syntax-ns#\"\n"
    "    xmlns:dc=\"http://purl.org/dc/elements/1.1/\"\n"
    "    xmlns:Iptc4xmpExt=\"http://iptc.org/std/Iptc4xmpExt/2008-02-29/\"\n"
    "    xmlns:mwg-rs=\"http://www.metadataworkinggroup.com/schemas/regions/"
    "\"\n"
    "    xmlns:stDim=\"http://ns.adobe.com/xap/1.0/sType/Dimensions#\"\n"
    "    xmlns:stArea=\"http://ns.adobe.com/xmp/sType/Area#\">\n";

static const char xmp_tail[] = " </rdf:RDF>\n"
                               "</x:xmpmeta>\n"
                               "<?xpacket end=\"w\"?>\n";

static akin_status put_name(const exporting *x, const char *name)
{
    AK_CHECK(put(x, "     <rdf:li>"));
    AK_CHECK(put_xml(x, name));
    return put(x, "</rdf:li>\n");
}

static akin_status put_person(exporting *x, int64_t row, bool first)
{
    const char *name;
    (void)first;
    AK_CHECK(name_of(x, row, &name));
    if (name == NULL)
        return AKIN_OK;
    --x->info.named;  // its region counts it too
    return put_name(x, name);
}

/* Persons that the file has, without those that faces have: lines. */
static akin_status put_other_persons(const exporting *x)
{
    const char *line = x->o.force ? NULL : x->there.says.persons;
    for (; line != NULL && *line != '\0'; line += strspn(line, "\n")) {
        const size_t n = strcspn(line, "\n");
        bool known = false;
        for (int64_t k = 0; k < x->n_faces; ++k)
            known |= x->faces[k].name != NULL &&
                     strlen(x->faces[k].name) == n &&
                     memcmp(x->faces[k].name, line, n) == 0;
        if (!known && n > 0) {
            const ak_mark mark = ak_scratch_begin(x->ctx);
            char *name;
            akin_status st = AK_SCRATCH(x->ctx, (int64_t)n + 1, &name);
            if (st == AKIN_OK) {
                memcpy(name, line, n);
                st = put_name(x, name);
            }
            ak_scratch_end(x->ctx, mark);
            AK_CHECK(st);
        }
        line += n;
    }
    return AKIN_OK;
}

/* To 1/1024 of a pixel, as places are kept, ten digits are enough. */
static akin_status put_area(const exporting *x, const char *key, double value)
{
    return put(x, " stArea:%s=\"%.10g\"", key, value);
}

/* A face as a region of the photo as it is seen. */
static ak_xmp_region region_of(const akin_face *f)
{
    const double w = (double)f->photo_width, h = (double)f->photo_height;
    return (ak_xmp_region){(f->x + f->width / 2.0) / w,
                           (f->y + f->height / 2.0) / h, f->width / w,
                           f->height / h, NULL};
}

/* The centre and the size, as shares of the stored photo. */
static akin_status put_region(exporting *x, int64_t row, bool first)
{
    const char *name;
    akin_face f;
    (void)first;
    AK_CHECK(put(x, "      <rdf:li rdf:parseType=\"Resource\">\n"));
    AK_CHECK(name_of(x, row, &name));
    if (name != NULL) {
        AK_CHECK(put(x, "       <mwg-rs:Name>"));
        AK_CHECK(put_xml(x, name));
        AK_CHECK(put(x, "</mwg-rs:Name>\n"));
    }
    AK_CHECK(akin_faces_get(&f, x->ctx, x->c, row));
    ak_xmp_region g = region_of(&f);
    ak_xmp_turn(&g, x->orientation, true);
    AK_CHECK(put(x, "       <mwg-rs:Type>Face</mwg-rs:Type>\n"
                    "       <mwg-rs:Area"));
    AK_CHECK(put_area(x, "x", g.x));
    AK_CHECK(put_area(x, "y", g.y));
    AK_CHECK(put_area(x, "w", g.w));
    AK_CHECK(put_area(x, "h", g.h));
    ++x->info.faces;
    return put(x, " stArea:unit=\"normalized\"/>\n      </rdf:li>\n");
}

static bool has_same_caption(const exporting *x)
{
    const char *caption = photo_text(x, 5), *there = x->there.says.caption;
    return caption != NULL && there != NULL && strcmp(caption, there) == 0;
}

/* Another caption that the file has stays. */
static bool writes_caption(const exporting *x)
{
    return photo_text(x, 5) != NULL &&
           (x->o.force || x->there.says.caption == NULL || has_same_caption(x));
}

/* Is anybody known? An empty list would be read as a person. */
static bool has_persons(const exporting *x)
{
    const char *others = x->o.force ? NULL : x->there.says.persons;
    bool known = others != NULL && others[strspn(others, "\n")] != '\0';
    for (int64_t k = 0; k < x->n_faces; ++k)
        known |= x->faces[k].name != NULL;
    return known;
}

static akin_status put_node(exporting *x)
{
    const int64_t photo = sqlite3_column_int64(x->photos, 0);
    const bool turned = x->orientation >= 5;
    AK_CHECK(put(x, "  <rdf:Description rdf:about=\""));
    AK_CHECK(put_xml(x, x->there.about ? x->there.about : ""));
    AK_CHECK(ak_sink_text(x->sink, x->ctx, node_head));
    if (writes_caption(x)) {
        AK_CHECK(put(x, "   <dc:description>\n    <rdf:Alt>\n     <rdf:li "
                        "xml:lang=\"x-default\">"));
        AK_CHECK(put_xml(x, photo_text(x, 5)));
        AK_CHECK(put(x, "</rdf:li>\n    </rdf:Alt>\n   </dc:description>\n"));
    }
    if (has_persons(x)) {
        AK_CHECK(put(x, "   <Iptc4xmpExt:PersonInImage>\n    <rdf:Bag>\n"));
        AK_CHECK(each_face(x, photo, put_person));
        AK_CHECK(put_other_persons(x));
        AK_CHECK(put(x, "    </rdf:Bag>\n   </Iptc4xmpExt:PersonInImage>\n"));
    }
    AK_CHECK(put(x,
                 "   <mwg-rs:Regions rdf:parseType=\"Resource\">\n"
                 "    <mwg-rs:AppliedToDimensions stDim:w=\"%" PRId64
                 "\" stDim:h=\"%" PRId64 "\" stDim:unit=\"pixel\"/>\n"
                 "    <mwg-rs:RegionList>\n     <rdf:Bag%s>\n",
                 (int64_t)sqlite3_column_int64(x->photos, turned ? 4 : 3),
                 (int64_t)sqlite3_column_int64(x->photos, turned ? 3 : 4),
                 x->n_faces == 0 ? "/" : ""));
    AK_CHECK(each_face(x, photo, put_region));
    if (x->n_faces > 0)
        AK_CHECK(put(x, "     </rdf:Bag>\n"));
    return put(x, "    </mwg-rs:RegionList>\n   </mwg-rs:Regions>\n"
                  "  </rdf:Description>\n");
}

/* What is there already, but for what is written anew. */
static akin_status put_packet(exporting *x)
{
    const ak_sidecar *s = &x->there;
    size_t at = 0;
    if (s->bytes == NULL) {
        AK_CHECK(ak_sink_text(x->sink, x->ctx, xmp_head));
        AK_CHECK(put_node(x));
        return ak_sink_text(x->sink, x->ctx, xmp_tail);
    }
    for (int64_t k = 0; k < s->n_cuts; ++k) {
        AK_CHECK(
            ak_sink_put(x->sink, x->ctx, s->bytes + at, s->cuts[k].from - at));
        at = s->cuts[k].to;
    }
    AK_CHECK(ak_sink_put(x->sink, x->ctx, s->bytes + at, s->end - at));
    AK_CHECK(put_node(x));
    return ak_sink_put(x->sink, x->ctx, s->bytes + s->end, s->n - s->end);
}

/* ---- what would be lost ---- */

static akin_status list_face(exporting *x, int64_t row, bool first)
{
    akin_face f;
    exported_face *to;
    const char *name;
    (void)first;
    AK_CHECK(
        ak_grow(x->ctx, x->n_faces + 1, &x->room, sizeof *x->faces, &x->faces));
    AK_CHECK(name_of(x, row, &name));
    x->info.named -= name != NULL;
    to = &x->faces[x->n_faces];
    *to = (exported_face){0};
    ++x->n_faces;
    if (name != NULL)
        AK_CHECK(ak_strdup(x->ctx, name, &to->name));
    AK_CHECK(akin_faces_get(&f, x->ctx, x->c, row));
    to->region = region_of(&f);
    return AKIN_OK;
}

static void forget_faces(exporting *x)
{
    for (int64_t k = 0; k < x->n_faces; ++k)
        akin_free(x->faces[k].name);
    x->n_faces = 0;
    ak_sidecar_free(&x->there);
}

/* How much of both rectangles is in both. */
static double overlap(const ak_xmp_region *a, const ak_xmp_region *b)
{
    const double w = fmin(a->x + a->w / 2.0, b->x + b->w / 2.0) -
                     fmax(a->x - a->w / 2.0, b->x - b->w / 2.0);
    const double h = fmin(a->y + a->h / 2.0, b->y + b->h / 2.0) -
                     fmax(a->y - a->h / 2.0, b->y - b->h / 2.0);
    const double both = fmax(w, 0.0) * fmax(h, 0.0);
    return both / (a->w * a->h + b->w * b->h - both);
}

/* Is the region among the faces, by the same name if it has one? */
static bool is_among(const exporting *x, const ak_xmp_region *g)
{
    for (int64_t k = 0; k < x->n_faces; ++k) {
        const exported_face *f = &x->faces[k];
        if (overlap(g, &f->region) >= 0.5 &&
            (g->name == NULL ||
             (f->name != NULL && strcmp(g->name, f->name) == 0)))
            return true;
    }
    return false;
}

/* Nothing that somebody wrote into the file may get lost. */
static akin_status check_losses(exporting *x, const char *path)
{
    ak_xmp *s = &x->there.says;
    if (s->has_others)
        return ak_fail(x->ctx, AKIN_EINVAL,
                       "%s has regions that are not faces (`force` replaces "
                       "them)",
                       path);
    ak_xmp_turn_all(s, x->orientation, sqlite3_column_int64(x->photos, 3),
                    sqlite3_column_int64(x->photos, 4));
    for (int64_t k = 0; k < s->n_regions; ++k)
        if (!is_among(x, &s->regions[k]))
            return ak_fail(x->ctx, AKIN_EINVAL,
                           "%s has a face%s%.80s that the collection has "
                           "not (`force` replaces the faces)",
                           path, s->regions[k].name ? " called " : "",
                           s->regions[k].name ? s->regions[k].name : "");
    return AKIN_OK;
}

/* What is there. A file that cannot be read is replaced with `force` alone. */
static akin_status read_there(exporting *x, const char *path)
{
    const bool replaces = x->o.force && photo_text(x, 5) != NULL;
    akin_status st;
    if (access(path, F_OK) != 0)
        return AKIN_OK;
    st = ak_sidecar_read(&x->there, x->ctx, path, replaces);
    if (st == AKIN_OK && !replaces && has_same_caption(x)) {
        ak_sidecar_free(&x->there);
        st = ak_sidecar_read(&x->there, x->ctx, path, true);
    }
    if (st == AKIN_EFORMAT)
        return x->o.force ? AKIN_OK
                          : ak_fail(x->ctx, st, "%s (`force` replaces it)",
                                    akin_ctx_message(x->ctx));
    return st == AKIN_OK && !x->o.force ? check_losses(x, path) : st;
}

/* How the stored photo is turned. */
static akin_status find_orientation(exporting *x)
{
    const char *path = photo_text(x, 2);
    ak_metadata m = {0};
    x->orientation = 1;
    if (path == NULL)
        return AKIN_OK;
    if (x->decoder == NULL) {
        const ak_decode_options o = AK_DECODE_DEFAULTS;
        AK_CHECK(ak_decoder_open(&x->decoder, x->ctx, &o));
    }
    const akin_status st = ak_decoder_metadata(x->decoder, x->ctx, path, &m);
    if (st == AKIN_OK)
        x->orientation = m.orientation;
    else if (st == AKIN_EFORMAT || st == AKIN_ENOENT || st == AKIN_ESHAPE)
        ak_log(x->ctx, AKIN_LOG_WARNING,
               "%s; its faces are written for the photo as it is seen",
               akin_ctx_message(x->ctx));
    else
        return st;
    ak_metadata_free(&m);
    return AKIN_OK;
}

/* ---- files ---- */

static akin_status write_file(exporting *x, const char *path,
                              akin_status (*fill)(exporting *x))
{
    akin_status st = AKIN_OK;
    AK_TRY(ak_sink_open(&x->sink, x->ctx, path));
    st = fill(x);
done:
    st = ak_sink_close(x->sink, x->ctx, st);
    x->sink = NULL;
    return st;
}

/* A name below the folder: no way out of it. */
static bool is_inside(const char *name)
{
    for (const char *p = name; *p != '\0'; p += *p == '/') {
        const size_t n = strcspn(p, "/");
        if (n == 0 || (n == 2 && p[0] == '.' && p[1] == '.'))
            return false;
        p += n;
    }
    return true;
}

/* The folders that a path is in, below the one that is there. */
static akin_status make_folders(const exporting *x, char *path)
{
    char *slash = path + strlen(x->folder);
    while ((slash = strchr(slash + 1, '/')) != NULL) {
        *slash = '\0';
        const bool there = mkdir(path, 0777) == 0 || errno == EEXIST;
        if (!there)
            return ak_file_fail(x->ctx, AKIN_EIO, path);
        *slash = '/';
    }
    return AKIN_OK;
}

/* The file of a photo. */
static akin_status xmp_path(const exporting *x, char path[PATH_MAX])
{
    const char *name = photo_text(x, 1);
    const int n = snprintf(path, PATH_MAX, "%s/%s.xmp", x->folder, name);
    if (sqlite3_column_int64(x->photos, 3) <= 0)
        return ak_fail(x->ctx, AKIN_EINVAL,
                       "%s: the faces of %s have no places, XMP needs them "
                       "(csv and json do not)",
                       x->c->catalog.folder, name);
    if (!is_inside(name) || n < 0 || n >= PATH_MAX)
        return ak_fail(x->ctx, AKIN_EFORMAT, "%s: photo %s has no valid name",
                       x->c->catalog.folder, name);
    return AKIN_OK;
}

/* All that is needed to write it. */
static akin_status begin_xmp(exporting *x, const char *path)
{
    forget_faces(x);
    AK_CHECK(find_orientation(x));
    AK_CHECK(each_face(x, sqlite3_column_int64(x->photos, 0), list_face));
    return read_there(x, path);
}

/* Nothing is written if one of the files would lose something. */
static akin_status check_xmp(exporting *x, bool first)
{
    char path[PATH_MAX];
    (void)first;
    AK_CHECK(xmp_path(x, path));
    return x->o.force || access(path, F_OK) != 0 ? AKIN_OK : begin_xmp(x, path);
}

static akin_status write_xmp(exporting *x, bool first)
{
    char path[PATH_MAX];
    (void)first;
    AK_CHECK(xmp_path(x, path));
    AK_CHECK(make_folders(x, path));
    AK_CHECK(begin_xmp(x, path));
    ++x->info.photos;
    return write_file(x, path, put_packet);
}

static akin_status write_all_xmp(exporting *x)
{
    akin_status st = each_photo(x, check_xmp);
    if (st == AKIN_OK)
        st = each_photo(x, write_xmp);
    forget_faces(x);
    akin_free(x->faces);
    ak_decoder_close(x->decoder);
    return st;
}

static akin_status write_one(exporting *x, const char *name,
                             akin_status (*fill)(exporting *x))
{
    char path[PATH_MAX];
    const int n = snprintf(path, sizeof path, "%s/%s", x->folder, name);
    if (n < 0 || n >= PATH_MAX) {
        errno = ENAMETOOLONG;
        return ak_file_fail(x->ctx, AKIN_EIO, x->folder);
    }
    return write_file(x, path, fill);
}

akin_status akin_faces_export(akin_ctx *ctx, akin_collection *c,
                              const char *folder,
                              const akin_faces_export_options *options,
                              akin_faces_export_info *info)
{
    exporting x = {
        .ctx = ctx, .c = c, .folder = folder, .o = AKIN_FACES_EXPORT_DEFAULTS};
    akin_faces_info counts;
    ak_options_take(&x.o, sizeof x.o, options);
    AK_CHECK(akin_faces_count(&counts, ctx, c));
    if (mkdir(folder, 0777) != 0 && errno != EEXIST)
        return ak_file_fail(ctx, AKIN_EIO, folder);
    if (strcmp(x.o.to, "csv") == 0)
        AK_CHECK(write_one(&x, "faces.csv", put_table));
    else if (strcmp(x.o.to, "json") == 0)
        AK_CHECK(write_one(&x, "faces.json", put_json));
    else if (strcmp(x.o.to, "xmp") == 0)
        AK_CHECK(write_all_xmp(&x));
    else
        return ak_fail(ctx, AKIN_EINVAL, "to is %s (expected csv, json or xmp)",
                       x.o.to);
    if (info != NULL) {
        *info = x.info;
        info->photos = counts.photos;
    }
    return AKIN_OK;
}
