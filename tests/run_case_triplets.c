/* Cases that learn a similarity from triplets, one after the other.
 *
 * Online learners are driven through the functions of their own table, one
 * triplet a call, because the loss of each round is asked for. */
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "learn/learner.h"
#include "learn/metric/lego.h"
#include "model/diagonal.h"
#include "model/factored.h"
#include "model/full.h"
#include "model/metric.h"
#include "run_case.h"

typedef struct triplet_case {
    akin_rows *rows;
    akin_supervision *data;
    akin_options *options;
    int64_t *triplets;  // scratch
    int64_t n;
} triplet_case;

akin_status case_set_params(akin_options *options, akin_ctx *ctx,
                            const json_t *params)
{
    const char *name;
    json_t *value;
    akin_status st = AKIN_OK;
    json_object_foreach((json_t *)params, name, value)
    {
        char number[32];
        const char *option = name, *text = json_string_value(value);
        snprintf(number, sizeof number, "%.17g", json_number_value(value));
        if (strcmp(name, "mode") == 0)  // of pa
            option = "order";
        if (strcmp(name, "inequality") == 0) {  // of lego
            option = "targets";
            text = json_is_true(value) ? "inequality" : "equality";
        }
        if (strcmp(name, "ybar_weight") == 0)  // of those that rank labels
            option = "ybar";
        if (strcmp(name, "s") == 0)  // of loreta-mi
            option = "inner";
        AK_TRY(akin_options_set(ctx, options, option, text ? text : number));
    }
done:
    return st;
}

static akin_status open_case(triplet_case *c, akin_ctx *ctx, const json_t *in,
                             const char *learner)
{
    const json_t *list, *params;
    akin_status st = AKIN_OK;
    AK_TRY(case_sparse_rows(&c->rows, ctx, in));
    AK_TRY(case_get(&list, ctx, in, "triplets"));
    AK_TRY(case_integers(&c->triplets, &c->n, ctx, list, 3));
    AK_TRY(akin_supervision_new(&c->data, ctx, c->rows, NULL, NULL));
    AK_TRY(
        akin_supervision_set(ctx, c->data, AKIN_TRIPLETS, c->triplets, c->n));
    AK_TRY(akin_options_new(&c->options, ctx, learner));
    AK_TRY(akin_options_as_published(ctx, c->options));
    AK_TRY(case_get(&params, ctx, in, "params"));
    AK_TRY(case_set_params(c->options, ctx, params));
done:
    return st;
}

static void close_case(triplet_case *c)
{
    akin_options_free(c->options);
    akin_supervision_free(c->data);
    akin_rows_free(c->rows);
}

/* out.w = the weights of a diagonal model. */
static akin_status put_weights(akin_ctx *ctx, json_t *out, const akin_model *m)
{
    return case_put(ctx, out, "w", akin_model_dim(m, AKIN_LEFT),
                    ak_diagonal_w(m));
}

static bool is_lego(const triplet_case *c)
{
    return strncmp(c->options->learner, "lego", 4) == 0;
}

/* Numbers a triplet that a case calls losses: the hinge or, for lego, the
 * distances of both pairs. */
static int64_t n_losses(const triplet_case *c)
{
    return is_lego(c) ? 2 : 1;
}

/* Run an online learner; `losses` has room for n_losses() a triplet. */
static akin_status learn_online(akin_model **out, double *losses, akin_ctx *ctx,
                                const triplet_case *c)
{
    const ak_online *online = ak_learner_find(c->options->learner)->online;
    void *state = NULL;
    akin_status st = AKIN_OK;
    const ak_online_input input = {.options = c->options, .data = c->data};
    AK_TRY(online->begin(&state, ctx, &input));
    for (int64_t t = 0; t < c->n; ++t) {
        akin_learn_info info = {0};
        AK_TRY(online->observe(state, ctx, c->rows, c->triplets + 3 * t, 1,
                               &info));
        if (is_lego(c))
            memcpy(losses + 2 * t, ((const ak_lego_pair *)state)->distance,
                   2 * sizeof *losses);
        else
            losses[t] = info.loss;
    }
    AK_TRY(online->model(out, ctx, state));
done:
    if (state)
        online->free(state);
    return st;
}

/* The weights and the loss before each round. */
akin_status case_online(akin_ctx *ctx, const json_t *in, json_t *out)
{
    const char *name = json_string_value(json_object_get(in, "algorithm"));
    triplet_case c = {0};
    akin_model *m = NULL;
    double *losses = NULL;
    akin_status st = AKIN_OK;
    AK_TRY(open_case(&c, ctx, in, name));
    AK_TRY(AK_SCRATCH(ctx, c.n * n_losses(&c), &losses));
    AK_TRY(learn_online(&m, losses, ctx, &c));
    AK_TRY(put_weights(ctx, out, m));
    AK_TRY(case_put(ctx, out, "losses", c.n * n_losses(&c), losses));
done:
    akin_model_free(m);
    close_case(&c);
    return st;
}

/* A start that is given goes to the learner as a user would give it: in a file,
 * which may be removed once the learner has begun. */
static akin_status save_start(akin_ctx *ctx, const json_t *init, int64_t d,
                              char *path)
{
    double *A = NULL, *B = NULL;
    int64_t k = 0;
    akin_model *m = NULL;
    const json_t *left = json_object_get(init, "Y");
    const json_t *right = json_object_get(init, "B");
    akin_status st = AKIN_OK;
    if (left == NULL)
        AK_TRY(case_get(&left, ctx, init, "A"));
    AK_TRY(case_matrix(&A, &k, ctx, left, d));
    if (right != NULL)
        AK_TRY(case_matrix(&B, &k, ctx, right, d));
    AK_TRY(ak_factored_new(&m, ctx, d, d, k, A, B, AKIN_BY_DOT));
    close(mkstemp(path));
    AK_TRY(akin_model_save(ctx, m, path));
done:
    akin_model_free(m);
    return st;
}

/* Rank and start of a factored learner, and no guard but what is asked for. */
static akin_status set_start(triplet_case *c, akin_ctx *ctx, const json_t *in,
                             char *path)
{
    const json_t *init, *rank;
    const json_t *params = json_object_get(in, "params");
    char text[32];
    akin_status st = AKIN_OK;
    if (strncmp(c->options->learner, "loreta", 6) == 0 &&
        json_object_get(params, "max_s") == NULL)
        AK_TRY(akin_options_set(ctx, c->options, "max_s", "0"));
    AK_TRY(case_get(&init, ctx, in, "init"));
    rank = json_object_get(init, "k");
    if (strcmp(json_string_value(json_object_get(init, "kind")), "zero") == 0)
        AK_TRY(akin_options_set(ctx, c->options, "start", "zero"));
    if (rank == NULL) {
        const json_t *A = json_object_get(init, "A");
        A = A ? A : json_object_get(init, "Y");
        snprintf(text, sizeof text, "%zu",
                 json_array_size(json_array_get(A, 0)));
        AK_TRY(save_start(ctx, init, akin_rows_dim(c->rows), path));
        AK_TRY(akin_options_set(ctx, c->options, "start", path));
    } else {
        snprintf(text, sizeof text, "%" JSON_INTEGER_FORMAT,
                 json_integer_value(rank));
    }
    AK_TRY(akin_options_set(ctx, c->options, "rank", text));
done:
    return st;
}

/* out.W = A B' */
static akin_status put_product(akin_ctx *ctx, json_t *out, const akin_model *m)
{
    const int64_t d = akin_model_dim(m, AKIN_LEFT), k = ak_factored_rank(m);
    const double *A = ak_factored_A(m), *B = ak_factored_B(m);
    double *W = NULL;
    const akin_status st = AK_SCRATCH(ctx, d * d, &W);
    if (st != AKIN_OK)
        return st;
    for (int64_t i = 0; i < d * d; ++i)
        for (int64_t c = 0; c < k; ++c)
            W[i] += A[i / d * k + c] * B[i % d * k + c];
    return case_put_rows(ctx, out, "W", d, d, W);
}

/* The learner of an algorithm. */
static const char *learner_of(const char *algorithm)
{
    if (strcmp(algorithm, "loreta-1-psd") == 0)
        return "loreta-psd";
    return strcmp(algorithm, "loreta-r") == 0 ? "loreta" : algorithm;
}

akin_status case_factored(akin_ctx *ctx, const json_t *in, json_t *out)
{
    const char *name = json_string_value(json_object_get(in, "algorithm"));
    char path[] = "akin-start-XXXXXX";
    triplet_case c = {0};
    akin_model *m = NULL;
    double *losses = NULL;
    akin_status st = AKIN_OK;
    AK_TRY(open_case(&c, ctx, in, learner_of(name)));
    AK_TRY(set_start(&c, ctx, in, path));
    AK_TRY(AK_SCRATCH(ctx, c.n, &losses));
    AK_TRY(learn_online(&m, losses, ctx, &c));
    AK_TRY(put_product(ctx, out, m));
    AK_TRY(case_put(ctx, out, "losses", c.n, losses));
done:
    unlink(path);
    akin_model_free(m);
    close_case(&c);
    return st;
}

/* W or M, begun at the identity. */
akin_status case_square(akin_ctx *ctx, const json_t *in, json_t *out)
{
    const char *name = json_string_value(json_object_get(in, "algorithm"));
    triplet_case c = {0};
    akin_model *m = NULL;
    double *losses = NULL;
    akin_status st = AKIN_OK;
    AK_TRY(open_case(&c, ctx, in, name));
    AK_TRY(AK_SCRATCH(ctx, c.n * n_losses(&c), &losses));
    AK_TRY(learn_online(&m, losses, ctx, &c));
    const int64_t d = akin_model_dim(m, AKIN_LEFT);
    AK_TRY(case_put_rows(ctx, out, "W", d, d,
                         is_lego(&c) ? ak_metric_M(m) : ak_full_W(m)));
    AK_TRY(case_put(ctx, out, "losses", c.n * n_losses(&c), losses));
done:
    akin_model_free(m);
    close_case(&c);
    return st;
}

/* A batch learner, run until the solution is right to all digits asked. */
akin_status case_qpao(akin_ctx *ctx, const json_t *in, json_t *out)
{
    triplet_case c = {0};
    akin_model *m = NULL;
    akin_learn_info info;
    akin_status st = AKIN_OK;
    AK_TRY(open_case(&c, ctx, in, "qpao"));
    AK_TRY(akin_options_set(ctx, c.options, "tol", "1e-10"));
    AK_TRY(akin_options_set(ctx, c.options, "max_sweeps", "100000"));
    AK_TRY(akin_learn(&m, ctx, c.options, c.data, &info));
    AK_TRY(put_weights(ctx, out, m));
    AK_TRY(case_put_number(ctx, out, "objective", info.objective));
done:
    akin_model_free(m);
    close_case(&c);
    return st;
}
