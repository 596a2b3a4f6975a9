/* Names of files that may not exist yet. */
#include "base/path.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { LINKS_MOST = 40 };

const char *ak_path_folder(char folder[PATH_MAX], const char *path)
{
    const char *slash = strrchr(path, '/');
    const size_t n = slash == NULL ? 0 : (size_t)(slash - path);
    memcpy(folder, path, n);
    folder[n] = '\0';
    if (n == 0)
        strcpy(folder, slash == NULL ? "." : "/");
    return slash == NULL ? path : slash + 1;
}

static bool join(char to[PATH_MAX], const char *folder, const char *name)
{
    const bool root = strcmp(folder, "/") == 0;
    const int n = snprintf(to, PATH_MAX, "%s/%s", root ? "" : folder, name);
    if (n > 0 && n < PATH_MAX)
        return true;
    errno = ENAMETOOLONG;
    return false;
}

/* One step along a link that leads nowhere yet; false at its end. */
static bool follow(char path[PATH_MAX])
{
    char folder[PATH_MAX], to[PATH_MAX];
    const ssize_t n = readlink(path, to, sizeof to - 1);
    if (n <= 0)
        return false;
    to[n] = '\0';
    ak_path_folder(folder, path);
    if (to[0] == '/')
        memcpy(path, to, (size_t)n + 1);
    else if (!join(path, folder, to))
        return false;
    return true;
}

bool ak_path_resolve(char to[PATH_MAX], const char *path)
{
    char end[PATH_MAX], folder[PATH_MAX], whole[PATH_MAX];
    if (realpath(path, to) != NULL)
        return true;
    if (errno != ENOENT)
        return false;
    strcpy(end, path);
    for (int i = 0; i < LINKS_MOST && follow(end); ++i)
        ;
    const char *name = ak_path_folder(folder, end);
    if (realpath(folder, whole) == NULL)
        return false;
    if (name[0] == '\0') {
        errno = ENOENT;
        return false;
    }
    return join(to, whole, name);
}

bool ak_path_is_stdout(const char *path)
{
    struct stat s, out;
    if (strcmp(path, "-") == 0)
        return true;
    return stat(path, &s) == 0 && fstat(STDOUT_FILENO, &out) == 0 &&
           s.st_dev == out.st_dev && s.st_ino == out.st_ino;
}
