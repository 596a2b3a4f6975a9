/* akin name: a name for every face. */
#include <akin/naming.h>

#include "cli/commands.h"
#include "cli/name.h"

static void choose(app *a, name_job *j, const name_flags *f)
{
    j->o = f->names;
    if (app_was_given(a, "theta"))
        j->o.theta = f->own.theta;
    if (app_was_given(a, "named-count"))
        j->o.named_count = f->own.named_count;
    if (app_was_given(a, "real-name-ratio"))
        j->o.real_name_ratio = f->own.real_name_ratio;
    j->o.confirmed = j->confirmed;
}

/* What was learned, for faces that come later. */
static akin_status keep_model(app *a, const name_job *j,
                              const name_own_flags *f)
{
    akin_model *m = NULL;
    akin_status st = AKIN_OK;
    APP_TRY(akin_naming_model(&m, a->ctx, j->naming, j->names, j->info.theta));
    APP_TRY(akin_model_save(a->ctx, m, f->save_model));
done:
    akin_model_free(m);
    return st;
}

static akin_status check(app *a, const name_own_flags *f)
{
    if (f->captions == NULL && f->model == NULL)
        return app_fail(a, AKIN_EINVAL, "--captions FILE is needed");
    if (f->model && f->save_model)
        return app_fail(a, AKIN_EINVAL,
                        "--model and --save-model exclude each other");
    if (f->model && (app_was_given(a, "method") || app_was_given(a, "scale") ||
                     app_was_given(a, "norm")))
        return app_fail(a, AKIN_EINVAL,
                        "--model has its own method and recipe (no --method, "
                        "--scale or --norm with it)");
    return AKIN_OK;
}

static akin_status run(app *a, const void *flags)
{
    const name_flags *f = flags;
    akin_naming_measure m = {0};
    name_job j = {0};
    akin_status st = AKIN_OK;
    APP_TRY(check(a, &f->own));
    APP_TRY(name_open(a, &j, f));
    APP_TRY(name_learn(a, &j, f));
    choose(a, &j, f);
    if (!f->own.curve)
        APP_TRY(name_once(a, &j));
    APP_TRY(name_write(a, &j, &f->own));
    if (f->own.save_model)
        APP_TRY(keep_model(a, &j, &f->own));
    if (j.truth)
        APP_TRY(akin_naming_compare(&m, a->ctx, j.naming, j.names, j.truth));
    APP_TRY(name_report(a, &j, f, &m));
done:
    name_close(a, &j);
    return st;
}

const app_command cmd_name = {
    .name = "name",
    .section = "collections",
    .summary = "a name for every face, from captions",
    .about =
        "Each face gets one of the names of its photo's caption, or none of "
        "them; no name goes to two faces of a photo. The confidence is what "
        "the next best choice would lose: review small ones first.\n"
        "Without --real-name-ratio, --named-count or --theta every face is "
        "named for which its caption has a name.",
    .examples =
        "akin name faces.npy --captions captions.csv --real-name-ratio 0.55 "
        "--out names.csv\n"
        "akin name faces.npy --captions captions.csv --method lrr --confirmed "
        "said.csv --out names.csv\n"
        "akin name faces.npy --captions captions.csv --method mms --save-model "
        "people.safetensors --out names.csv\n"
        "akin name new.npy --model people.safetensors --out names.csv",
    .size = sizeof(name_flags),
    APP_PARTS({&name_own_group, offsetof(name_flags, own)},
              {&name_naming_group, offsetof(name_flags, naming)},
              {&name_names_group, offsetof(name_flags, names)},
              {&cli_reading_group, offsetof(name_flags, reading)}),
    .run = run,
};
