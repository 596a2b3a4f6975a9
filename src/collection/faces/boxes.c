#include "collection/faces/boxes.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "collection/faces/captions/caption_file.h"
#include "data/io/header.h"
#include "text/csv_records.h"

double ak_box_overlap(const double a[4], const double b[4])
{
    const double w = fmin(a[0] + a[2], b[0] + b[2]) - fmax(a[0], b[0]);
    const double h = fmin(a[1] + a[3], b[1] + b[3]) - fmax(a[1], b[1]);
    const double both = fmax(w, 0.0) * fmax(h, 0.0);
    const double all = a[2] * a[3] + b[2] * b[3] - both;
    return all > 0.0 ? both / all : 0.0;
}

void ak_boxes_free(ak_boxes *b)
{
    for (int64_t i = 0; i < b->n; ++i)
        akin_free(b->names[i]);
    akin_free(b->names);
    akin_free(b->boxes);
    akin_free(b->lines);
    *b = (ak_boxes){0};
}

akin_status ak_boxes_add(ak_boxes *b, akin_ctx *ctx, const double box[4],
                         const char *name, size_t n)
{
    ak_caption clean = {NULL, NULL};
    AK_CHECK(
        ak_grow(ctx, 4 * (b->n + 1), &b->room, sizeof *b->boxes, &b->boxes));
    AK_CHECK(
        ak_grow(ctx, b->n + 1, &b->names_room, sizeof *b->names, &b->names));
    if (name != NULL && n > 0)
        AK_CHECK(ak_caption_of_names(&clean, ctx, name, n, '\n'));
    for (int k = 0; k < 4; ++k)
        b->boxes[4 * b->n + k] = ak_pixels(box[k]);
    b->names[b->n++] = clean.names;
    return AKIN_OK;
}

bool ak_box_is_inside(const double box[4], int64_t width, int64_t height)
{
    return box[0] < (double)width && box[1] < (double)height &&
           box[0] + box[2] > 0.0 && box[1] + box[3] > 0.0;
}

akin_status ak_boxes_inside(ak_boxes *out, akin_ctx *ctx, const ak_boxes *b,
                            int64_t width, int64_t height)
{
    for (int64_t i = 0; i < b->n; ++i) {
        const char *name = b->names[i];
        if (ak_box_is_inside(b->boxes + 4 * i, width, height))
            AK_CHECK(ak_boxes_add(out, ctx, b->boxes + 4 * i, name,
                                  name ? strlen(name) : 0));
    }
    return AKIN_OK;
}

/* ---- the file ---- */

enum { PHOTO, X, Y, WIDTH, HEIGHT, NAME, N_COLUMNS };

static const char *const column_names[N_COLUMNS] = {"photo", "x",      "y",
                                                    "width", "height", "name"};

#define MOST_PIXELS 1e6

typedef struct box_reading {
    ak_box_file *out;
    int64_t at[N_COLUMNS];
} box_reading;

static akin_status find_columns(void *arg, akin_ctx *ctx,
                                const ak_csv_records *r)
{
    int64_t *at = ((box_reading *)arg)->at;
    const char *path = ak_source_name(r->source);
    ak_columns names = {0};
    akin_status st = AKIN_OK;
    AK_TRY(ak_csv_records_names(r, ctx, &names));
    for (int k = 0; k < N_COLUMNS; ++k) {
        at[k] = ak_header_find(&names, column_names[k], true);
        if (at[k] < 0 && k != NAME)
            AK_TRY(ak_header_missing(
                ctx, &names, column_names[k], path, r->line,
                " (expected a header with photo,x,y,width,height)"));
    }
done:
    ak_columns_free(&names);
    return st;
}

static akin_status take_pixels(const ak_csv_records *r, akin_ctx *ctx,
                               int64_t column, double least, double *out)
{
    size_t n;
    const char *text = ak_csv_records_cell(r, column, &n);
    char *end;
    *out = strtod(text, &end);
    if (end != text && *end == '\0' && *out >= least && *out <= MOST_PIXELS)
        return AKIN_OK;
    return ak_fail(ctx, AKIN_EFORMAT,
                   "%s:%" PRId64 ": \"%.40s\" is not a number of pixels "
                   "(expected %g to %g)",
                   ak_source_name(r->source), r->line, text, least,
                   MOST_PIXELS);
}

static akin_status add_record(void *arg, akin_ctx *ctx, const ak_csv_records *r)
{
    ak_box_file *f = ((box_reading *)arg)->out;
    const int64_t *at = ((box_reading *)arg)->at;
    size_t n, name_n = 0;
    const char *photo = ak_csv_records_cell(r, at[PHOTO], &n);
    const char *name = at[NAME] < 0 ? NULL
                                    : ak_csv_records_cell(r, at[NAME], &name_n);
    double box[4];
    int32_t number;
    if (n == 0 || strlen(photo) != n)
        return ak_fail(ctx, AKIN_EFORMAT,
                       "%s:%" PRId64 ": the photo has no name",
                       ak_source_name(r->source), r->line);
    for (int k = 0; k < 4; ++k)
        AK_CHECK(take_pixels(r, ctx, at[X + k], k < 2 ? -MOST_PIXELS : 1.0,
                             &box[k]));
    AK_CHECK(ak_grow(ctx, f->n + 1, &f->room, sizeof *f->boxes, &f->boxes));
    AK_CHECK(ak_named_photos_add(&f->photos, ctx, photo, n, &number));
    if (number == f->n)
        f->boxes[f->n++] = (ak_boxes){0};
    if (name_n > AK_NAMES_MOST)
        return ak_fail(ctx, AKIN_EFORMAT,
                       "%s:%" PRId64 ": the name is too "
                       "long",
                       ak_source_name(r->source), r->line);
    ak_boxes *b = &f->boxes[number];
    AK_CHECK(
        ak_grow(ctx, b->n + 1, &b->lines_room, sizeof *b->lines, &b->lines));
    b->lines[b->n] = r->line;
    return ak_boxes_add(b, ctx, box, name, name_n);
}

akin_status ak_box_file_read(ak_box_file *f, akin_ctx *ctx, ak_source *source)
{
    static const ak_csv_table table = {find_columns, add_record, ""};
    box_reading r = {.out = f};
    return ak_csv_table_read(&r, ctx, source, &table);
}

const ak_boxes *ak_box_file_find(const ak_box_file *f, const char *photo)
{
    const int32_t at = ak_named_photos_find(&f->photos, photo);
    return at < 0 ? NULL : &f->boxes[at];
}

void ak_box_file_free(ak_box_file *f)
{
    for (int64_t i = 0; i < f->n; ++i)
        ak_boxes_free(&f->boxes[i]);
    akin_free(f->boxes);
    ak_named_photos_free(&f->photos);
    *f = (ak_box_file){0};
}
