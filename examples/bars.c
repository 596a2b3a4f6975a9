/* Draw a table as bars, into an SVG file. Standard input has a line for each
 * group: its name, and a value for each series.
 *
 *   printf 'tfidf 43 100\nlearned 58 9\n' | ./bars o.svg "mAP %" "weights %"
 *
 *   cc bars.c $(pkg-config --cflags --libs akin) -o bars */
#include <akin/akin.h>
#include <stdio.h>
#include <stdlib.h>

enum { MOST = 32, NAME = 64, SERIES = 4 };

static akin_ctx *ctx;

static void must(akin_status st)
{
    if (st == AKIN_OK)
        return;
    fprintf(stderr, "bars: %s\n", akin_ctx_message(ctx));
    exit(akin_status_exit(st));
}

/* Groups and values, row-major; returns the number of groups. */
static int64_t read_table(char names[MOST][NAME], double *values, int series)
{
    int64_t n = 0;
    while (n < MOST && scanf("%63s", names[n]) == 1) {
        for (int k = 0; k < series; ++k)
            if (scanf("%lf", &values[n * series + k]) != 1)
                return n;
        ++n;
    }
    return n;
}

int main(int argc, char **argv)
{
    static char names[MOST][NAME];
    static double values[MOST * SERIES];
    const char *groups[MOST];
    if (argc < 3 || argc > 2 + SERIES) {
        printf("usage: bars OUT.svg SERIES...  < lines of NAME VALUE...\n");
        return argc == 1 ? 0 : 2;
    }
    const int series = argc - 2;
    const int64_t n = read_table(names, values, series);
    for (int64_t i = 0; i < n; ++i)
        groups[i] = names[i];

    if (akin_ctx_new(&ctx, NULL) != AKIN_OK)
        return 1;
    const akin_plot_options options = {.size = sizeof options};
    akin_plot *plot = NULL;
    must(akin_plot_new(&plot, ctx, &options));
    must(akin_plot_bars(ctx, plot, groups, n, (const char *const *)argv + 2,
                        series, values));
    must(akin_plot_save(ctx, plot, argv[1]));
    akin_plot_free(plot);
    akin_ctx_free(ctx);
    return 0;
}
