#include "base/file.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <math.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/comm.h"
#include "base/path.h"

enum { BUFFER_SIZE = 1 << 16, NAME_TRIES = 100 };

typedef enum placing {
    NOT_YET,
    NEW,        // there was no such file
    EXCHANGED,  // the old one has the temporary name
    FOR_GOOD,   // the old one is gone
} placing;

struct ak_writer {
    int fd;
    bool elsewhere;         // another rank writes it
    bool in_place;          // standard output, a device or a pipe: no renaming
    bool unnamed;           // O_TMPFILE: gone by itself when we are killed
    char name[PATH_MAX];    // as given
    char path[PATH_MAX];    // the file that is to be, links followed
    char temp[PATH_MAX];    // "" while unnamed
    char folder[PATH_MAX];  // of path
    placing placed;
    ak_writer *next;  // that waits in the same akin_outputs
    size_t used;
    unsigned char buffer[BUFFER_SIZE];
};

bool ak_file_is_regular(const char *path)
{
    struct stat s;
    return stat(path, &s) == 0 && S_ISREG(s.st_mode);
}

akin_status ak_file_fail(akin_ctx *ctx, akin_status st, const char *path)
{
    if (st == AKIN_EIO && (errno == ENOSPC || errno == EDQUOT))
        st = AKIN_ENOSPC;
    return ak_fail(ctx, st, "%s: %s", path, strerror(errno));
}

/* ---- temporary names ---- */

/* A name beside the target: PATH.PROCESS.RANDOM.tmp. */
static bool temp_name(ak_writer *w)
{
    uint32_t any = 0;
    if (getrandom(&any, sizeof any, GRND_NONBLOCK) < 0)
        any = (uint32_t)(uintptr_t)w;
    const int n = snprintf(w->temp, sizeof w->temp, "%s.%ld.%08" PRIx32 ".tmp",
                           w->path, (long)getpid(), any);
    return n > 0 && (size_t)n < sizeof w->temp;
}

bool ak_process_has_ended(long process)
{
    return process > 0 && kill((pid_t)process, 0) != 0 && errno == ESRCH;
}

/* Is it such a name of the file `base`, of a process that has ended? */
static bool is_left_over(const char *name, const char *base)
{
    const size_t n = strlen(base);
    long process = 0;
    int length = 0;
    return strncmp(name, base, n) == 0 &&
           sscanf(name + n, ".%ld.%*8[0-9a-f].tmp%n", &process, &length) == 1 &&
           length > 0 && name[n + (size_t)length] == '\0' &&
           ak_process_has_ended(process);
}

/* What runs that were killed have left beside a file. */
static void remove_left_over(const ak_writer *w)
{
    const char *slash = strrchr(w->path, '/');
    DIR *folder = opendir(w->folder);
    if (folder == NULL)
        return;
    for (const struct dirent *e; (e = readdir(folder)) != NULL;)
        if (is_left_over(e->d_name, slash ? slash + 1 : w->path))
            unlinkat(dirfd(folder), e->d_name, 0);
    closedir(folder);
}

/* ---- writing ---- */

static int open_named(ak_writer *w, mode_t mode)
{
    for (int i = 0; i < NAME_TRIES && temp_name(w); ++i) {
        const int fd =
            open(w->temp, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, mode);
        if (fd >= 0 || errno != EEXIST)
            return fd;
    }
    return -1;
}

static int open_temp(ak_writer *w, mode_t mode)
{
#ifdef O_TMPFILE
    const int fd = open(w->folder, O_WRONLY | O_TMPFILE | O_CLOEXEC, mode);
    if (fd >= 0) {
        w->unnamed = true;
        w->temp[0] = '\0';
        return fd;
    }
#endif
    return open_named(w, mode);
}

static int open_target(ak_writer *w, const char *path)
{
    struct stat s;
    mode_t mode = 0666;
    if (ak_path_is_stdout(path)) {
        w->in_place = true;
        return dup(STDOUT_FILENO);
    }
    if (strlen(path) >= sizeof w->path) {
        errno = ENAMETOOLONG;
        return -1;
    }
    strcpy(w->name, path);
    if (stat(path, &s) == 0) {
        if (S_ISDIR(s.st_mode)) {
            errno = EISDIR;
            return -1;
        }
        if (!S_ISREG(s.st_mode)) {
            w->in_place = true;
            return open(path, O_WRONLY | O_CLOEXEC);
        }
        if (access(path, W_OK) != 0)
            return -1;
        mode = s.st_mode & 0777;
    }
    if (!ak_path_resolve(w->path, path))
        return -1;
    ak_path_folder(w->folder, w->path);
    return open_temp(w, mode);
}

static void discard(ak_writer *w)
{
    if (w == NULL)
        return;
    if (w->fd >= 0) {
        close(w->fd);
        if (!w->in_place && w->temp[0] && unlink(w->temp) != 0)
            unlink(w->temp);  // a fault that has passed
    }
    akin_free(w);
}

akin_status ak_writer_open(ak_writer **out, akin_ctx *ctx, const char *path)
{
    ak_writer *w;
    AK_CHECK(AK_NEW(ctx, 1, &w));
    w->elsewhere = akin_ctx_rank(ctx) > 0;
    w->fd = w->elsewhere ? -1 : open_target(w, path);
    const akin_status st = ak_comm_follow(
        ctx, w->fd < 0 && !w->elsewhere ? ak_file_fail(ctx, AKIN_EIO, path)
                                        : AKIN_OK);
    if (st != AKIN_OK)
        discard(w);
    else
        *out = w;
    return st;
}

akin_status akin_output_check(akin_ctx *ctx, const char *path)
{
    struct stat s;
    ak_writer *w = NULL;
    const bool in_place =
        ak_path_is_stdout(path) ||
        (stat(path, &s) == 0 && !S_ISREG(s.st_mode) && !S_ISDIR(s.st_mode));
    if (in_place)  // opening a pipe would be noticed at its other end
        return ak_comm_follow(ctx,
                              strcmp(path, "-") == 0 || access(path, W_OK) == 0
                                  ? AKIN_OK
                                  : ak_file_fail(ctx, AKIN_EIO, path));
    const akin_status st = ak_writer_open(&w, ctx, path);
    if (st == AKIN_OK && !w->elsewhere)
        remove_left_over(w);
    discard(w);
    return st;
}

int akin_output_same(const char *a, const char *b)
{
    char x[PATH_MAX], y[PATH_MAX];
    struct stat s;
    if (ak_path_is_stdout(a) || ak_path_is_stdout(b) ||
        (stat(a, &s) == 0 && !S_ISREG(s.st_mode)))
        return 0;
    return strlen(a) < PATH_MAX && strlen(b) < PATH_MAX &&
           ak_path_resolve(x, a) && ak_path_resolve(y, b) && strcmp(x, y) == 0;
}

static const char *shown(const ak_writer *w)
{
    return w->name[0] ? w->name : "standard output";
}

static akin_status write_all(ak_writer *w, akin_ctx *ctx, const void *bytes,
                             size_t n)
{
    const unsigned char *p = bytes;
    while (n > 0) {
        const ssize_t k = write(w->fd, p, n);
        if (k < 0 && errno == EINTR)
            continue;
        if (k < 0)
            return ak_file_fail(ctx, AKIN_EIO, shown(w));
        p += k;
        n -= (size_t)k;
    }
    return AKIN_OK;
}

static akin_status flush(ak_writer *w, akin_ctx *ctx)
{
    const size_t n = w->used;
    w->used = 0;
    return write_all(w, ctx, w->buffer, n);
}

akin_status ak_writer_put(ak_writer *w, akin_ctx *ctx, const void *bytes,
                          size_t n)
{
    if (w->elsewhere)
        return AKIN_OK;
    if (n > BUFFER_SIZE - w->used)
        AK_CHECK(flush(w, ctx));
    if (n > BUFFER_SIZE)
        return write_all(w, ctx, bytes, n);
    memcpy(w->buffer + w->used, bytes, n);
    w->used += n;
    return AKIN_OK;
}

/* Give an unnamed file a name beside the target, so that it can be renamed. */
static bool link_temp(ak_writer *w)
{
    char self[64];
    snprintf(self, sizeof self, "/proc/self/fd/%d", w->fd);
    for (int i = 0; i < NAME_TRIES && temp_name(w); ++i) {
        if (linkat(AT_FDCWD, self, AT_FDCWD, w->temp, AT_SYMLINK_FOLLOW) == 0)
            return true;
        if (errno != EEXIST)
            break;
    }
    w->temp[0] = '\0';
    return false;
}

bool ak_file_flush_folder(const char *folder)
{
    const int fd = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (fd < 0)
        return false;
    const bool ok = fsync(fd) == 0 || errno == EINVAL;
    close(fd);
    return ok;
}

/* All but the name. */
static akin_status settle(ak_writer *w, akin_ctx *ctx)
{
    const akin_status st = flush(w, ctx);
    if (st != AKIN_OK || w->in_place)
        return st;
    if (fsync(w->fd) != 0 || (w->unnamed && !link_temp(w)))
        return ak_file_fail(ctx, AKIN_EIO, shown(w));
    return AKIN_OK;
}

/* ---- names ----
 *
 * All files of a run are exchanged with the old ones before any of these is
 * removed. So if one cannot be exchanged, or a folder cannot be flushed, all
 * old ones are put back. */

static bool place(ak_writer *w)
{
    if (renameat2(AT_FDCWD, w->temp, AT_FDCWD, w->path, RENAME_EXCHANGE) == 0) {
        w->placed = EXCHANGED;
        return true;
    }
    const bool is_new = errno == ENOENT;
    if (rename(w->temp, w->path) != 0)
        return false;
    w->placed = is_new ? NEW : FOR_GOOD;
    w->temp[0] = '\0';
    return true;
}

static void take_back(ak_writer *w)
{
    if (w->placed == EXCHANGED)
        renameat2(AT_FDCWD, w->temp, AT_FDCWD, w->path, RENAME_EXCHANGE);
    else if (w->placed == NEW)
        unlink(w->path);
}

/* Those from `first` on. */
static akin_status give_names(ak_writer *first, akin_ctx *ctx)
{
    akin_status st = AKIN_OK;
    for (ak_writer *w = first; w != NULL; w = w->next)
        if (!w->in_place && !place(w))
            AK_TRY(ak_file_fail(ctx, AKIN_EIO, shown(w)));
    for (ak_writer *w = first; w != NULL; w = w->next)
        if (!w->in_place && !ak_file_flush_folder(w->folder))
            AK_TRY(ak_file_fail(ctx, AKIN_EIO, shown(w)));
done:
    for (ak_writer *w = first; w != NULL && st != AKIN_OK; w = w->next)
        take_back(w);
    return st;
}

/* Let it wait with the others. */
static akin_status postpone(ak_writer *w, akin_ctx *ctx, akin_outputs *files)
{
    for (const ak_writer *o = files->first; o != NULL; o = o->next)
        if (!w->in_place && strcmp(o->path, w->path) == 0)
            return ak_fail(ctx, AKIN_EINVAL, "%s: two outputs are this file",
                           shown(w));
    w->next = files->first;
    files->first = w;
    return AKIN_OK;
}

/* Write what waits in memory, and give the file its name, now or later. */
static akin_status complete(ak_writer **w, akin_ctx *ctx, akin_outputs *files)
{
    if ((*w)->elsewhere)
        return AKIN_OK;
    AK_CHECK(settle(*w, ctx));
    if (files == NULL)
        return give_names(*w, ctx);
    AK_CHECK(postpone(*w, ctx, files));
    *w = NULL;
    return AKIN_OK;
}

/* No rank still reads the file that is replaced: all have come here. */
akin_status ak_writer_close(ak_writer *w, akin_ctx *ctx, akin_status st)
{
    if (w == NULL)
        return st;
    st = ak_comm_agree(ctx, st);
    if (st == AKIN_OK)
        st = ak_comm_follow(ctx, complete(&w, ctx, ak_ctx_files(ctx)));
    discard(w);
    return st;
}

void akin_outputs_begin(akin_ctx *ctx, akin_outputs *files)
{
    files->first = NULL;
    ak_ctx_set_files(ctx, files);
}

akin_status akin_outputs_end(akin_ctx *ctx, akin_outputs *files, akin_status st)
{
    ak_ctx_set_files(ctx, NULL);
    st = ak_comm_agree(ctx, st);
    if (st == AKIN_OK)
        st = give_names(files->first, ctx);
    while (files->first != NULL) {
        ak_writer *w = files->first;
        files->first = w->next;
        discard(w);
    }
    return ak_comm_follow(ctx, st);
}

akin_status ak_file_open(akin_ctx *ctx, const char *path, int *fd)
{
    const bool is_stdin = strcmp(path, "-") == 0;
    akin_status st = AKIN_OK;
    do
        *fd = is_stdin ? dup(STDIN_FILENO) : open(path, O_RDONLY | O_CLOEXEC);
    while (*fd < 0 && errno == EINTR &&
           (st = ak_ctx_tick(ctx, "bytes read", 0, 0, NAN)) == AKIN_OK);
    return *fd >= 0 || st != AKIN_OK
               ? st
               : ak_file_fail(ctx, AKIN_ENOENT,
                              is_stdin ? "standard input" : path);
}

akin_status ak_file_read(akin_ctx *ctx, const char *path, char **bytes,
                         size_t *n)
{
    int fd;
    akin_status st = ak_file_open(ctx, path, &fd);
    if (st != AKIN_OK)
        return st;
    char *p = NULL;
    size_t used = 0, room = 0;
    for (;;) {
        if (room - used < 2) {
            room = room ? 2 * room : BUFFER_SIZE;
            AK_TRY(ak_resize(ctx, (int64_t)room, 1, &p));
        }
        const ssize_t k = read(fd, p + used, room - used - 1);
        if (k < 0 && errno == EINTR)
            continue;
        if (k < 0)
            AK_TRY(ak_file_fail(ctx, errno == EISDIR ? AKIN_ENOENT : AKIN_EIO,
                                path));
        if (k == 0)
            break;
        used += (size_t)k;
    }
    p[used] = '\0';
    *bytes = p;
    *n = used;
    p = NULL;
done:
    akin_free(p);
    close(fd);
    return st;
}

akin_status ak_file_write(akin_ctx *ctx, const char *path, const void *bytes,
                          size_t n)
{
    ak_writer *w;
    AK_CHECK(ak_writer_open(&w, ctx, path));
    return ak_writer_close(w, ctx, ak_writer_put(w, ctx, bytes, n));
}

akin_status akin_output_write(akin_ctx *ctx, const char *path, const char *text)
{
    return ak_file_write(ctx, path, text, strlen(text));
}
