/* collection/faces/metadata/iptc.h - the caption in the IPTC data of a picture.
 */
#ifndef AK_COLLECTION_FACES_METADATA_IPTC_H
#define AK_COLLECTION_FACES_METADATA_IPTC_H

#include <stddef.h>

/* The caption (record 2, data set 120) in IIM data, which may lie in a
 * Photoshop resource block as in JPEG files; NULL: there is none. Borrowed from
 * the bytes. */
const char *ak_iptc_caption(const unsigned char *bytes, size_t n,
                            size_t *length);

#endif
