#include "base/helper.h"

#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/helper_config.h"

extern char **environ;

static const char environment_name[] = "AKIN_LIBEXEC";

static bool is_program(char *to, const char *folder, const char *inside,
                       const char *name)
{
    const int n = snprintf(to, PATH_MAX, "%s%s/%s", folder, inside, name);
    return n > 0 && n < PATH_MAX && access(to, X_OK) == 0;
}

/* What the library is part of. */
typedef enum {
    IN_PROGRAM, /* whose place says nothing about where akin is installed */
    IN_LIBAKIN, /* libakin.so, installed or in its build folder */
    IN_MODULE   /* another shared object: a binding that ships its helpers */
} place;

/* The folder of the object that the library is in. */
static place find_library(char *folder)
{
    char program[PATH_MAX];
    Dl_info info;
    if (dladdr(&environment_name, &info) == 0 ||
        realpath(info.dli_fname, folder) == NULL)
        return IN_PROGRAM;
    const bool is_program_itself = realpath("/proc/self/exe", program) !=
                                       NULL &&
                                   strcmp(program, folder) == 0;
    char *slash = strrchr(folder, '/');
    const place found = strncmp(slash, "/libakin.so", 11) == 0 ? IN_LIBAKIN
                        : !is_program_itself && strstr(slash, ".so") != NULL
                            ? IN_MODULE
                            : IN_PROGRAM;
    *slash = '\0';
    return found;
}

bool ak_helper_find(char *path, const char *name)
{
    const char *told = secure_getenv(environment_name);
    char library[PATH_MAX];
    if (told != NULL)
        return is_program(path, told, "", name);
    const place in = find_library(library);
    if (in == IN_LIBAKIN &&
        (is_program(path, library, AK_LIBEXEC_FROM_LIBRARY, name) ||
         is_program(path, library, "/helpers", name)))
        return true;
    if (in == IN_MODULE && is_program(path, library, "/libexec", name))
        return true;
    return is_program(path, AK_LIBEXEC, "", name);
}

const char *ak_helper_folder(void)
{
    return AK_LIBEXEC;
}

static bool is_folder_of(char *to, const char *folder, const char *inside,
                         const char *file)
{
    char path[2 * PATH_MAX];
    const int n = snprintf(to, PATH_MAX, "%s%s", folder, inside);
    snprintf(path, sizeof path, "%s/%s", to, file);
    return n > 0 && n < PATH_MAX && access(path, R_OK) == 0;
}

bool ak_helper_weights(char *path, const char *file)
{
    const char *told = secure_getenv("AKIN_FACES");
    char library[PATH_MAX];
    if (told != NULL)
        return is_folder_of(path, told, "", file);
    const place in = find_library(library);
    if (in == IN_LIBAKIN &&
        (is_folder_of(path, library, AK_DATA_FROM_LIBRARY "/faces", file) ||
         is_folder_of(path, library, "/../faces", file)))
        return true;
    if (in == IN_MODULE && is_folder_of(path, library, "/faces", file))
        return true;
    return is_folder_of(path, AK_DATA, "/faces", file);
}

/* Input 0 and output 1 as given, and no word of its own on 2. */
static int spawn(pid_t *pid, const char *program, const char *const *args,
                 int input, int output)
{
    posix_spawn_file_actions_t files;
    posix_spawnattr_t how;
    sigset_t none, pipes;
    int failed = posix_spawn_file_actions_init(&files);
    if (failed != 0)
        return failed;
    failed = posix_spawnattr_init(&how);
    if (failed == 0) {
        sigemptyset(&none);
        sigemptyset(&pipes);
        sigaddset(&pipes, SIGPIPE);
        posix_spawnattr_setsigmask(&how, &none);
        posix_spawnattr_setsigdefault(&how, &pipes);
        posix_spawnattr_setflags(&how, POSIX_SPAWN_SETSIGMASK |
                                           POSIX_SPAWN_SETSIGDEF);
        if (input < 0)
            posix_spawn_file_actions_addopen(&files, 0, "/dev/null", O_RDONLY,
                                             0);
        else
            posix_spawn_file_actions_adddup2(&files, input, 0);
        posix_spawn_file_actions_adddup2(&files, output, 1);
        posix_spawn_file_actions_addopen(&files, 2, "/dev/null", O_WRONLY, 0);
        failed = posix_spawn(pid, program, &files, &how,
                             (char *const *)(uintptr_t)args, environ);
        posix_spawnattr_destroy(&how);
    }
    posix_spawn_file_actions_destroy(&files);
    return failed;
}

static void close_end(int *fd)
{
    if (*fd >= 0)
        close(*fd);
    *fd = -1;
}

int ak_helper_start(ak_helper *h, const char *program, const char *const *args,
                    bool listens)
{
    int in[2] = {-1, -1}, out[2] = {-1, -1};
    int failed = 0;
    *h = AK_HELPER_NONE;
    if (pipe2(out, O_CLOEXEC) != 0 ||
        (listens &&
         socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, in) != 0))
        failed = errno;
    if (failed == 0)
        failed = spawn(&h->pid, program, args, in[0], out[1]);
    close_end(&in[0]);
    close_end(&out[1]);
    h->to = in[1];
    h->from = out[0];
    if (failed != 0) {
        close_end(&h->to);
        close_end(&h->from);
        h->pid = 0;
    }
    return failed;
}

int ak_helper_end(ak_helper *h, bool near)
{
    int status = 0;
    close_end(&h->to);
    close_end(&h->from);
    if (h->pid == 0)
        return 0;
    if (!near)
        kill(h->pid, SIGKILL);
    while (waitpid(h->pid, &status, 0) < 0 && errno == EINTR)
        ;
    h->pid = 0;
    return status;
}

/* ---- requests and answers ---- */

void ak_helper_begin(ak_helper *h, double seconds)
{
    const double whole = (double)(int64_t)seconds;
    clock_gettime(CLOCK_MONOTONIC, &h->deadline);
    h->deadline.tv_sec += (time_t)whole;
    h->deadline.tv_nsec += (long)(1e9 * (seconds - whole));
}

static int milliseconds_left(const ak_helper *h)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    const double left = (double)(h->deadline.tv_sec - now.tv_sec) +
                        1e-9 * (double)(h->deadline.tv_nsec - now.tv_nsec);
    return left <= 0.0 ? 0 : (int)(1000.0 * left) + 1;
}

bool ak_helper_is_late(const ak_helper *h)
{
    return milliseconds_left(h) == 0;
}

/* Until it can be read from; false: not in time. */
static bool wait_for(const ak_helper *h)
{
    struct pollfd p = {.fd = h->from, .events = POLLIN};
    for (;;) {
        const int left = milliseconds_left(h);
        if (left == 0)
            return false;
        const int ready = poll(&p, 1, left);
        if (ready > 0)
            return true;
        if (ready < 0 && errno != EINTR)
            return false;
    }
}

bool ak_helper_get(const ak_helper *h, void *bytes, size_t n)
{
    for (size_t have = 0; have < n;) {
        if (!wait_for(h))
            return false;
        const ssize_t got = read(h->from, (char *)bytes + have, n - have);
        if (got == 0 || (got < 0 && errno != EINTR))
            return false;
        have += got > 0 ? (size_t)got : 0;
    }
    return true;
}

/* The other end waits for the request: it does not block. */
bool ak_helper_put(const ak_helper *h, const void *bytes, size_t n)
{
    for (size_t have = 0; have < n;) {
        const ssize_t did =
            send(h->to, (const char *)bytes + have, n - have, MSG_NOSIGNAL);
        if (did < 0 && errno != EINTR)
            return false;
        have += did > 0 ? (size_t)did : 0;
    }
    return true;
}

bool ak_helper_text(const ak_helper *h, char text[AK_HELPER_MESSAGE + 1])
{
    int32_t n;
    if (!ak_helper_get(h, &n, sizeof n) || n < 0 || n > AK_HELPER_MESSAGE ||
        !ak_helper_get(h, text, (size_t)n))
        return false;
    for (int32_t i = 0; i < n; ++i)
        if ((unsigned char)text[i] < ' ' || text[i] == 0x7f)
            text[i] = '?';
    text[n] = '\0';
    return true;
}
