#include "server/assets.h"

#include <string.h>

#include "server/web_files.h"

const asset *asset_find(const char *url)
{
    const size_t n = sizeof web_files / sizeof *web_files;
    if (strcmp(url, "/") == 0)
        url = "/index.html";
    for (size_t i = 0; i < n; ++i)
        if (strcmp(web_files[i].url, url) == 0)
            return &web_files[i];
    return NULL;
}
