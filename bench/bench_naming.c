/* bench_naming - naming faces, one JSON line a measurement, CPU seconds.
 *
 *   bench_naming iteration PHOTOS...   one iteration of rlrr, 51 photos a name
 *   bench_naming whole METHOD PHOTOS   from faces and captions to names
 *   bench_naming rename PHOTOS         names again after one confirmed face
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

static akin_status run(akin_ctx *ctx, int argc, char **argv)
{
    akin_status st = AKIN_OK;
    if (strcmp(argv[1], "whole") == 0 && argc > 3)
        AK_TRY(whole(ctx, argv[2], atoll(argv[3])));
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
        fprintf(stderr, "usage: bench_naming iteration|whole|rename ...\n");
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
