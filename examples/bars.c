/* Draw figures as bars: lines "name value" on standard input, an SVG file out.
 *
 *   printf 'tfidf 43.4\nlearned 58.1\n' | ./bars "mAP, %" bars.svg
 *
 *   cc bars.c $(pkg-config --cflags --libs akin) -o bars */
#include <akin/akin.h>
#include <stdio.h>
#include <stdlib.h>

enum { MOST = 32, NAME = 64 };

static akin_ctx *ctx;

static void must(akin_status st)
{
    if (st == AKIN_OK)
        return;
    fprintf(stderr, "bars: %s\n", akin_ctx_message(ctx));
    exit(akin_status_exit(st));
}

int main(int argc, char **argv)
{
    const char *what = argc > 1 ? argv[1] : "value";
    const char *path = argc > 2 ? argv[2] : "bars.svg";
    static char names[MOST][NAME];
    const char *groups[MOST];
    double values[MOST];
    int64_t n = 0;
    while (n < MOST && scanf("%63s %lf", names[n], &values[n]) == 2) {
        groups[n] = names[n];
        ++n;
    }
    if (n == 0) {  // nothing given: something to look at
        groups[0] = "one";
        groups[1] = "two";
        values[0] = 1.0;
        values[1] = 2.0;
        n = 2;
    }

    if (akin_ctx_new(&ctx, NULL) != AKIN_OK)
        return 1;
    const akin_plot_options options = {.size = sizeof options, .y_label = what};
    akin_plot *plot = NULL;
    must(akin_plot_new(&plot, ctx, &options));
    must(akin_plot_bars(plot, ctx, groups, n, &what, 1, values));
    must(akin_plot_save(ctx, plot, path));
    akin_plot_free(plot, ctx);
    akin_ctx_free(ctx);
    return 0;
}
