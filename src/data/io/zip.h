/* data/io/zip.h - zip archives, as .npz files are: read in memory, written with
 * members stored as they are and lengths in 64 bits throughout. */
#ifndef AK_DATA_IO_ZIP_H
#define AK_DATA_IO_ZIP_H

#include "data/io/source.h"

typedef struct ak_zip {
    const char *name;            // of the file, for messages; borrowed
    const unsigned char *bytes;  // borrowed
    size_t n;
    size_t directory, directory_end;  // where the list of members is
} ak_zip;

akin_status ak_zip_open(ak_zip *z, akin_ctx *ctx, const char *name,
                        const void *bytes, size_t n);
/* Open the member as a source named `ARCHIVE:MEMBER`; *out stays NULL where
 * there is none. */
akin_status ak_zip_member(const ak_zip *z, akin_ctx *ctx, const char *member,
                          ak_source **out);
/* The names of the members, separated by blanks, cut to `room`; for messages.
 */
void ak_zip_list(const ak_zip *z, char *to, size_t room);

/* A member to write: a header, then data, both borrowed. */
typedef struct ak_zip_out {
    const char *name;
    const void *header, *data;
    size_t header_n, n;
    uint32_t crc;  // filled in while writing, as is the next
    uint64_t at;   // where it begins in the file
} ak_zip_out;
akin_status ak_zip_write(akin_ctx *ctx, const char *path, ak_zip_out *members,
                         int n);

#endif
