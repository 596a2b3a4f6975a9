/* Name the faces of captioned photos, compare with the true names, and keep a
 * model that names faces of other photos.
 *
 *   cc name.c $(pkg-config --cflags --libs akin) -o name && ./name */
#include <akin/akin.h>
#include <akin/naming.h>
#include <stdio.h>
#include <stdlib.h>

enum { PHOTOS = 200, SHOWN = 4 };

static akin_ctx *ctx;

static void must(akin_status st)
{
    if (st == AKIN_OK)
        return;
    fprintf(stderr, "name: %s\n", akin_ctx_message(ctx));
    exit(akin_status_exit(st));
}

/* Faces are rows of a face descriptor. Principal directions, each divided by
 * the root of its singular value, suit them best; the model keeps the recipe.
 */
static akin_rows *prepare(akin_recipe **recipe, const akin_rows *faces)
{
    akin_recipe_options how = AKIN_RECIPE_DEFAULTS;
    akin_rows *rows = NULL;
    how.scale = "su";
    must(akin_recipe_fit(recipe, ctx, faces, &how));
    must(akin_recipe_apply(&rows, ctx, *recipe, faces));
    return rows;
}

/* About 60 % of the faces have their name in the caption. The confidence is
 * the score that the next best choice would lose: review the smallest first. */
static void give_names(int32_t *names, akin_names_info *info,
                       const akin_naming *naming, int64_t n)
{
    akin_names_options options = AKIN_NAMES_DEFAULTS;
    double *confidences = malloc((size_t)n * sizeof *confidences);
    if (confidences == NULL)
        exit(1);
    options.real_name_ratio = 0.6;
    must(akin_naming_names(names, confidences, ctx, naming, &options, info));
    printf("%lld of %lld faces have a name\n", (long long)info->named,
           (long long)info->faces);
    for (int64_t i = 0; i < SHOWN; ++i)
        printf("  face %lld in %s: %s, confidence %.3g\n", (long long)i,
               akin_naming_photo(naming, i),
               names[i] < 0 ? "no name" : akin_naming_name(naming, names[i]),
               confidences[i]);
    free(confidences);
}

static void compare(const akin_naming *naming, const int32_t *names,
                    const akin_supervision *captions, const char *truth)
{
    akin_face_names *known = NULL;
    akin_naming_measure measure;
    must(akin_face_names_parse(&known, ctx, "truth", truth, captions));
    must(akin_naming_compare(&measure, ctx, naming, names, known));
    printf("accuracy %.1f %%, precision %.1f %%\n", 100.0 * measure.accuracy,
           100.0 * measure.precision);
    akin_face_names_free(known);
}

int main(void)
{
    akin_synth_faces_options photos = AKIN_SYNTH_FACES_DEFAULTS;
    akin_rows *faces = NULL, *rows = NULL;
    char *captions = NULL, *truth = NULL;
    akin_recipe *recipe = NULL;
    akin_supervision *data = NULL;
    const akin_fused_options method = AKIN_FUSED_DEFAULTS;
    akin_naming *naming = NULL;
    akin_names_info info;
    akin_model *model = NULL;
    if (akin_ctx_new(&ctx, NULL) != AKIN_OK)
        return 1;

    /* Yours would be akin_rows_read, and akin_supervision_read with AKIN_BAGS
     * and a csv file `photo,faces,names`. */
    photos.photos = PHOTOS;
    must(akin_synth_faces(&faces, &captions, &truth, ctx, &photos));
    rows = prepare(&recipe, faces);
    must(akin_supervision_new(&data, ctx, rows, NULL, recipe));
    must(akin_supervision_captions(ctx, data, "captions", captions));

    /* Learning is slow and naming is fast: names for another ratio, or with
     * confirmed names, need no second akin_naming_learn. */
    must(akin_naming_learn(&naming, ctx, &method.head, data, NULL));
    const int64_t n = akin_rows_count(rows);
    int32_t *names = malloc((size_t)n * sizeof *names);
    if (names == NULL)
        return 1;
    give_names(names, &info, naming, n);
    compare(naming, names, data, truth);

    must(akin_naming_model(&model, ctx, naming, names, info.theta));
    must(akin_model_save(ctx, model, "people.safetensors"));

    akin_model_free(model);
    free(names);
    akin_naming_free(naming);
    akin_supervision_free(data);
    akin_recipe_free(recipe);
    akin_rows_free(rows);
    akin_rows_free(faces);
    akin_free(truth);
    akin_free(captions);
    akin_ctx_free(ctx);
    return 0;
}
