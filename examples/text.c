/* Turn documents into rows, learn a similarity from their classes, and find the
 * documents nearest to a new one.
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

/* Your documents would be a folder with a sub-folder for each class, or a csv
 * file. */
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
static const char added[] = "label,text\n"
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

/* Learn from the counts of the known documents. The recipe has their terms and
 * weights; the model keeps it. */
static akin_model *learn(const akin_rows *counts)
{
    const akin_text_options terms = AKIN_TEXT_DEFAULTS;
    akin_recipe_options weights = AKIN_RECIPE_DEFAULTS;
    akin_loreta_psd_options options = AKIN_LORETA_PSD_DEFAULTS;
    akin_recipe *recipe = NULL;
    akin_rows *rows = NULL;
    akin_supervision *data = NULL;
    akin_model *model = NULL;
    weights.weights = "tfidf";
    weights.norm = "l2";
    must(akin_text_fit(&recipe, ctx, counts, &terms, &weights));
    must(akin_recipe_apply(&rows, ctx, recipe, counts));
    must(akin_supervision_new(&data, ctx, rows, NULL, recipe));
    akin_supervision_sample(data, 2000, 1);
    options.rank = 3;
    must(akin_learn(&model, ctx, &options.head, data, NULL));
    akin_supervision_free(data);
    akin_rows_free(rows);
    akin_recipe_free(recipe);
    return model;
}

static const char *class_of(const akin_rows *rows, int64_t i)
{
    const int32_t *labels = NULL;
    return akin_rows_labels(&labels, rows, i) == 0
               ? "?"
               : akin_rows_label_name(rows, labels[0]);
}

/* The index and the search take raw counts: the model applies its recipe. New
 * documents are counted with the vocabulary of that recipe. */
static void print_nearest(const akin_model *model, const akin_rows *counts,
                          const char *path)
{
    akin_search_options options = AKIN_SEARCH_DEFAULTS;
    akin_rows *queries = NULL;
    akin_index *index = NULL;
    int64_t *rows = NULL;
    double *scores = NULL;
    options.top = 2;
    must(akin_index_build(&index, ctx, model, counts, NULL));
    must(akin_text_read(&queries, ctx, path,
                        akin_model_recipe(model, AKIN_LEFT), NULL, NULL));
    must(akin_index_search(&rows, &scores, ctx, index, queries, &options));
    for (int64_t i = 0; i < akin_rows_count(queries); ++i)
        for (int64_t k = 0; k < options.top; ++k) {
            const int64_t at = i * options.top + k;
            printf("new document %lld: document %lld (%s), score %.3f\n",
                   (long long)i, (long long)rows[at],
                   class_of(counts, rows[at]), scores[at]);
        }
    akin_free(scores);
    akin_free(rows);
    akin_index_free(index);
    akin_rows_free(queries);
}

int main(void)
{
    akin_rows *counts = NULL;
    akin_text_info info;
    if (akin_ctx_new(&ctx, NULL) != AKIN_OK)
        return 1;
    write_file("known.csv", known);
    write_file("added.csv", added);
    must(akin_text_read(&counts, ctx, "known.csv", NULL, NULL, &info));
    printf("%lld documents, %lld words, %lld terms\n",
           (long long)akin_rows_count(counts), (long long)info.words,
           (long long)akin_rows_dim(counts));
    akin_model *model = learn(counts);
    print_nearest(model, counts, "added.csv");
    akin_model_free(model);
    akin_rows_free(counts);
    akin_ctx_free(ctx);
    return 0;
}
