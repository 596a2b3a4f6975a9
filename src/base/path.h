/* base/path.h - which file a path stands for. */
#ifndef AK_BASE_PATH_H
#define AK_BASE_PATH_H

#include <limits.h>
#include <stdbool.h>

/* What stands before the last slash; returns the name behind it. */
const char *ak_path_folder(char folder[PATH_MAX], const char *path);
/* The file that a path (shorter than PATH_MAX) stands for, by a name that no
 * other path gives it; links are followed, also to what does not exist yet.
 * errno says why not. */
bool ak_path_resolve(char to[PATH_MAX], const char *path);
/* "-", /dev/stdout, or where that was sent to. */
bool ak_path_is_stdout(const char *path);

#endif
