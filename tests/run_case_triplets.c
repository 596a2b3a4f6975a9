/* Cases that learn a diagonal similarity from triplets, one after the other.
 *
 * Online learners are driven through the functions of their own table, one
 * triplet a call, because the loss of each round is asked for. */
#include <stdio.h>
#include <string.h>

#include "learn/learner.h"
#include "model/diagonal.h"
#include "run_case.h"

typedef struct triplet_case {
    akin_rows *rows;
    akin_supervision *data;
    akin_options *options;
    int64_t *triplets;  // scratch
    int64_t n;
} triplet_case;

/* Set the parameters of the case, which are options of the learner. */
static akin_status set_params(triplet_case *c, akin_ctx *ctx,
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
        if (strcmp(name, "inequality") == 0) {  // of lego-diag
            option = "targets";
            text = json_is_true(value) ? "inequality" : "equality";
        }
        AK_TRY(akin_options_set(c->options, ctx, option, text ? text : number));
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
        akin_supervision_set(c->data, ctx, AKIN_TRIPLETS, c->triplets, c->n));
    AK_TRY(akin_options_new(&c->options, ctx, learner));
    AK_TRY(case_get(&params, ctx, in, "params"));
    AK_TRY(set_params(c, ctx, params));
done:
    return st;
}

static void close_case(triplet_case *c, akin_ctx *ctx)
{
    akin_options_free(c->options, ctx);
    akin_supervision_free(c->data);
    akin_rows_free(c->rows);
}

/* out.w = the weights of a diagonal model. */
static akin_status put_weights(akin_ctx *ctx, json_t *out, const akin_model *m)
{
    return case_put(ctx, out, "w", akin_model_dim(m, AKIN_LEFT),
                    ak_diagonal_w(m));
}

/* Run an online learner; `losses` has room for one number a triplet. */
static akin_status learn_online(akin_model **out, double *losses, akin_ctx *ctx,
                                const triplet_case *c)
{
    const ak_online *online = ak_learner_find(c->options->learner)->online;
    void *state = NULL;
    akin_status st = AKIN_OK;
    AK_TRY(online->begin(&state, ctx, c->options, c->data, NULL, NULL));
    for (int64_t t = 0; t < c->n; ++t) {
        akin_learn_info info = {0};
        AK_TRY(online->observe(state, ctx, c->rows, c->triplets + 3 * t, 1,
                               &info));
        losses[t] = info.loss;
    }
    AK_TRY(online->model(out, ctx, state));
done:
    if (state)
        online->free(state, ctx);
    return st;
}

/* The weights and, where they are hinges, the loss before each round; those of
 * lego-diag are distances, which a learner does not tell. */
akin_status case_online(akin_ctx *ctx, const json_t *in, json_t *out)
{
    const char *name = json_string_value(json_object_get(in, "algorithm"));
    triplet_case c = {0};
    akin_model *m = NULL;
    double *losses = NULL;
    akin_status st = AKIN_OK;
    AK_TRY(open_case(&c, ctx, in, name));
    AK_TRY(AK_SCRATCH(ctx, c.n, &losses));
    AK_TRY(learn_online(&m, losses, ctx, &c));
    AK_TRY(put_weights(ctx, out, m));
    if (strcmp(name, "lego-diag") != 0)
        AK_TRY(case_put(ctx, out, "losses", c.n, losses));
done:
    akin_model_free(m);
    close_case(&c, ctx);
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
    AK_TRY(akin_options_set(c.options, ctx, "tol", "1e-10"));
    AK_TRY(akin_options_set(c.options, ctx, "max_sweeps", "100000"));
    AK_TRY(akin_learn(&m, ctx, c.options, c.data, &info));
    AK_TRY(put_weights(ctx, out, m));
    AK_TRY(case_put_number(ctx, out, "objective", info.objective));
done:
    akin_model_free(m);
    close_case(&c, ctx);
    return st;
}
