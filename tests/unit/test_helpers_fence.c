/* Behind the fence each forbidden call fails, and what a helper needs works. */
#include <pthread.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/ptrace.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <sys/xattr.h>
#include <unistd.h>

#include <cmocka.h>

#include "helpers/fence.h"

static char folder[] = "akin-fence-XXXXXX";
static const char there[] = "there";

static int enter(void **state)
{
    (void)state;
    if (mkdtemp(folder) == NULL || chdir(folder) != 0)
        return 1;
    FILE *f = fopen(there, "w");
    return f == NULL || fputs("text\n", f) == EOF || fclose(f) != 0;
}

static int leave(void **state)
{
    (void)state;
    return unlink(there) != 0 || chdir("..") != 0 || rmdir(folder) != 0;
}

static long open_new(void)
{
    return open("new", O_WRONLY | O_CREAT, 0600);
}
static long open_write(void)
{
    return open(there, O_RDWR);
}
static long open_read(void)
{
    return open(there, O_RDONLY | O_CLOEXEC);
}
static long cut(void)
{
    return truncate(there, 0);
}
static long take_away(void)
{
    return unlink(there);
}
static long move(void)
{
    return rename(there, "elsewhere");
}
static long make_folder(void)
{
    return mkdir("new", 0700);
}
static long make_link(void)
{
    return link(there, "new");
}
static long make_symlink(void)
{
    return symlink(there, "new");
}
static long change_mode(void)
{
    return chmod(there, 0777);
}
static long set_attribute(void)
{
    return setxattr(there, "user.a", "b", 1, 0);
}
static long make_memory_file(void)
{
    return memfd_create("new", 0);
}
static long make_socket(void)
{
    return socket(AF_INET, SOCK_STREAM, 0);
}
static long make_local_socket(void)
{
    return socket(AF_UNIX, SOCK_DGRAM, 0);
}
static long make_sockets(void)
{
    int two[2];
    return socketpair(AF_UNIX, SOCK_STREAM, 0, two);
}
static long start_program(void)
{
    char *const none[] = {NULL};
    return execve("/bin/true", none, none);
}
static long start_process(void)
{
    const pid_t pid = fork();
    if (pid == 0)
        _exit(0);
    return pid;
}
static long send_signal(void)
{
    return kill(getppid(), 0);
}
static long trace(void)
{
    return ptrace(PTRACE_TRACEME, 0, NULL, NULL);
}

static const struct forbidden {
    const char *what;
    long (*call)(void);
} forbidden[] = {
    {"open a new file", open_new},
    {"open a file for writing", open_write},
    {"cut a file", cut},
    {"remove a file", take_away},
    {"rename a file", move},
    {"make a folder", make_folder},
    {"link", make_link},
    {"symlink", make_symlink},
    {"change a mode", change_mode},
    {"set an attribute", set_attribute},
    {"make a file in memory", make_memory_file},
    {"make a socket", make_socket},
    {"make a local socket", make_local_socket},
    {"make two sockets", make_sockets},
    {"start a program", start_program},
    {"start a process", start_process},
    {"send a signal", send_signal},
    {"trace", trace},
};

static void *nothing(void *arg)
{
    return arg;
}

/* In a process of its own: the fence stays. */
static int try_all(ak_fence kind)
{
    if (!ak_set_fence(kind))
        return 77;
    for (size_t i = 0; i < sizeof forbidden / sizeof forbidden[0]; ++i) {
        errno = 0;
        if (forbidden[i].call() != -1 || errno != EPERM) {
            fprintf(stderr, "can %s\n", forbidden[i].what);
            return 1;
        }
    }
    const long reads = open_read();
    if ((reads >= 0) != (kind == AK_FENCE_READ))
        return 2;
    /* Threads, memory and what is open already. */
    pthread_t thread;
    void *memory = malloc(100 << 20);
    if (memory == NULL || pthread_create(&thread, NULL, nothing, NULL) != 0 ||
        pthread_join(thread, NULL) != 0)
        return 3;
    free(memory);
    return write(STDERR_FILENO, "", 0) == 0 ? 0 : 4;
}

static void run(ak_fence kind)
{
    int status;
    const pid_t pid = fork();
    assert_true(pid >= 0);
    if (pid == 0)
        _exit(try_all(kind));
    assert_int_equal(waitpid(pid, &status, 0), pid);
    assert_true(WIFEXITED(status));
    if (WEXITSTATUS(status) == 77)
        skip();
    assert_int_equal(WEXITSTATUS(status), 0);
}

static void nothing_is_opened(void **state)
{
    (void)state;
    run(AK_FENCE_CLOSED);
}

static void files_are_read(void **state)
{
    (void)state;
    run(AK_FENCE_READ);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(nothing_is_opened),
        cmocka_unit_test(files_are_read),
    };
    return cmocka_run_group_tests(tests, enter, leave);
}
