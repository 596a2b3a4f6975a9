/* bench/pictures.h - descriptors of the pictures in a folder. */
#ifndef BENCH_PICTURES_H
#define BENCH_PICTURES_H

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/ctx.h"

enum { PATH_ROOM = 1024 };

typedef struct paths {
    int64_t n, room;
    char (*at)[PATH_ROOM];
} paths;

static inline int by_name(const void *a, const void *b)
{
    return strcmp(a, b);
}

static inline void find_jpegs_below(paths *p, const char *folder)
{
    DIR *dir = opendir(folder);
    struct dirent *e;
    while (dir && (e = readdir(dir)) != NULL) {
        const char *dot = strrchr(e->d_name, '.');
        char path[PATH_ROOM];
        if (e->d_name[0] == '.' || snprintf(path, sizeof path, "%s/%s", folder,
                                            e->d_name) >= PATH_ROOM)
            continue;
        if (dot == NULL || strcasecmp(dot, ".jpg") != 0) {
            find_jpegs_below(p, path);
            continue;
        }
        if (p->n == p->room) {
            p->room = 2 * p->room + 64;
            p->at = realloc(p->at, (size_t)p->room * sizeof *p->at);
        }
        memcpy(p->at[p->n++], path, sizeof path);
    }
    if (dir)
        closedir(dir);
}

/* All .jpg in a folder and below it, by name; free p.at. */
static inline paths find_jpegs(const char *folder)
{
    paths p = {0, 0, NULL};
    find_jpegs_below(&p, folder);
    if (p.n > 0)
        qsort(p.at, (size_t)p.n, sizeof *p.at, by_name);
    return p;
}

#endif
