/* Naming without a ratio, with each allocation failing: learning, the estimate,
 * an answer more, names, probabilities and whom to ask first. */
#include "support.h"

#include <akin/akin.h>
#include <akin/naming.h>

#include "faulty.h"

enum { FACES = 12, COLUMNS = 3 };

static const char captions[] =
    "photo,faces,names\na,0;1,Ann;Bob\nb,2;3,Ann;Cid\nc,4;5,Bob;Cid\n"
    "d,6;7,Ann;Bob\ne,8;9,Ann;Cid\nf,10;11,Bob;Dora\n";

/* Of persons 0, 1 and 2. */
static const int who[FACES] = {0, 1, 0, 2, 1, 2, 0, 1, 0, 2, 1, 0};

static akin_status name_faces(akin_ctx *ctx, void *arg)
{
    const akin_options *method = arg;
    akin_names_options o = AKIN_NAMES_DEFAULTS;
    const akin_face_weight weight = {3, AKIN_NO_NAME, 0.5};
    double quality[FACES];
    akin_face_names *said = NULL;
    akin_supervision *data = NULL;
    akin_estimate *estimate = NULL;
    akin_naming *naming = NULL;
    akin_names_info info;
    akin_rows *rows = NULL;
    float x[FACES * COLUMNS];
    double confidences[FACES], probabilities[FACES], gains[FACES];
    int32_t names[FACES];
    akin_status st = AKIN_OK;
    akin_ctx_set_threads(ctx, 1);
    for (int i = 0; i < FACES; ++i)
        quality[i] = i % 3 == 0 ? 0.5 : 1.0;
    for (int i = 0; i < FACES * COLUMNS; ++i)
        x[i] = (float)(i % COLUMNS == who[i / COLUMNS]) +
               0.05f * (float)(i * 7 % 11);
    AK_TRY(akin_rows_new_dense(&rows, ctx, FACES, COLUMNS, x));
    AK_TRY(akin_supervision_new(&data, ctx, rows, NULL, NULL));
    AK_TRY(akin_supervision_captions(ctx, data, "captions", captions));
    AK_TRY(akin_face_names_parse(&said, ctx, "said", "0,Ann\n5,\n", data));
    AK_TRY(akin_naming_learn(&naming, ctx, method, data, said));
    AK_TRY(akin_naming_set_prior(ctx, naming, &weight, 1));
    AK_TRY(akin_naming_set_quality(ctx, naming, quality));
    AK_TRY(akin_naming_estimate(&estimate, ctx, naming, NULL));
    AK_TRY(akin_estimate_update(ctx, estimate, naming, said));
    o.confirmed = said;
    o.estimate = estimate;
    AK_TRY(akin_naming_names(names, confidences, ctx, naming, &o, &info));
    AK_TRY(akin_estimate_probabilities(probabilities, ctx, estimate, naming,
                                       names, said));
    AK_TRY(akin_estimate_gains(gains, ctx, estimate, naming, names, said));
done:
    akin_estimate_free(estimate);
    akin_naming_free(naming);
    akin_face_names_free(said);
    akin_supervision_free(data);
    akin_rows_free(rows);
    return st;
}

static void naming_survives(void **state)
{
    akin_fused_options fused = AKIN_FUSED_DEFAULTS;
    akin_mean_options mean = AKIN_MEAN_DEFAULTS;
    (void)state;
    assert_in_range(faulty_run(name_faces, &fused.head), 20, 100000);
    assert_in_range(faulty_run(name_faces, &mean.head), 20, 100000);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(naming_survives)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
