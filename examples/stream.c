/* Learn while examples arrive, stop, and resume later. Learning from A, saving,
 * loading and learning from B gives the same weights as learning from A and B
 * in one run.
 *
 *   cc stream.c $(pkg-config --cflags --libs akin) -o stream && ./stream */
#include <akin/akin.h>
#include <stdio.h>
#include <stdlib.h>

enum { DIM = 6, TRIPLETS = 4 };

static akin_ctx *ctx;

static void must(akin_status st)
{
    if (st == AKIN_OK)
        return;
    fprintf(stderr, "stream: %s\n", akin_ctx_message(ctx));
    exit(akin_status_exit(st));
}

/* Six items with six features; only the first three features matter. */
static const float items[6][DIM] = {
    {1, 0, 0, 1, 0, 1}, {1, 0, 0, 0, 1, 0}, {0, 1, 0, 1, 0, 1},
    {0, 1, 0, 0, 1, 1}, {0, 0, 1, 1, 1, 0}, {0, 0, 1, 0, 0, 1},
};

/* Answers of users, in order: "item q is more like p than like n". */
static const int64_t answers[TRIPLETS][3] = {
    {0, 1, 2},
    {2, 3, 4},
    {4, 5, 0},
    {1, 0, 3},
};

/* Learn from `count` triplets, starting from `resume` or from nothing. */
static akin_model *learn(const akin_supervision *about, const int64_t *triplets,
                         int64_t count, const akin_model *resume)
{
    const akin_solis_ada_options options = AKIN_SOLIS_ADA_DEFAULTS;
    akin_learning *learning = NULL;
    akin_model *model = NULL;
    must(akin_learning_begin(&learning, ctx, &options.head, about, resume));
    for (int64_t t = 0; t < count; ++t)
        must(akin_learning_observe(ctx, learning, triplets + 3 * t, 1));
    must(akin_learning_model(&model, ctx, learning));
    akin_learning_free(learning);
    return model;
}

static double similarity(const akin_model *model, const akin_rows *rows,
                         int64_t i, int64_t j)
{
    const int64_t pair[] = {i, j};
    double score = 0.0;
    must(akin_model_score(&score, ctx, model, rows, rows, pair, 1,
                          AKIN_BY_DEFAULT));
    return score;
}

int main(void)
{
    akin_rows *rows = NULL;
    akin_supervision *about = NULL;
    if (akin_ctx_new(&ctx, NULL) != AKIN_OK)
        return 1;
    must(akin_rows_new_dense(&rows, ctx, 6, DIM, &items[0][0]));
    must(akin_supervision_new(&about, ctx, rows, NULL, NULL));

    /* Monday: two answers, then the file. */
    akin_model *monday = learn(about, answers[0], 2, NULL);
    must(akin_model_save(ctx, monday, "stream.safetensors"));
    akin_model_free(monday);

    /* Tuesday: load the file, two more answers. */
    must(akin_model_load(&monday, ctx, "stream.safetensors"));
    akin_model *tuesday = learn(about, answers[2], 2, monday);

    /* The same answers in one run. */
    akin_model *at_once = learn(about, answers[0], 4, NULL);

    int same = 1;
    for (int64_t i = 0; i < 6; ++i)
        for (int64_t j = 0; j < 6; ++j)
            same &= similarity(tuesday, rows, i, j) ==
                    similarity(at_once, rows, i, j);
    printf("similarity of item 0 to 1: %.3f, to 2: %.3f, to 4: %.3f\n",
           similarity(tuesday, rows, 0, 1), similarity(tuesday, rows, 0, 2),
           similarity(tuesday, rows, 0, 4));
    printf("a resumed run gives the same model: %s\n", same ? "yes" : "no");

    akin_model_free(at_once);
    akin_model_free(tuesday);
    akin_model_free(monday);
    akin_supervision_free(about);
    akin_rows_free(rows);
    akin_ctx_free(ctx);
    return same ? 0 : 1;
}
