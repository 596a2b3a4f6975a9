#include "cli/commands.h"

#include <string.h>

#include "app/nearest.h"

static const app_command *const commands[] = {
#define COMMAND(name) &cmd_##name,
#include "cli/commands.def"
#undef COMMAND
    NULL,
};

const app_command *cli_command_at(int64_t i)
{
    return commands[i];
}

const app_command *cli_command_find(app *a, const char *name)
{
    app_nearest near = {.word = name};
    for (int64_t i = 0; commands[i] != NULL; ++i) {
        if (strcmp(commands[i]->name, name) == 0)
            return commands[i];
        app_nearest_try(&near, commands[i]->name);
    }
    app_fail(a, AKIN_EINVAL, "there is no command '%s'%s", name,
             near.best[0] ? app_nearest_hint(&near, "").text
                          : " (akin help lists them)");
    return NULL;
}
