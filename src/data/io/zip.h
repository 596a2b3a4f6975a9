/* data/io/zip.h - the members of a zip archive in memory, as .npz files are. */
#ifndef AK_DATA_IO_ZIP_H
#define AK_DATA_IO_ZIP_H

#include "data/io/source.h"

typedef struct ak_zip {
    const char *name;            // of the file, for messages; borrowed
    const unsigned char *bytes;  // borrowed
    size_t n;
    size_t directory, directory_end;  // where the list of members lies
} ak_zip;

akin_status ak_zip_open(ak_zip *z, akin_ctx *ctx, const char *name,
                        const void *bytes, size_t n);
/* Open the member as a source named `ARCHIVE:MEMBER`; *out stays NULL where
 * there is none. */
akin_status ak_zip_member(const ak_zip *z, akin_ctx *ctx, const char *member,
                          ak_source **out);
/* The names of the members, parted by blanks, cut to `room`; for messages. */
void ak_zip_list(const ak_zip *z, char *to, size_t room);

#endif
