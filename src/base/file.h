/* base/file.h - files that are whole or not there.
 *
 * An output is written under a name of its own, flushed, renamed over the old
 * file, and the folder flushed. Until `commit` returns AKIN_OK the old file is
 * untouched; a process that is killed leaves no half-written file under the
 * wanted name. A link is followed, also to a file that is yet to be. */
#ifndef AK_BASE_FILE_H
#define AK_BASE_FILE_H

#include "base/ctx.h"

typedef struct ak_writer ak_writer;

/* "-", or any name of the same file, is standard output; a device or pipe is
 * written to as it is. */
akin_status ak_writer_open(ak_writer **out, akin_ctx *ctx, const char *path);
akin_status ak_writer_put(ak_writer *w, akin_ctx *ctx, const void *bytes,
                          size_t n);
/* With `st` AKIN_OK: make it the file. Otherwise discard it; NULL is fine, so
 * that `done:` can always call this. Frees the writer and returns the status
 * of all. Between akin_outputs_begin and akin_outputs_end only the renaming
 * waits. */
akin_status ak_writer_close(ak_writer *w, akin_ctx *ctx, akin_status st);
/* A file of these bytes. */
akin_status ak_file_write(akin_ctx *ctx, const char *path, const void *bytes,
                          size_t n);

/* To read, standard input for "-". A signal ends the waiting for a pipe only
 * when it asked to stop: ECANCELLED. */
akin_status ak_file_open(akin_ctx *ctx, const char *path, int *fd);
/* A whole file, or standard input for "-", with a zero byte behind it. */
akin_status ak_file_read(akin_ctx *ctx, const char *path, char **bytes,
                         size_t *n);

/* ENOENT or EIO with the system's words: "x.svm: No such file or directory". */
akin_status ak_file_fail(akin_ctx *ctx, akin_status st, const char *path);

#endif
