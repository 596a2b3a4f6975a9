/* akin name: a name for every face. */
#include <akin/naming.h>

#include "cli/commands.h"
#include "cli/name.h"

static akin_status check(app *a, const name_own_flags *f)
{
    if (app_was_given(a, "labels"))
        return app_fail(a, AKIN_EINVAL,
                        "--labels has no effect (--truth FILE measures names, "
                        "--confirmed FILE keeps them)");
    return f->affinity_file ? name_check_weights(a, f) : AKIN_OK;
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
    name_close(&j);
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
    .needs = "captions|model",
    .excludes = "theta|named-count|real-name-ratio|curve curve|save-model",
    APP_PARTS({&name_own_group, offsetof(name_flags, own)},
              {&name_naming_group, offsetof(name_flags, naming)},
              {&name_names_group, offsetof(name_flags, names)},
              {&cli_reading_group, offsetof(name_flags, reading)}),
    .run = run,
    .more_help = name_methods_help,
};
