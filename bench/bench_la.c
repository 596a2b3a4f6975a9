/* bench_la - the sparse kernels, one JSON line a measurement.
 *
 * Rows of about `nnz` words drawn without repetition, word of rank r with
 * probability proportional to (r + offset)^-s, ranks shuffled over columns.
 * s = 1 is the law of words in text; oxford is a fit to the visual words of
 * Oxford5K at 100 thousand words, far flatter. Triplets are random rows of an
 * array of about 100 MB, fetched ahead as a learner would. Medians over
 * interleaved repetitions.
 *
 *   bench_la [repetitions]     default 15 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/rng.h"
#include "base/size.h"
#include "la/sparse.h"
#include "timing.h"

enum { NNZ = 300, CALLS = 20000, MAX_REPS = 101, SLACK = 16 };

typedef struct law {
    const char *name;
    double offset, s;
} law;

static const law laws[] = {{"zipf", 10.0, 1.0}, {"oxford", 100.0, 0.25}};

typedef struct bags {
    int64_t n, d;
    int64_t *offsets;
    int32_t *cols;
    float *vals;
} bags;

static const char *const level_names[] = {"portable", "avx2", "avx512"};

/* CPU time of this thread, which other load affects less. */
static double now_ns(void)
{
    struct timespec t;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
    return (double)t.tv_sec * 1e9 + (double)t.tv_nsec;
}

static void *get(int64_t count, size_t size)
{
    void *p = aligned_alloc(64, ((size_t)count * size + 127) / 64 * 64);
    if (!p) {
        fputs("bench_la: out of memory\n", stderr);
        exit(1);
    }
    return p;
}

static int by_column(const void *a, const void *b)
{
    const int32_t x = *(const int32_t *)a, y = *(const int32_t *)b;
    return (x > y) - (x < y);
}

/* A rank by the law: inverse of the continuous distribution function. */
static int64_t draw_rank(ak_rng *r, law f, int64_t d)
{
    const double u = ak_rng_unit(r), e = 1.0 - f.s;
    const double low = f.offset, high = f.offset + (double)d;
    const double at =
        e == 0.0 ? low * pow(high / low, u)
                 : pow(pow(low, e) + u * (pow(high, e) - pow(low, e)), 1.0 / e);
    return ak_min_i64((int64_t)(at - low), d - 1);
}

static void draw_row(ak_rng *r, law f, int64_t d, const int32_t *column,
                     uint8_t *seen, int32_t *cols, float *vals)
{
    for (int64_t k = 0; k < NNZ;) {
        const int32_t c = column[draw_rank(r, f, d)];
        if (seen[c])
            continue;
        seen[c] = 1;
        cols[k++] = c;
    }
    qsort(cols, NNZ, sizeof *cols, by_column);
    for (int64_t k = 0; k < NNZ; ++k) {
        vals[k] = (float)(1 + ak_rng_below(r, 3)) * 0.057f;
        seen[cols[k]] = 0;
    }
}

static bags draw_bags(law f, int64_t n, int64_t d)
{
    bags b = {n, d, get(n + 1, sizeof(int64_t)), get(n * NNZ, sizeof(int32_t)),
              get(n * NNZ, sizeof(float))};
    ak_rng r = ak_rng_new(1, AK_STREAM_SYNTH);
    int64_t *shuffled = get(d, sizeof *shuffled);
    int32_t *column = get(d, sizeof *column);
    uint8_t *seen = get(d, 1);
    memset(seen, 0, (size_t)d);
    for (int64_t j = 0; j < d; ++j)
        shuffled[j] = j;
    ak_rng_shuffle(&r, d, shuffled);
    for (int64_t j = 0; j < d; ++j)
        column[j] = (int32_t)shuffled[j];
    for (int64_t i = 0; i <= n; ++i)
        b.offsets[i] = i * NNZ;
    for (int64_t i = 0; i < n; ++i)
        draw_row(&r, f, d, column, seen, b.cols + i * NNZ, b.vals + i * NNZ);
    free(shuffled);
    free(column);
    free(seen);
    return b;
}

static void free_bags(bags b)
{
    free(b.offsets);
    free(b.cols);
    free(b.vals);
}

static void fetch_row(const bags *b, int64_t i)
{
    const int64_t at = b->offsets[i], end = b->offsets[i + 1];
    for (int64_t k = at; k < end; k += 16) {
        __builtin_prefetch(b->cols + k, 0, 2);
        __builtin_prefetch(b->vals + k, 0, 2);
    }
}

typedef struct run {
    const bags *b;
    const int32_t *rows;  // CALLS + 3 of them, used in threes
    const double *w;
    int32_t *cols;
    double *vals;
    int64_t matches;
    double sum;
} run;

static double time_hadamard(run *r, bool fetch)
{
    const bags *b = r->b;
    const double start = now_ns();
    r->matches = 0;
    for (int64_t t = 0; t < CALLS; ++t) {
        const int32_t *row = r->rows + 3 * t;
        for (int l = 0; fetch && l < 3; ++l)
            fetch_row(b, row[3 + l]);
        const int64_t x = b->offsets[row[0]], p = b->offsets[row[1]],
                      n = b->offsets[row[2]];
        r->matches += ak_hadamard(NNZ, b->cols + x, b->vals + x, NNZ,
                                  b->cols + p, b->vals + p, NNZ, b->cols + n,
                                  b->vals + n, r->cols, r->vals);
    }
    return (now_ns() - start) / CALLS;
}

/* The dot product of weights with the result of the last Hadamard product, over
 * the columns of the row, so that it is as long as a row. */
static double time_gather(run *r)
{
    const bags *b = r->b;
    const double start = now_ns();
    for (int64_t t = 0; t < CALLS; ++t)
        r->sum += ak_gather_dot(NNZ, b->cols + b->offsets[r->rows[t % 64]],
                                r->vals, r->w);
    return (now_ns() - start) / CALLS;
}

static double time_sparse_dot(run *r)
{
    const bags *b = r->b;
    const double start = now_ns();
    for (int64_t t = 0; t < CALLS; ++t) {
        const int64_t x = b->offsets[r->rows[t]],
                      y = b->offsets[r->rows[t + 1]];
        r->sum += ak_sparse_dot(NNZ, b->cols + x, b->vals + x, NNZ, b->cols + y,
                                b->vals + y, r->w);
    }
    return (now_ns() - start) / CALLS;
}

/* Copying the three rows of each triplet: what memory alone costs. */
static double time_copy(run *r)
{
    const bags *b = r->b;
    const size_t bytes = NNZ * sizeof(int32_t);
    static char sink[2 * NNZ * sizeof(int32_t)];
    const double start = now_ns();
    for (int64_t t = 0; t < 3 * CALLS; ++t) {
        if (t % 3 == 0)
            for (int l = 3; l < 6; ++l)
                fetch_row(b, r->rows[t + l]);
        memcpy(sink, b->cols + b->offsets[r->rows[t]], bytes);
        memcpy(sink + bytes, b->vals + b->offsets[r->rows[t]], bytes);
        r->sum += sink[t % 7];
    }
    return (now_ns() - start) / CALLS;
}

static void print(const char *what, const char *level, const run *r, law f,
                  bool far, double ns)
{
    const double bytes = 3.0 * NNZ * 8.0;
    printf("{\"bench\": \"la\", \"what\": \"%s\", \"level\": \"%s\", \"law\": "
           "\"%s\", \"d\": %lld, \"nnz\": %d, \"memory\": \"%s\", \"ns\": %.1f",
           what, level, f.name, (long long)r->b->d, NNZ, far ? "far" : "near",
           ns);
    if (strcmp(what, "hadamard") == 0)
        printf(", \"entries\": %.1f, \"gb_per_s\": %.2f",
               (double)r->matches / CALLS, bytes / ns);
    else if (strcmp(what, "copy") == 0)
        printf(", \"gb_per_s\": %.2f", bytes / ns);
    puts("}");
}

enum { HADAMARD, GATHER, SPARSE_DOT, KINDS };

static void measure(run *r, law f, bool far, int reps)
{
    static const char *const names[KINDS] = {"hadamard", "gather_dot",
                                             "sparse_dot"};
    static double t[KINDS][3][MAX_REPS], copy[MAX_REPS];
    const int levels = (int)ak_la_best() + 1;
    for (int i = 0; i < reps; ++i) {
        copy[i] = time_copy(r);
        for (int l = 0; l < levels; ++l) {
            ak_la_use((ak_la_level)l);
            t[HADAMARD][l][i] = time_hadamard(r, far);
            t[GATHER][l][i] = time_gather(r);
            t[SPARSE_DOT][l][i] = time_sparse_dot(r);
        }
    }
    print("copy", "libc", r, f, far, median(reps, copy));
    for (int k = 0; k < KINDS; ++k)
        for (int l = 0; l < levels; ++l)
            print(names[k], level_names[l], r, f, far, median(reps, t[k][l]));
}

static void bench(law f, int64_t n, int64_t d, int reps)
{
    const bags b = draw_bags(f, n, d);
    int32_t *rows = get(3 * CALLS + 3, sizeof *rows);
    double *w = get(d, sizeof *w);
    ak_rng r = ak_rng_new(2, AK_STREAM_TRIPLETS);
    for (int64_t j = 0; j < d; ++j)
        w[j] = ak_rng_unit(&r);
    run job = {&b,
               rows,
               w,
               get(NNZ + SLACK, sizeof(int32_t)),
               get(NNZ + SLACK, sizeof(double)),
               0,
               0.0};
    memset(job.vals, 0, (NNZ + SLACK) * sizeof(double));
    for (int far = 0; far < 2; ++far) {
        for (int64_t t = 0; t < 3 * CALLS + 3; ++t)
            rows[t] = (int32_t)ak_rng_below(&r, far ? n : 100);
        measure(&job, f, far, reps);
    }
    free(job.cols);
    free(job.vals);
    free(rows);
    free(w);
    free_bags(b);
}

/* Dot products of 10 non-zeros with 10 thousand. */
static void bench_skewed(int reps)
{
    enum { LONG = 10000, SHORT = 10, GAP = 37 };
    static int32_t a[SHORT], b[LONG];
    static float av[SHORT], bv[LONG];
    static double t[3][MAX_REPS];
    const int levels = (int)ak_la_best() + 1;
    ak_rng r = ak_rng_new(3, AK_STREAM_SYNTH);
    double sum = 0.0;
    for (int32_t k = 0; k < LONG; ++k) {
        b[k] = k * GAP;
        bv[k] = 1.0f;
    }
    for (int i = 0; i < reps; ++i)
        for (int l = 0; l < levels; ++l) {
            ak_la_use((ak_la_level)l);
            for (int32_t k = 0; k < SHORT; ++k) {
                a[k] = (k * (LONG / SHORT) + (int32_t)ak_rng_below(&r, 900)) *
                       GAP;
                av[k] = 1.0f;
            }
            const double start = now_ns();
            for (int64_t c = 0; c < CALLS; ++c)
                sum += ak_sparse_dot(SHORT, a, av, LONG, b, bv, NULL);
            t[l][i] = (now_ns() - start) / CALLS;
        }
    for (int l = 0; l < levels; ++l)
        printf("{\"bench\": \"la\", \"what\": \"skewed_dot\", \"level\": "
               "\"%s\", \"nnz\": [%d, %d], \"sum\": %g, \"ns\": %.1f}\n",
               level_names[l], SHORT, LONG, sum, median(reps, t[l]));
}

int main(int argc, char **argv)
{
    const int reps = argc > 1 ? atoi(argv[1]) : 15;
    if (reps < 1 || reps > MAX_REPS) {
        fputs("usage: bench_la [repetitions, 1 to 101]\n", stderr);
        return 2;
    }
    for (size_t f = 0; f < sizeof laws / sizeof *laws; ++f)
        for (int64_t d = 10000; d <= 1000000; d *= 100)
            bench(laws[f], 40000, d, reps);
    bench_skewed(reps);
    return 0;
}
