/* Build an index of rows under a learned similarity, save and load it, and
 * search it in two ways: by new rows, and by examples of what is wanted and
 * what is not.
 *
 *   cc search.c $(pkg-config --cflags --libs akin) -o search && ./search */
#include <akin/akin.h>
#include <stdio.h>
#include <stdlib.h>

enum { ROWS = 2000, TOP = 10 };

static akin_ctx *ctx;

static void must(akin_status st)
{
    if (st == AKIN_OK)
        return;
    fprintf(stderr, "search: %s\n", akin_ctx_message(ctx));
    exit(akin_status_exit(st));
}

/* 2,000 bags of words in 10 classes, cut into two halves: rows to search in,
 * and queries. Yours would come from akin_rows_read. */
static void make_data(akin_rows **rows, akin_rows **queries)
{
    akin_synth_bags_options bags = AKIN_SYNTH_BAGS_DEFAULTS;
    akin_rows *all = NULL;
    int64_t *a = NULL, *b = NULL, n_a = 0, n_b = 0;
    bags.rows = ROWS;
    must(akin_synth_bags(&all, ctx, NULL, &bags));
    must(akin_split(&a, &n_a, &b, &n_b, ctx, all, 0.5, 1));
    must(akin_rows_select(rows, ctx, all, a, n_a));
    must(akin_rows_select(queries, ctx, all, b, n_b));
    akin_free(a);
    akin_free(b);
    akin_rows_free(all);
}

static akin_model *learn(const akin_rows *raw)
{
    const akin_solis_ada_options options = AKIN_SOLIS_ADA_DEFAULTS;
    akin_recipe_options how = AKIN_RECIPE_DEFAULTS;
    akin_recipe *recipe = NULL;
    akin_rows *rows = NULL;
    akin_supervision *data = NULL;
    akin_model *model = NULL;
    how.weights = "binary-idf";
    how.norm = "l2";
    must(akin_recipe_fit(&recipe, ctx, raw, &how));
    must(akin_recipe_apply(&rows, ctx, recipe, raw));
    must(akin_supervision_new(&data, ctx, rows, NULL, recipe));
    akin_supervision_sample(data, 50000, 1);
    must(akin_learn(&model, ctx, &options.head, data, NULL));
    akin_supervision_free(data);
    akin_rows_free(rows);
    akin_recipe_free(recipe);
    return model;
}

/* The index contains the model and its recipe, so it takes raw rows. It is one
 * file; akin_index_add and akin_index_remove change what is in it. */
static akin_index *make_index(const akin_model *model, const akin_rows *rows)
{
    akin_index *index = NULL;
    must(akin_index_build(&index, ctx, model, rows, NULL));
    must(akin_index_save(ctx, index, "search.index"));
    akin_index_free(index);
    must(akin_index_load(&index, ctx, "search.index"));
    printf("%s index of %lld rows\n", akin_index_kind(index),
           (long long)akin_index_count(index));
    return index;
}

static int32_t class_of(const akin_rows *rows, int64_t i)
{
    const int32_t *label = NULL;
    akin_rows_labels(&label, rows, i);
    return label[0];
}

/* How many of the rows found for a query have the class. */
static int64_t count_class(const akin_rows *rows, const int64_t *found,
                           int32_t class)
{
    int64_t count = 0;
    for (int64_t k = 0; k < TOP && found[k] >= 0; ++k)
        count += class_of(rows, found[k]) == class;
    return count;
}

/* Every query finds its TOP nearest rows, best first. */
static void search_by_rows(const akin_index *index, const akin_rows *rows,
                           const akin_rows *queries)
{
    const int64_t n = akin_rows_count(queries);
    akin_search_options options = AKIN_SEARCH_DEFAULTS;
    int64_t *found = NULL, right = 0;
    double *scores = NULL;
    options.top = TOP;
    must(akin_index_search(&found, &scores, ctx, index, queries, &options));
    printf("query 0: row %lld, score %.3g, then row %lld, score %.3g\n",
           (long long)found[0], scores[0], (long long)found[1], scores[1]);
    for (int64_t i = 0; i < n; ++i)
        right += count_class(rows, found + i * TOP, class_of(queries, i));
    printf("of the %d rows found, %.1f %% have the class of the query\n", TOP,
           100.0 * (double)right / (double)(n * TOP));
    akin_free(scores);
    akin_free(found);
}

/* No query row: more rows like these three, and unlike that one. */
static void search_by_examples(const akin_index *index, const akin_rows *rows)
{
    const int32_t wanted = class_of(rows, 0);
    akin_search_options options = AKIN_SEARCH_DEFAULTS;
    int64_t like[3], unlike = 0, n_like = 0;
    int64_t *found = NULL;
    double *scores = NULL;
    for (int64_t i = 0; n_like < 3; ++i)
        if (class_of(rows, i) == wanted)
            like[n_like++] = i;
    while (class_of(rows, unlike) == wanted)
        ++unlike;
    options.top = TOP;
    options.like = like;
    options.n_like = n_like;
    options.unlike = &unlike;
    options.n_unlike = 1;
    must(akin_index_search(&found, &scores, ctx, index, NULL, &options));
    printf("like rows %lld, %lld, %lld, unlike %lld: %lld of %d right\n",
           (long long)like[0], (long long)like[1], (long long)like[2],
           (long long)unlike, (long long)count_class(rows, found, wanted), TOP);
    akin_free(scores);
    akin_free(found);
}

int main(void)
{
    akin_rows *rows = NULL, *queries = NULL;
    if (akin_ctx_new(&ctx, NULL) != AKIN_OK)
        return 1;
    make_data(&rows, &queries);
    akin_model *model = learn(rows);
    akin_index *index = make_index(model, rows);
    search_by_rows(index, rows, queries);
    search_by_examples(index, rows);
    akin_index_free(index);
    akin_model_free(model);
    akin_rows_free(queries);
    akin_rows_free(rows);
    akin_ctx_free(ctx);
    return 0;
}
