#include "cli/inspect.h"

#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "app/json.h"

static const app_option file_options[] = {
    {"FILE", NULL, APP_FIELD(file_flags, path),
     .help = "any file that akin reads or writes",
     .flags = APP_ARGUMENT | APP_NEEDED},
};

const app_group cli_file_group =
    APP_GROUP("Arguments", file_options, (&(const file_flags){0}));

/* An index is valid when it can be loaded. */
static akin_status check_index(app *a, const akin_file_info *info,
                               const char *path)
{
    const char *key, *value, *shard;
    akin_index *x = NULL;
    akin_status st = AKIN_OK;
    if (!akin_file_info_at(&key, &value, info, 0) ||
        strcmp(value, "index") != 0)
        return AKIN_OK;
    APP_TRY(akin_index_load(&x, a->ctx, path));
    for (int64_t i = 0; (shard = akin_index_shard(x, i)) != NULL; ++i) {
        akin_file_info *more = NULL;
        st = akin_file_inspect(&more, a->ctx, shard, NULL);
        akin_file_info_free(more);
        if (st != AKIN_OK)
            break;
    }
done:
    akin_index_free(x);
    return st;
}

/* What says what an index in shards is. */
static akin_status inspect_shards(app *a, akin_file_info **out,
                                  const char *folder)
{
    char path[PATH_MAX];
    snprintf(path, sizeof path, "%s/index.safetensors", folder);
    const akin_status st = akin_file_inspect(out, a->ctx, path, NULL);
    return st == AKIN_OK ? check_index(a, *out, path) : st;
}

static akin_status check_collection(app *a, const char *path)
{
    akin_collection *c = NULL;
    akin_status st = AKIN_OK;
    APP_TRY(akin_collection_open(&c, a->ctx, path));
    APP_TRY(akin_collection_check(a->ctx, c));
done:
    akin_collection_close(c);
    return st;
}

akin_status cli_inspect(app *a, akin_file_info **out, const inspect_flags *f)
{
    const char *path = f->file.path;
    const akin_read_options o = cli_read_options(&f->reading, (cli_shape){0});
    if (strcmp(path, "-") != 0 && access(path, F_OK) != 0)
        return app_fail(a, AKIN_ENOENT, "%s: %s", path, strerror(errno));
    if (akin_index_is_folder(path))
        return inspect_shards(a, out, path);
    if (cli_is_folder(path))
        return check_collection(a, path);
    const akin_status st = akin_file_inspect(out, a->ctx, path, &o);
    return st == AKIN_OK ? check_index(a, *out, path) : st;
}

/* The part of the key after its last dot. */
static const char *last_part(const char *key)
{
    const char *dot = strrchr(key, '.');
    return dot != NULL ? dot + 1 : key;
}

static bool is_one_of(const char *key, const char *const *keys)
{
    for (; *keys != NULL; ++keys)
        if (strcmp(last_part(key), *keys) == 0)
            return true;
    return false;
}

/* Is the value a yes or no, whatever way it is stored in the file? */
static bool is_switch(const char *key)
{
    static const char *const keys[] = {"resumable", "prune", "plain", "center",
                                       NULL};
    return is_one_of(key, keys);
}

/* The same of a learner's option; in text it is 0 or 1, as its flag takes it.
 */
static bool is_option_switch(const char *key)
{
    static const char *const keys[] = {"prototypes", "check_derivatives",
                                       "self_votes", NULL};
    return is_one_of(key, keys);
}

static bool is_yes(const char *value)
{
    return strcmp(value, "yes") == 0 || strcmp(value, "1") == 0;
}

/* Indexes and recipes store akin_index_base; rows say what it means. */
static const char *shown_value(const akin_file_info *info, const char *key,
                               const char *value)
{
    static const char *const bases[] = {"auto", "0", "1"};
    const char *first, *type;
    if (is_switch(key))
        return is_yes(value) ? "yes" : "no";
    if (strcmp(last_part(key), "index_base") == 0 &&
        akin_file_info_at(&first, &type, info, 0) &&
        strcmp(type, "rows") != 0 && value[0] >= '0' && value[0] <= '2')
        return bases[value[0] - '0'];
    return value;
}

/* One word for the same thing in all commands, however files have it. */
static const char *shown_key(const char *key)
{
    static const char *const words[][2] = {
        {"index", "kind"}, {"gone", "removed"}, {"classes", "labels"}};
    for (size_t i = 0; i < sizeof words / sizeof words[0]; ++i)
        if (strcmp(key, words[i][0]) == 0)
            return words[i][1];
    return key;
}

json_t *cli_inspect_json(const akin_file_info *info, const char *path)
{
    const char *key, *value;
    json_t *object = APP_OBJECT(APP_KEY("file", path));
    for (int64_t i = 0; info && akin_file_info_at(&key, &value, info, i); ++i)
        json_object_set_new(
            object, shown_key(key),
            is_switch(key) || is_option_switch(key)
                ? json_boolean(is_yes(value))
                : app_json_guess(shown_value(info, key, value)));
    return object;
}

akin_status cli_inspect_print(app *a, const akin_file_info *info)
{
    const char *key, *value;
    int width = 0;
    akin_status st = AKIN_OK;
    for (int64_t i = 0; akin_file_info_at(&key, &value, info, i); ++i)
        if ((int)strlen(shown_key(key)) > width)
            width = (int)strlen(shown_key(key));
    for (int64_t i = 0;
         st == AKIN_OK && akin_file_info_at(&key, &value, info, i); ++i)
        st = app_print(a, "%-*s  %s\n", width, shown_key(key),
                       shown_value(info, key, value));
    return st;
}
