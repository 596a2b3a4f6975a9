/* helpers/fence.h - what a helper cannot do from a point on, whatever the file
 * at hand makes of it: no network, no programs, no processes, no changes to
 * files. */
#ifndef AK_HELPERS_FENCE_H
#define AK_HELPERS_FENCE_H

#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/sched.h>
#include <linux/seccomp.h>
#include <stdbool.h>
#include <stddef.h>
#include <sys/prctl.h>
#include <sys/syscall.h>

typedef enum ak_fence {
    AK_FENCE_READ,  /* files may be opened for reading */
    AK_FENCE_CLOSED /* no file may be opened */
} ak_fence;

#if defined __x86_64__
#define AK_FENCE_ARCH AUDIT_ARCH_X86_64
#elif defined __aarch64__
#define AK_FENCE_ARCH AUDIT_ARCH_AARCH64
#endif

/* Room for a rule of each call below. */
enum { AK_FENCE_ROOM = 192 };

typedef struct ak_fence_rules {
    struct sock_filter rule[AK_FENCE_ROOM];
    unsigned short n;
} ak_fence_rules;

static inline void ak_fence_put(ak_fence_rules *f, unsigned code,
                                unsigned long k, unsigned yes, unsigned no)
{
    struct sock_filter *r = &f->rule[f->n++];
    r->code = (unsigned short)code;
    r->jt = (unsigned char)yes;
    r->jf = (unsigned char)no;
    r->k = (unsigned)k;
}

static inline void ak_fence_fail(ak_fence_rules *f, int error)
{
    ak_fence_put(f, BPF_RET | BPF_K,
                 SECCOMP_RET_ERRNO | ((unsigned)error & SECCOMP_RET_DATA), 0,
                 0);
}

/* The call fails. */
static inline void ak_fence_call(ak_fence_rules *f, long call, int error)
{
    ak_fence_put(f, BPF_JMP | BPF_JEQ | BPF_K, (unsigned long)call, 0, 1);
    ak_fence_fail(f, error);
}

/* The call fails if its argument number `at` has one of these bits (`set`), or
 * none of them. */
static inline void ak_fence_bits(ak_fence_rules *f, long call, unsigned at,
                                 unsigned long bits, bool set)
{
    ak_fence_put(f, BPF_JMP | BPF_JEQ | BPF_K, (unsigned long)call, 0, 4);
    ak_fence_put(f, BPF_LD | BPF_W | BPF_ABS,
                 offsetof(struct seccomp_data, args) + 8 * at, 0, 0);
    ak_fence_put(f, BPF_JMP | BPF_JSET | BPF_K, bits, set ? 0 : 1, set ? 1 : 0);
    ak_fence_fail(f, EPERM);
    ak_fence_put(f, BPF_RET | BPF_K, SECCOMP_RET_ALLOW, 0, 0);
}

/* False: the system has no such fence; the limits hold all the same. */
static inline bool ak_set_fence(ak_fence kind)
{
/* A sanitizer looks for leaks from a process of its own. */
#if defined AK_FENCE_ARCH && !defined AK_HELPER_SANITIZED
    static const long forbidden[] = {
        /* network */
        SYS_socket,
        SYS_socketpair,
        SYS_connect,
        SYS_bind,
        SYS_listen,
        SYS_accept,
        SYS_accept4,
        SYS_sendto,
        SYS_sendmsg,
        SYS_sendmmsg,
        /* programs and processes */
        SYS_execve,
        SYS_execveat,
        SYS_ptrace,
        SYS_process_vm_readv,
        SYS_process_vm_writev,
        SYS_kill,
        SYS_pidfd_open,
        SYS_setsid,
        SYS_unshare,
        SYS_setns,
        SYS_bpf,
        SYS_io_uring_setup,
        SYS_perf_event_open,
        SYS_userfaultfd,
        SYS_keyctl,
        /* changes to files */
        SYS_unlinkat,
        SYS_renameat,
        SYS_renameat2,
        SYS_mkdirat,
        SYS_linkat,
        SYS_symlinkat,
        SYS_mknodat,
        SYS_fchmod,
        SYS_fchmodat,
        SYS_fchown,
        SYS_fchownat,
        SYS_truncate,
        SYS_ftruncate,
        SYS_utimensat,
        SYS_setxattr,
        SYS_lsetxattr,
        SYS_fsetxattr,
        SYS_mount,
        SYS_umount2,
        SYS_chroot,
        SYS_pivot_root,
        SYS_open_by_handle_at,
        SYS_memfd_create,
#ifdef __x86_64__
        SYS_fork,
        SYS_vfork,
        SYS_unlink,
        SYS_rename,
        SYS_mkdir,
        SYS_rmdir,
        SYS_link,
        SYS_symlink,
        SYS_mknod,
        SYS_chmod,
        SYS_chown,
        SYS_lchown,
        SYS_creat,
        SYS_utime,
        SYS_utimes,
        SYS_futimesat,
#endif
    };
    static_assert(2 * sizeof forbidden / sizeof forbidden[0] + 32 <=
                      AK_FENCE_ROOM,
                  "a rule for each");
    const unsigned long writes = O_WRONLY | O_RDWR | O_CREAT | O_TRUNC |
                                 O_APPEND;
    ak_fence_rules f;
    f.n = 0;
    ak_fence_put(&f, BPF_LD | BPF_W | BPF_ABS,
                 offsetof(struct seccomp_data, arch), 0, 0);
    ak_fence_put(&f, BPF_JMP | BPF_JEQ | BPF_K, AK_FENCE_ARCH, 1, 0);
    ak_fence_fail(&f, EPERM);
    ak_fence_put(&f, BPF_LD | BPF_W | BPF_ABS,
                 offsetof(struct seccomp_data, nr), 0, 0);
    /* x32, the other calls of an x86-64 */
    ak_fence_put(&f, BPF_JMP | BPF_JGE | BPF_K, 0x40000000, 0, 1);
    ak_fence_fail(&f, EPERM);
    for (size_t i = 0; i < sizeof forbidden / sizeof forbidden[0]; ++i)
        ak_fence_call(&f, forbidden[i], EPERM);
    /* Their flags lie in memory: the C library falls back to the older ones. */
    ak_fence_call(&f, SYS_clone3, ENOSYS);
    ak_fence_call(&f, SYS_openat2, ENOSYS);
    if (kind == AK_FENCE_CLOSED) {
        ak_fence_call(&f, SYS_openat, EPERM);
#ifdef __x86_64__
        ak_fence_call(&f, SYS_open, EPERM);
#endif
    } else {
        ak_fence_bits(&f, SYS_openat, 2, writes, true);
#ifdef __x86_64__
        ak_fence_bits(&f, SYS_open, 1, writes, true);
#endif
    }
    ak_fence_bits(&f, SYS_clone, 0, CLONE_THREAD, false);
    ak_fence_put(&f, BPF_RET | BPF_K, SECCOMP_RET_ALLOW, 0, 0);
    struct sock_fprog program;
    program.len = f.n;
    program.filter = f.rule;
    return prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0 &&
           prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program) == 0;
#else
    (void)kind;
    return false;
#endif
}

#endif
