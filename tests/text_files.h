/* tests/text_files.h - a folder of documents, and what is made of it. */
#ifndef AKIN_TESTS_TEXT_FILES_H
#define AKIN_TESTS_TEXT_FILES_H

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static char text_folder[64];

static inline void text_put(const char *name, const void *bytes, size_t n)
{
    char path[128];
    snprintf(path, sizeof path, "%s/%s", text_folder, name);
    FILE *f = fopen(path, "wb");
    fwrite(bytes, 1, n, f);
    fclose(f);
}

static inline void text_sub(const char *name)
{
    char path[128];
    snprintf(path, sizeof path, "%s/%s", text_folder, name);
    mkdir(path, 0777);
}

static inline const char *text_path(const char *name)
{
    static char path[128];
    snprintf(path, sizeof path, "%s/%s", text_folder, name);
    return path;
}

/* Two classes, a csv file and JSON lines of the same, and documents in
 * trouble. */
static inline int text_begin(void)
{
    snprintf(text_folder, sizeof text_folder, "akin-text-XXXXXX");
    if (mkdtemp(text_folder) == NULL)
        return -1;
    text_sub("docs");
    text_sub("docs/a");
    text_sub("docs/b");
    text_put("docs/a/1", "orbit rocket orbit", 18);
    text_put("docs/a/2", "rocket \xc3\x89t\xc3\xa9", 12);
    text_put("docs/b/1", "roses roses orbit", 17);
    text_put("docs/b/2", "roses \xff tulips", 14);
    text_put("docs/b/binary", "a\0b", 3);
    text_put("docs/b/empty", "", 0);
    static const char csv[] =
        "text,label\n\"orbit, rocket\norbit\",a\nrocket \xc3\x89t\xc3\xa9,a\n"
        "roses \"\"roses orbit,b\n\"roses \xff tulips\",b\n\"a b\",b\n";
    text_put("docs.csv", csv, sizeof csv - 1);
    static const char jsonl[] =
        "{\"id\": 7, \"text\": \"orbit, rocket\\norbit\", \"label\": \"a\", "
        "\"year\": 1999, \"share\": 0.1, \"new\": true, \"tags\": [1]}\n"
        "{\"body\": \"rocket \\u00c9t\xc3\xa9\", \"label\": \"a\", "
        "\"title\": null}\n\n"
        "{\"text\": \"roses roses orbit\", \"label\": \"b\"}\n"
        "{\"text\": \"roses ! tulips\", \"labels\": [\"b\"]}\r\n"
        "{\"text\": \"\", \"class\": \"b\"}";
    text_put("docs.jsonl", jsonl, sizeof jsonl - 1);
    return 0;
}

static inline int text_end(void)
{
    char command[128];
    snprintf(command, sizeof command, "rm -r '%s'", text_folder);
    return system(command) != 0;
}

#endif
