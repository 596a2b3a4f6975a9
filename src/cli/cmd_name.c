/* akin name: a name for every face. */
#include <akin/naming.h>

#include "cli/commands.h"
#include "cli/name.h"

/* Flags of which one at most can be; with `curve` none of the first three. */
static akin_status check_choice(app *a)
{
    static const char *const flags[] = {
        "theta", "named-count", "real-name-ratio", "curve", "save-model"};
    enum { CHOICES = 4, ALL = 5 };
    for (int i = 0; i < CHOICES; ++i)
        for (int k = i + 1; k < (i == CHOICES - 1 ? ALL : CHOICES); ++k)
            if (app_was_given(a, flags[i]) && app_was_given(a, flags[k]))
                return app_fail(a, AKIN_EINVAL,
                                "--%s and --%s exclude each other", flags[i],
                                flags[k]);
    return AKIN_OK;
}

static akin_status check(app *a, const name_own_flags *f)
{
    if (f->captions == NULL && f->model == NULL)
        return app_fail(a, AKIN_EINVAL, "--captions FILE is needed");
    if (app_was_given(a, "labels"))
        return app_fail(a, AKIN_EINVAL,
                        "--labels has no effect (--truth FILE measures names, "
                        "--confirmed FILE keeps them)");
    if (f->model && f->save_model)
        return app_fail(a, AKIN_EINVAL,
                        "--model and --save-model exclude each other");
    if (f->model && (app_was_given(a, "method") || app_was_given(a, "scale") ||
                     app_was_given(a, "norm")))
        return app_fail(a, AKIN_EINVAL,
                        "--model has its own method and recipe (no --method, "
                        "--scale or --norm with it)");
    if (app_was_given(a, "affinity-weight") && f->affinity_file == NULL)
        return app_fail(a, AKIN_EINVAL,
                        "--affinity-weight needs --affinity-file");
    const akin_status st = f->affinity_file ? name_check_weights(a, f)
                                            : AKIN_OK;
    return st == AKIN_OK ? check_choice(a) : st;
}

akin_status name_faces(app *a, name_job *j, const name_flags *f)
{
    akin_status st = AKIN_OK;
    APP_TRY(name_open(a, j, f));
    APP_TRY(name_learn(a, j, f));
    j->method = j->model ? akin_model_learner(j->model) : f->naming.method;
    j->o = f->names;
    j->o.theta = f->own.theta;
    j->o.named_count = f->own.named_count;
    j->o.real_name_ratio = f->own.real_name_ratio;
    j->o.confirmed = j->confirmed;
    j->curve = f->own.curve;
    APP_TRY(name_give(a, j));
done:
    return st;
}

static akin_status run(app *a, const void *flags)
{
    const name_flags *f = flags;
    name_job j = {0};
    akin_status st = AKIN_OK;
    APP_TRY(check(a, &f->own));
    APP_TRY(name_check_method(a, f));
    APP_TRY(name_faces(a, &j, f));
    APP_TRY(name_write(a, &j, &f->own));
    APP_TRY(name_report(a, &j, f->own.out));
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
        "akin name faces.npy --captions captions.csv --model "
        "people.safetensors --confirmed said.csv --out names.csv\n"
        "akin name new.npy --model people.safetensors --out names.csv",
    .size = sizeof(name_flags),
    APP_PARTS({&name_own_group, offsetof(name_flags, own)},
              {&name_naming_group, offsetof(name_flags, naming)},
              {&name_names_group, offsetof(name_flags, names)},
              {&cli_reading_group, offsetof(name_flags, reading)}),
    .run = run,
    .more_help = name_methods_help,
};
