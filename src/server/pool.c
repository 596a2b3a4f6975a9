#include "server/pool.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

akin_status served_open(app *a, served *c, const char *path)
{
    size_t n = strlen(path);
    while (n > 1 && path[n - 1] == '/')
        --n;
    size_t start = n;
    while (start > 0 && path[start - 1] != '/')
        --start;
    c->path = path;
    pthread_mutex_init(&c->lock, NULL);
    pthread_mutex_init(&c->review_lock, NULL);
    pthread_mutex_init(&c->drawer_lock, NULL);
    if (n - start >= sizeof c->name || n == start)
        return app_fail(a, AKIN_EINVAL, "%s: the name is too long or empty",
                        path);
    snprintf(c->name, sizeof c->name, "%.*s", (int)(n - start), path + start);
    akin_status st = AKIN_OK;
    akin_collection *x = NULL;
    APP_TRY(akin_ctx_new(&c->ctx, NULL));
    APP_TRY(akin_collection_open(&x, a->ctx, path));
    snprintf(c->kind, sizeof c->kind, "%s", akin_collection_kind(x));
    snprintf(c->uploads, sizeof c->uploads, "%.*s.uploads", (int)n, path);
    pool_give(c, x);
done:
    return st;
}

/* ---- files that were sent ---- */

/* The last part of a name, which is UTF-8, so that it can be no path: without
 * control characters and backslashes, and not hidden. */
static void safe_name(const char *name, char to[NAME_MAX])
{
    const char *last = strrchr(name, '/');
    snprintf(to, NAME_MAX, "%s", last ? last + 1 : name);
    for (char *p = to; *p != '\0'; ++p)
        if ((unsigned char)*p < ' ' || *p == 0x7f || *p == '\\')
            *p = '_';
    if (to[0] == '.')
        to[0] = '_';
}

/* A file that lists of the folder leave out, until it is complete. */
static int open_hidden(const served *c, char path[2 * PATH_MAX])
{
    snprintf(path, 2 * PATH_MAX, "%s/.new-XXXXXX", c->uploads);
    return mkostemp(path, O_CLOEXEC);
}

/* The i-th name for a file: "cat.jpg", "2-cat.jpg". Is it taken? */
static bool is_taken(const served *c, const char *name, int i,
                     char path[2 * PATH_MAX])
{
    if (i == 1)
        snprintf(path, 2 * PATH_MAX, "%s/%s", c->uploads, name);
    else
        snprintf(path, 2 * PATH_MAX, "%s/%d-%s", c->uploads, i, name);
    return access(path, F_OK) == 0;
}

/* The first name that is free. Not every file system has links, and nobody else
 * writes here. */
static bool give_name(served *c, const char *hidden, const char *name,
                      char path[2 * PATH_MAX])
{
    pthread_mutex_lock(&c->lock);
    for (int i = 1; is_taken(c, name, i, path); ++i)
        continue;
    const bool good = rename(hidden, path) == 0;
    pthread_mutex_unlock(&c->lock);
    return good;
}

static bool write_all(int fd, const char *bytes, size_t n)
{
    size_t done = 0;
    while (done < n) {
        const ssize_t k = write(fd, bytes + done, n - done);
        if (k <= 0)
            return false;
        done += (size_t)k;
    }
    return fchmod(fd, 0644) == 0 && fsync(fd) == 0;
}

akin_status served_keep(served *c, const char *name, const char *bytes,
                        size_t n, char path[2 * PATH_MAX])
{
    char safe[NAME_MAX], hidden[2 * PATH_MAX];
    safe_name(name, safe);
    if (mkdir(c->uploads, 0755) != 0 && errno != EEXIST)
        return AKIN_EIO;
    const int fd = open_hidden(c, hidden);
    if (fd < 0)
        return AKIN_EIO;
    const bool good = write_all(fd, bytes, n) &&
                      give_name(c, hidden, safe, path);
    const int why = errno;
    if (!good)
        unlink(hidden);
    close(fd);
    errno = why;
    return good ? AKIN_OK : AKIN_EIO;
}

static bool holds(const char *path, const char *bytes, size_t n)
{
    char block[16384];
    size_t k, done = 0;
    FILE *f = fopen(path, "rbe");
    if (f == NULL)
        return false;
    while ((k = fread(block, 1, sizeof block, f)) > 0 && k <= n - done &&
           memcmp(block, bytes + done, k) == 0)
        done += k;
    const bool same = k == 0 && done == n && !ferror(f);
    fclose(f);
    return same;
}

bool served_is_item(akin_ctx *ctx, akin_collection *x, const char *path)
{
    const char *name = strrchr(path, '/');
    struct stat a, b;
    akin_item item;
    int64_t row;
    return akin_collection_find(&row, ctx, x, name ? name + 1 : path) ==
               AKIN_OK &&
           akin_collection_item(&item, ctx, x, row) == AKIN_OK &&
           item.path != NULL && stat(item.path, &a) == 0 &&
           stat(path, &b) == 0 && a.st_dev == b.st_dev && a.st_ino == b.st_ino;
}

bool served_has(served *c, akin_ctx *ctx, akin_collection *x, const char *name,
                const char *bytes, size_t n)
{
    char safe[NAME_MAX], path[2 * PATH_MAX];
    safe_name(name, safe);
    for (int i = 1; is_taken(c, safe, i, path); ++i)
        if (holds(path, bytes, n) && served_is_item(ctx, x, path))
            return true;
    return false;
}

void served_close(served *c)
{
    while (c->n_idle > 0)
        akin_collection_close(c->idle[--c->n_idle]);
    akin_review_close(c->review);
    akin_answers_close(c->answers);
    akin_answers_close(c->drawer);
    akin_ctx_free(c->ctx);
    pthread_mutex_destroy(&c->drawer_lock);
    pthread_mutex_destroy(&c->review_lock);
    pthread_mutex_destroy(&c->lock);
}

akin_status pool_take(akin_collection **out, akin_ctx *ctx, served *c)
{
    akin_collection *x = NULL;
    pthread_mutex_lock(&c->lock);
    if (c->n_idle > 0)
        x = c->idle[--c->n_idle];
    pthread_mutex_unlock(&c->lock);
    if (x != NULL && akin_collection_refresh(ctx, x) != AKIN_OK) {
        akin_collection_close(x);
        x = NULL;
    }
    akin_status st = AKIN_OK;
    if (x == NULL)
        st = akin_collection_open(&x, ctx, c->path);
    *out = x;
    return st == AKIN_EFORMAT ? AKIN_EIO : st;  // no fault of who asks
}

void pool_give(served *c, akin_collection *x)
{
    if (x == NULL)
        return;
    pthread_mutex_lock(&c->lock);
    if (c->n_idle < POOL_MOST &&
        akin_collection_release(c->ctx, x) == AKIN_OK) {
        c->idle[c->n_idle++] = x;
        x = NULL;
    }
    pthread_mutex_unlock(&c->lock);
    akin_collection_close(x);
}
