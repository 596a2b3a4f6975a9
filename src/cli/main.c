/* akin - learn what similar means, then search by it. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <akin/learn.h>

#include "app/help.h"
#include "app/json.h"
#include "app/nearest.h"
#include "app/ranks.h"
#include "cli/commands.h"

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

/* By name; NULL with a message that suggests the nearest. */
static const app_command *find_command(app *a, const char *name)
{
    app_nearest near = {.word = name};
    for (int64_t i = 0; commands[i] != NULL; ++i) {
        if (strcmp(commands[i]->name, name) == 0)
            return commands[i];
        app_nearest_try(&near, commands[i]->name);
    }
    if (akin_learner_find(name) != NULL)
        app_fail(a, AKIN_EINVAL,
                 "%s is a learner, not a command (see akin help %s)", name,
                 name);
    else
        app_fail(a, AKIN_EINVAL, "there is no command '%s'%s", name,
                 near.best[0] ? app_nearest_hint(&near, "").text
                              : " (akin help lists them)");
    return NULL;
}

static bool has_word(int n, char **words, const char *word)
{
    for (int i = 0; i < n && strcmp(words[i], "--") != 0; ++i)
        if (strcmp(words[i], word) == 0)
            return true;
    return false;
}

/* Do the ranks share the work? Not where standard input is read: only rank 0
 * has one. */
static bool is_shared(const app *a, const app_command *command, int n,
                      char **words)
{
    return command->shared && !has_word(n, words, "-") &&
           (command->alone == NULL || !app_was_given(a, command->alone));
}

static akin_status run(app *a, const app_command *command, int n, char **words)
{
    unsigned char *flags = NULL;
    akin_status st = AKIN_OK;
    if (has_word(n, words, "--help") || has_word(n, words, "-h"))
        return app_help_command(a, command, has_word(n, words, "--all"));
    APP_TRY(app_alloc(a, 1, command->size, &flags));
    APP_TRY(app_parse(a, command, n, words, flags));
    app_apply_common(a);
    if (is_shared(a, command, n, words))
        app_ranks_share(a);
    else if (a->rank > 0)
        goto done;  // rank 0 does it
    APP_TRY(app_check_outputs(a, command, flags));
    APP_TRY(command->run(a, flags));
done:
    free(flags);
    return st;
}

static akin_status dispatch(app *a, int argc, char **argv)
{
    const char *word = argc > 1 ? argv[1] : "help";
    app_look_for_json(a, argc - 1, argv + 1);
    if (strcmp(word, "--version") == 0 || strcmp(word, "-V") == 0)
        word = "version";
    if (strcmp(word, "--help") == 0 || strcmp(word, "-h") == 0)
        word = "help";
    if (word[0] == '-')
        return app_fail(a, AKIN_EINVAL,
                        "expected a command, got '%s' (akin help lists them)",
                        word);
    const app_command *command = find_command(a, word);
    if (command == NULL)
        return AKIN_EINVAL;
    return run(a, command, argc > 2 ? argc - 2 : 0, argv + 2);
}

/* Leave without the farewells of the libraries: where memory is limited
 * (ulimit -v), OpenBLAS waits there for a thread that never ends. A sanitizer
 * looks for leaks at a regular end. */
static int leave(int code)
{
#ifndef __SANITIZE_ADDRESS__
    fflush(NULL);
    _exit(code);
#endif
    return code;
}

int main(int argc, char **argv)
{
    static app a;
    akin_status st = app_start(&a);
    if (st == AKIN_OK)
        st = app_ranks_start(&a);
    if (st == AKIN_OK)
        st = dispatch(&a, argc, argv);
    return leave(app_ranks_finish(&a, app_finish(&a, st)));
}
