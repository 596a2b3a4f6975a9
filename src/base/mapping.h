/* base/mapping.h - a file in memory, which another program may change.
 *
 * A page that the file no longer has would end the process by SIGBUS. Here it
 * becomes a page of zeros, and the mapping is broken from then on. So whoever
 * uses the bytes must survive any bytes, and asks afterwards whether they were
 * those of the file. The first mapping sets a handler of SIGBUS, which passes
 * on what happens elsewhere. */
#ifndef AK_BASE_MAPPING_H
#define AK_BASE_MAPPING_H

#include <time.h>

#include "base/ctx.h"

typedef struct ak_mapping {
    const void *bytes;  // NULL: there is none
    size_t n;
    int fd, place;
    struct timespec changed;  // when it was mapped
} ak_mapping;

/* False where that is not possible: a pipe, an empty file, too many files. */
bool ak_mapping_open(ak_mapping *m, const char *path);
void ak_mapping_close(ak_mapping *m);

/* EFORMAT where the file was changed or cut off since it was mapped; `path` is
 * for the message. */
akin_status ak_mapping_check(const ak_mapping *m, akin_ctx *ctx,
                             const char *path);

#endif
