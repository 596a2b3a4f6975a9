#include "base/folder.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/file.h"
#include "base/path.h"

akin_status ak_folder_join(char to[PATH_MAX], akin_ctx *ctx, const char *folder,
                           const char *name)
{
    const int n = snprintf(to, PATH_MAX, "%s/%s", folder, name);
    if (n >= 0 && n < PATH_MAX)
        return AKIN_OK;
    errno = ENAMETOOLONG;
    return ak_file_fail(ctx, AKIN_EIO, folder);
}

/* There are no folders inside. */
static bool erase(const char *path)
{
    DIR *d = opendir(path);
    const struct dirent *e;
    if (d == NULL)
        return false;
    while ((e = readdir(d)) != NULL)
        if (strcmp(e->d_name, ".") != 0 && strcmp(e->d_name, "..") != 0)
            unlinkat(dirfd(d), e->d_name, 0);
    closedir(d);
    return rmdir(path) == 0;
}

/* PATH.new-PROCESS; false: too long. */
static bool name_beside(char to[PATH_MAX], const char *path)
{
    const int n = snprintf(to, PATH_MAX, "%s.new-%ld", path, (long)getpid());
    return n > 0 && n < PATH_MAX;
}

/* Such folders that runs have left which were killed. */
static void erase_left_over(const char *path)
{
    char parent[PATH_MAX], found[PATH_MAX];
    const char *base = strrchr(path, '/') ? strrchr(path, '/') + 1 : path;
    const size_t n = strlen(base);
    ak_path_folder(parent, path);
    DIR *d = opendir(parent);
    for (const struct dirent *e; d != NULL && (e = readdir(d)) != NULL;) {
        long process = 0;
        int length = 0;
        if (strncmp(e->d_name, base, n) == 0 &&
            sscanf(e->d_name + n, ".new-%ld%n", &process, &length) == 1 &&
            e->d_name[n + (size_t)length] == '\0' &&
            (ak_process_has_ended(process) || process == (long)getpid()) &&
            snprintf(found, sizeof found, "%s/%s", parent, e->d_name) <
                PATH_MAX)
            erase(found);
    }
    if (d != NULL)
        closedir(d);
}

static bool is_empty(const char *path)
{
    DIR *d = opendir(path);
    int n = 0;
    while (d != NULL && n < 3 && readdir(d) != NULL)
        ++n;
    if (d != NULL)
        closedir(d);
    return d != NULL && n == 2;
}

akin_status ak_folder_begin(ak_new_folder *f, akin_ctx *ctx, const char *path,
                            bool (*is_ours)(akin_ctx *ctx, const char *folder),
                            const char *what)
{
    char name[PATH_MAX], wanted[PATH_MAX], made[PATH_MAX];
    struct stat s;
    size_t n = strlen(path);
    f->made[0] = '\0';
    while (n > 1 && path[n - 1] == '/')
        --n;
    if (n < PATH_MAX)
        snprintf(name, sizeof name, "%.*s", (int)n, path);
    if (n >= PATH_MAX || !ak_path_resolve(wanted, name))
        return ak_file_fail(ctx, AKIN_EIO, path);
    if (lstat(wanted, &s) == 0 && !is_empty(wanted) && !is_ours(ctx, wanted))
        return ak_fail(ctx, AKIN_EINVAL, "%s: exists and is not %s", path,
                       what);
    if (!name_beside(made, wanted)) {
        errno = ENAMETOOLONG;
        return ak_file_fail(ctx, AKIN_EIO, path);
    }
    erase_left_over(wanted);
    if (mkdir(made, 0777) != 0)
        return ak_file_fail(ctx, AKIN_EIO, path);
    strcpy(f->path, wanted);
    strcpy(f->made, made);
    return AKIN_OK;
}

/* At once where the system can; else there is none for a moment. */
static akin_status put_in_place(const ak_new_folder *f, akin_ctx *ctx)
{
    if (rename(f->made, f->path) == 0)
        return AKIN_OK;
    if (renameat2(AT_FDCWD, f->made, AT_FDCWD, f->path, RENAME_EXCHANGE) == 0)
        return erase(f->made) ? AKIN_OK : ak_file_fail(ctx, AKIN_EIO, f->made);
    if ((errno == EINVAL || errno == ENOSYS) && erase(f->path) &&
        rename(f->made, f->path) == 0)
        return AKIN_OK;
    return ak_file_fail(ctx, AKIN_EIO, f->path);
}

akin_status ak_folder_end(ak_new_folder *f, akin_ctx *ctx, akin_status st)
{
    char parent[PATH_MAX];
    if (f->made[0] == '\0')
        return st;
    ak_path_folder(parent, f->path);
    if (st == AKIN_OK)
        st = put_in_place(f, ctx);
    if (st == AKIN_OK)
        ak_file_flush_folder(parent);
    else if (access(f->made, F_OK) == 0)
        erase(f->made);
    return st;
}
