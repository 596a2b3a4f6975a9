#include "text/folder.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { DEEPEST = 64 };

/* A folder and those it lies in. */
typedef struct place {
    const char *path;
    const struct place *above;
    dev_t device;
    ino_t inode;
    int depth;
    int64_t label;
} place;

typedef struct walk {
    ak_folder *folder;
    akin_ctx *ctx;
    ak_warnings *warnings;
} walk;

static akin_status descend(walk *w, const place *here, int fd);

static akin_status add_document(walk *w, char **path, int64_t label)
{
    ak_folder *f = w->folder;
    AK_CHECK(ak_grow(w->ctx, f->n + 1, &f->room, sizeof *f->documents,
                     &f->documents));
    f->documents[f->n++] = (ak_document){*path, label};
    *path = NULL;
    return AKIN_OK;
}

static akin_status add_class(walk *w, const char *name, int64_t *label)
{
    ak_folder *f = w->folder;
    AK_CHECK(ak_grow(w->ctx, f->n_classes + 1, &f->room_classes,
                     sizeof *f->classes, &f->classes));
    AK_CHECK(ak_strdup(w->ctx, name, &f->classes[f->n_classes]));
    *label = f->n_classes++;
    return AKIN_OK;
}

/* The entries of a folder that are not hidden, sorted; each is the context's.
 * A folder that cannot be read to its end counts as one that cannot be read. */
static akin_status entries_of(akin_ctx *ctx, DIR *dir, char ***names,
                              int64_t *n, bool *whole)
{
    int64_t room = 0;
    for (;;) {
        errno = 0;
        const struct dirent *entry = readdir(dir);
        if (entry == NULL)
            break;
        if (entry->d_name[0] == '.')
            continue;
        AK_CHECK(ak_grow(ctx, *n + 1, &room, sizeof **names, names));
        AK_CHECK(ak_strdup(ctx, entry->d_name, &(*names)[*n]));
        ++*n;
    }
    *whole = errno == 0;
    return AKIN_OK;
}

static int by_bytes(const void *a, const void *b)
{
    return strcmp(*(char *const *)a, *(char *const *)b);
}

static bool leads_back(const place *p, const struct stat *s)
{
    for (; p != NULL; p = p->above)
        if (p->device == s->st_dev && p->inode == s->st_ino)
            return true;
    return false;
}

static akin_status unreadable(walk *w, const char *path, const char *why)
{
    return ak_warnings_add(w->warnings, w->ctx, AK_SKIPPED_UNREADABLE, "%s: %s",
                           path, why);
}

static akin_status enter(walk *w, const place *here, const char *name,
                         const char *path, int fd, const struct stat *s)
{
    place inner = {path,       here, s->st_dev, s->st_ino, here->depth + 1,
                   here->label};
    akin_status st = AKIN_OK;
    if (leads_back(here, s))
        return unreadable(w, path,
                          "a symbolic link to a folder that contains it");
    if (inner.depth > DEEPEST)
        return unreadable(w, path, "more than 64 folders deep");
    const int inner_fd = openat(fd, name, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (inner_fd < 0)
        return unreadable(w, path, strerror(errno));
    if (here->above == NULL)
        st = add_class(w, name, &inner.label);
    if (st != AKIN_OK) {
        close(inner_fd);
        return st;
    }
    return descend(w, &inner, inner_fd);
}

static akin_status visit(walk *w, const place *here, const char *name, int fd)
{
    const size_t size = strlen(here->path) + strlen(name) + 2;
    const size_t n = strlen(here->path);
    const bool slash = n > 0 && here->path[n - 1] == '/';
    struct stat s;
    char *path = NULL;
    akin_status st = AKIN_OK;
    AK_TRY(ak_alloc(w->ctx, (int64_t)size, 1, &path));
    snprintf(path, size, "%s%s%s", here->path, slash ? "" : "/", name);
    const bool found = fstatat(fd, name, &s, 0) == 0;
    const char *why = found ? "not a regular file" : strerror(errno);
    if (found && S_ISDIR(s.st_mode))
        AK_TRY(enter(w, here, name, path, fd, &s));
    else if (found && S_ISREG(s.st_mode))
        AK_TRY(add_document(w, &path, here->label));
    else if (w->warnings->wants == NULL || w->warnings->wants(path))
        AK_TRY(unreadable(w, path, why));
done:
    akin_free(path);
    return st;
}

/* What is in the folder, whose descriptor is closed. */
static akin_status descend(walk *w, const place *here, int fd)
{
    char **names = NULL;
    int64_t n = 0;
    bool whole = true;
    akin_status st = AKIN_OK;
    DIR *dir = fdopendir(fd);
    if (dir == NULL) {
        close(fd);
        return ak_nomem(w->ctx, sizeof *names);
    }
    AK_TRY(entries_of(w->ctx, dir, &names, &n, &whole));
    if (!whole)
        AK_TRY(unreadable(w, here->path, strerror(errno)));
    if (n > 0)
        qsort(names, (size_t)n, sizeof *names, by_bytes);
    for (int64_t i = 0; i < n; ++i)
        AK_TRY(visit(w, here, names[i], fd));
done:
    closedir(dir);
    for (int64_t i = 0; i < n; ++i)
        akin_free(names[i]);
    akin_free(names);
    return st;
}

akin_status ak_folder_list(ak_folder *f, akin_ctx *ctx, const char *path,
                           ak_warnings *warnings)
{
    walk w = {f, ctx, warnings};
    struct stat s;
    const int fd = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (fd < 0)
        return ak_fail(ctx, AKIN_ENOENT, "%s: %s", path, strerror(errno));
    if (fstat(fd, &s) != 0) {
        close(fd);
        return ak_fail(ctx, AKIN_EIO, "%s: %s", path, strerror(errno));
    }
    const place top = {path, NULL, s.st_dev, s.st_ino, 0, -1};
    return descend(&w, &top, fd);
}

void ak_folder_free(ak_folder *f)
{
    for (int64_t i = 0; i < f->n; ++i)
        akin_free(f->documents[i].path);
    for (int64_t i = 0; i < f->n_classes; ++i)
        akin_free(f->classes[i]);
    akin_free(f->documents);
    akin_free(f->classes);
    *f = (ak_folder){0};
}
