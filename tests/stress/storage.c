/* Between a program and its disk, by LD_PRELOAD: the N-th call that stores
 * something fails, or is the last one.
 *
 *   AKIN_STORAGE_PART   counts only files whose path has this part
 *   AKIN_STORAGE_FROM   counts only while this file exists
 *   AKIN_STORAGE_AT     the number of the call, from 1; 0: every call
 *   AKIN_STORAGE_HOW    kill, ENOSPC or EIO
 */
#undef _FILE_OFFSET_BITS /* pwrite and pwrite64 are two functions */
#include <dlfcn.h>
#include <errno.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/types.h>
#include <unistd.h>

static atomic_long calls;

static bool is_counted(int fd)
{
    const char *part = getenv("AKIN_STORAGE_PART");
    const char *from = getenv("AKIN_STORAGE_FROM");
    char link[64], path[4096];
    if (part == NULL || (from != NULL && access(from, F_OK) != 0))
        return false;
    snprintf(link, sizeof link, "/proc/self/fd/%d", fd);
    const ssize_t n = readlink(link, path, sizeof path - 1);
    if (n < 0)
        return false;
    path[n] = '\0';
    return strstr(path, part) != NULL;
}

/* True: the call fails, and errno says how. */
static bool fails(int fd)
{
    const char *at = getenv("AKIN_STORAGE_AT");
    const char *how = getenv("AKIN_STORAGE_HOW");
    if (at == NULL || how == NULL || !is_counted(fd))
        return false;
    if (atol(at) != 0 && atomic_fetch_add(&calls, 1) + 1 != atol(at))
        return false;
    if (strcmp(how, "kill") == 0)
        kill(getpid(), SIGKILL);
    errno = strcmp(how, "ENOSPC") == 0 ? ENOSPC : EIO;
    return true;
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
