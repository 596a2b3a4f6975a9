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
/* Make it the file; frees the writer whatever comes of it. Between
 * akin_outputs_begin and akin_outputs_end nothing but the new name waits. */
akin_status ak_writer_commit(ak_writer *w, akin_ctx *ctx);
/* Forget it; NULL is fine, so `done:` can always call this. */
void ak_writer_abort(ak_writer *w);

/* To read, standard input for "-". A signal ends the waiting for a pipe only
 * when it asked to stop: ECANCELLED. */
akin_status ak_file_open(akin_ctx *ctx, const char *path, int *fd);
/* A whole file, or standard input for "-", with a zero byte behind it. */
akin_status ak_file_read(akin_ctx *ctx, const char *path, char **bytes,
                         size_t *n);

/* ENOENT or EIO with the system's words: "x.svm: No such file or directory". */
akin_status ak_file_fail(akin_ctx *ctx, akin_status st, const char *path);

#endif
