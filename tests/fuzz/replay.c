/* Run a fuzz target on each file named, and on each file of folders named. */
#include <dirent.h>
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>

#include "fuzz.h"

static int64_t runs;

static int replay_file(const char *path)
{
    FILE *f = fopen(path, "rb");
    uint8_t *bytes = NULL;
    size_t n = 0, room = 0;
    if (f == NULL)
        return -1;
    do {
        room = 2 * room + 4096;
        bytes = realloc(bytes, room);
        if (bytes == NULL)
            abort();
        n += fread(bytes + n, 1, room - n, f);
    } while (n == room);
    const int failed = ferror(f);
    fclose(f);
    /* An allocation of just this size, so that reading past it is seen. */
    uint8_t *exact = malloc(n ? n : 1);
    if (exact == NULL)
        abort();
    memcpy(exact, bytes, n);
    free(bytes);
    if (!failed)
        LLVMFuzzerTestOneInput(exact, n);
    free(exact);
    ++runs;
    return failed ? -1 : 0;
}

static int replay(const char *path)
{
    DIR *folder = opendir(path);
    int result = 0;
    if (folder == NULL)
        return replay_file(path);
    for (struct dirent *e; result == 0 && (e = readdir(folder)) != NULL;) {
        char name[PATH_MAX];
        if (e->d_name[0] == '.')
            continue;
        snprintf(name, sizeof name, "%s/%s", path, e->d_name);
        result = replay(name);
    }
    closedir(folder);
    return result;
}

int main(int argc, char **argv)
{
    for (int i = 1; i < argc; ++i)
        if (replay(argv[i]) != 0) {
            fprintf(stderr, "%s: %s\n", argv[i], strerror(errno));
            return 1;
        }
    printf("%lld inputs\n", (long long)runs);
    return runs > 0 ? 0 : 1;
}
