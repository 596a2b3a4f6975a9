/* akin reproduce rsl: Cheng, Riemannian Similarity Learning, ICML 2013;
 * Figure 1, Table 4, and the form of Tables 1 and 2. */
#include "reproduce/rsl/rsl.h"

static bool is_here(const char *folder)
{
    return folder == NULL || rsl_has_office(folder) || rsl_has_views(folder);
}

static akin_status run(app *a, const reproduce_flags *f, json_t *rows)
{
    rsl_run r = {.a = a, .flags = f, .rows = rows};
    if (f->test != NULL && f->data == NULL)
        return app_fail(a, AKIN_EINVAL, "--test needs --data");
    if (f->repeats > RSL_ROUNDS)
        return app_fail(a, AKIN_EINVAL,
                        "--repeats %d is out of range (at most %d for rsl)",
                        (int)f->repeats, RSL_ROUNDS);
    r.rounds = f->repeats > 0 ? f->repeats : f->quick ? 2 : 10;
    akin_ctx_set_log(a->ctx, NULL, NULL);  // remarks on each of many runs
    if (f->data == NULL)
        return rsl_synthetic(&r);
    return rsl_has_office(f->data) ? rsl_office(&r) : rsl_views(&r);
}

const reproduce_paper reproduce_rsl = {
    .name = "rsl",
    .title = "Riemannian Similarity Learning (Cheng; ICML 2013)",
    .layout = "amazon_surf800.npy, webcam_surf800.npy, dslr_surf800.npy and "
              "*_labels.csv, or view76.npy, view240.npy and "
              "labels.csv, or text10.npy, image128.npy and labels.csv",
    .takes = " test ",
    .is_here = is_here,
    .run = run,
    .figures = rsl_figures,
};
