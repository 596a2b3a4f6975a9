/* Reading svmlight on one core.
 *
 *   bench_svmlight [MEGABYTES [FOLDER]]
 *
 * Two files of about MEGABYTES (default 64): bags of 500 to 1500 words of
 * 100000 with their counts, and the same with decimals, 1 to 9 digits after the
 * point. One JSON line each: the median of five readings, in megabytes of text
 * per CPU second and per wall-clock second. With a FOLDER the files stay there,
 * for rivals/svmlight_sklearn.py. */
#include <akin/akin.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "base/rng.h"

enum { REPEATS = 5, DIM = 100000 };

static double now(clockid_t clock)
{
    struct timespec t;
    clock_gettime(clock, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static void put_value(FILE *f, ak_rng *rng, int decimals)
{
    const int64_t digits = 1 + ak_rng_below(rng, 9);
    if (decimals)
        fprintf(f, ":%.*f", (int)digits, ak_rng_unit(rng));
    else
        fprintf(f, ":%" PRId64,
                1 + ak_rng_below(rng, ak_rng_below(rng, 4) + 1));
}

static double make_file(const char *path, int decimals, double megabytes)
{
    ak_rng rng = ak_rng_new(1, 1);
    FILE *f = fopen(path, "w");
    if (f == NULL)
        return 0.0;
    while ((double)ftell(f) < 1e6 * megabytes) {
        const int64_t n = 500 + ak_rng_below(&rng, 1000);
        int64_t column = 1;
        fprintf(f, "%" PRId64, ak_rng_below(&rng, 7) - 1);
        for (int64_t k = 0; k < n; ++k) {
            column += 1 + ak_rng_below(&rng, DIM / n - 1);
            fprintf(f, " %" PRId64, column);
            put_value(f, &rng, decimals);
        }
        fputc('\n', f);
    }
    const double size = (double)ftell(f);
    return fclose(f) == 0 ? size : 0.0;
}

static int by_size(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static akin_status measure(akin_ctx *ctx, const char *path, const char *what,
                           double size)
{
    double cpu[REPEATS], wall[REPEATS];
    long long n = 0, nonzeros = 0;
    for (int k = 0; k < REPEATS; ++k) {
        akin_rows *r = NULL;
        const double cpu_0 = now(CLOCK_PROCESS_CPUTIME_ID);
        const double wall_0 = now(CLOCK_MONOTONIC);
        const akin_status st = akin_rows_read(&r, ctx, path, NULL);
        cpu[k] = now(CLOCK_PROCESS_CPUTIME_ID) - cpu_0;
        wall[k] = now(CLOCK_MONOTONIC) - wall_0;
        if (st != AKIN_OK)
            return st;
        n = akin_rows_count(r);
        nonzeros = akin_rows_nonzeros(r);
        akin_rows_free(r);
    }
    qsort(cpu, REPEATS, sizeof *cpu, by_size);
    qsort(wall, REPEATS, sizeof *wall, by_size);
    printf("{\"bench\": \"svmlight\", \"values\": \"%s\", \"rows\": %lld, "
           "\"nonzeros\": %lld, \"megabytes\": %.1f, \"mb_per_cpu_second\": "
           "%.0f, \"mb_per_second\": %.0f}\n",
           what, n, nonzeros, size / 1e6, size / 1e6 / cpu[REPEATS / 2],
           size / 1e6 / wall[REPEATS / 2]);
    return AKIN_OK;
}

int main(int argc, char **argv)
{
    static const char *const kinds[] = {"counts", "decimals"};
    const double megabytes = argc > 1 ? atof(argv[1]) : 64.0;
    akin_ctx *ctx = NULL;
    akin_status st = akin_ctx_new(&ctx, NULL);
    for (int k = 0; k < 2 && st == AKIN_OK; ++k) {
        char path[4096];
        snprintf(path, sizeof path, "%s/bench_%s.svm", argc > 2 ? argv[2] : ".",
                 kinds[k]);
        const double size = make_file(path, k, megabytes);
        st = measure(ctx, path, kinds[k], size);
        if (argc <= 2)
            unlink(path);
    }
    if (st != AKIN_OK)
        fprintf(stderr, "bench_svmlight: %s\n",
                ctx ? akin_ctx_message(ctx) : "no memory");
    akin_ctx_free(ctx);
    return akin_status_exit(st);
}
