/* Affinities of a person's own, fused with those of a method:
 *
 *   A <- (1 - share) A + share (F + F') / 2
 *
 * F is a data file of as many rows and columns as there are faces, or a text
 * (.txt) of lines `i j value`, where (i, j) stands for (j, i) too and what is
 * not there is 0. Values beyond 0 to 1 are brought there, all alike. */
#include <math.h>
#include <string.h>

#include "data/io/number.h"
#include "data/io/source.h"
#include "data/rows.h"
#include "naming/naming.h"

/* The values of the peers of every face. */
typedef struct given {
    const akin_naming *s;
    ak_affinity a;
    double low, high;  // of all values, those of no peers too
    bool any;          // line
} given;

static void widen(given *g, double x)
{
    g->low = fmin(g->low, x);
    g->high = fmax(g->high, x);
}

/* ---- lines i j value ---------------------------------------------------- */

/* Where the affinity of face i to its peer j is; NULL: they are no peers. */
static double *place(const given *g, int64_t i, int64_t j)
{
    const int32_t *peers;
    const int64_t n = ak_peers_get(g->a.peers, i, &peers);
    if (n == 0)
        return NULL;
    const int64_t at = ak_peers_at(peers, n, j);
    return peers[at] == j ? g->a.values + g->a.peers->start[i] + at : NULL;
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

static void skip(const char **p)
{
    while (**p == ' ' || **p == '\t')
        ++*p;
    if (**p == ',')
        ++*p;
    while (**p == ' ' || **p == '\t')
        ++*p;
}

static akin_status take_line(given *g, akin_ctx *ctx, const ak_source *source,
                             const char *p)
{
    const int64_t n = g->s->peers.n, line = ak_source_line_number(source);
    const char *path = ak_source_name(source);
    float value = 0.0F;
    skip(&p);
    if (*p == '\n' || *p == '#')
        return AKIN_OK;
    const int64_t i = take_row(&p);
    skip(&p);
    const int64_t j = take_row(&p);
    skip(&p);
    if (i < 0 || j < 0 || ak_number_read(&p, &value) != AK_NUMBER_OK ||
        (skip(&p), *p != '\n' && *p != '#'))
        return ak_fail(ctx, AKIN_EFORMAT,
                       "%s:%" PRId64 ": expected two faces and a number", path,
                       line);
    if (i >= n || j >= n)
        return ak_fail(ctx, AKIN_ESHAPE,
                       "%s:%" PRId64 ": row %" PRId64
                       " does not exist (there are %" PRId64 ")",
                       path, line, i >= n ? i : j, n);
    double *const both[] = {place(g, i, j), place(g, j, i)};
    if (both[0] != NULL && !isnan(*both[0]))
        return ak_fail(ctx, AKIN_EFORMAT,
                       "%s:%" PRId64 ": faces %" PRId64 " and %" PRId64
                       " come twice (%g before, %g here)",
                       path, line, i, j, *both[0], (double)value);
    for (int k = 0; k < 2; ++k)
        if (both[k] != NULL)
            *both[k] = (double)value;
    widen(g, (double)value);
    g->any = true;
    return AKIN_OK;
}

static akin_status take_lines(given *g, akin_ctx *ctx, ak_source *source)
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
                       "%s: there are no affinities (expected lines i j value)",
                       ak_source_name(source)));
    for (int64_t k = 0; k < n; ++k)
        if (isnan(g->a.values[k]))
            g->a.values[k] = 0.0;
done:
    return st;
}

/* ---- a matrix ----------------------------------------------------------- */

static double entry(const akin_rows *rows, int64_t i, int64_t j)
{
    const int32_t *columns;
    const float *values;
    const int64_t n = akin_rows_row(&columns, &values, rows, i);
    if (columns == NULL)
        return j < n ? (double)values[j] : 0.0;
    if (n == 0)
        return 0.0;
    const int64_t at = ak_peers_at(columns, n, j);
    return columns[at] == j ? (double)values[at] : 0.0;
}

static akin_status read_matrix(given *g, akin_ctx *ctx, const char *path)
{
    const ak_peers *p = &g->s->peers;
    akin_rows *rows = NULL;
    akin_status st = AKIN_OK;
    AK_TRY(akin_rows_read(&rows, ctx, path, NULL));
    if (rows->n != p->n || rows->d > p->n ||
        (rows->offsets == NULL && rows->d < p->n))
        AK_TRY(ak_fail(ctx, AKIN_ESHAPE,
                       "%s: affinities of %" PRId64 " by %" PRId64
                       " faces (there are %" PRId64 ")",
                       path, rows->n, rows->d, p->n));
    for (int64_t i = 0; i < p->n; ++i) {
        const int32_t *peers, *columns;
        const float *values;
        int64_t n = akin_rows_row(&columns, &values, rows, i);
        if (n < p->n)
            widen(g, 0.0);
        for (int64_t k = 0; k < n; ++k)
            widen(g, (double)values[k]);
        n = ak_peers_get(p, i, &peers);
        for (int64_t k = 0; k < n; ++k)
            g->a.values[p->start[i] + k] =
                (entry(rows, i, peers[k]) + entry(rows, peers[k], i)) / 2.0;
    }
done:
    akin_rows_free(rows);
    return st;
}

/* ------------------------------------------------------------------------- */

static bool is_text(const char *path)
{
    const char *dot = strstr(path, ".txt");
    return dot != NULL && (dot[4] == '\0' || strcmp(dot, ".txt.gz") == 0 ||
                           strcmp(dot, ".txt.zst") == 0);
}

/* Of lines, or of a matrix where `source` is NULL. */
static akin_status fuse(akin_naming *s, akin_ctx *ctx, const char *path,
                        ak_source *source, double share)
{
    const ak_mark mark = ak_scratch_begin(ctx);
    given g = {.s = s, .low = INFINITY, .high = -INFINITY};
    akin_status st = AKIN_OK;
    if (s->affinity.values == NULL)
        AK_TRY(ak_fail(ctx, AKIN_EINVAL,
                       "%s: the method has no affinities to fuse these with",
                       path));
    if (!(share >= 0.0 && share <= 1.0))
        AK_TRY(ak_fail(ctx, AKIN_EINVAL,
                       "a share of %g is out of range (0 to 1)", share));
    AK_TRY(ak_affinity_new(&g.a, ctx, &s->peers));
    if (source != NULL)
        AK_TRY(take_lines(&g, ctx, source));
    else
        AK_TRY(read_matrix(&g, ctx, path));
    if (g.low < 0.0 || g.high > 1.0)
        for (int64_t k = 0; k < s->peers.start[s->peers.n]; ++k)
            g.a.values[k] = (g.a.values[k] - g.low) / (g.high - g.low);
    ak_affinity_fuse(&s->affinity, &g.a, share);
done:
    ak_scratch_end(ctx, mark);
    return st;
}

akin_status ak_naming_fuse_lines(akin_naming *s, akin_ctx *ctx,
                                 ak_source *source, double share)
{
    return fuse(s, ctx, ak_source_name(source), source, share);
}

akin_status akin_naming_fuse(akin_ctx *ctx, akin_naming *s, const char *path,
                             double share)
{
    ak_source *source = NULL;
    akin_status st = AKIN_OK;
    if (is_text(path))
        AK_TRY(ak_source_open(&source, ctx, path, AK_SOURCE_TEXT));
    AK_TRY(fuse(s, ctx, path, source, share));
done:
    ak_source_close(source);
    return st;
}
