/* A collection in use: searches by seven examples, another model, an event.
 *
 *   bench_collection COLLECTION [REPEATS [THREADS [recall|swap|- [NAME]]]]
 *
 * Milliseconds: wall-clock time, since the disk counts, and time of all
 * processors. Examples are items of one label, as people choose them, or any.
 * `recall` is the share of the ten best items of an exact search that are
 * found, which takes much longer. With `swap` the collection is written to:
 * give it a copy. NAME: only searches whose name contains it. */
#include <akin/feedback.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "collection/collection.h"
#include "model/diagonal.h"
#include "model/model.h"
#include "timing.h"

enum { EXAMPLES = 7, MOST = 1000, TOP = 10, TRIES = 100000 };

static akin_ctx *ctx;
static bool recall;
static const char *only = "";

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

static double processors(void)
{
    return 1000.0 * seconds_of(CLOCK_PROCESS_CPUTIME_ID);
}

/* Times of the same thing. */
typedef struct times {
    int n;
    double wall[MOST], processors[MOST];
} times;

static void begin(times *t)
{
    t->wall[t->n] = wall();
    t->processors[t->n] = processors();
}

static void end(times *t)
{
    t->wall[t->n] = wall() - t->wall[t->n];
    t->processors[t->n] = processors() - t->processors[t->n];
    ++t->n;
}

static void report(const char *what, times *t, double share)
{
    const double usual = median(t->n, t->wall);
    const double cpu = median(t->n, t->processors);
    printf("{\"bench\": \"collection\", \"what\": \"%s\", \"median_ms\": %.3f, "
           "\"least_ms\": %.3f, \"most_ms\": %.3f, \"processors_ms\": %.3f, "
           "\"least_processors_ms\": %.3f",
           what, usual, t->wall[0], t->wall[t->n - 1], cpu, t->processors[0]);
    if (share >= 0.0)
        printf(", \"recall\": %.4f", share);
    printf("}\n");
    fflush(stdout);
    t->n = 0;
}

/* ---- searches ---- */

typedef struct question {
    int64_t like[EXAMPLES];
    int64_t n;
    const char *method;
} question;

static void label_of(akin_collection *c, int64_t row, char *label, size_t size)
{
    akin_item item;
    must(akin_collection_item(&item, ctx, c, row));
    snprintf(label, size, "%s", item.labels ? item.labels : "");
}

/* Any items, or items of the first one's label. */
static void draw(question *q, akin_collection *c, int64_t items, bool alike)
{
    char first[256] = "", label[256] = "";
    for (int64_t k = 0; k < q->n; ++k)
        for (int tries = 0; tries < TRIES; ++tries) {
            q->like[k] = (int64_t)rand() % items;
            label_of(c, q->like[k], k == 0 ? first : label, sizeof label);
            if (k == 0 || !alike || strcmp(first, label) == 0)
                break;
        }
}

static void search(akin_collection *c, const question *q, bool exact,
                   int64_t *found)
{
    akin_find_options o = AKIN_FIND_DEFAULTS;
    int64_t *rows = NULL;
    double *scores = NULL;
    o.like = q->like;
    o.n_like = q->n;
    o.feedback = q->method;
    o.top = TOP;
    o.exact = exact;
    must(akin_collection_search(&rows, &scores, ctx, c, NULL, &o));
    memcpy(found, rows, TOP * sizeof *found);
    akin_free(rows);
    akin_free(scores);
}

static int64_t common(const int64_t *a, const int64_t *b)
{
    int64_t n = 0;
    for (int i = 0; i < TOP; ++i)
        for (int k = 0; k < TOP; ++k)
            n += a[i] == b[k];
    return n;
}

static void bench_question(akin_collection *c, int64_t items, int repeats,
                           int64_t n, bool alike, const char *method)
{
    static times t;
    char what[100];
    question q = {.n = n, .method = method};
    int64_t found[TOP], best[TOP], right = 0;
    snprintf(what, sizeof what, "%" PRId64 " example%s, %s", n,
             n == 1  ? ""
             : alike ? "s of one label"
                     : "s of any label",
             method);
    if (strstr(what, only) == NULL)
        return;
    for (int i = 0; i < repeats; ++i) {
        draw(&q, c, items, alike);
        begin(&t);
        search(c, &q, false, found);
        end(&t);
        if (recall)
            search(c, &q, true, best);
        right += recall ? common(found, best) : 0;
    }
    report(what, &t, recall ? (double)right / (TOP * repeats) : -1.0);
}

static void bench_search(akin_collection *c, int64_t items, int repeats)
{
    static const char *const methods[] = {"mean", "learn", "expand", "auto"};
    bench_question(c, items, repeats, 1, true, "none");
    for (int alike = 1; alike >= 0; --alike)
        for (size_t m = 0; m < sizeof methods / sizeof *methods; ++m)
            bench_question(c, items, repeats, EXAMPLES, alike != 0, methods[m]);
}

/* ---- another model ---- */

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
    static times set, seen;
    question q = {.n = 1, .method = "none"};
    int64_t found[TOP];
    for (int i = 0; i < repeats; ++i) {
        akin_model *m = other_weights(c);
        begin(&set);
        must(akin_collection_set_model(ctx, path, m));
        end(&set);
        begin(&seen);
        must(akin_collection_refresh(ctx, c));
        must(ak_collection_segments(c, ctx));
        end(&seen);
        akin_model_free(m);
        draw(&q, c, items, false);
        search(c, &q, false, found);
    }
    report("another model set", &set, -1.0);
    report("another model seen by a reader", &seen, -1.0);
}

int main(int argc, char **argv)
{
    static times opening;
    akin_collection *c = NULL;
    akin_items_info info;
    const int repeats = argc > 2 ? atoi(argv[2]) : 21;
    if (argc < 2 || repeats < 1 || repeats > MOST) {
        printf("usage: bench_collection COLLECTION [REPEATS [THREADS "
               "[recall|swap|- [NAME]]]]\n");
        return argc == 1 ? 0 : 2;
    }
    recall = argc > 4 && strcmp(argv[4], "recall") == 0;
    only = argc > 5 ? argv[5] : "";
    if (akin_ctx_new(&ctx, NULL) != AKIN_OK)
        return 1;
    if (argc > 3)
        akin_ctx_set_threads(ctx, atoi(argv[3]));
    begin(&opening);
    must(akin_collection_open(&c, ctx, argv[1]));
    must(ak_collection_segments(c, ctx));
    end(&opening);
    report("open", &opening, -1.0);
    must(akin_collection_info(&info, ctx, c));
    bench_search(c, info.items, repeats);
    if (argc > 4 && strcmp(argv[4], "swap") == 0)
        bench_swap(c, argv[1], info.items, repeats < 7 ? repeats : 7);
    akin_collection_close(c);
    akin_ctx_free(ctx);
    return 0;
}
