/* akin version. */
#include "app/json.h"
#include "cli/commands.h"

static akin_status run(app *a, const void *flags)
{
    (void)flags;
    if (a->common.json)
        return app_json_print(a,
                              APP_OBJECT(APP_KEY("version", akin_version())));
    return app_print(a, "akin %s\n", akin_version());
}

const app_command cmd_version = {
    .name = "version",
    .section = "help",
    .summary = "the version of this program, as akin --version",
    .about = "Print the version of this program; akin --version does the same.",
    .run = run,
};
