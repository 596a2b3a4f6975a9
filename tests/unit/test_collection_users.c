/* Users with weights of their own, by library calls. */
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "context.h"
#include "tastes.h"
#include "text_files.h"

enum { TOP = 12 };

static char collection[128];

static int begin(void **state)
{
    const int failed = context_begin(state) != 0 || text_begin() != 0;
    snprintf(collection, sizeof collection, "%s", text_path("c"));
    return failed;
}

static int end(void **state)
{
    return text_end() != 0 || context_end(state) != 0;
}

#define CASE(f) cmocka_unit_test_setup_teardown(f, begin, end)

typedef struct found {
    int64_t rows[TOP];
    double scores[TOP];
} found;

static found search(akin_collection *c, const char *user)
{
    akin_find_options o = AKIN_FIND_DEFAULTS;
    const int64_t query = 20;
    int64_t *rows = NULL;
    double *scores = NULL;
    found f;
    o.top = TOP;
    o.like = &query;
    o.n_like = 1;
    o.user = user;
    assert_int_equal(akin_collection_search(&rows, &scores, ctx, c, NULL, &o),
                     AKIN_OK);
    memcpy(f.rows, rows, sizeof f.rows);
    memcpy(f.scores, scores, sizeof f.scores);
    akin_free(rows);
    akin_free(scores);
    return f;
}

static akin_collection *open_it(void)
{
    akin_collection *c = NULL;
    assert_int_equal(akin_collection_open(&c, ctx, collection), AKIN_OK);
    return c;
}

/* What one collection that stays open finds is what one finds that is opened
 * for this search. */
static found assert_as_fresh(akin_collection *c, const char *user)
{
    akin_collection *fresh = open_it();
    const found f = search(c, user), g = search(fresh, user);
    akin_collection_close(fresh);
    assert_memory_equal(&f, &g, sizeof f);
    return f;
}

static void learn(const char *user)
{
    akin_version_info v;
    assert_int_equal(
        akin_collection_learn_user(&v, ctx, collection, "solis-ada", user),
        AKIN_OK);
    assert_string_equal(v.user, user);
    assert_string_equal(v.verdict, "better");
    assert_true(v.in_use && v.weights > 0 && v.events == TASTES_SAID);
}

static void make(bool dense)
{
    assert_int_equal(tastes_make(ctx, collection, dense), AKIN_OK);
    assert_int_equal(tastes_say(ctx, collection), AKIN_OK);
    learn("anna");
    learn("bert");
}

/* The first answers that are not the same in both have what the user wants. */
static void assert_taste(const found *f, int64_t wanted)
{
    for (int k = 0; k < TOP; ++k) {
        const int64_t differs = (f->rows[k] ^ 20) & 3;
        if (differs == 1 || differs == 2) {
            assert_int_equal(differs & wanted, 0);
            return;
        }
    }
    fail();
}

static void serve_in_turn(bool dense)
{
    make(dense);
    akin_collection *c = open_it();
    for (int k = 0; k < 3; ++k) {
        const found nobody = assert_as_fresh(c, NULL);
        const found anna = assert_as_fresh(c, "anna");
        const found bert = assert_as_fresh(c, "bert");
        const found other = assert_as_fresh(c, "somebody else");
        assert_taste(&anna, 1);
        assert_taste(&bert, 2);
        assert_memory_equal(&nobody, &other, sizeof nobody);
    }
    akin_collection_close(c);
}

static void weights_are_exchanged(void **state)
{
    (void)state;
    serve_in_turn(false);
}

static void dense_rows_are_indexed_again(void **state)
{
    (void)state;
    serve_in_turn(true);
}

/* A user has whatever is shared, and their own weights. */
static void follow(bool dense)
{
    akin_model *m = NULL;
    akin_rows *rows = NULL;
    make(dense);
    akin_collection *c = open_it();
    const found before = search(c, "anna");
    assert_int_equal(tastes_rows(&rows, ctx, dense), AKIN_OK);
    assert_int_equal(akin_model_builtin(&m, ctx, "cosine", rows), AKIN_OK);
    assert_int_equal(akin_collection_set_model(ctx, collection, m), AKIN_OK);
    const found still = search(c, "anna");
    assert_memory_equal(&before, &still, sizeof before);
    assert_int_equal(akin_collection_refresh(ctx, c), AKIN_OK);
    const found anna = assert_as_fresh(c, "anna");
    assert_taste(&anna, 1);
    assert_as_fresh(c, NULL);
    assert_int_equal(akin_collection_rollback_user(ctx, collection, "anna", 0),
                     AKIN_OK);
    assert_int_equal(akin_collection_refresh(ctx, c), AKIN_OK);
    const found shared = search(c, NULL), hers = assert_as_fresh(c, "anna");
    assert_memory_equal(&shared, &hers, sizeof shared);
    akin_collection_close(c);
    akin_model_free(m);
    akin_rows_free(rows);
}

static void users_follow_the_shared_model(void **state)
{
    (void)state;
    follow(false);
}

static void users_of_dense_rows_follow(void **state)
{
    (void)state;
    follow(true);
}

/* A psd model is scaled in its learned space, as long as it is in use. */
static void psd_models_have_users(void **state)
{
    akin_version_info v;
    (void)state;
    make(true);
    assert_int_equal(akin_collection_learn(&v, ctx, collection, "loreta-psd"),
                     AKIN_OK);
    assert_int_equal(akin_collection_rollback(ctx, collection, v.version),
                     AKIN_OK);
    akin_collection *c = open_it();
    const found shared = search(c, NULL);
    const found without = assert_as_fresh(c, "anna");
    assert_memory_equal(&shared, &without, sizeof shared);
    learn("anna");
    learn("bert");
    assert_int_equal(akin_collection_refresh(ctx, c), AKIN_OK);
    for (int k = 0; k < 2; ++k) {
        const found anna = assert_as_fresh(c, "anna");
        const found nobody = assert_as_fresh(c, NULL);
        const found bert = assert_as_fresh(c, "bert");
        assert_taste(&anna, 1);
        assert_taste(&bert, 2);
        assert_memory_equal(&shared, &nobody, sizeof shared);
    }
    /* Its weights are of no use to another model. */
    assert_int_equal(akin_collection_rollback(ctx, collection, 0), AKIN_OK);
    assert_int_equal(akin_collection_refresh(ctx, c), AKIN_OK);
    const found plain = search(c, NULL), anna = assert_as_fresh(c, "anna");
    assert_memory_equal(&plain, &anna, sizeof plain);
    akin_collection_close(c);
}

/* There are no weights to add to. */
static void other_models_have_no_users(void **state)
{
    akin_model *m = NULL;
    akin_rows *rows = NULL;
    akin_version_info v;
    (void)state;
    make(true);
    assert_int_equal(tastes_rows(&rows, ctx, true), AKIN_OK);
    assert_int_equal(akin_model_builtin(&m, ctx, "mahalanobis", rows), AKIN_OK);
    assert_int_equal(akin_collection_set_model(ctx, collection, m), AKIN_OK);
    assert_int_equal(
        akin_collection_learn_user(&v, ctx, collection, NULL, "anna"),
        AKIN_EINVAL);
    akin_collection *c = open_it();
    const found shared = search(c, NULL), anna = assert_as_fresh(c, "anna");
    assert_memory_equal(&shared, &anna, sizeof shared);
    akin_collection_close(c);
    akin_model_free(m);
    akin_rows_free(rows);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        CASE(weights_are_exchanged),         CASE(dense_rows_are_indexed_again),
        CASE(users_follow_the_shared_model), CASE(users_of_dense_rows_follow),
        CASE(psd_models_have_users),         CASE(other_models_have_no_users),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
