/* Outputs are checked before any work is done for them. */
#include <errno.h>
#include <glob.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <akin/collection.h>
#include <akin/data.h>

#include "app/app.h"
#include "app/json.h"

typedef struct given {
    const app_option *o;
    const char *const *values;
    int n_values;
} given;

/* Option i of the command, when it names files and was given; false when not.
 */
static bool names_files(const app_command *command, int64_t i,
                        const void *flags, given *out)
{
    const app_group *g;
    size_t offset;
    const app_option *o = app_option_at(command, i, &g, &offset);
    if (g == &app_common_group || (o->type != APP_TEXT && o->type != APP_TEXTS))
        return false;
    *out = (given){o, (const void *)((const char *)flags + offset),
                   o->type == APP_TEXTS ? 2 : 1};
    return out->values[0] != NULL;
}

static bool is_same(const struct stat *a, const struct stat *b)
{
    return a->st_dev == b->st_dev && a->st_ino == b->st_ino;
}

bool app_same_file(const char *path, const char *other)
{
    struct stat s, t;
    return stat(path, &s) == 0 && S_ISREG(s.st_mode) && stat(other, &t) == 0 &&
           is_same(&s, &t);
}

static bool is_stdout(const char *path)
{
    struct stat s, out;
    return strcmp(path, "-") == 0 ||
           (stat(path, &s) == 0 && fstat(STDOUT_FILENO, &out) == 0 &&
            is_same(&s, &out));
}

const char *app_shown(const char *path)
{
    return strcmp(path, "-") == 0 ? "standard output" : path;
}

akin_status app_path_in(app *a, char path[PATH_MAX], const char *folder,
                        const char *name)
{
    const int n = snprintf(path, PATH_MAX, "%s/%s", folder, name);
    if (n < 0 || n >= PATH_MAX)
        return app_fail(a, AKIN_EIO, "%s: %s", folder, strerror(ENAMETOOLONG));
    return AKIN_OK;
}

static akin_status check_folder(app *a, const char *path)
{
    char inside[PATH_MAX];
    struct stat s;
    if (stat(path, &s) != 0)
        return akin_output_check(a->ctx, path);
    const akin_status st = app_path_in(a, inside, path, APP_FIGURES);
    return st == AKIN_OK ? akin_output_check(a->ctx, inside) : st;
}

/* Standard output takes one result; all other lines go to standard error. */
static akin_status use_stdout(app *a, const app_option *o)
{
    if (a->result_on_stdout)
        return app_fail(a, AKIN_EINVAL,
                        "%s%s: only one result can go to standard output",
                        app_option_dashes(o), o->name);
    if ((o->flags & APP_BINARY) && isatty(STDOUT_FILENO))
        return app_fail(a, AKIN_EINVAL,
                        "%s%s: refusing to write binary data to a terminal "
                        "(redirect standard output)",
                        app_option_dashes(o), o->name);
    a->result_on_stdout = true;
    app_interrupt_as_json(false);
    return AKIN_OK;
}

static akin_status check_output(app *a, const app_option *o, const char *path)
{
    struct stat s;
    if ((o->flags & APP_FOLDER) ||
        ((o->flags & APP_EITHER) && stat(path, &s) == 0 && S_ISDIR(s.st_mode)))
        return check_folder(a, path);
    const akin_status st = o->flags & APP_ROWS
                               ? akin_rows_write_check(a->ctx, path)
                               : akin_output_check(a->ctx, path);
    return st == AKIN_OK && is_stdout(path) ? use_stdout(a, o) : st;
}

/* Where an output will be, links followed; false where it cannot be. */
static bool resolve(const char *path, char out[PATH_MAX])
{
    char folder[PATH_MAX] = ".";
    const char *slash = strrchr(path, '/');
    if (realpath(path, out) != NULL)
        return true;
    const size_t n = slash != NULL ? (size_t)(slash - path) + 1 : 0;
    if (n >= sizeof folder)
        return false;
    if (n > 0) {
        memcpy(folder, path, n);
        folder[n] = '\0';
    }
    return realpath(folder, out) != NULL;
}

static bool is_inside(const char *path, const char *folder)
{
    char x[PATH_MAX], y[PATH_MAX];
    if (is_stdout(path) || !resolve(path, x) || realpath(folder, y) == NULL)
        return false;
    const size_t n = strlen(y);
    return strncmp(x, y, n) == 0 && (x[n] == '/' || x[n] == '\0');
}

/* Is it one of the files that match a pattern? */
static bool matches(const char *path, const char *pattern)
{
    glob_t found;
    bool among = false;
    if (strpbrk(pattern, "*?[") == NULL ||
        glob(pattern, GLOB_NOSORT, NULL, &found) != 0)
        return false;
    for (size_t i = 0; i < found.gl_pathc && !among; ++i)
        among = app_same_file(path, found.gl_pathv[i]);
    globfree(&found);
    return among;
}

static akin_status check_input(app *a, const given *in, const app_option *out,
                               const char *path)
{
    const char *file = in->values[0];
    if (app_same_file(path, file) ? !(in->o->flags & APP_REPLACED)
                                  : matches(path, file))
        return app_fail(a, AKIN_EINVAL,
                        "%s%s: %s is also %s%s and would be overwritten",
                        app_option_dashes(out), out->name, path,
                        app_option_dashes(in->o), in->o->name);
    if (akin_collection_is(file) && is_inside(path, file))
        return app_fail(
            a, AKIN_EINVAL,
            "%s%s: %s is inside the collection %s, which is an input",
            app_option_dashes(out), out->name, path, file);
    return AKIN_OK;
}

/* An input must not be lost to an output, nor a part of it. */
static akin_status check_inputs(app *a, const app_command *command,
                                const void *flags, const app_option *out,
                                const char *path)
{
    given x;
    akin_status st = AKIN_OK;
    for (int64_t i = 0; app_option_at(command, i, NULL, NULL); ++i)
        if (names_files(command, i, flags, &x) && !(x.o->flags & APP_OUTPUT))
            APP_TRY(check_input(a, &x, out, path));
done:
    return st;
}

/* Nor an output to one that was named before it. */
static akin_status check_others(app *a, const app_command *command,
                                const void *flags, const app_option *out,
                                const char *path)
{
    given x;
    for (int64_t i = 0; app_option_at(command, i, NULL, NULL) != out; ++i)
        if (names_files(command, i, flags, &x) && x.o->flags & APP_OUTPUT)
            for (int k = 0; k < x.n_values; ++k)
                if (akin_output_same(x.values[k], path))
                    return app_fail(
                        a, AKIN_EINVAL,
                        "%s%s: %s is also %s%s: one would overwrite the other",
                        app_option_dashes(out), out->name, path,
                        app_option_dashes(x.o), x.o->name);
    return AKIN_OK;
}

akin_status app_check_outputs(app *a, const app_command *command,
                              const void *flags)
{
    given x;
    akin_status st = AKIN_OK;
    for (int64_t i = 0; app_option_at(command, i, NULL, NULL); ++i) {
        if (!names_files(command, i, flags, &x) || !(x.o->flags & APP_OUTPUT))
            continue;
        for (int k = 0; k < x.n_values; ++k) {
            APP_TRY(check_inputs(a, command, flags, x.o, x.values[k]));
            APP_TRY(check_others(a, command, flags, x.o, x.values[k]));
            APP_TRY(check_output(a, x.o, x.values[k]));
        }
    }
done:
    return st;
}
