/* collection/pictures/extensions.h - which files are pictures, by their name.
 */
#ifndef AK_COLLECTION_PICTURES_EXTENSIONS_H
#define AK_COLLECTION_PICTURES_EXTENSIONS_H

#include <stdbool.h>

/* Formats that libvips reads with trusted loaders; and from ppm on, formats
 * that are better reported as unreadable than skipped in silence. */
bool ak_is_picture(const char *path);

#endif
