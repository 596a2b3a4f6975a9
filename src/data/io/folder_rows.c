/* Rows of a collection: a folder that holds them as a file. */
#include <limits.h>
#include <stdio.h>
#include <sys/stat.h>

#include "data/io/formats.h"

bool ak_format_is_folder(const char *path)
{
    struct stat s;
    return stat(path, &s) == 0 && S_ISDIR(s.st_mode);
}

static akin_status read_folder(akin_rows **out, akin_ctx *ctx, const char *path,
                               const akin_read_options *o)
{
    char file[PATH_MAX];
    struct stat s;
    const int n = snprintf(file, sizeof file, "%s/bags.safetensors", path);
    if (n < 0 || n >= PATH_MAX || stat(file, &s) != 0)
        return ak_fail(ctx, AKIN_EFORMAT,
                       "%s: a folder without bags.safetensors (expected a "
                       "collection of akin images that is finished)",
                       path);
    return ak_format_safetensors.read(out, ctx, file, o);
}

const ak_format ak_format_collection = {
    .name = "collection",
    .read = read_folder,
};
