/* Documents to words, a similarity of low rank learned from their classes, and
 * the nearest of them to a new one.
 *
 *   cc text.c $(pkg-config --cflags --libs akin) -o text && ./text */
#include <akin/akin.h>
#include <akin/text.h>
#include <stdio.h>
#include <stdlib.h>

static akin_ctx *ctx;

static void must(akin_status st)
{
    if (st == AKIN_OK)
        return;
    fprintf(stderr, "text: %s\n", akin_ctx_message(ctx));
    exit(akin_status_exit(st));
}

/* Yours would be a folder with a sub-folder for each class, or a csv file. */
static const char known[] =
    "label,text\n"
    "garden,Roses and tulips want sun and water.\n"
    "garden,Water the tulips; a pot of roses stands in the sun.\n"
    "garden,Prune the roses before the buds open.\n"
    "garden,Seeds and buds need a warm pot.\n"
    "space,The rocket reached a low orbit after launch.\n"
    "space,A satellite in orbit waits for the next launch.\n"
    "space,The crew of the rocket saw the moon.\n"
    "space,A probe left its orbit for the moon.\n";
static const char asked[] = "label,text\n"
                            "?,The crew will launch a probe.\n"
                            "?,Buds in a pot on the sill.\n";

static void write_file(const char *path, const char *text)
{
    FILE *f = fopen(path, "w");
    if (f == NULL || fputs(text, f) < 0 || fclose(f) != 0) {
        perror(path);
        exit(1);
    }
}

/* The recipe keeps the words and their weights, for documents to come. */
static akin_rows *read_known(const char *path, akin_recipe **recipe)
{
    const akin_text_options words = AKIN_TEXT_DEFAULTS;
    akin_recipe_options then = AKIN_RECIPE_DEFAULTS;
    akin_rows *counts = NULL, *rows = NULL;
    akin_text_info info;
    then.weights = "tfidf";
    then.norm = "l2";
    must(akin_text_read(&counts, ctx, path, NULL, &words, &info));
    must(akin_text_fit(recipe, ctx, counts, &words, &then));
    must(akin_recipe_apply(&rows, ctx, *recipe, counts));
    printf("%lld documents, %lld words, %lld terms\n",
           (long long)akin_rows_count(rows), (long long)info.words,
           (long long)akin_rows_dim(rows));
    akin_rows_free(counts);
    return rows;
}

static akin_model *learn(const akin_rows *rows, const akin_recipe *recipe)
{
    akin_loreta_psd_options options = AKIN_LORETA_PSD_DEFAULTS;
    akin_supervision *data = NULL;
    akin_model *model = NULL;
    options.rank = 3;
    must(akin_supervision_new(&data, ctx, rows, NULL, recipe));
    akin_supervision_sample(data, 2000, 1);
    must(akin_learn(&model, ctx, &options.head, data, NULL));
    akin_supervision_free(data);
    return model;
}

/* The model takes raw counts of new documents through its own recipe. */
static void print_nearest(const akin_model *model, const akin_recipe *recipe,
                          const akin_rows *rows, const char *path)
{
    akin_rows *counts = NULL, *queries = NULL;
    must(akin_text_read(&counts, ctx, path, recipe, NULL, NULL));
    must(akin_recipe_apply(&queries, ctx, recipe, counts));
    for (int64_t i = 0; i < akin_rows_count(queries); ++i) {
        double best = -1.0, score;
        int64_t at = -1;
        for (int64_t j = 0; j < akin_rows_count(rows); ++j) {
            const int64_t pair[] = {i, j};
            must(akin_model_score(&score, ctx, model, queries, rows, pair, 1,
                                  AKIN_BY_COSINE));
            if (score > best) {
                best = score;
                at = j;
            }
        }
        printf("new document %lld: nearest is %lld, %s\n", (long long)i,
               (long long)at, at < 4 ? "garden" : "space");
    }
    akin_rows_free(queries);
    akin_rows_free(counts);
}

int main(void)
{
    akin_recipe *recipe = NULL;
    if (akin_ctx_new(&ctx, NULL) != AKIN_OK)
        return 1;
    write_file("known.csv", known);
    write_file("asked.csv", asked);
    akin_rows *rows = read_known("known.csv", &recipe);
    akin_model *model = learn(rows, recipe);
    print_nearest(model, recipe, rows, "asked.csv");
    akin_model_free(model);
    akin_rows_free(rows);
    akin_recipe_free(recipe);
    akin_ctx_free(ctx);
    return 0;
}
