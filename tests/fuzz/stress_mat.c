/* akin-mat on damaged MATLAB files, each in a process of its own, and what is
 * made of its output.
 *   stress_mat RUNS FILE...     RUNS random changes of the files
 *   stress_mat every FILE...    every prefix and three changes of every byte
 * A death of the child is counted and is no failure: it is why there is one.
 * An output that is neither read nor refused in one line is. */
#include <fcntl.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/file.h"
#include "base/rng.h"
#include "data/io/formats.h"

#define main akin_mat_main
#include "../../src/helpers/akin_mat.c"
#undef main

enum { CHANGES = 8 };

static struct {
    int64_t runs, read, refused, died;
} count;

/* In memory, with a name, which HDF5 wants. */
static char path[] = "/dev/shm/akin-XXXXXX.mat";

static void child(int out, const char *variable)
{
    char program[] = "akin-mat", labels[] = "", name[16];
    snprintf(name, sizeof name, "%s", variable);
#ifndef AK_HELPER_SANITIZED  // less than akin-mat takes: time goes to zeroing
    const struct rlimit small = {1 << 29, 1 << 29};
    setrlimit(RLIMIT_AS, &small);
#endif
    char *args[] = {program, path, name, labels, NULL};
    dup2(out, 1);
    dup2(open("/dev/null", O_WRONLY), 2);
    exit(akin_mat_main(4, args));
}

static bool refused_well(akin_ctx *ctx, akin_status st)
{
    const char *message = akin_ctx_message(ctx);
    return (st == AKIN_EFORMAT || st == AKIN_ESHAPE || st == AKIN_EINVAL) &&
           strncmp(message, "x.mat: ", 7) == 0 && !strchr(message, '\n');
}

static void run(akin_ctx *ctx, int memory, const char *bytes, size_t n,
                const char *variable)
{
    int ends[2], status;
    ak_source *s = NULL;
    akin_rows *r = NULL;
    if (ftruncate(memory, 0) != 0 ||
        pwrite(memory, bytes, n, 0) != (ssize_t)n || pipe(ends) != 0)
        abort();
    const pid_t pid = fork();
    if (pid == 0)
        child(ends[1], variable);
    close(ends[1]);
    akin_status st = ak_source_fd(&s, ctx, "x.mat", ends[0]);
    if (st == AKIN_OK)
        st = ak_mat_parse(&r, ctx, s);
    ak_source_close(s);
    waitpid(pid, &status, 0);
    ++count.runs;
    count.read += st == AKIN_OK;
    count.refused += st != AKIN_OK && !WIFSIGNALED(status);
    count.died += st != AKIN_OK && WIFSIGNALED(status);
    if (st != AKIN_OK && !refused_well(ctx, st)) {
        fprintf(stderr, "%s: %s\n", akin_status_name(st),
                akin_ctx_message(ctx));
        const int fd =
            open("stress_mat.bin", O_WRONLY | O_CREAT | O_TRUNC, 0644);
        if (fd < 0 || write(fd, bytes, n) != (ssize_t)n)
            perror("stress_mat.bin");
        abort();
    }
    akin_rows_free(r);
}

static void run_every(akin_ctx *ctx, int memory, char *bytes, size_t n)
{
    static const unsigned char masks[] = {0x01, 0x40, 0xff};
    for (size_t k = 0; k < n; ++k)
        run(ctx, memory, bytes, k, "X");
    for (size_t k = 0; k < n; ++k)
        for (size_t m = 0; m < sizeof masks; ++m) {
            bytes[k] = (char)(bytes[k] ^ masks[m]);
            run(ctx, memory, bytes, n, m == 1 ? "S" : "X");
            bytes[k] = (char)(bytes[k] ^ masks[m]);
        }
}

static void run_random(akin_ctx *ctx, int memory, char *bytes, size_t n,
                       ak_rng *rng)
{
    static const char *const variables[] = {"X", "S", ""};
    size_t at[CHANGES];
    char old[CHANGES];
    const int64_t changes = 1 + ak_rng_below(rng, CHANGES);
    for (int64_t k = 0; k < changes; ++k) {
        at[k] = (size_t)ak_rng_below(rng, (int64_t)n);
        old[k] = bytes[at[k]];
        bytes[at[k]] = (char)ak_rng_next(rng);
    }
    const bool cut = ak_rng_below(rng, 8) == 0;
    run(ctx, memory, bytes, cut ? (size_t)ak_rng_below(rng, (int64_t)n) : n,
        variables[ak_rng_below(rng, 3)]);
    for (int64_t k = changes - 1; k >= 0; --k)
        bytes[at[k]] = old[k];
}

int main(int argc, char **argv)
{
    akin_ctx *ctx = NULL;
    if (argc < 3 || akin_ctx_new(&ctx, NULL) != AKIN_OK)
        return 2;
    const int memory = mkstemps(path, 4);
    if (memory < 0)
        return 77;  // skipped
    const int64_t runs = atoll(argv[1]);
    ak_rng rng = ak_rng_new(4711, 0);
    for (int i = 2; i < argc; ++i) {
        char *bytes = NULL;
        size_t n = 0;
        if (ak_file_read(ctx, argv[i], &bytes, &n) != AKIN_OK)
            return 2;
        if (strcmp(argv[1], "every") == 0)
            run_every(ctx, memory, bytes, n);
        for (int64_t k = i - 2; k < runs; k += argc - 2)
            run_random(ctx, memory, bytes, n, &rng);
        akin_free(bytes);
    }
    printf("%" PRId64 " files: %" PRId64 " read, %" PRId64 " refused, %" PRId64
           " ended akin-mat\n",
           count.runs, count.read, count.refused, count.died);
    unlink(path);
    akin_ctx_free(ctx);
    return 0;
}
