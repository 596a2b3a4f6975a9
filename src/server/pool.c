#include "server/pool.h"

#include <ctype.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
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

/* The last part of a name, of letters, digits and a few signs alone, so that
 * it can be no path. */
static void safe_name(const char *name, char to[NAME_MAX])
{
    const char *last = strrchr(name, '/');
    size_t n = 0;
    for (name = last ? last + 1 : name; *name != '\0' && n < 100; ++name)
        to[n++] = isalnum((unsigned char)*name) || strchr("-_.", *name) ? *name
                                                                        : '_';
    to[n] = '\0';
    if (to[0] == '.' || n == 0)
        to[0] = '_';
    if (n == 0)
        to[1] = '\0';
}

/* A new file: "cat.jpg", or "2-cat.jpg" where that is taken. */
static int open_new(const served *c, const char *name, char path[2 * PATH_MAX])
{
    for (int i = 1; i < 1000000; ++i) {
        if (i == 1)
            snprintf(path, 2 * PATH_MAX, "%s/%s", c->uploads, name);
        else
            snprintf(path, 2 * PATH_MAX, "%s/%d-%s", c->uploads, i, name);
        const int fd =
            open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0644);
        if (fd >= 0 || errno != EEXIST)
            return fd;
    }
    return -1;
}

akin_status served_keep(served *c, const char *name, const char *bytes,
                        size_t n)
{
    char safe[NAME_MAX], path[2 * PATH_MAX];
    size_t done = 0;
    safe_name(name, safe);
    if (mkdir(c->uploads, 0755) != 0 && errno != EEXIST)
        return AKIN_EIO;
    const int fd = open_new(c, safe, path);
    if (fd < 0)
        return AKIN_EIO;
    while (done < n) {
        const ssize_t k = write(fd, bytes + done, n - done);
        if (k <= 0)
            break;
        done += (size_t)k;
    }
    const bool good = done == n && fsync(fd) == 0;
    const int why = errno;
    if (close(fd) == 0 && good)
        return AKIN_OK;
    unlink(path);
    errno = why;
    return AKIN_EIO;
}

void served_close(served *c)
{
    while (c->n_idle > 0)
        akin_collection_close(c->idle[--c->n_idle]);
    akin_ctx_free(c->ctx);
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
    if (x == NULL)
        return akin_collection_open(out, ctx, c->path);
    *out = x;
    return AKIN_OK;
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
