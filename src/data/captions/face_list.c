#include "data/captions/face_list.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/utf8.h"
#include "data/io/csv_cells.h"

enum {
    FACE,
    NAME,
    SAYS,
    RATIO,
    PHOTO,
    CONFIDENCE,
    PROBABILITY,
    WEIGHT,
    N_COLUMNS,
    MOST_CELLS = 64
};

static const char *const titles[N_COLUMNS] = {
    "face",  "name",       "says",        "real_name_ratio",
    "photo", "confidence", "probability", "weight"};

typedef struct reader {
    ak_cells cells;
    ak_face_list *out;
    int64_t n_rows;
    bool weighted;          // lines have a weight, and no is or is-not
    int64_t at[N_COLUMNS];  // cell of each column, -1: none
    int64_t columns;        // cells of a line at the most
    ak_cell row[MOST_CELLS];
    int64_t n;
} reader;

void ak_face_list_free(ak_face_list *l)
{
    akin_free(l->lines);
    akin_free(l->path);
    ak_names_free(&l->texts);
    ak_names_free(&l->photos);
    *l = (ak_face_list){0};
}

static akin_status take_row(reader *r, akin_ctx *ctx)
{
    r->n = 0;
    do {
        if (r->n == MOST_CELLS)
            return ak_cells_bad(&r->cells, ctx, r->cells.at,
                                "too many cells (at most 64)");
        AK_CHECK(ak_cells_next(&r->cells, ctx, &r->row[r->n]));
        ak_cell_unquote(&r->row[r->n++]);
    } while (r->cells.at != NULL);
    return AKIN_OK;
}

/* Digits alone, fewer than 19. */
static bool take_number(const ak_cell *c, int64_t *x)
{
    *x = 0;
    for (size_t k = 0; k < c->n; ++k) {
        if (c->text[k] < '0' || c->text[k] > '9' || c->n > 18)
            return false;
        *x = 10 * *x + (c->text[k] - '0');
    }
    return c->n > 0;
}

/* The cell beside face and name: is or is-not, whatever the header calls it, or
 * where it names these two alone. */
static int64_t third_of(const reader *r)
{
    if (r->n == 2)
        return 2;
    const int64_t c = 3 - r->at[FACE] - r->at[NAME];
    for (int64_t k = RATIO; k < N_COLUMNS; ++k)
        if (c == r->at[k])
            return -1;
    return r->n == 3 ? c : -1;
}

/* Where the columns are; a first line that begins as a number does is no
 * header. */
static akin_status take_header(reader *r, akin_ctx *ctx, bool *header)
{
    const ak_cell *first = &r->row[0];
    *header = first->n == 0 || strchr("+-.0123456789", *first->text) == NULL;
    for (int64_t k = 0; k < N_COLUMNS; ++k)
        r->at[k] = *header || k > SAYS ? -1 : k;
    for (int64_t c = 0; *header && c < r->n; ++c)
        for (int64_t k = 0; k < N_COLUMNS; ++k)
            if (ak_cell_is(&r->row[c], titles[k]))
                r->at[k] = c;
    if (r->at[FACE] < 0 || r->at[NAME] < 0 || r->n < 2)
        return ak_cells_bad(&r->cells, ctx, r->cells.line,
                            "expected face,name or a header that names them");
    if (r->weighted && !*header)
        r->at[WEIGHT] = SAYS;
    if (r->weighted && (r->at[WEIGHT] < 0 || r->n < 3))
        return ak_cells_bad(&r->cells, ctx, r->cells.line,
                            "expected face,name,weight or a header that names "
                            "them");
    if (r->weighted)
        r->at[SAYS] = -1;
    else if (r->at[SAYS] < 0)
        r->at[SAYS] = third_of(r);
    r->columns = *header && r->n > 2 ? r->n : SAYS + 1;
    return AKIN_OK;
}

static akin_status take_face(reader *r, akin_ctx *ctx, int64_t *face)
{
    const ak_cell *c = &r->row[r->at[FACE]];
    if (!take_number(c, face))
        return ak_cells_bad(&r->cells, ctx, c->text,
                            "not the row of a face (expected a row number)");
    if (*face >= r->n_rows)
        return ak_fail(ctx, AKIN_ESHAPE,
                       "%s:%" PRId64 ": row %" PRId64
                       " does not exist (there are %" PRId64 ")",
                       ak_source_name(r->cells.source),
                       ak_source_line_number(r->cells.source), *face,
                       r->n_rows);
    return AKIN_OK;
}

/* The cell of a column; NULL where the line has none. */
static const ak_cell *cell_of(const reader *r, int64_t column)
{
    const int64_t at = r->at[column];
    return at >= 0 && at < r->n ? &r->row[at] : NULL;
}

/* The number of a name or a photo; -1: none. */
static akin_status take_text(reader *r, akin_ctx *ctx, int64_t column,
                             ak_names *texts, int32_t *number)
{
    const ak_cell *c = cell_of(r, column);
    *number = -1;
    if (c == NULL || c->n == 0)
        return AKIN_OK;
    const size_t good = ak_utf8_span(c->text, c->n);
    if (good < c->n)
        return ak_cells_bad(&r->cells, ctx, c->text + good,
                            ak_utf8_what(c->text + good));
    return ak_names_add(texts, ctx, c->text, c->n, number);
}

/* A probability, where there is one. */
static akin_status take_probability(reader *r, akin_ctx *ctx,
                                    ak_face_line *line)
{
    const ak_cell *c = cell_of(r, PROBABILITY);
    float x;
    line->probability = NAN;
    if (c == NULL || c->n == 0)
        return AKIN_OK;
    if (ak_cell_number(c, &x) != AK_NUMBER_OK || !(x >= 0.0F && x <= 1.0F))
        return ak_cells_bad(&r->cells, ctx, c->text,
                            "not a probability (expected 0 to 1)");
    line->probability = x;
    return AKIN_OK;
}

/* A weight, where lines have one. */
static akin_status take_weight(reader *r, akin_ctx *ctx, ak_face_line *line)
{
    const ak_cell *c = cell_of(r, WEIGHT);
    float x;
    line->weight = NAN;
    if (!r->weighted)
        return AKIN_OK;
    if (c == NULL || ak_cell_number(c, &x) != AK_NUMBER_OK ||
        !(x >= 0.0F && (double)x <= AK_WEIGHT_MOST))
        return ak_cells_bad(&r->cells, ctx, c ? c->text : r->cells.line,
                            "not a weight (expected 0 to 1e12)");
    line->weight = x;
    return AKIN_OK;
}

/* is or is-not, the ratio and the confidence, where there are any. */
static akin_status take_rest(reader *r, akin_ctx *ctx, ak_face_line *line)
{
    const ak_cell *c = cell_of(r, SAYS);
    float x;
    line->ratio = NAN;
    line->is_not = c != NULL && ak_cell_is(c, "is-not");
    if (c != NULL && !line->is_not && c->n > 0 && !ak_cell_is(c, "is"))
        return ak_cells_bad(&r->cells, ctx, c->text, "expected is or is-not");
    c = cell_of(r, RATIO);
    if (c != NULL) {
        if (ak_cell_number(c, &x) != AK_NUMBER_OK)
            return ak_cells_bad(&r->cells, ctx, c->text,
                                "not a real-name ratio");
        line->ratio = x;
    }
    c = cell_of(r, CONFIDENCE);
    if (c != NULL && c->n > 0 && ak_cell_number(c, &x) == AK_NUMBER_NONE)
        return ak_cells_bad(&r->cells, ctx, c->text,
                            "not a confidence (expected a number or inf)");
    return AKIN_OK;
}

static akin_status take_line(reader *r, akin_ctx *ctx)
{
    ak_face_list *l = r->out;
    ak_face_line line = {0};
    if (r->at[FACE] >= r->n || r->at[NAME] >= r->n)
        return ak_cells_bad(&r->cells, ctx, r->cells.line,
                            "the line has no face or no name");
    if (r->n > r->columns)
        return ak_cells_bad(&r->cells, ctx, r->row[r->columns].text,
                            "a cell too many");
    AK_CHECK(take_face(r, ctx, &line.face));
    AK_CHECK(take_text(r, ctx, NAME, &l->texts, &line.name));
    AK_CHECK(take_text(r, ctx, PHOTO, &l->photos, &line.photo));
    AK_CHECK(take_rest(r, ctx, &line));
    AK_CHECK(take_probability(r, ctx, &line));
    AK_CHECK(take_weight(r, ctx, &line));
    line.line = ak_source_line_number(r->cells.source);
    AK_CHECK(ak_grow(ctx, l->n + 1, &l->room, sizeof *l->lines, &l->lines));
    l->lines[l->n++] = line;
    return AKIN_OK;
}

static akin_status take_lines(reader *r, akin_ctx *ctx)
{
    bool begun = false, header = false;
    AK_CHECK(ak_strdup(ctx, ak_source_name(r->cells.source), &r->out->path));
    for (;;) {
        AK_CHECK(ak_cells_line(&r->cells, ctx));
        if (r->cells.line == NULL)
            break;
        AK_CHECK(take_row(r, ctx));
        if (!begun)
            AK_CHECK(take_header(r, ctx, &header));
        if (begun || !header)
            AK_CHECK(take_line(r, ctx));
        begun = true;
    }
    return AKIN_OK;
}

akin_status ak_face_list_read(ak_face_list *out, akin_ctx *ctx,
                              ak_source *source, int64_t n_rows)
{
    reader r = {.cells = {.source = source, .delimiter = ','},
                .out = out,
                .n_rows = n_rows};
    return take_lines(&r, ctx);
}

akin_status ak_face_list_weights(ak_face_list *out, akin_ctx *ctx,
                                 ak_source *source, int64_t n_rows)
{
    reader r = {.cells = {.source = source, .delimiter = ','},
                .out = out,
                .n_rows = n_rows,
                .weighted = true};
    return take_lines(&r, ctx);
}
