/* bench_naming - naming faces, one JSON line a measurement, CPU seconds.
 *
 *   bench_naming iteration PHOTOS...   one iteration of rlrr, 51 photos a name
 *   bench_naming whole METHOD PHOTOS   from faces and captions to names
 *   bench_naming rename PHOTOS         names again after one confirmed face
 *   bench_naming answers FACES CAPTIONS TRUTH
 *                                      an estimate after each answer of a
 *                                      person, in the order of review
 *
 * Faces of 200 dimensions, 2.02 a photo, 55 % of them named: 8640 photos, 17472
 * faces and 170 names are the shape of the Soccer set. */
#include <akin/naming.h>
#include <akin/synth.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>

#include "base/ctx.h"
#include "timing.h"

enum { PHOTOS_A_NAME = 51, FIRST = 3, LAST = 8 };
static const double RATIO = 0.55;

typedef struct scene {
    akin_rows *raw, *rows;
    akin_recipe *recipe;
    akin_supervision *known;
    akin_naming *naming;
    char *captions, *truth;
    int64_t n;
    int32_t *names;
} scene;

static void close_scene(scene *s)
{
    akin_free(s->names);
    akin_naming_free(s->naming);
    akin_supervision_free(s->known);
    akin_rows_free(s->rows);
    akin_rows_free(s->raw);
    akin_recipe_free(s->recipe);
    akin_free(s->captions);
    akin_free(s->truth);
}

static akin_status open_scene(scene *s, akin_ctx *ctx, int64_t photos)
{
    akin_synth_faces_options o = AKIN_SYNTH_FACES_DEFAULTS;
    akin_recipe_options recipe = AKIN_RECIPE_DEFAULTS;
    akin_status st = AKIN_OK;
    o.photos = photos;
    o.names = photos / PHOTOS_A_NAME + 1;
    o.faces = llround((double)photos * 17472.0 / 8640.0);
    o.real_name_ratio = RATIO;
    o.dim = 200;
    recipe.scale = "su";
    AK_TRY(akin_synth_faces(&s->raw, &s->captions, &s->truth, ctx, &o));
    AK_TRY(akin_recipe_fit(&s->recipe, ctx, s->raw, &recipe));
    AK_TRY(akin_recipe_apply(&s->rows, ctx, s->recipe, s->raw));
    AK_TRY(akin_supervision_new(&s->known, ctx, s->rows, NULL, s->recipe));
    AK_TRY(akin_supervision_captions(ctx, s->known, "captions", s->captions));
    s->n = akin_rows_count(s->rows);
    AK_TRY(AK_NEW(ctx, s->n, &s->names));
done:
    return st;
}

static akin_status learn(scene *s, akin_ctx *ctx, const char *method,
                         int64_t iterations, double *seconds)
{
    akin_options *o = NULL;
    const double start = now();
    akin_status st = AKIN_OK;
    char text[32];
    AK_TRY(akin_options_new(&o, ctx, method));
    snprintf(text, sizeof text, "%lld", (long long)iterations);
    if (iterations > 0)
        AK_TRY(akin_options_set(ctx, o, "iterations", text));
    akin_naming_free(s->naming);
    s->naming = NULL;
    AK_TRY(akin_naming_learn(&s->naming, ctx, o, s->known, NULL));
    *seconds = now() - start;
done:
    akin_options_free(o);
    return st;
}

static akin_status iteration(akin_ctx *ctx, int64_t photos)
{
    scene s = {0};
    double first = 0.0, last = 0.0;
    akin_status st = AKIN_OK;
    AK_TRY(open_scene(&s, ctx, photos));
    AK_TRY(learn(&s, ctx, "rlrr", FIRST, &first));
    AK_TRY(learn(&s, ctx, "rlrr", LAST, &last));
    const double each = (last - first) / (LAST - FIRST);
    printf("{\"bench\": \"rlrr_iteration\", \"faces\": %lld, \"photos\": "
           "%lld, \"seconds\": %.4g, \"microseconds_a_face\": %.4g}\n",
           (long long)s.n, (long long)photos, each, 1e6 * each / (double)s.n);
done:
    close_scene(&s);
    return st;
}

static akin_status name(scene *s, akin_ctx *ctx, const char *said,
                        akin_naming_measure *m)
{
    akin_names_options o = AKIN_NAMES_DEFAULTS;
    akin_face_names *confirmed = NULL, *truth = NULL;
    akin_status st = AKIN_OK;
    o.real_name_ratio = RATIO;
    if (said != NULL)
        AK_TRY(akin_face_names_parse(&confirmed, ctx, "said", said, s->known));
    o.confirmed = confirmed;
    AK_TRY(akin_naming_names(s->names, NULL, ctx, s->naming, &o, NULL));
    if (m != NULL) {
        AK_TRY(akin_face_names_parse(&truth, ctx, "truth", s->truth, s->known));
        AK_TRY(akin_naming_compare(m, ctx, s->naming, s->names, truth));
    }
done:
    akin_face_names_free(confirmed);
    akin_face_names_free(truth);
    return st;
}

static akin_status whole(akin_ctx *ctx, const char *method, int64_t photos)
{
    const double start = seconds_of(CLOCK_MONOTONIC), cpu = now();
    struct rusage use;
    scene s = {0};
    akin_naming_measure m;
    double seconds;
    akin_status st = AKIN_OK;
    AK_TRY(open_scene(&s, ctx, photos));
    AK_TRY(learn(&s, ctx, method, 0, &seconds));
    AK_TRY(name(&s, ctx, NULL, &m));
    getrusage(RUSAGE_SELF, &use);
    printf("{\"bench\": \"naming\", \"method\": \"%s\", \"faces\": %lld, "
           "\"photos\": %lld, \"accuracy\": %.4f, \"cpu_seconds\": %.4g, "
           "\"seconds\": %.4g, \"peak_rss_mib\": %.4g}\n",
           method, (long long)s.n, (long long)photos, m.accuracy, now() - cpu,
           seconds_of(CLOCK_MONOTONIC) - start, (double)use.ru_maxrss / 1024.0);
done:
    close_scene(&s);
    return st;
}

static akin_status again(akin_ctx *ctx, int64_t photos)
{
    static const char *const methods[] = {"lrr", "fused", "knn"};
    scene s = {0};
    double seconds;
    akin_status st = AKIN_OK;
    AK_TRY(open_scene(&s, ctx, photos));
    for (int k = 0; k < 3; ++k) {
        AK_TRY(learn(&s, ctx, methods[k], 0, &seconds));
        AK_TRY(name(&s, ctx, NULL, NULL));
        const double start = now();
        AK_TRY(name(&s, ctx, "0,\n", NULL));
        printf("{\"bench\": \"rename\", \"method\": \"%s\", \"faces\": %lld, "
               "\"milliseconds\": %.4g}\n",
               methods[k], (long long)s.n, 1e3 * (now() - start));
    }
done:
    close_scene(&s);
    return st;
}

/* What an answer costs: the estimate, names and the order of review. */
typedef struct answering {
    akin_estimate *estimate;
    akin_names_options o;
    double *gains;
    double update, names, review, most;  // seconds
} answering;

static akin_status answer(answering *a, scene *s, akin_ctx *ctx,
                          const char *said)
{
    akin_face_names *confirmed = NULL;
    akin_status st = AKIN_OK;
    AK_TRY(akin_face_names_parse(&confirmed, ctx, "said", said, s->known));
    const double start = now();
    AK_TRY(akin_estimate_update(ctx, a->estimate, s->naming, confirmed));
    const double updated = now();
    a->o.estimate = a->estimate;
    a->o.confirmed = confirmed;
    AK_TRY(akin_naming_names(s->names, NULL, ctx, s->naming, &a->o, NULL));
    const double named = now();
    AK_TRY(akin_estimate_gains(a->gains, ctx, a->estimate, s->naming, s->names,
                               confirmed));
    a->update += updated - start;
    a->names += named - updated;
    a->review += now() - named;
    a->most = fmax(a->most, now() - start);
done:
    akin_face_names_free(confirmed);
    return st;
}

/* The face to ask about, and its line in the truth. */
static const char *next_line(const answering *a, const scene *s)
{
    int64_t best = 0;
    const char *line = strchr(s->truth, '\n') + 1;
    for (int64_t f = 1; f < s->n; ++f)
        if (a->gains[f] > a->gains[best])
            best = f;
    while (line[-1] != '\0' && atoll(line) != best)
        line = strchr(line, '\n') + 1;
    return line;
}

static akin_status read_scene(scene *s, akin_ctx *ctx, char **argv)
{
    akin_recipe_options recipe = AKIN_RECIPE_DEFAULTS;
    akin_read_options reading = AKIN_READ_DEFAULTS;
    akin_status st = AKIN_OK;
    char *truth = NULL;
    size_t size = 0;
    FILE *file = fopen(argv[2], "r");
    recipe.scale = "su";
    if (file == NULL || getdelim(&truth, &size, '\0', file) < 0)
        AK_TRY(ak_fail(ctx, AKIN_EIO, "cannot read %s", argv[2]));
    AK_TRY(ak_strdup(ctx, truth, &s->truth));
    AK_TRY(akin_rows_read(&s->raw, ctx, argv[0], &reading));
    AK_TRY(akin_recipe_fit(&s->recipe, ctx, s->raw, &recipe));
    AK_TRY(akin_recipe_apply(&s->rows, ctx, s->recipe, s->raw));
    AK_TRY(akin_supervision_new(&s->known, ctx, s->rows, NULL, s->recipe));
    AK_TRY(akin_supervision_read(ctx, s->known, AKIN_BAGS, argv[1]));
    s->n = akin_rows_count(s->rows);
    AK_TRY(AK_NEW(ctx, s->n, &s->names));
done:
    free(truth);
    if (file != NULL)
        fclose(file);
    return st;
}

static akin_status answers(akin_ctx *ctx, char **argv)
{
    enum { ANSWERS = 40 };
    scene s = {0};
    answering a = {.o = AKIN_NAMES_DEFAULTS};
    char *said = NULL;
    size_t size;
    double seconds;
    FILE *to = open_memstream(&said, &size);
    akin_status st = AKIN_OK;
    AK_TRY(read_scene(&s, ctx, argv));
    AK_TRY(AK_NEW(ctx, s.n, &a.gains));
    AK_TRY(learn(&s, ctx, "fused", 0, &seconds));
    AK_TRY(akin_naming_estimate(&a.estimate, ctx, s.naming, NULL));
    fputs("face,name\n", to);
    fflush(to);
    AK_TRY(answer(&a, &s, ctx, said));
    a.update = a.names = a.review = a.most = 0.0;
    for (int k = 0; k < ANSWERS; ++k) {
        const char *line = next_line(&a, &s);
        fprintf(to, "%.*s\n", (int)strcspn(line, "\r\n"), line);
        fflush(to);
        AK_TRY(answer(&a, &s, ctx, said));
    }
    printf("{\"bench\": \"answer\", \"faces\": %lld, \"answers\": %d, "
           "\"update_ms\": %.4g, \"names_ms\": %.4g, \"review_ms\": %.4g, "
           "\"most_ms\": %.4g}\n",
           (long long)s.n, ANSWERS, 1e3 * a.update / ANSWERS,
           1e3 * a.names / ANSWERS, 1e3 * a.review / ANSWERS, 1e3 * a.most);
done:
    fclose(to);
    free(said);
    akin_free(a.gains);
    akin_estimate_free(a.estimate);
    close_scene(&s);
    return st;
}

static akin_status run(akin_ctx *ctx, int argc, char **argv)
{
    akin_status st = AKIN_OK;
    if (strcmp(argv[1], "whole") == 0 && argc > 3)
        AK_TRY(whole(ctx, argv[2], atoll(argv[3])));
    else if (strcmp(argv[1], "answers") == 0 && argc > 4)
        AK_TRY(answers(ctx, argv + 2));
    else if (strcmp(argv[1], "rename") == 0)
        AK_TRY(again(ctx, atoll(argv[2])));
    else
        for (int k = 2; k < argc; ++k)
            AK_TRY(iteration(ctx, atoll(argv[k])));
done:
    return st;
}

int main(int argc, char **argv)
{
    akin_ctx *ctx = NULL;
    akin_status st = akin_ctx_new(&ctx, NULL);
    if (argc < 3) {
        fprintf(stderr, "usage: bench_naming iteration|whole|rename|answers "
                        "...\n");
        return 2;
    }
    if (st == AKIN_OK)
        st = run(ctx, argc, argv);
    if (st != AKIN_OK)
        fprintf(stderr, "bench_naming: %s\n",
                ctx ? akin_ctx_message(ctx) : akin_status_name(st));
    akin_ctx_free(ctx);
    return st != AKIN_OK;
}
