/* run_case CASE.json: run the library on one golden case and print what came
 * out as one JSON object with the keys of the case's "expected".
 *
 * Exit 0 done, 1 the library failed, 2 not a case, 3 an algorithm that is not
 * known here. To add an algorithm write one case_fn and one line below. */
#include "run_case.h"

#include <stdio.h>
#include <string.h>

static const struct {
    const char *algorithm;
    case_fn run;
    const char *task;  // NULL: any
} table[] = {
    {"rlrr_H", case_rlrr_H, NULL},
    {"rlrr_wstep", case_rlrr_wstep, NULL},
    {"rlrr_iterate", case_rlrr_iterate, NULL},
    {"rlrr_optimum", case_rlrr_optimum, NULL},
    {"asml_objective", case_asml_objective, NULL},
    {"asml_steps", case_asml_steps, NULL},
    {"asml_fit", case_asml_fit, NULL},
    {"asml_image", case_asml_image, NULL},
    {"mms_objective", case_mms_objective, NULL},
    {"mildml_value", case_mildml_value, NULL},
    {"lr_associate", case_lr_associate, NULL},
    {"kernel_affinity", case_kernel_affinity, NULL},
    {"affinity_fuse", case_affinity_fuse, NULL},
    {"naming", case_naming, NULL},
    {"naming_assign", case_naming_assign, NULL},
    {"naming_theta", case_naming_theta, NULL},
    {"naming_at_count", case_naming_at_count, NULL},
    {"naming_ratio", case_naming_ratio, NULL},
    {"naming_metrics", case_naming_metrics, NULL},
    {"solis-tg", case_online, NULL},
    {"solis-da", case_online, NULL},
    {"solis-afb", case_online, NULL},
    {"solis-ada", case_online, NULL},
    {"oasis-diag", case_online, NULL},
    {"lego-diag", case_online, NULL},
    {"loreta-1", case_factored, "triplet"},
    {"loreta-1-psd", case_factored, "triplet"},
    {"loreta-r", case_factored, "triplet"},
    {"loreta-mi", case_factored, "triplet"},
    {"loreta-1", case_retraction, "retraction"},
    {"loreta-1-psd", case_retraction, "retraction"},
    {"loreta-r", case_retraction, "retraction"},
    {"pinv-update", case_pinv, NULL},
    {"gd", case_factored, "triplet"},
    {"psd-gd", case_factored, "triplet"},
    {"pa", case_factored, "triplet"},
    {"oasis", case_square, "triplet"},
    {"lego", case_square, "triplet"},
    {"loreta-1", case_labels, "multilabel"},
    {"pa", case_labels, "multilabel"},
    {"perceptron", case_labels, "multilabel"},
    {"group-perceptron", case_labels, "multilabel"},
    {"qpao", case_qpao, NULL},
    {"tf-idf", case_tfidf, NULL},
    {"diag-similarity", case_ranking, NULL},
    {"mahalanobis", case_mahalanobis, NULL},
    {"itml", case_itml, NULL},
    {"lrml", case_lrml, NULL},
    {"knn", case_knn, NULL},
    {"sice", case_sice, NULL},
    {"sice_gap", case_sice_gap, NULL},
    {"sice_alm_steps", case_sice_alm_steps, NULL},
    {"rsl_grad", case_rsl, NULL},
    {"rsl_hessvec", case_rsl, NULL},
    {"rsl_retract", case_rsl, NULL},
    {"rsl_train", case_rsl, NULL},
    {"rsl_kernel", case_rsl, NULL},
    {"s3ml_affinity", case_s3ml_affinity, NULL},
    {"s3ml", case_s3ml, NULL},
    {"s2ml", case_s2ml, NULL},
    {"sdml", case_sdml, NULL},
};

static case_fn find(const json_t *in, const char *algorithm)
{
    const char *task = json_string_value(json_object_get(in, "task"));
    for (size_t i = 0; i < sizeof table / sizeof *table; ++i)
        if (strcmp(table[i].algorithm, algorithm) == 0 &&
            (!table[i].task || (task && strcmp(table[i].task, task) == 0)))
            return table[i].run;
    return NULL;
}

/* Run and print; the exit status. */
static int run(case_fn fn, const json_t *in)
{
    akin_ctx *ctx = NULL;
    json_t *out = json_object();
    akin_status st = akin_ctx_new(&ctx, NULL);
    if (st == AKIN_OK)
        st = fn(ctx, in, out);
    if (st == AKIN_OK) {
        json_dumpf(out, stdout, JSON_COMPACT | JSON_REAL_PRECISION(17));
        putchar('\n');
    } else {
        fprintf(stderr, "run_case: %s: %s\n", akin_status_name(st),
                ctx ? akin_ctx_message(ctx) : "");
    }
    akin_ctx_free(ctx);
    json_decref(out);
    return st == AKIN_OK ? 0 : 1;
}

int main(int argc, char **argv)
{
    json_error_t error;
    json_t *in = argc == 2 ? json_load_file(argv[1], 0, &error) : NULL;
    const char *algorithm = json_string_value(json_object_get(in, "algorithm"));
    if (argc != 2) {
        fprintf(stderr, "usage: run_case CASE.json\n");
        return 2;
    }
    if (!algorithm) {
        fprintf(stderr, "run_case: %s: %s\n", argv[1],
                in ? "no \"algorithm\"" : error.text);
        json_decref(in);
        return 2;
    }
    const case_fn fn = find(in, algorithm);
    const int code = fn ? run(fn, in) : 3;
    json_decref(in);
    return code;
}
