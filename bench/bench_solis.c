/* bench_solis - the four SOLIS learners, one JSON line a measurement, one
 * thread, medians of interleaved repetitions.
 *
 *   bench_solis triplets LAW DIM [REPETITIONS [ROWS]]
 *       1 M triplets drawn from labels, merged and learned from, by the public
 *       interface; rows have 300 non-zeros on average.
 *   bench_solis vectors LAW DIM DIR
 *       Write v = x * (x+ - x-) of 200 thousand triplets to DIR, as
 *       offsets.i64, cols.i32, vals.f64.
 *   bench_solis update DIR DIM [REPETITIONS]
 *       The update alone, given these vectors.
 *
 * LAW says how often words occur, f(rank) ~ (rank + shift)^-exponent:
 *   oxford  exponent 0.25, shift 100: fits the number of pictures in which
 *           the 100 thousand visual words of Oxford5K occur
 *   zipf    exponent 1, shift 10: words of a language */
#include <akin/akin.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <time.h>

#include "base/ctx.h"
#include "learn/diagonal/solis.h"
#include "learn/learner.h"
#include "timing.h"

enum {
    TRIPLETS = 1000000,
    VECTORS = 200000,
    NONZEROS = 300,
    ROWS = 5062,  // as many as Oxford5K has pictures
    LEARNERS = 4,
    MAX_REPS = 101,
};

static const char *const learners[LEARNERS] = {"solis-tg", "solis-da",
                                               "solis-afb", "solis-ada"};

typedef struct law {
    const char *name;
    double exponent, shift;
} law;

static const law laws[] = {{"oxford", 0.25, 100.0}, {"zipf", 1.0, 10.0}};

static double peak_rss_mib(void)
{
    struct rusage used;
    getrusage(RUSAGE_SELF, &used);
    return (double)used.ru_maxrss / 1024.0;
}

/* ---- data ---------------------------------------------------------------- */

/* How many words to draw for 300 different ones: from trials of 200 bags. */
static akin_status choose_words(akin_ctx *ctx, akin_synth_bags_options *o)
{
    const int64_t rows = o->rows;
    akin_status st = AKIN_OK;
    o->rows = 200;
    o->words = NONZEROS;
    for (int trial = 0; trial < 6; ++trial) {
        akin_rows *r = NULL;
        AK_TRY(akin_synth_bags(&r, ctx, NULL, o));
        const double mean = (double)akin_rows_nonzeros(r) / 200.0;
        o->words = (int64_t)((double)o->words * NONZEROS / mean + 0.5);
        akin_rows_free(r);
    }
    o->rows = rows;
done:
    return st;
}

/* Bags of words in 100 classes, through the recipe of the learners. */
static akin_status make_rows(akin_rows **out, akin_ctx *ctx, law f, int64_t d,
                             int64_t n)
{
    akin_synth_bags_options o = AKIN_SYNTH_BAGS_DEFAULTS;
    akin_rows *raw = NULL;
    akin_recipe *recipe = NULL;
    akin_status st = AKIN_OK;
    o.rows = n;
    o.dim = d;
    o.classes = 100;
    o.exponent = f.exponent;
    o.shift = f.shift;
    AK_TRY(choose_words(ctx, &o));
    AK_TRY(akin_synth_bags(&raw, ctx, NULL, &o));
    AK_TRY(akin_recipe_fit(&recipe, ctx, raw,
                           akin_learner_find(learners[0])->recipe));
    AK_TRY(akin_recipe_apply(out, ctx, recipe, raw));
done:
    akin_recipe_free(recipe);
    akin_rows_free(raw);
    return st;
}

/* ---- triplets ------------------------------------------------------------ */

static akin_status time_learner(const char *name, akin_ctx *ctx,
                                const akin_supervision *data,
                                akin_learn_info *info, double *seconds)
{
    akin_learning *l = NULL;
    akin_status st = AKIN_OK;
    const double start = now();
    AK_TRY(akin_learning_begin(&l, ctx, akin_learner_find(name)->defaults, data,
                               NULL));
    AK_TRY(akin_learning_observe_all(ctx, l));
    *seconds = now() - start;
    akin_learning_info(info, l);
done:
    akin_learning_free(l);
    return st;
}

static akin_status bench_triplets(akin_ctx *ctx, law f, int64_t d, int reps,
                                  int64_t n)
{
    static double t[LEARNERS][MAX_REPS];
    akin_learn_info info[LEARNERS];
    akin_rows *rows = NULL;
    akin_supervision *data = NULL;
    akin_status st = AKIN_OK;
    AK_TRY(make_rows(&rows, ctx, f, d, n));
    AK_TRY(akin_supervision_new(&data, ctx, rows, NULL, NULL));
    akin_supervision_sample(data, TRIPLETS, 1);
    for (int i = 0; i < reps; ++i)
        for (int l = 0; l < LEARNERS; ++l)
            AK_TRY(time_learner(learners[l], ctx, data, &info[l], &t[l][i]));
    for (int l = 0; l < LEARNERS; ++l) {
        const double seconds = median(reps, t[l]);
        printf("{\"bench\": \"solis\", \"what\": \"triplets\", \"learner\": "
               "\"%s\", \"law\": \"%s\", \"dim\": %lld, \"rows\": %lld, "
               "\"nonzeros\": %lld, \"triplets\": %d, \"updates\": %lld, "
               "\"seconds\": %.3f, \"triplets_per_s\": %.0f, "
               "\"peak_rss_mib\": %.0f}\n",
               learners[l], f.name, (long long)d, (long long)n,
               (long long)akin_rows_nonzeros(rows), TRIPLETS,
               (long long)info[l].updates, seconds, TRIPLETS / seconds,
               peak_rss_mib());
    }
done:
    akin_supervision_free(data);
    akin_rows_free(rows);
    return st;
}

/* ---- vectors and the update alone ---------------------------------------- */

static akin_status write_array(akin_ctx *ctx, const char *dir, const char *name,
                               const void *data, size_t bytes)
{
    char path[4096];
    snprintf(path, sizeof path, "%s/%s", dir, name);
    FILE *file = fopen(path, "wb");
    const bool ok = file && fwrite(data, 1, bytes, file) == bytes;
    if ((file && fclose(file) != 0) || !ok)
        return ak_fail(ctx, AKIN_EIO, "%s: cannot be written", path);
    return AKIN_OK;
}

static akin_status read_array(akin_ctx *ctx, const char *dir, const char *name,
                              void *out, size_t *bytes)
{
    char path[4096], **to = out;
    snprintf(path, sizeof path, "%s/%s", dir, name);
    FILE *file = fopen(path, "rb");
    if (file == NULL || fseek(file, 0, SEEK_END) != 0)
        return ak_fail(ctx, AKIN_ENOENT, "%s: cannot be opened", path);
    *bytes = (size_t)ftell(file);
    rewind(file);
    akin_status st = ak_alloc(ctx, (int64_t)*bytes, 1, to);
    if (st == AKIN_OK && fread(*to, 1, *bytes, file) != *bytes)
        st = ak_fail(ctx, AKIN_EIO, "%s: cannot be read", path);
    fclose(file);
    return st;
}

static akin_status write_vectors(akin_ctx *ctx, law f, int64_t d,
                                 const char *dir)
{
    akin_rows *rows = NULL;
    akin_supervision *data = NULL;
    ak_sampler *sampler = NULL;
    ak_hadamards h = {0};
    akin_status st = AKIN_OK;
    AK_TRY(make_rows(&rows, ctx, f, d, 20000));
    AK_TRY(akin_supervision_new(&data, ctx, rows, NULL, NULL));
    AK_TRY(ak_sampler_new(&sampler, ctx, data));
    AK_TRY(ak_hadamards_all(&h, ctx, rows, sampler, VECTORS));
    const size_t nnz = (size_t)h.offsets[h.n];
    AK_TRY(write_array(ctx, dir, "offsets.i64", h.offsets,
                       (size_t)(h.n + 1) * sizeof *h.offsets));
    AK_TRY(write_array(ctx, dir, "cols.i32", h.cols, nnz * sizeof *h.cols));
    AK_TRY(write_array(ctx, dir, "vals.f64", h.vals, nnz * sizeof *h.vals));
done:
    ak_hadamards_free(&h);
    ak_sampler_free(sampler);
    akin_supervision_free(data);
    akin_rows_free(rows);
    return st;
}

static akin_status time_update(const char *name, akin_ctx *ctx, int64_t d,
                               const ak_hadamards *h, akin_learn_info *info,
                               double *seconds)
{
    const ak_online *online = ak_learner_find(name)->online;
    const int64_t none[1] = {0};
    akin_rows *rows = NULL;
    akin_supervision *data = NULL;
    void *state = NULL;
    akin_status st = AKIN_OK;
    AK_TRY(akin_rows_new_sparse(&rows, ctx, 0, d, none, NULL, NULL));
    AK_TRY(akin_supervision_new(&data, ctx, rows, NULL, NULL));
    const ak_online_input input = {.options = akin_learner_find(name)->defaults,
                                   .data = data};
    AK_TRY(online->begin(&state, ctx, &input));
    const double start = now();
    AK_TRY(ak_solis_rounds(state, ctx, h, info));
    *seconds = now() - start;
done:
    if (state != NULL)
        online->free(state, ctx);
    akin_supervision_free(data);
    akin_rows_free(rows);
    return st;
}

static akin_status read_vectors(ak_hadamards *h, akin_ctx *ctx, const char *dir)
{
    size_t bytes = 0, unused = 0;
    akin_status st = AKIN_OK;
    AK_TRY(read_array(ctx, dir, "offsets.i64", &h->offsets, &bytes));
    AK_TRY(read_array(ctx, dir, "cols.i32", &h->cols, &unused));
    AK_TRY(read_array(ctx, dir, "vals.f64", &h->vals, &unused));
    h->n = (int64_t)(bytes / sizeof *h->offsets) - 1;
    AK_TRY(AK_NEW(ctx, h->n, &h->counts));
    for (int64_t k = 0; k < h->n; ++k)
        h->counts[k] = h->offsets[k + 1] - h->offsets[k];
done:
    return st;
}

static akin_status bench_update(akin_ctx *ctx, const char *dir, int64_t d,
                                int reps)
{
    static double t[LEARNERS][MAX_REPS];
    akin_learn_info info[LEARNERS] = {{0}};
    ak_hadamards h = {0};
    akin_status st = AKIN_OK;
    AK_TRY(read_vectors(&h, ctx, dir));
    for (int i = 0; i < reps; ++i)
        for (int l = 0; l < LEARNERS; ++l) {
            info[l] = (akin_learn_info){0};
            AK_TRY(time_update(learners[l], ctx, d, &h, &info[l], &t[l][i]));
        }
    for (int l = 0; l < LEARNERS; ++l) {
        const double seconds = median(reps, t[l]);
        printf("{\"bench\": \"solis\", \"what\": \"update\", \"learner\": "
               "\"%s\", \"dim\": %lld, \"vectors\": %lld, \"nonzeros\": %lld, "
               "\"updates\": %lld, \"seconds\": %.5f, \"vectors_per_s\": "
               "%.0f}\n",
               learners[l], (long long)d, (long long)h.n,
               (long long)h.offsets[h.n], (long long)info[l].updates, seconds,
               (double)h.n / seconds);
    }
done:
    ak_hadamards_free(&h);
    return st;
}

/* ---- the run ------------------------------------------------------------- */

static int64_t argument(int argc, char **argv, int i, int64_t otherwise)
{
    return argc > i ? atoll(argv[i]) : otherwise;
}

static akin_status run(akin_ctx *ctx, int argc, char **argv)
{
    const char *what = argv[1];
    const int64_t d = atoll(argv[3]);
    const int64_t reps = argument(argc, argv, 4, 5);
    const law f = laws[strcmp(argv[2], "zipf") == 0];
    if (strcmp(what, "vectors") == 0 && argc == 5)
        return write_vectors(ctx, f, d, argv[4]);
    if (reps < 1 || reps > MAX_REPS)
        return ak_fail(ctx, AKIN_EINVAL, "repetitions are 1 to %d", MAX_REPS);
    if (strcmp(what, "update") == 0)
        return bench_update(ctx, argv[2], d, (int)reps);
    return bench_triplets(ctx, f, d, (int)reps, argument(argc, argv, 5, ROWS));
}

int main(int argc, char **argv)
{
    akin_ctx *ctx = NULL;
    if (argc < 4) {
        fputs("usage: bench_solis triplets LAW DIM [REPETITIONS [ROWS]]\n"
              "       bench_solis vectors LAW DIM DIR\n"
              "       bench_solis update DIR DIM [REPETITIONS]\n",
              stderr);
        return 2;
    }
    if (akin_ctx_new(&ctx, NULL) != AKIN_OK)
        return 1;
    akin_ctx_set_threads(ctx, 1);
    const akin_status st = run(ctx, argc, argv);
    if (st != AKIN_OK)
        fprintf(stderr, "bench_solis: %s\n", akin_ctx_message(ctx));
    akin_ctx_free(ctx);
    return akin_status_exit(st);
}
