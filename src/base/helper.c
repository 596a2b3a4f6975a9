#include "base/helper.h"

#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
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

/* The folder of libakin.so; false where the library is part of the program,
 * whose place says nothing about where akin is installed. */
static bool find_library(char *folder)
{
    Dl_info info;
    if (dladdr(&environment_name, &info) == 0 ||
        realpath(info.dli_fname, folder) == NULL)
        return false;
    char *slash = strrchr(folder, '/');
    const bool shared = strncmp(slash, "/libakin.so", 11) == 0;
    *slash = '\0';
    return shared;
}

bool ak_helper_find(char *path, const char *name)
{
    const char *told = secure_getenv(environment_name);
    char library[PATH_MAX];
    if (told != NULL)
        return is_program(path, told, "", name);
    if (find_library(library) &&
        (is_program(path, library, AK_LIBEXEC_FROM_LIBRARY, name) ||
         is_program(path, library, "/helpers", name)))
        return true;
    return is_program(path, AK_LIBEXEC, "", name);
}

const char *ak_helper_folder(void)
{
    return AK_LIBEXEC;
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
    *h = (ak_helper){0, -1, -1};
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
