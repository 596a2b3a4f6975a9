#include "collection/pictures/extensions.h"

#include <string.h>
#include <strings.h>

bool ak_is_picture(const char *path)
{
    static const char *const extensions[] = {
        ".jpg", ".jpeg", ".jpe",  ".png",  ".gif", ".webp",
        ".tif", ".tiff", ".heic", ".avif", ".ppm", ".pgm",
        ".pbm", ".pnm",  ".bmp",  ".jp2",  ".jxl",
    };
    const char *dot = strrchr(path, '.');
    for (size_t i = 0; dot && i < sizeof extensions / sizeof *extensions; ++i)
        if (strcasecmp(dot, extensions[i]) == 0)
            return true;
    return false;
}
