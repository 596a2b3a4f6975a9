/* How alike faces are, for faces that share a name: from a representation, by
 * distances, or from a file.
 *
 * Affinities of a file are fused with those of a method,
 *
 *   A <- (1 - share) A + share (F + F') / 2
 *
 * F is a data file of as many rows and columns as there are faces, or a text
 * (.txt) of lines `i j value`, where (i, j) stands for (j, i) too and what is
 * not there is 0. Values beyond 0 to 1 are scaled into that range, all by the
 * same factor and offset. */
#include <math.h>
#include <string.h>

#include "base/parallel.h"
#include "data/io/number.h"
#include "data/io/source.h"
#include "data/rows.h"
#include "la/dense.h"
#include "naming/naming.h"

enum { BLOCK = 64 };

akin_status ak_affinity_new(ak_affinity *out, akin_ctx *ctx,
                            const ak_shared_names *peers)
{
    out->peers = peers;
    return AK_SCRATCH(ctx, peers->start[peers->n], &out->values);
}

/* ---- from a representation ----------------------------------------------- */

typedef struct spread {
    akin_ctx *ctx;
    const ak_representation *W;
    ak_affinity_mode mode;
    double *rows, *columns;    // BLOCK x n, for each worker
    double *low, *high;        // one a block
    ak_affinity *const *list;  // to be filled
    int64_t count;
} spread;

/* A = (W + W') / 2 of a block of faces: its extremes, and the peers' values. */
static akin_status spread_block(void *arg, int64_t begin, int64_t end,
                                int64_t worker)
{
    const spread *s = arg;
    const int64_t n = s->W->n;
    double *rows = s->rows + worker * BLOCK * n;
    double *columns = s->columns + worker * BLOCK * n;
    double low = INFINITY, high = -INFINITY;
    akin_status st = AKIN_OK;
    AK_TRY(ak_representation_rows(s->W, s->ctx, begin, end, rows));
    AK_TRY(ak_representation_columns(s->W, s->ctx, begin, end, columns));
    for (int64_t k = 0; k < (end - begin) * n; ++k) {
        const double x = rows[k], y = columns[k];
        rows[k] = s->mode == AK_AFFINITY_ABS ? (fabs(x) + fabs(y)) / 2.0
                                             : (x + y) / 2.0;
        low = fmin(low, rows[k]);
        high = fmax(high, rows[k]);
    }
    s->low[begin / BLOCK] = low;
    s->high[begin / BLOCK] = high;
    for (int64_t a = 0; a < s->count; ++a)
        for (int64_t i = begin; i < end; ++i) {
            const int32_t *peers;
            const ak_shared_names *p = s->list[a]->peers;
            const int64_t m = ak_shared_names_get(p, i, &peers);
            for (int64_t k = 0; k < m; ++k)
                s->list[a]->values[p->start[i] + k] =
                    rows[(i - begin) * n + peers[k]];
        }
done:
    return st;
}

/* Into [0, 1]. */
static void stretch(ak_affinity *a, ak_affinity_mode mode, double low,
                    double high)
{
    const int64_t n = a->peers->start[a->peers->n];
    if (mode != AK_AFFINITY_MINMAX)
        low = 0.0;
    a->low = low;
    a->high = high;
    const double by = high > low ? 1.0 / (high - low) : 0.0;
    for (int64_t k = 0; k < n; ++k)
        a->values[k] = fmax(0.0, (a->values[k] - low) * by);
}

akin_status ak_affinity_of(ak_affinity *const *list, int64_t count,
                           akin_ctx *ctx, const ak_representation *W,
                           ak_affinity_mode mode)
{
    const ak_mark mark = ak_scratch_begin(ctx);
    const int64_t n = W->n, blocks = (n + BLOCK - 1) / BLOCK;
    spread s = {ctx, W, mode, .list = list, .count = count};
    double low = INFINITY, high = -INFINITY;
    akin_status st = AKIN_OK;
    AK_TRY(AK_SCRATCH(ctx, ak_workers(ctx) * BLOCK * n, &s.rows));
    AK_TRY(AK_SCRATCH(ctx, ak_workers(ctx) * BLOCK * n, &s.columns));
    AK_TRY(AK_SCRATCH(ctx, blocks, &s.low));
    AK_TRY(AK_SCRATCH(ctx, blocks, &s.high));
    AK_TRY(ak_parallel_for(ctx, n, BLOCK, spread_block, &s));
    for (int64_t b = 0; b < blocks; ++b) {
        low = fmin(low, s.low[b]);
        high = fmax(high, s.high[b]);
    }
    if (!isfinite(low) || !isfinite(high))
        AK_TRY(ak_fail(ctx, AKIN_ENUMERIC, "an affinity is not finite"));
    for (int64_t a = 0; a < count; ++a)
        stretch(list[a], mode, low, high);
done:
    ak_scratch_end(ctx, mark);
    return st;
}

/* ---- from a metric ------------------------------------------------------- */

typedef struct kernel {
    const ak_affinity *a;
    const double *points;
    int64_t d;
    double beta;
} kernel;

static akin_status kernel_block(void *arg, int64_t begin, int64_t end,
                                int64_t worker)
{
    const kernel *s = arg;
    const int64_t d = s->d;
    (void)worker;
    for (int64_t i = begin; i < end; ++i) {
        const int32_t *peers;
        const double *x = s->points + i * d;
        const int64_t m = ak_shared_names_get(s->a->peers, i, &peers);
        double *out = s->a->values + s->a->peers->start[i];
        for (int64_t k = 0; k < m; ++k) {
            const double *y = s->points + peers[k] * d;
            double sum = 0.0;
            for (int64_t c = 0; c < d; ++c)
                sum += (x[c] - y[c]) * (x[c] - y[c]);
            out[k] = s->beta > 0.0 ? exp(-sqrt(sum / s->beta)) : 1.0;
        }
    }
    return AKIN_OK;
}

akin_status ak_affinity_kernel(ak_affinity *a, akin_ctx *ctx, int64_t d,
                               const double *points)
{
    const int64_t n = a->peers->n;
    kernel s = {a, points, d, 0.0};
    /* The mean over all pairs of |x - y|^2 is twice the variance. */
    for (int64_t c = 0; c < d; ++c) {
        double mean = 0.0, sum = 0.0;
        for (int64_t i = 0; i < n; ++i)
            mean += points[i * d + c];
        mean /= (double)n;
        for (int64_t i = 0; i < n; ++i) {
            const double gap = points[i * d + c] - mean;
            sum += gap * gap;
        }
        s.beta += 2.0 * sum / (double)n;
    }
    return ak_parallel_for(ctx, n, BLOCK, kernel_block, &s);
}

void ak_affinity_fuse(ak_affinity *a, const ak_affinity *b, double alpha)
{
    const int64_t n = a->peers->start[a->peers->n];
    for (int64_t k = 0; k < n; ++k)
        a->values[k] = (1.0 - alpha) * a->values[k] + alpha * b->values[k];
}

/* ---- from a file --------------------------------------------------------- */

/* The values of the peers of every face, and of the decoys. */
typedef struct file_affinity {
    const akin_naming *s;
    ak_affinity a;
    ak_affinity decoys;  // values NULL: none
    double low, high;    // of all values, those of no peers too
    bool any;            // line
} file_affinity;

static void widen(file_affinity *g, double x)
{
    g->low = fmin(g->low, x);
    g->high = fmax(g->high, x);
}

/* The place of the affinity of face i to its peer j; NULL: they are not peers.
 */
static double *place(const ak_affinity *a, int64_t i, int64_t j)
{
    const int32_t *peers;
    const int64_t n = a->values ? ak_shared_names_get(a->peers, i, &peers) : 0;
    if (n == 0)
        return NULL;
    const int64_t at = ak_shared_names_at(peers, n, j);
    return peers[at] == j ? a->values + a->peers->start[i] + at : NULL;
}

/* A whole number, -1 when there is none. */
static int64_t take_row(const char **p)
{
    int64_t x = 0;
    const char *first = *p;
    for (; **p >= '0' && **p <= '9'; ++*p)
        x = ak_min_i64(10 * x + (**p - '0'), INT64_C(1) << 50);
    return *p > first ? x : -1;
}

static void skip_blanks(const char **p)
{
    while (**p == ' ' || **p == '\t')
        ++*p;
    if (**p == ',')
        ++*p;
    while (**p == ' ' || **p == '\t')
        ++*p;
}

static akin_status take_line(file_affinity *g, akin_ctx *ctx,
                             const ak_source *source, const char *p)
{
    const int64_t n = g->s->peers.n, line = ak_source_line_number(source);
    const char *path = ak_source_name(source);
    float value = 0.0F;
    skip_blanks(&p);
    if (*p == '\n' || *p == '#')
        return AKIN_OK;
    const int64_t i = take_row(&p);
    skip_blanks(&p);
    const int64_t j = take_row(&p);
    skip_blanks(&p);
    if (i < 0 || j < 0 || ak_number_read(&p, &value) != AK_NUMBER_OK ||
        (skip_blanks(&p), *p != '\n' && *p != '#'))
        return ak_fail(ctx, AKIN_EFORMAT,
                       "%s:%" PRId64 ": expected two faces and a number", path,
                       line);
    if (i >= n || j >= n)
        return ak_fail(ctx, AKIN_ESHAPE,
                       "%s:%" PRId64 ": row %" PRId64
                       " does not exist (there are %" PRId64 ")",
                       path, line, i >= n ? i : j, n);
    double *const all[] = {place(&g->a, i, j), place(&g->a, j, i),
                           place(&g->decoys, i, j), place(&g->decoys, j, i)};
    if (all[0] != NULL && !isnan(*all[0]))
        return ak_fail(ctx, AKIN_EFORMAT,
                       "%s:%" PRId64 ": faces %" PRId64 " and %" PRId64
                       " are listed twice (%g before, %g here)",
                       path, line, i, j, *all[0], (double)value);
    for (int k = 0; k < 4; ++k)
        if (all[k] != NULL)
            *all[k] = (double)value;
    widen(g, (double)value);
    g->any = true;
    return AKIN_OK;
}

static akin_status take_lines(file_affinity *g, akin_ctx *ctx,
                              ak_source *source)
{
    const int64_t n = g->a.peers->start[g->a.peers->n];
    char *line = NULL;
    size_t size = 0;
    akin_status st = AKIN_OK;
    widen(g, 0.0);
    for (int64_t k = 0; k < n; ++k)
        g->a.values[k] = NAN;
    for (;;) {
        AK_TRY(ak_source_line(source, ctx, &line, &size));
        if (line == NULL)
            break;
        AK_TRY(take_line(g, ctx, source, line));
    }
    if (!g->any)
        AK_TRY(ak_fail(ctx, AKIN_EFORMAT,
                       "%s: no affinities (expected lines i j value)",
                       ak_source_name(source)));
    for (int64_t k = 0; k < n; ++k)
        if (isnan(g->a.values[k]))
            g->a.values[k] = 0.0;
done:
    return st;
}

static double entry(const akin_rows *rows, int64_t i, int64_t j)
{
    const int32_t *columns;
    const float *values;
    const int64_t n = akin_rows_row(&columns, &values, rows, i);
    if (columns == NULL)
        return j < n ? (double)values[j] : 0.0;
    if (n == 0)
        return 0.0;
    const int64_t at = ak_shared_names_at(columns, n, j);
    return columns[at] == j ? (double)values[at] : 0.0;
}

/* Of face i and its peers. */
static void take_entries(const ak_affinity *a, const akin_rows *rows, int64_t i)
{
    const int32_t *peers;
    const int64_t n = a->values ? ak_shared_names_get(a->peers, i, &peers) : 0;
    for (int64_t k = 0; k < n; ++k)
        a->values[a->peers->start[i] + k] =
            (entry(rows, i, peers[k]) + entry(rows, peers[k], i)) / 2.0;
}

static akin_status read_matrix(file_affinity *g, akin_ctx *ctx,
                               const char *path)
{
    const ak_shared_names *p = &g->s->peers;
    akin_rows *rows = NULL;
    akin_status st = AKIN_OK;
    AK_TRY(akin_rows_read(&rows, ctx, path, NULL));
    if (rows->n != p->n || rows->d > p->n ||
        (rows->offsets == NULL && rows->d < p->n))
        AK_TRY(ak_fail(ctx, AKIN_ESHAPE,
                       "%s: the matrix is %" PRId64 " by %" PRId64
                       ", but there are %" PRId64 " faces",
                       path, rows->n, rows->d, p->n));
    for (int64_t i = 0; i < p->n; ++i) {
        const int32_t *columns;
        const float *values;
        const int64_t n = akin_rows_row(&columns, &values, rows, i);
        if (n < p->n)
            widen(g, 0.0);
        for (int64_t k = 0; k < n; ++k)
            widen(g, (double)values[k]);
        take_entries(&g->a, rows, i);
        take_entries(&g->decoys, rows, i);
    }
done:
    akin_rows_free(rows);
    return st;
}

static bool is_text(const char *path)
{
    const char *dot = strstr(path, ".txt");
    return dot != NULL && (dot[4] == '\0' || strcmp(dot, ".txt.gz") == 0 ||
                           strcmp(dot, ".txt.zst") == 0);
}

static void fuse_scaled(ak_affinity *to, const file_affinity *g,
                        const ak_affinity *from, double share)
{
    const int64_t n = from->peers->start[from->peers->n];
    if (g->low < 0.0 || g->high > 1.0)
        for (int64_t k = 0; k < n; ++k)
            from->values[k] = (from->values[k] - g->low) / (g->high - g->low);
    ak_affinity_fuse(to, from, share);
}

/* Of lines, or of a matrix where `source` is NULL. */
static akin_status fuse_file(akin_naming *s, akin_ctx *ctx, const char *path,
                             ak_source *source, double share)
{
    const ak_mark mark = ak_scratch_begin(ctx);
    file_affinity g = {.s = s, .low = INFINITY, .high = -INFINITY};
    akin_status st = AKIN_OK;
    if (s->affinity.values == NULL)
        AK_TRY(ak_fail(ctx, AKIN_EINVAL,
                       "%s: the method has no affinities to fuse these with",
                       path));
    if (!(share >= 0.0 && share <= 1.0))
        AK_TRY(ak_fail(ctx, AKIN_EINVAL,
                       "a share of %g is out of range (0 to 1)", share));
    AK_TRY(ak_affinity_new(&g.a, ctx, &s->peers));
    if (s->decoys.affinity.values != NULL)
        AK_TRY(ak_affinity_new(&g.decoys, ctx, &s->decoys.peers));
    if (source != NULL)
        AK_TRY(take_lines(&g, ctx, source));
    else
        AK_TRY(read_matrix(&g, ctx, path));
    fuse_scaled(&s->affinity, &g, &g.a, share);
    if (g.decoys.values != NULL)
        fuse_scaled(&s->decoys.affinity, &g, &g.decoys, share);
done:
    ak_scratch_end(ctx, mark);
    return st;
}

akin_status ak_naming_fuse_lines(akin_naming *s, akin_ctx *ctx,
                                 ak_source *source, double share)
{
    return fuse_file(s, ctx, ak_source_name(source), source, share);
}

akin_status akin_naming_fuse(akin_ctx *ctx, akin_naming *s, const char *path,
                             double share)
{
    ak_source *source = NULL;
    akin_status st = AKIN_OK;
    if (is_text(path))
        AK_TRY(ak_source_open(&source, ctx, path, AK_SOURCE_TEXT));
    AK_TRY(fuse_file(s, ctx, path, source, share));
done:
    ak_source_close(source);
    return st;
}
