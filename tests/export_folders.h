/* tests/export_folders.h - a temporary folder for exports. */
#ifndef AKIN_TESTS_EXPORT_FOLDERS_H
#define AKIN_TESTS_EXPORT_FOLDERS_H

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const char *const export_engines[] = {
    "pgvector", "opensearch", "elasticsearch", "faiss", "hnswlib",
    "numpy",    "csv"};
enum { EXPORT_ENGINES = sizeof export_engines / sizeof *export_engines };

static char export_root[64];

static inline int export_begin(void)
{
    snprintf(export_root, sizeof export_root, "/tmp/akin-export-XXXXXX");
    return mkdtemp(export_root) == NULL ? -1 : 0;
}

static inline int export_end(void)
{
    char command[128];
    snprintf(command, sizeof command, "rm -r '%s'", export_root);
    return system(command) != 0;
}

/* ROOT/NAME, until the next call. */
static inline const char *export_path(const char *name)
{
    static char path[256];
    snprintf(path, sizeof path, "%s/%s", export_root, name);
    return path;
}

#endif
