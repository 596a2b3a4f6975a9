#include "app/progress.h"

#include <math.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "app/app.h"
#include "app/text.h"

static const double bar_after = 0.3, bar_every = 0.1, line_every = 5.0;

static volatile sig_atomic_t interrupted;

static void on_interrupt(int number)
{
    (void)number;
    if (!interrupted)
        alarm(1);
    interrupted = 1;
}

static void on_alarm(int number)
{
    (void)number;
    if (!interrupted)
        return;
    static const char text[] = "akin: interrupted\n";
    const ssize_t n = write(STDERR_FILENO, text, sizeof text - 1);
    (void)n;
    _exit(130);
}

void app_catch_signals(void)
{
    struct sigaction s;
    memset(&s, 0, sizeof s);
    sigemptyset(&s.sa_mask);
    s.sa_handler = on_interrupt;
    sigaction(SIGINT, &s, NULL);
    sigaction(SIGTERM, &s, NULL);
    s.sa_handler = on_alarm;
    sigaction(SIGALRM, &s, NULL);
    s.sa_handler = SIG_IGN;  // a write says EPIPE instead
    sigaction(SIGPIPE, &s, NULL);
    sigaction(SIGXFSZ, &s, NULL);  // and EFBIG
}

bool app_interrupted(void)
{
    return interrupted != 0;
}

void app_progress_clear(app_progress *p)
{
    if (p->drawn)
        fputs("\r\033[K", stderr);
    p->drawn = false;
}

static int columns(void)
{
    struct winsize w;
    if (ioctl(STDERR_FILENO, TIOCGWINSZ, &w) != 0 || w.ws_col < 20)
        return 80;
    return w.ws_col;
}

/* "526 k/s, loss 0.213, 9.0 s left", as far as each is known. */
static void figures(const app_progress *p, const akin_progress *now,
                    double seconds, char *text, size_t size)
{
    const double rate = (double)(now->done - p->from) / seconds;
    size_t at = 0;
    at += (size_t)snprintf(text, size, "%s/s", app_si(rate).text);
    if (!isnan(now->loss))
        at += (size_t)snprintf(text + at, size - at, ", loss %.4g", now->loss);
    if (now->total > 0 && rate > 0.0)
        snprintf(
            text + at, size - at, ", %s left",
            app_seconds(ceil((double)(now->total - now->done) / rate)).text);
}

static void draw_bar(app_progress *p, const akin_progress *now,
                     const char *numbers)
{
    char bar[128] = "";
    /* Room for any numbers, so that the bar keeps its length. */
    const int free_columns = columns() - (int)strlen(now->what) - 50;
    const int width = free_columns < 40 ? free_columns : 40;
    if (now->total > 0 && width >= 5) {
        const double part = fmin(1.0, (double)now->done / (double)now->total);
        const int full = (int)(part * width);
        char cells[64];
        memset(cells, '-', sizeof cells);
        memset(cells, '=', (size_t)full);
        snprintf(bar, sizeof bar, "[%.*s] %3.0f %%", width, cells,
                 100.0 * part);
    } else {
        snprintf(bar, sizeof bar, "%s", app_count(now->done).text);
    }
    fprintf(stderr, "\r%s %s  %s\033[K", now->what, bar, numbers);
    fflush(stderr);
    p->drawn = true;
}

static void print_line(const akin_progress *now, const char *numbers)
{
    fprintf(stderr, "akin: %s %s", now->what, app_count(now->done).text);
    if (now->total > 0)
        fprintf(stderr, " of %s (%.0f %%)", app_count(now->total).text,
                100.0 * (double)now->done / (double)now->total);
    fprintf(stderr, ", %s\n", numbers);
}

static void show(app_progress *p, const akin_progress *now)
{
    const double t = app_now();
    char what[sizeof p->what];
    snprintf(what, sizeof what, "%s", now->what);
    if (strcmp(p->what, what) != 0 || now->done < p->from) {
        app_progress_clear(p);
        memcpy(p->what, what, sizeof what);
        p->from = now->done;
        p->began = p->last = t;
    }
    const double every = p->terminal ? bar_every : line_every;
    if (t - p->began < bar_after || t - p->last < every)
        return;
    p->last = t;
    char numbers[160] = "";
    figures(p, now, t - p->began, numbers, sizeof numbers);
    if (p->terminal)
        draw_bar(p, now, numbers);
    else
        print_line(now, numbers);
}

int app_progress_show(void *user, const akin_progress *p)
{
    app_progress *state = user;
    if (!state->quiet && p->what != NULL)
        show(state, p);
    return app_interrupted();
}
