/* cli/commands.h - the list of commands. */
#ifndef CLI_COMMANDS_H
#define CLI_COMMANDS_H

#include "app/app.h"

#define COMMAND(name) extern const app_command cmd_##name;
#include "cli/commands.def"
#undef COMMAND

/* The i-th, NULL behind the last. */
const app_command *cli_command_at(int64_t i);

#endif
