/* Cases that learn to rank labels, row after row.
 *
 * The learner is driven through the functions of its own table, one row a
 * call, because loss and best wrong label of each round are asked for. */
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "learn/rank/rank.h"
#include "run_case.h"

typedef struct label_case {
    akin_rows *rows;
    akin_supervision *data;
    akin_options *options;
    char path[32];  // of a start that is given
} label_case;

/* "labels" and "labels_count"; label l is named by its number. */
static akin_status set_labels(akin_rows *rows, akin_ctx *ctx, const json_t *in)
{
    enum { DIGITS = 12 };
    const json_t *lists, *count;
    int64_t *offsets = NULL, total = 0;
    int32_t *labels = NULL;
    char *texts = NULL;
    const char **names = NULL;
    akin_status st = AKIN_OK;
    AK_TRY(case_get(&lists, ctx, in, "labels"));
    AK_TRY(case_get(&count, ctx, in, "labels_count"));
    const int64_t L = json_integer_value(count);
    AK_TRY(AK_SCRATCH(ctx, rows->n + 1, &offsets));
    AK_TRY(AK_SCRATCH(ctx, rows->n * L, &labels));
    AK_TRY(AK_SCRATCH(ctx, L * DIGITS, &texts));
    AK_TRY(AK_SCRATCH(ctx, L, &names));
    for (int64_t i = 0; i < rows->n; ++i) {
        const json_t *list = json_array_get(lists, (size_t)i);
        for (size_t k = 0; k < json_array_size(list); ++k)
            labels[total++] =
                (int32_t)json_integer_value(json_array_get(list, k));
        offsets[i + 1] = total;
    }
    for (int64_t l = 0; l < L; ++l) {
        snprintf(texts + l * DIGITS, DIGITS, "%d", (int)l);
        names[l] = texts + l * DIGITS;
    }
    AK_TRY(akin_rows_set_label_lists(ctx, rows, offsets, labels, names, L));
done:
    return st;
}

/* A start that is given goes to the learner in a file, as a user would. */
static akin_status save_start(label_case *c, akin_ctx *ctx, const json_t *init)
{
    const json_t *left, *right;
    const ak_labels labels = {c->rows->n_label_names, c->rows->label_names};
    double *A = NULL, *B = NULL;
    int64_t k = 0;
    akin_model *m = NULL;
    akin_status st = AKIN_OK;
    AK_TRY(case_get(&left, ctx, init, "A"));
    AK_TRY(case_get(&right, ctx, init, "B"));
    AK_TRY(case_matrix(&A, &k, ctx, left, labels.n));
    AK_TRY(case_matrix(&B, &k, ctx, right, c->rows->d));
    AK_TRY(ak_ranker_new_factored(&m, ctx, labels, c->rows->d, k, A, B));
    strcpy(c->path, "akin-start-XXXXXX");
    close(mkstemp(c->path));
    AK_TRY(akin_model_save(ctx, m, c->path));
done:
    akin_model_free(m);
    return st;
}

static akin_status set_start(label_case *c, akin_ctx *ctx, const json_t *in)
{
    const json_t *init;
    char text[32];
    akin_status st = AKIN_OK;
    AK_TRY(case_get(&init, ctx, in, "init"));
    const char *kind = json_string_value(json_object_get(init, "kind"));
    if (kind == NULL || strcmp(kind, "none") == 0)
        return AKIN_OK;
    if (strcmp(kind, "given") == 0)
        AK_TRY(save_start(c, ctx, init));
    snprintf(text, sizeof text, "%" JSON_INTEGER_FORMAT,
             json_integer_value(json_object_get(init, "k")));
    AK_TRY(akin_options_set(ctx, c->options, "task", "rank"));
    AK_TRY(akin_options_set(ctx, c->options, "rank", text));
    AK_TRY(akin_options_set(ctx, c->options, "start",
                            c->path[0] ? c->path : kind));
    if (strcmp(c->options->learner, "loreta-1") == 0 &&
        json_object_get(json_object_get(in, "params"), "max_s") == NULL)
        AK_TRY(akin_options_set(ctx, c->options, "max_s", "0"));
done:
    return st;
}

static akin_status open_case(label_case *c, akin_ctx *ctx, const json_t *in)
{
    const json_t *params;
    const char *name = json_string_value(json_object_get(in, "algorithm"));
    akin_status st = AKIN_OK;
    AK_TRY(case_sparse_rows(&c->rows, ctx, in));
    AK_TRY(set_labels(c->rows, ctx, in));
    AK_TRY(akin_supervision_new(&c->data, ctx, c->rows, NULL, NULL));
    AK_TRY(akin_options_new(&c->options, ctx, name));
    AK_TRY(case_get(&params, ctx, in, "params"));
    AK_TRY(case_set_params(c->options, ctx, params));
    AK_TRY(set_start(c, ctx, in));
done:
    return st;
}

static void close_case(label_case *c)
{
    if (c->path[0])
        unlink(c->path);
    akin_options_free(c->options);
    akin_supervision_free(c->data);
    akin_rows_free(c->rows);
}

/* All rows in order; loss and best wrong label of each round. */
static akin_status learn(akin_model **out, double *losses, double *ybars,
                         akin_ctx *ctx, const label_case *c)
{
    const ak_learner *learner = ak_learner_find(c->options->learner);
    const ak_online *online = ak_learner_online(learner, c->options);
    void *state = NULL;
    akin_status st = AKIN_OK;
    const ak_online_input input = {.options = c->options, .data = c->data};
    AK_TRY(online->begin(&state, ctx, &input));
    for (int64_t i = 0; i < c->rows->n; ++i) {
        akin_learn_info info = {0};
        AK_TRY(online->observe(state, ctx, c->rows, &i, 1, &info));
        losses[i] = info.loss;
        ybars[i] = (double)((const ak_rank *)state)->ybar;
    }
    AK_TRY(online->model(out, ctx, state));
done:
    if (state)
        online->free(state);
    return st;
}

/* out.W, labels x features. */
static akin_status put_matrix(akin_ctx *ctx, json_t *out, const akin_model *m)
{
    const int64_t n = ak_model_labels(m).n, d = akin_model_dim(m, AKIN_LEFT);
    const int64_t k = akin_model_rank(m);
    const double *A = ak_ranker_A(m), *B = ak_ranker_B(m);
    double *W = NULL;
    const akin_status st = AK_SCRATCH(ctx, n * d, &W);
    if (st != AKIN_OK)
        return st;
    for (int64_t i = 0; i < n * d; ++i) {
        for (int64_t c = 0; c < k; ++c)
            W[i] += A[i / d * k + c] * B[i % d * k + c];
        if (k == 0)
            W[i] = ak_ranker_W(m)[i % d * n + i / d];
    }
    return case_put_rows(ctx, out, "W", n, d, W);
}

akin_status case_labels(akin_ctx *ctx, const json_t *in, json_t *out)
{
    label_case c = {0};
    akin_model *m = NULL;
    double *losses = NULL, *ybars = NULL;
    akin_status st = AKIN_OK;
    AK_TRY(open_case(&c, ctx, in));
    AK_TRY(AK_SCRATCH(ctx, c.rows->n, &losses));
    AK_TRY(AK_SCRATCH(ctx, c.rows->n, &ybars));
    AK_TRY(learn(&m, losses, ybars, ctx, &c));
    AK_TRY(put_matrix(ctx, out, m));
    AK_TRY(case_put(ctx, out, "losses", c.rows->n, losses));
    AK_TRY(case_put(ctx, out, "ybars", c.rows->n, ybars));
done:
    akin_model_free(m);
    close_case(&c);
    return st;
}
