/* A collection in use: searches by seven examples, another model, an event.
 *
 *   bench_collection COLLECTION [REPEATS]
 *
 * Wall-clock milliseconds, medians: the disk counts. The collection is written
 * to: give it a copy. */
#include <akin/feedback.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "collection/collection.h"
#include "model/diagonal.h"
#include "model/model.h"
#include "timing.h"

enum { EXAMPLES = 7, MOST = 1000 };

static akin_ctx *ctx;

static void must(akin_status st)
{
    if (st == AKIN_OK)
        return;
    fprintf(stderr, "bench_collection: %s\n", akin_ctx_message(ctx));
    exit(1);
}

static double wall(void)
{
    return 1000.0 * seconds_of(CLOCK_MONOTONIC);
}

static void report(const char *what, int n, double *t)
{
    const double best = median(n, t);
    printf("{\"bench\": \"collection\", \"what\": \"%s\", \"median_ms\": %.3f, "
           "\"most_ms\": %.3f}\n",
           what, best, t[n - 1]);
}

static void search(akin_collection *c, int64_t items, int64_t n_like,
                   const char *feedback)
{
    akin_find_options o = AKIN_FIND_DEFAULTS;
    int64_t like[EXAMPLES], *rows = NULL;
    double *scores = NULL;
    for (int k = 0; k < n_like; ++k)
        like[k] = (int64_t)rand() % items;
    o.like = like;
    o.n_like = n_like;
    o.feedback = feedback;
    must(akin_collection_search(&rows, &scores, ctx, c, NULL, &o));
    akin_free(rows);
    akin_free(scores);
}

static void bench_search(akin_collection *c, int64_t items, int repeats)
{
    static const char *const methods[] = {"mean", "learn", "expand", "auto"};
    static const char *const names[] = {"7 examples, mean", "7 examples, learn",
                                        "7 examples, expand",
                                        "7 examples, auto"};
    double t[MOST];
    search(c, items, 1, "none");
    for (int i = 0; i < repeats; ++i) {
        const double start = wall();
        search(c, items, 1, "none");
        t[i] = wall() - start;
    }
    report("1 example", repeats, t);
    for (size_t m = 0; m < sizeof methods / sizeof *methods; ++m) {
        for (int i = 0; i < repeats; ++i) {
            const double start = wall();
            search(c, items, EXAMPLES, methods[m]);
            t[i] = wall() - start;
        }
        report(names[m], repeats, t);
    }
}

/* The weights of today, each times another number. */
static akin_model *other_weights(akin_collection *c)
{
    const akin_model *old = akin_index_model(c->segments[0].x);
    akin_model *m = NULL;
    const int64_t d = akin_model_dim(old, AKIN_LEFT);
    double *w = calloc((size_t)d, sizeof *w);
    for (int64_t j = 0; w != NULL && j < d; ++j)
        w[j] = 0.5 + (double)rand() / RAND_MAX;
    must(ak_diagonal_new(&m, ctx, d, w, AKIN_BY_DOT));
    must(ak_model_set_recipe(m, ctx, AKIN_LEFT,
                             akin_model_recipe(old, AKIN_LEFT)));
    free(w);
    return m;
}

static void bench_swap(akin_collection *c, const char *path, int64_t items,
                       int repeats)
{
    double set[MOST], seen[MOST];
    for (int i = 0; i < repeats; ++i) {
        akin_model *m = other_weights(c);
        double start = wall();
        must(akin_collection_set_model(ctx, path, m));
        set[i] = wall() - start;
        start = wall();
        must(akin_collection_refresh(ctx, c));
        must(ak_collection_segments(c, ctx));
        seen[i] = wall() - start;
        akin_model_free(m);
        search(c, items, 1, "none");
    }
    report("another model set", repeats, set);
    report("another model seen by a reader", repeats, seen);
}

int main(int argc, char **argv)
{
    akin_collection *c = NULL;
    akin_items_info info;
    const int repeats = argc > 2 ? atoi(argv[2]) : 21;
    if (argc < 2 || repeats < 1 || repeats > MOST) {
        printf("usage: bench_collection COLLECTION [REPEATS]\n");
        return argc == 1 ? 0 : 2;
    }
    if (akin_ctx_new(&ctx, NULL) != AKIN_OK)
        return 1;
    double start = wall();
    must(akin_collection_open(&c, ctx, argv[1]));
    must(ak_collection_segments(c, ctx));
    double t = wall() - start;
    report("open", 1, &t);
    must(akin_collection_info(&info, ctx, c));
    bench_search(c, info.items, repeats);
    bench_swap(c, argv[1], info.items, repeats < 7 ? repeats : 7);
    akin_collection_close(c);
    akin_ctx_free(ctx);
    return 0;
}
