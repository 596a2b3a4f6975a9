/* Why two pictures are alike: which of their features are the same word,
 * whether these agree on a motion, and both pictures with their matches drawn.
 *
 * A pair of features says how one picture moves into the other: by the ratio of
 * their sizes, the difference of their angles, and then their places. Each pair
 * is tried, and the motion that most pairs follow is taken. */
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/file.h"
#include "collection/collection.h"
#include "collection/derive.h"
#include "plot/svg.h"
#include "vision/decode.h"

enum { WORD_MOST = 8 };  // pairs of one word, more are of a pattern

#define SIDE_MOST 16384.0F
#define NEAR 0.06  // of a picture's longer side, for pairs that agree

/* The features of a picture, sorted by word. */
typedef struct features {
    int64_t n;
    double side;
    int32_t *words, *sorted;
    ak_sift_frame *frames;
} features;

/* Places within a picture, sizes no larger. */
static bool are_frames(const features *f)
{
    for (int64_t i = 0; i < f->n; ++i) {
        const ak_sift_frame *a = &f->frames[i];
        if (!(a->x >= -1.0F && a->x <= SIDE_MOST && a->y >= -1.0F &&
              a->y <= SIDE_MOST && a->scale > 0.0F && a->scale <= SIDE_MOST &&
              isfinite(a->angle)))
            return false;
    }
    return true;
}

static akin_status load(features *f, const akin_collection *c, akin_ctx *ctx,
                        int64_t row)
{
    sqlite3_stmt *q = NULL;
    bool found;
    akin_status st = AKIN_OK;
    AK_TRY(ak_sql_ask(&c->catalog.sql, ctx, &q,
                      "SELECT words, frames, max(width, height) FROM pictures "
                      "WHERE row = ?",
                      "i", row));
    AK_TRY(ak_sql_next(&c->catalog.sql, ctx, q, &found));
    f->n = found ? sqlite3_column_bytes(q, 0) / (int64_t)sizeof *f->words : 0;
    if (!found ||
        sqlite3_column_bytes(q, 1) != (int)((size_t)f->n * sizeof *f->frames))
        AK_TRY(ak_fail(ctx, found ? AKIN_EFORMAT : AKIN_ESHAPE,
                       "%s: no picture %" PRId64, c->catalog.folder, row));
    f->side = sqlite3_column_double(q, 2);
    AK_TRY(AK_SCRATCH(ctx, f->n, &f->words));
    AK_TRY(AK_SCRATCH(ctx, f->n, &f->sorted));
    AK_TRY(AK_SCRATCH(ctx, f->n, &f->frames));
    if (f->n > 0) {
        memcpy(f->words, sqlite3_column_blob(q, 0),
               (size_t)f->n * sizeof *f->words);
        memcpy(f->frames, sqlite3_column_blob(q, 1),
               (size_t)f->n * sizeof *f->frames);
        memcpy(f->sorted, f->words, (size_t)f->n * sizeof *f->words);
    }
    if (!are_frames(f))
        AK_TRY(ak_fail(ctx, AKIN_EFORMAT,
                       "%s: picture %" PRId64 " has invalid features",
                       c->catalog.sql.path, row));
done:
    sqlite3_finalize(q);
    return st;
}

/* Both as rows of counts. */
static akin_status bags_of(akin_rows **out, akin_ctx *ctx, features f[2],
                           int64_t words)
{
    int64_t offsets[3] = {0, 0, 0};
    int32_t *cols;
    float *vals;
    AK_CHECK(AK_SCRATCH(ctx, f[0].n + f[1].n, &cols));
    AK_CHECK(AK_SCRATCH(ctx, f[0].n + f[1].n, &vals));
    for (int k = 0; k < 2; ++k)
        offsets[k + 1] = offsets[k] + ak_bag_of_words(f[k].sorted, f[k].n,
                                                      cols + offsets[k],
                                                      vals + offsets[k]);
    return akin_rows_new_sparse(out, ctx, 2, words, offsets, cols, vals);
}

static akin_status explain(akin_reason *reasons, int64_t *count, double *score,
                           akin_ctx *ctx, const akin_model *m,
                           const akin_rows *bags, int64_t top)
{
    const int64_t ij[2] = {0, 1};
    akin_rows *left = NULL, *right = NULL;
    akin_status st = AKIN_OK;
    AK_TRY(akin_model_prepare(&left, ctx, m, bags, AKIN_LEFT));
    AK_TRY(akin_model_prepare(&right, ctx, m, bags, AKIN_RIGHT));
    AK_TRY(akin_model_explain(reasons, count, ctx, m, left, 0, right, 1, top,
                              AKIN_BY_DEFAULT));
    AK_TRY(
        akin_model_score(score, ctx, m, left, right, ij, 1, AKIN_BY_DEFAULT));
done:
    akin_rows_free(left);
    akin_rows_free(right);
    return st;
}

/* ---- pairs ---- */

typedef struct pairs {
    akin_match *at;
    float (*turn)[2];  // angles of both
    int64_t n, room;
} pairs;

static akin_status add_pair(pairs *p, akin_ctx *ctx, const akin_match *m,
                            const ak_sift_frame *a, const ak_sift_frame *b)
{
    int64_t room = p->room;
    AK_CHECK(ak_grow(ctx, p->n + 1, &room, sizeof *p->at, &p->at));
    AK_CHECK(ak_grow(ctx, p->n + 1, &p->room, sizeof *p->turn, &p->turn));
    p->at[p->n] = *m;
    p->turn[p->n][0] = a->angle;
    p->turn[p->n][1] = b->angle;
    ++p->n;
    return AKIN_OK;
}

static int64_t count_word(const features *f, int32_t word)
{
    int64_t n = 0;
    for (int64_t i = 0; i < f->n; ++i)
        n += f->words[i] == word;
    return n;
}

static akin_status pair_word(pairs *p, akin_ctx *ctx, const features f[2],
                             const akin_reason *reason)
{
    const int32_t word = (int32_t)reason->feature;
    const int64_t all = count_word(&f[0], word) * count_word(&f[1], word);
    if (all > WORD_MOST)
        return AKIN_OK;
    for (int64_t i = 0; i < f[0].n; ++i)
        for (int64_t j = 0; f[0].words[i] == word && j < f[1].n; ++j) {
            const ak_sift_frame *a = &f[0].frames[i], *b = &f[1].frames[j];
            if (f[1].words[j] != word)
                continue;
            const akin_match m = {word,
                                  reason->contribution / (double)all,
                                  {a->x, a->y, a->scale},
                                  {b->x, b->y, b->scale},
                                  0};
            AK_CHECK(add_pair(p, ctx, &m, a, b));
        }
    return AKIN_OK;
}

/* Where the motion of pair k takes the place of pair i, and how far that is
 * from where it is. */
static double error_of(const pairs *p, int64_t k, int64_t i)
{
    const akin_match *m = &p->at[k], *x = &p->at[i];
    const double s = m->right[2] / m->left[2];
    const double t = (double)(p->turn[k][1] - p->turn[k][0]);
    const double u = x->left[0] - m->left[0], v = x->left[1] - m->left[1];
    const double to_x = m->right[0] + s * (u * cos(t) - v * sin(t));
    const double to_y = m->right[1] + s * (u * sin(t) + v * cos(t));
    return hypot(to_x - x->right[0], to_y - x->right[1]);
}

static void find_agreement(pairs *p, double side)
{
    int64_t best = -1, most = 2;  // two agree by chance
    for (int64_t k = 0; k < p->n; ++k) {
        int64_t n = 0;
        for (int64_t i = 0; i < p->n; ++i)
            n += error_of(p, k, i) < NEAR * side;
        if (n > most) {
            most = n;
            best = k;
        }
    }
    for (int64_t i = 0; best >= 0 && i < p->n; ++i)
        p->at[i].agrees = error_of(p, best, i) < NEAR * side;
}

static int by_size(const void *a, const void *b)
{
    const akin_match *x = a, *y = b;
    const double u = fabs(x->contribution), v = fabs(y->contribution);
    if (u != v)
        return u < v ? 1 : -1;
    return (x->word > y->word) - (x->word < y->word);
}

/* ---- matches ---- */

static akin_status match(pairs *p, double *score, akin_ctx *ctx,
                         const akin_collection *c, const akin_model *m,
                         const int64_t row[2])
{
    features f[2] = {{0}, {0}};
    akin_reason *reasons;
    akin_rows *bags = NULL;
    int64_t count = 0;
    akin_status st = AKIN_OK;
    for (int k = 0; k < 2; ++k)
        AK_TRY(load(&f[k], c, ctx, row[k]));
    AK_TRY(bags_of(&bags, ctx, f, c->codebook->k));
    AK_TRY(AK_SCRATCH(ctx, f[0].n + 2, &reasons));
    AK_TRY(explain(reasons, &count, score, ctx, m, bags,
                   ak_max_i64(1, ak_min_i64(f[0].n, c->codebook->k))));
    for (int64_t r = 0; r < count; ++r)
        if (reasons[r].feature >= 0)
            AK_TRY(pair_word(p, ctx, f, &reasons[r]));
    find_agreement(p, f[1].side);
    if (p->n > 0)
        qsort(p->at, (size_t)p->n, sizeof *p->at, by_size);
done:
    akin_rows_free(bags);
    return st;
}

akin_status akin_collection_match(akin_match **out, int64_t *n, double *score,
                                  akin_ctx *ctx, akin_collection *c,
                                  const akin_model *model, int64_t i, int64_t j)
{
    const int64_t row[2] = {i, j};
    const ak_mark mark = ak_scratch_begin(ctx);
    akin_index *x = NULL;
    pairs p = {0};
    akin_status st = AKIN_OK;
    if (model == NULL) {
        AK_TRY(akin_collection_index(&x, ctx, c, NULL));
        model = akin_index_model(x);
    }
    if (c->codebook == NULL)
        AK_TRY(ak_fail(ctx, AKIN_EFORMAT,
                       "%s is incomplete; rerun the command that started it",
                       c->catalog.folder));
    AK_TRY(match(&p, score, ctx, c, model, row));
    *out = p.at;
    *n = p.n;
    p.at = NULL;
done:
    akin_free(p.at);
    akin_free(p.turn);
    akin_index_free(x);
    ak_scratch_end(ctx, mark);
    return st;
}

/* ---- drawing ---- */

/* The pictures beside each other. */
typedef struct picture_pair {
    ak_decoder *decoder;
    int64_t row[2], width[2], height[2];
    double x[2];  // where each begins
} picture_pair;

/* How a match is drawn: strong where much is added, green where the motion
 * agrees. */
typedef struct stroke {
    uint8_t rgb[3];
    double width, opaque;
} stroke;

enum { GAP = 16, HEAD = 30, QUALITY = 85 };

typedef struct svg_sheet {
    ak_svg svg;
    picture_pair pair;
} svg_sheet;

static void put_base64(ak_svg *s, const uint8_t *bytes, int64_t n)
{
    static const char digits[] =
        "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    for (int64_t i = 0; i < n; i += 3) {
        const int64_t left = n - i;
        const uint32_t v = (uint32_t)bytes[i] << 16 |
                           (left > 1 ? (uint32_t)bytes[i + 1] << 8 : 0) |
                           (left > 2 ? (uint32_t)bytes[i + 2] : 0);
        ak_svg_put(s, "%c%c%c%c", digits[v >> 18], digits[v >> 12 & 63],
                   left > 1 ? digits[v >> 6 & 63] : '=',
                   left > 2 ? digits[v & 63] : '=');
    }
}

/* The picture in its place, with its name above. */
static akin_status put_picture(svg_sheet *s, akin_ctx *ctx, akin_collection *c,
                               int64_t row, int k)
{
    ak_image image = {0, 0, NULL};
    uint8_t *bytes = NULL;
    int64_t n;
    akin_picture p;
    akin_status st = AKIN_OK;
    AK_TRY(akin_collection_picture(&p, ctx, c, row));
    AK_TRY(ak_decoder_read(s->pair.decoder, ctx, p.path, &image));
    AK_TRY(
        ak_decoder_encode(s->pair.decoder, ctx, &image, QUALITY, &bytes, &n));
    ak_svg_put(&s->svg,
               "<text x=\"%g\" y=\"20\" font-family=\"sans-serif\" "
               "font-size=\"13\" fill=\"#333\">",
               s->pair.x[k]);
    ak_svg_text(&s->svg, p.name, 60);
    ak_svg_put(&s->svg,
               "</text>\n<image x=\"%g\" y=\"%d\" width=\"%" PRId64
               "\" height=\"%" PRId64 "\" href=\"data:image/jpeg;base64,",
               s->pair.x[k], HEAD, s->pair.width[k], s->pair.height[k]);
    put_base64(&s->svg, bytes, n);
    ak_svg_put(&s->svg, "\"/>\n");
done:
    ak_image_free(&image);
    akin_free(bytes);
    return st;
}

static stroke stroke_of(const akin_match *m, double largest)
{
    const double share = largest > 0.0 ? fabs(m->contribution) / largest : 0.0;
    stroke s = {.width = m->agrees ? 1.6 : 1.0,
                .opaque = 0.25 + 0.75 * sqrt(share)};
    const uint8_t red[3] = {0xd6, 0x27, 0x28}, green[3] = {0x2e, 0xe6, 0x5a},
                  yellow[3] = {0xff, 0xb0, 0x00};
    memcpy(s.rgb, m->contribution < 0.0 ? red : m->agrees ? green : yellow, 3);
    return s;
}

static void put_match(svg_sheet *s, const akin_match *m, double largest)
{
    const stroke k = stroke_of(m, largest);
    ak_svg_put(&s->svg,
               "<g fill=\"none\" stroke=\"#%02x%02x%02x\" "
               "stroke-width=\"%.1f\" stroke-opacity=\"%.2f\">",
               k.rgb[0], k.rgb[1], k.rgb[2], k.width, k.opaque);
    ak_svg_put(&s->svg,
               "<circle cx=\"%.1f\" cy=\"%.1f\" r=\"%.1f\"/><circle "
               "cx=\"%.1f\" cy=\"%.1f\" r=\"%.1f\"/>",
               s->pair.x[0] + m->left[0], HEAD + m->left[1], 3.0 * m->left[2],
               s->pair.x[1] + m->right[0], HEAD + m->right[1],
               3.0 * m->right[2]);
    if (m->agrees)
        ak_svg_put(&s->svg,
                   "<line x1=\"%.1f\" y1=\"%.1f\" x2=\"%.1f\" y2=\"%.1f\"/>",
                   s->pair.x[0] + m->left[0], HEAD + m->left[1],
                   s->pair.x[1] + m->right[0], HEAD + m->right[1]);
    ak_svg_put(&s->svg, "</g>\n");
}

static akin_status open_pair(picture_pair *s, akin_ctx *ctx, akin_collection *c,
                             const int64_t row[2])
{
    ak_decode_options o = AK_DECODE_DEFAULTS;
    akin_picture p;
    for (int k = 0; k < 2; ++k) {
        AK_CHECK(akin_collection_picture(&p, ctx, c, row[k]));
        s->row[k] = row[k];
        s->width[k] = p.width;
        s->height[k] = p.height;
    }
    o.side = ak_max_i64(ak_max_i64(s->width[0], s->height[0]),
                        ak_max_i64(s->width[1], s->height[1]));
    s->x[1] = (double)(s->width[0] + GAP);
    return ak_decoder_open(&s->decoder, ctx, &o);
}

static void open_svg(svg_sheet *s)
{
    const int64_t w = s->pair.width[0] + GAP + s->pair.width[1];
    const int64_t h = HEAD + ak_max_i64(s->pair.height[0], s->pair.height[1]);
    ak_svg_put(&s->svg,
               "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%" PRId64
               "\" height=\"%" PRId64 "\" viewBox=\"0 0 %" PRId64 " %" PRId64
               "\">\n<rect width=\"100%%\" height=\"100%%\" fill=\"#fff\"/>\n",
               w, h, w, h);
}

static akin_status draw_svg(akin_ctx *ctx, akin_collection *c,
                            const picture_pair *pair, const akin_match *matches,
                            int64_t n, const char *path)
{
    svg_sheet s = {.svg = {.ctx = ctx}, .pair = *pair};
    akin_status st = AKIN_OK;
    open_svg(&s);
    for (int k = 0; k < 2; ++k)
        AK_TRY(put_picture(&s, ctx, c, pair->row[k], k));
    for (int64_t k = n - 1; k >= 0; --k)
        put_match(&s, &matches[k], fabs(matches[0].contribution));
    ak_svg_put(&s.svg, "</svg>\n");
    AK_TRY(s.svg.st);
    AK_TRY(ak_file_write(ctx, path, s.svg.bytes, (size_t)s.svg.n));
done:
    akin_free(s.svg.bytes);
    return st;
}

/* A stream has no extension, and gets an SVG. */
static akin_status format_of(akin_ctx *ctx, const char *path, bool *png)
{
    const char *slash = strrchr(path, '/');
    const char *dot = strrchr(slash ? slash : path, '.');
    *png = dot && strcasecmp(dot, ".png") == 0;
    if (dot == NULL || *png || strcasecmp(dot, ".svg") == 0)
        return AKIN_OK;
    return ak_fail(ctx, AKIN_EINVAL,
                   "%s: unknown file extension (expected .svg or .png)", path);
}

/* ---- PNG ---- */

enum { WHITE = 255 };

static void blend(ak_image *to, int64_t x, int64_t y, const stroke *k,
                  double cover)
{
    if (cover <= 0.0 || x < 0 || y < 0 || x >= to->width || y >= to->height)
        return;
    const double a = k->opaque * fmin(1.0, cover);
    uint8_t *p = to->rgb + 3 * (y * to->width + x);
    for (int i = 0; i < 3; ++i)
        p[i] = (uint8_t)lrint(p[i] + a * (k->rgb[i] - p[i]));
}

/* How much of a pixel lies on a line of this width, at a distance from its
 * middle. */
static double cover_of(const stroke *k, double distance)
{
    return 0.5 * k->width + 0.5 - fabs(distance);
}

static void draw_circle(ak_image *to, const stroke *k, double cx, double cy,
                        double r)
{
    const double reach = r + k->width;
    const int64_t bottom = (int64_t)fmin(cy + reach, (double)to->height);
    const int64_t right = (int64_t)fmin(cx + reach, (double)to->width);
    for (int64_t y = (int64_t)fmax(cy - reach, 0.0); y <= bottom; ++y)
        for (int64_t x = (int64_t)fmax(cx - reach, 0.0); x <= right; ++x)
            blend(to, x, y, k,
                  cover_of(k, hypot((double)x - cx, (double)y - cy) - r));
}

/* From a to b along the longer side of what it spans; each step crosses it. */
static void draw_line(ak_image *to, const stroke *k, const double a[2],
                      const double b[2])
{
    const double d[2] = {b[0] - a[0], b[1] - a[1]};
    const int along = fabs(d[0]) < fabs(d[1]), across = 1 - along;
    const double slope = d[along] == 0.0 ? 0.0 : d[across] / d[along];
    const double tilt = 1.0 / hypot(1.0, slope);
    const int64_t reach = (int64_t)(k->width / tilt) + 2;
    const int64_t end = (int64_t)fmax(a[along], b[along]);
    for (int64_t u = (int64_t)fmin(a[along], b[along]); u <= end; ++u) {
        const double v = a[across] + slope * ((double)u - a[along]);
        for (int64_t w = (int64_t)v - reach; w <= (int64_t)v + reach; ++w)
            blend(to, along ? w : u, along ? u : w, k,
                  cover_of(k, ((double)w - v) * tilt));
    }
}

static void draw_match(ak_image *to, const picture_pair *pair,
                       const akin_match *m, double largest)
{
    const stroke k = stroke_of(m, largest);
    const double a[2] = {pair->x[0] + m->left[0], m->left[1]};
    const double b[2] = {pair->x[1] + m->right[0], m->right[1]};
    draw_circle(to, &k, a[0], a[1], 3.0 * m->left[2]);
    draw_circle(to, &k, b[0], b[1], 3.0 * m->right[2]);
    if (m->agrees)
        draw_line(to, &k, a, b);
}

/* A picture that has changed since may have another size: it is cut off. */
static akin_status paste(ak_image *to, akin_ctx *ctx, akin_collection *c,
                         const picture_pair *pair, int side)
{
    const int64_t x = (int64_t)pair->x[side];
    ak_image image = {0, 0, NULL};
    akin_picture p;
    akin_status st = AKIN_OK;
    AK_TRY(akin_collection_picture(&p, ctx, c, pair->row[side]));
    AK_TRY(ak_decoder_read(pair->decoder, ctx, p.path, &image));
    const int64_t w = ak_min_i64(image.width, pair->width[side]);
    const int64_t h = ak_min_i64(image.height, pair->height[side]);
    for (int64_t y = 0; y < h; ++y)
        memcpy(to->rgb + 3 * (y * to->width + x),
               image.rgb + 3 * y * image.width, (size_t)(3 * w));
done:
    ak_image_free(&image);
    return st;
}

static akin_status draw_png(akin_ctx *ctx, akin_collection *c,
                            const picture_pair *pair, const akin_match *matches,
                            int64_t n, const char *path)
{
    ak_image sheet = {(int64_t)pair->x[1] + pair->width[1],
                      ak_max_i64(pair->height[0], pair->height[1]), NULL};
    uint8_t *bytes = NULL;
    int64_t size;
    akin_status st = AKIN_OK;
    AK_TRY(AK_NEW(ctx, 3 * sheet.width * sheet.height, &sheet.rgb));
    memset(sheet.rgb, WHITE, (size_t)(3 * sheet.width * sheet.height));
    for (int side = 0; side < 2; ++side)
        AK_TRY(paste(&sheet, ctx, c, pair, side));
    for (int64_t k = n - 1; k >= 0; --k)
        draw_match(&sheet, pair, &matches[k], fabs(matches[0].contribution));
    AK_TRY(ak_decoder_encode(pair->decoder, ctx, &sheet, 0, &bytes, &size));
    AK_TRY(ak_file_write(ctx, path, bytes, (size_t)size));
done:
    akin_free(bytes);
    ak_image_free(&sheet);
    return st;
}

akin_status akin_collection_draw(akin_ctx *ctx, akin_collection *c, int64_t i,
                                 int64_t j, const akin_match *matches,
                                 int64_t n, const char *path)
{
    const int64_t row[2] = {i, j};
    picture_pair pair = {0};
    bool png;
    akin_status st = AKIN_OK;
    AK_TRY(format_of(ctx, path, &png));
    AK_TRY(open_pair(&pair, ctx, c, row));
    AK_TRY((png ? draw_png : draw_svg)(ctx, c, &pair, matches, n, path));
done:
    ak_decoder_close(pair.decoder);
    return st;
}
