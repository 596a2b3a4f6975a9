/* akin info: what a file is. */
#include "app/json.h"
#include "cli/commands.h"
#include "cli/inspect.h"

static akin_status run(app *a, const void *flags)
{
    const inspect_flags *f = flags;
    akin_file_info *info = NULL;
    akin_status st = AKIN_OK;
    APP_TRY(cli_inspect(a, &info, f));
    APP_TRY(a->common.json
                ? app_json_print(a, cli_inspect_json(info, f->file.path))
                : cli_inspect_print(a, info));
done:
    akin_file_info_free(info);
    return st;
}

const app_command cmd_info = {
    .name = "info",
    .section = "files",
    .summary = "what a file is: model, recipe or data",
    .about = "Reads the whole file, and shows what it is and its figures.",
    .examples = "akin info m.safetensors\nakin info rows.svm --json",
    .size = sizeof(inspect_flags),
    APP_PARTS({&cli_file_group, offsetof(inspect_flags, file)},
              {&cli_reading_group, offsetof(inspect_flags, reading)}),
    .run = run,
};
