/* Between a program and its disk, by LD_PRELOAD: the N-th call that stores
 * something fails, or is the last one. These are calls that write, flush and
 * cut, and those that make, rename and remove files and folders.
 *
 *   AKIN_STORAGE_PART   counts only files whose path has this part
 *   AKIN_STORAGE_FROM   counts only while this file exists
 *   AKIN_STORAGE_AT     the number of the call, from 1; 0: every call
 *   AKIN_STORAGE_HOW    kill, ENOSPC or EIO
 */
#undef _FILE_OFFSET_BITS /* pwrite and pwrite64 are two functions */
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/types.h>
#include <unistd.h>

static atomic_long calls;

/* A path as the program gave it, with its folder where that is the current one.
 */
static bool is_counted(const char *path)
{
    const char *part = getenv("AKIN_STORAGE_PART");
    const char *from = getenv("AKIN_STORAGE_FROM");
    char folder[4096] = "", whole[8300];
    if (part == NULL || (from != NULL && access(from, F_OK) != 0))
        return false;
    if (path[0] != '/' && getcwd(folder, sizeof folder) == NULL)
        return false;
    snprintf(whole, sizeof whole, "%s/%s", folder, path);
    return strstr(whole, part) != NULL;
}

/* True: the call fails, and errno says how. */
static bool fails_at(const char *path)
{
    const char *at = getenv("AKIN_STORAGE_AT");
    const char *how = getenv("AKIN_STORAGE_HOW");
    if (at == NULL || how == NULL || !is_counted(path))
        return false;
    if (atol(at) != 0 && atomic_fetch_add(&calls, 1) + 1 != atol(at))
        return false;
    if (strcmp(how, "kill") == 0)
        kill(getpid(), SIGKILL);
    errno = strcmp(how, "ENOSPC") == 0 ? ENOSPC : EIO;
    return true;
}

static bool fails(int fd)
{
    char link[64], path[4096];
    snprintf(link, sizeof link, "/proc/self/fd/%d", fd);
    const ssize_t n = readlink(link, path, sizeof path - 1);
    if (n < 0)
        return false;
    path[n] = '\0';
    return fails_at(path);
}

#define NEXT(type, name) \
    static type next;    \
    if (next == NULL)    \
    *(void **)&next = dlsym(RTLD_NEXT, name)

typedef ssize_t (*write_fn)(int, const void *, size_t);
typedef ssize_t (*pwrite_fn)(int, const void *, size_t, off_t);
typedef int (*sync_fn)(int);
typedef int (*truncate_fn)(int, off_t);

ssize_t write(int fd, const void *bytes, size_t n)
{
    NEXT(write_fn, "write");
    return fails(fd) ? -1 : next(fd, bytes, n);
}

ssize_t pwrite(int fd, const void *bytes, size_t n, off_t at)
{
    NEXT(pwrite_fn, "pwrite");
    return fails(fd) ? -1 : next(fd, bytes, n, at);
}

ssize_t pwrite64(int fd, const void *bytes, size_t n, off_t at)
{
    NEXT(pwrite_fn, "pwrite64");
    return fails(fd) ? -1 : next(fd, bytes, n, at);
}

/* Out of space is found out by writing: flushing and cutting do not need it. */
static bool is_about_space(void)
{
    const char *how = getenv("AKIN_STORAGE_HOW");
    return how != NULL && strcmp(how, "ENOSPC") == 0;
}

int fsync(int fd)
{
    NEXT(sync_fn, "fsync");
    return !is_about_space() && fails(fd) ? -1 : next(fd);
}

int fdatasync(int fd)
{
    NEXT(sync_fn, "fdatasync");
    return !is_about_space() && fails(fd) ? -1 : next(fd);
}

int ftruncate(int fd, off_t size)
{
    NEXT(truncate_fn, "ftruncate");
    return !is_about_space() && fails(fd) ? -1 : next(fd, size);
}

int ftruncate64(int fd, off_t size)
{
    NEXT(truncate_fn, "ftruncate64");
    return !is_about_space() && fails(fd) ? -1 : next(fd, size);
}

/* ---- names ---- */

typedef int (*open_fn)(const char *, int, ...);
typedef int (*rename_fn)(const char *, const char *);
typedef int (*renameat2_fn)(int, const char *, int, const char *, unsigned);
typedef int (*linkat_fn)(int, const char *, int, const char *, int);
typedef int (*mkdir_fn)(const char *, mode_t);
typedef int (*unlink_fn)(const char *);

typedef int (*mkostemp_fn)(char *, int);

static bool may_make_file(int flags)
{
    return (flags & O_CREAT) != 0 || (flags & O_TMPFILE) == O_TMPFILE;
}

/* A file that is there is opened without any space. */
static bool cannot_open(const char *path, int flags)
{
    const bool is_there = (flags & O_TMPFILE) != O_TMPFILE &&
                          access(path, F_OK) == 0;
    return may_make_file(flags) && !is_there && fails_at(path);
}

#define OPEN(name)                                                      \
    int name(const char *path, int flags, ...)                          \
    {                                                                   \
        NEXT(open_fn, #name);                                           \
        mode_t mode = 0;                                                \
        if (may_make_file(flags)) {                                     \
            va_list more;                                               \
            va_start(more, flags);                                      \
            mode = va_arg(more, mode_t);                                \
            va_end(more);                                               \
        }                                                               \
        return cannot_open(path, flags) ? -1 : next(path, flags, mode); \
    }
OPEN(open)
OPEN(open64)

int mkostemp64(char *pattern, int flags)
{
    NEXT(mkostemp_fn, "mkostemp64");
    return fails_at(pattern) ? -1 : next(pattern, flags);
}

int rename(const char *from, const char *to)
{
    NEXT(rename_fn, "rename");
    return fails_at(to) ? -1 : next(from, to);
}

/* Paths of these are never relative to a folder that is open. */
int renameat2(int from, const char *old, int to, const char *path,
              unsigned flags)
{
    NEXT(renameat2_fn, "renameat2");
    return fails_at(path) ? -1 : next(from, old, to, path, flags);
}

int linkat(int from, const char *old, int to, const char *path, int flags)
{
    NEXT(linkat_fn, "linkat");
    return fails_at(path) ? -1 : next(from, old, to, path, flags);
}

int mkdir(const char *path, mode_t mode)
{
    NEXT(mkdir_fn, "mkdir");
    return access(path, F_OK) != 0 && fails_at(path) ? -1 : next(path, mode);
}

int unlink(const char *path)
{
    NEXT(unlink_fn, "unlink");
    return !is_about_space() && fails_at(path) ? -1 : next(path);
}
