#include "app/progress.h"

#include <math.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>
#include <time.h>
#include <unistd.h>

#include "app/app.h"
#include "app/text.h"

static const double bar_every = 0.1, first_line = 1.0, line_every = 5.0;

static volatile sig_atomic_t interrupted, alarms, let_finish, error_as_json;

/* For signal handlers. */
static void write_text(int fd, const char *text)
{
    const ssize_t n = write(fd, text, strlen(text));
    (void)n;
}

static void end_at_once(void)
{
    write_text(STDERR_FILENO, "akin: interrupted\n");
    if (error_as_json)
        write_text(STDOUT_FILENO,
                   "{\n  \"error\": \"interrupted\",\n  \"exit\": 130\n}\n");
    _exit(130);
}

static void on_interrupt(int number)
{
    (void)number;
    if (interrupted && let_finish)
        end_at_once();
    if (!interrupted)
        alarm(let_finish ? 3 : 1);
    interrupted = 1;
}

/* The first alarm wakes a call that waits for input; the second ends a run that
 * has not noticed that either. A step that may finish is only announced. */
static void on_alarm(int number)
{
    (void)number;
    if (!interrupted)
        return;
    if (let_finish) {
        write_text(STDERR_FILENO,
                   "\nakin: finishing this step to keep the model; another "
                   "Ctrl-C ends at once, without it\n");
        return;
    }
    if (alarms++ > 0)
        end_at_once();
    alarm(1);
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
    s.sa_handler = SIG_IGN;  // a write reports EPIPE instead
    sigaction(SIGPIPE, &s, NULL);
    sigaction(SIGXFSZ, &s, NULL);  // and EFBIG
}

bool app_interrupted(void)
{
    return interrupted != 0;
}

void app_interrupt_as_json(bool on)
{
    error_as_json = on;
}

void app_let_step_finish(bool on)
{
    let_finish = on;
}

/* ---- the rate, and the time that is left --------------------------------- */

static const double pace_seconds = 5.0;

void app_pace_start(app_pace *p, double at, int64_t done)
{
    p->first = p->next = p->last = (struct app_pace_mark){at, done};
}

void app_pace_note(app_pace *p, double at, int64_t done)
{
    if (done <= p->last.done)
        return;
    p->last = (struct app_pace_mark){at, done};
    if (at - p->next.at >= pace_seconds) {
        p->first = p->next;
        p->next = p->last;
    }
}

double app_pace_rate(const app_pace *p)
{
    const double seconds = p->last.at - p->first.at;
    return seconds > 0.0 ? (double)(p->last.done - p->first.done) / seconds
                         : 0.0;
}

double app_pace_left(const app_pace *p, double at, int64_t total)
{
    const double rate = app_pace_rate(p);
    if (rate <= 0.0)
        return NAN;
    /* The unit that runs began when the last one was finished. */
    return fmax(0.0, (double)(total - p->last.done) / rate - (at - p->last.at));
}

/* ---- the bar, or the line -------------------------------------------------
 */

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

/* "526 k/s", "2.3/s", or "4.20 s each" of slow ones; "" before the first. */
static app_text rate_text(double rate)
{
    app_text t = {""};
    if (rate >= 10.0)
        snprintf(t.text, sizeof t.text, "%.40s/s", app_si(rate).text);
    else if (rate >= 1.0)
        snprintf(t.text, sizeof t.text, "%.1f/s", rate);
    else if (rate > 0.0)
        snprintf(t.text, sizeof t.text, "%.40s each",
                 app_seconds(1.0 / rate).text);
    return t;
}

static void add_figure(char *text, size_t size, const char *before,
                       const char *figure, const char *after)
{
    const size_t at = strlen(text);
    if (figure[0] != '\0')
        snprintf(text + at, size - at, "%s%s%s%s", at > 0 ? ", " : "", before,
                 figure, after);
}

/* "526 k/s, loss 0.213, 9 s left", as far as each is known. A solver that may
 * stop before its limit says "at most 9 s left", and only from half the limit
 * on: most converge long before, and until then the bound would mislead. */
static void figures(const app_progress *p, const akin_progress *now, double t,
                    char *text, size_t size)
{
    const bool by_limit = now->total == 0;
    const int64_t end = by_limit ? now->limit : now->total;
    const double left = app_pace_left(&p->pace, t, end);
    app_text loss = {""};
    text[0] = '\0';
    add_figure(text, size, "", rate_text(app_pace_rate(&p->pace)).text, "");
    if (isfinite(now->loss))
        snprintf(loss.text, sizeof loss.text, "%.4g", now->loss);
    add_figure(text, size, "loss ", loss.text, "");
    if (now->done < end && now->done >= (by_limit ? end / 2 : 0) &&
        !isnan(left))
        add_figure(text, size, by_limit ? "at most " : "",
                   app_seconds(fmax(1.0, ceil(left))).text, " left");
}

/* "1,200 of 4,000 (30 %)", "12 of at most 1,000", "12"; "..." of a stage that
 * has just begun. */
static void count_text(const akin_progress *now, char *text, size_t size)
{
    const app_text done = app_count(now->done);
    if (now->total > 0)
        snprintf(text, size, "%s of %s (%.0f %%)", done.text,
                 app_count(now->total).text,
                 100.0 * (double)now->done / (double)now->total);
    else if (now->limit > 0)
        snprintf(text, size, "%s of at most %s", done.text,
                 app_count(now->limit).text);
    else
        snprintf(text, size, "%s", now->done > 0 ? done.text : "...");
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
        count_text(now, bar, sizeof bar);
    }
    fprintf(stderr, "\r%s %s  %s\033[K", now->what, bar, numbers);
    fflush(stderr);
    p->drawn = true;
}

static void print_line(const akin_progress *now, const char *numbers)
{
    char count[96];
    count_text(now, count, sizeof count);
    fprintf(stderr, "akin: %s %s%s%s\n", now->what, count,
            numbers[0] ? ", " : "", numbers);
}

static bool is_due(const app_progress *p, const akin_progress *now, double t,
                   bool begins)
{
    if (!p->terminal)
        return p->last > 0.0 ? t - p->last >= line_every
                             : t - p->started >= first_line;
    return begins ? now->done != now->total || now->total == 0
                  : t - p->last >= bar_every;
}

static void show(app_progress *p, const akin_progress *now)
{
    const double t = app_now();
    char what[sizeof p->what];
    snprintf(what, sizeof what, "%s", now->what);
    if (p->started == 0.0)
        p->started = t;
    const bool begins = strcmp(p->what, what) != 0 ||
                        now->done < p->pace.last.done;
    if (begins) {
        app_progress_clear(p);
        memcpy(p->what, what, sizeof what);
        app_pace_start(&p->pace, t, now->done);
    }
    app_pace_note(&p->pace, t, now->done);
    if (!is_due(p, now, t, begins))
        return;
    p->last = t;
    char numbers[160] = "";
    figures(p, now, t, numbers, sizeof numbers);
    if (p->terminal)
        draw_bar(p, now, numbers);
    else
        print_line(now, numbers);
}

bool app_wait(double seconds)
{
    const double end = app_now() + seconds;
    const struct timespec slice = {0, 50000000};
    while (!interrupted && app_now() < end)
        nanosleep(&slice, NULL);
    return !interrupted;
}

int app_progress_show(void *user, const akin_progress *p)
{
    app_progress *state = user;
    if (!state->quiet && p->what != NULL)
        show(state, p);
    return interrupted != 0;
}
