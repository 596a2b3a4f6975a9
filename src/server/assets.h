/* server/assets.h - the files of the page, inside the program. */
#ifndef SERVER_ASSETS_H
#define SERVER_ASSETS_H

#include <stddef.h>

typedef struct asset {
    const char *url, *type, *tag;
    const unsigned char *bytes;
    size_t size;
} asset;

/* NULL: there is none. */
const asset *asset_find(const char *url);

#endif
