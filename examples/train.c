/* Learn a similarity from labelled rows, compare it with TF-IDF on rows it has
 * not seen, save it, load it, and score a pair.
 *
 *   cc train.c $(pkg-config --cflags --libs akin) -o train && ./train */
#include <akin/akin.h>
#include <stdio.h>
#include <stdlib.h>

static akin_ctx *ctx;

/* Programs decide what a failure means; this one stops. */
static void must(akin_status st)
{
    if (st == AKIN_OK)
        return;
    fprintf(stderr, "train: %s\n", akin_ctx_message(ctx));
    exit(akin_status_exit(st));
}

/* Mean average precision of a model over raw rows. Each row is a query, and it
 * should find the rows of its class. */
static double map_of(const akin_model *model, const akin_rows *raw)
{
    const akin_retrieval_options options = AKIN_RETRIEVAL_DEFAULTS;
    akin_retrieval found;
    akin_rows *rows = NULL;
    must(akin_model_prepare(&rows, ctx, model, raw, AKIN_LEFT));
    must(akin_eval_retrieval(&found, NULL, ctx, model, rows, &options));
    akin_rows_free(rows);
    return found.map;
}

/* 600 bags of words, 10 classes, cut into two halves. Yours would come from
 * akin_rows_read(&rows, ctx, "train.svm", NULL). */
static void make_data(akin_rows **train, akin_rows **test)
{
    akin_synth_bags_options bags = AKIN_SYNTH_BAGS_DEFAULTS;
    bags.rows = 600;
    akin_rows *all = NULL;
    int64_t *a = NULL, *b = NULL, n_a = 0, n_b = 0;
    must(akin_synth_bags(&all, ctx, NULL, &bags));
    must(akin_split(&a, &n_a, &b, &n_b, ctx, all, 0.5, 1));
    must(akin_rows_select(train, ctx, all, a, n_a));
    must(akin_rows_select(test, ctx, all, b, n_b));
    akin_free(a);
    akin_free(b);
    akin_rows_free(all);
}

static akin_model *learn(const akin_rows *raw)
{
    /* Rows go through a recipe before learning; the model keeps it. */
    akin_recipe_options how = AKIN_RECIPE_DEFAULTS;
    how.weights = "binary-idf";
    how.norm = "l2";
    akin_recipe *recipe = NULL;
    akin_rows *rows = NULL;
    must(akin_recipe_fit(&recipe, ctx, raw, &how));
    must(akin_recipe_apply(&rows, ctx, recipe, raw));

    /* Supervision: the labels here. Triplets are drawn from them. */
    akin_supervision *data = NULL;
    must(akin_supervision_new(&data, ctx, rows, NULL, recipe));
    akin_supervision_sample(data, 50000, 1);

    akin_solis_ada_options options = AKIN_SOLIS_ADA_DEFAULTS;
    options.lambda = 0.1;  // larger: fewer words keep a weight
    akin_learn_info info;
    akin_model *model = NULL;
    must(akin_learn(&model, ctx, &options.head, data, &info));
    printf("%lld triplets, %lld updates, %.2f s, mean loss %.3f\n",
           (long long)info.examples, (long long)info.updates, info.seconds,
           info.loss);

    akin_supervision_free(data);
    akin_rows_free(rows);
    akin_recipe_free(recipe);
    return model;
}

int main(void)
{
    akin_rows *train = NULL, *test = NULL;
    akin_model *tfidf = NULL, *learned = NULL;
    if (akin_ctx_new(&ctx, NULL) != AKIN_OK)
        return 1;
    make_data(&train, &test);

    must(akin_model_builtin(&tfidf, ctx, "tfidf", train));
    learned = learn(train);
    printf("mAP on %lld new rows: tfidf %.3f, learned %.3f\n",
           (long long)akin_rows_count(test), map_of(tfidf, test),
           map_of(learned, test));
    printf("weights that are not zero: %lld of %lld\n",
           (long long)akin_model_nonzeros(learned),
           (long long)akin_model_parameters(learned));
    akin_model_free(tfidf);

    /* A model is one file and contains its recipe. */
    must(akin_model_save(ctx, learned, "model.safetensors"));
    akin_model_free(learned);
    must(akin_model_load(&learned, ctx, "model.safetensors"));

    const int64_t pair[] = {0, 1};
    double score = 0.0;
    akin_rows *rows = NULL;
    must(akin_model_prepare(&rows, ctx, learned, test, AKIN_LEFT));
    must(akin_model_score(&score, ctx, learned, rows, rows, pair, 1,
                          AKIN_BY_DEFAULT));
    printf("similarity of rows 0 and 1: %.3g\n", score);

    akin_rows_free(rows);
    akin_model_free(learned);
    akin_rows_free(test);
    akin_rows_free(train);
    akin_ctx_free(ctx);
    return 0;
}
