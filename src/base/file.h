/* base/file.h - files that are written completely or not at all.
 *
 * An output goes to a temporary file, which is flushed and exchanged with the
 * old one; then the folder is flushed, and the old one removed. If anything of
 * this fails, the old file stays, or is put back where the file system can
 * exchange files. A killed process leaves no incomplete file under the wanted
 * name, and what it leaves beside it is removed by the next
 * akin_output_check. A link is followed, also to a file that does not exist
 * yet. */
#ifndef AK_BASE_FILE_H
#define AK_BASE_FILE_H

#include "base/ctx.h"

typedef struct ak_writer ak_writer;

/* "-", or any name of the same file, is standard output. Devices and pipes are
 * written directly. */
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

/* Open for reading; "-" is standard input. ECANCELLED: a signal asked to stop
 * while waiting for a pipe. */
akin_status ak_file_open(akin_ctx *ctx, const char *path, int *fd);
/* A whole file, or standard input for "-", followed by a zero byte. */
akin_status ak_file_read(akin_ctx *ctx, const char *path, char **bytes,
                         size_t *n);

/* What is named in a folder is on the disk; false: not for sure. */
bool ak_file_flush_folder(const char *folder);

/* Of this machine; what it left may be removed. */
bool ak_process_has_ended(long process);

/* A file, perhaps by links: no folder, no device, and no pipe to wait for. */
bool ak_file_is_regular(const char *path);

/* ENOENT, EIO or ENOSPC with the system's words: "x.svm: No such file or
 * directory". */
akin_status ak_file_fail(akin_ctx *ctx, akin_status st, const char *path);

#endif
