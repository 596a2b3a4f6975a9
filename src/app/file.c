/* Small text files that are whole or not there. */
#include "app/app.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

static bool put_all(int fd, const char *text)
{
    size_t left = strlen(text);
    while (left > 0) {
        const ssize_t n = write(fd, text, left);
        if (n < 0 && errno != EINTR)
            return false;
        if (n > 0) {
            text += n;
            left -= (size_t)n;
        }
    }
    return true;
}

akin_status app_write_file(app *a, const char *path, const char *text)
{
    char temp[PATH_MAX];
    if (strcmp(path, "-") == 0)
        return put_all(STDOUT_FILENO, text)
                   ? AKIN_OK
                   : app_fail(a, AKIN_EIO, "standard output: %s",
                              strerror(errno));
    const int n =
        snprintf(temp, sizeof temp, "%s.%ld.tmp", path, (long)getpid());
    if (n < 0 || (size_t)n >= sizeof temp)
        return app_fail(a, AKIN_EIO, "%s: %s", path, strerror(ENAMETOOLONG));
    const int fd = open(temp, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
    if (fd < 0)
        return app_fail(a, AKIN_EIO, "%s: %s", path, strerror(errno));
    const bool put = put_all(fd, text) && fsync(fd) == 0;
    const int put_errno = errno;
    close(fd);
    if (put && rename(temp, path) == 0)
        return AKIN_OK;
    const int why = put ? errno : put_errno;
    unlink(temp);
    return app_fail(a, AKIN_EIO, "%s: %s", path, strerror(why));
}
