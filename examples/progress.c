/* Watch a long run and stop it. The callback sees how many examples are done,
 * how many are left and the loss so far. It stops the run by returning
 * non-zero.
 *
 *   cc progress.c $(pkg-config --cflags --libs akin) -o progress && ./progress
 */
#include <akin/akin.h>
#include <stdio.h>
#include <stdlib.h>

static akin_ctx *ctx;

static void must(akin_status st)
{
    if (st == AKIN_OK)
        return;
    fprintf(stderr, "progress: %s\n", akin_ctx_message(ctx));
    exit(akin_status_exit(st));
}

/* When the callback stops the run, and what it has seen. */
typedef struct watch {
    int64_t stop_at;  // stop after this many examples
    int64_t seen;
    int64_t calls;
} watch;

static int on_progress(void *user, const akin_progress *p)
{
    watch *w = (watch *)user;
    w->seen = p->done;
    w->calls += 1;
    return p->done >= w->stop_at;
}

static void on_log(void *user, akin_log_level level, const char *line)
{
    (void)user;
    printf("%s: %s\n", level == AKIN_LOG_WARNING ? "warning" : "note", line);
}

int main(void)
{
    akin_synth_bags_options bags = AKIN_SYNTH_BAGS_DEFAULTS;
    const akin_solis_tg_options options = AKIN_SOLIS_TG_DEFAULTS;
    akin_rows *rows = NULL;
    akin_supervision *data = NULL;
    akin_model *model = NULL;
    akin_learn_info info;
    if (akin_ctx_new(&ctx, NULL) != AKIN_OK)
        return 1;
    bags.rows = 200;
    must(akin_synth_bags(&rows, ctx, NULL, &bags));
    must(akin_supervision_new(&data, ctx, rows, NULL, NULL));
    akin_supervision_sample(data, 100000000, 1);  // too many to wait for

    watch w = {.stop_at = 20000};
    akin_ctx_set_progress(ctx, on_progress, &w);
    akin_ctx_set_log(ctx, on_log, NULL);
    const akin_status st = akin_learn(&model, ctx, &options.head, data, &info);

    printf("%s: asked to stop at %lld, stopped after %lld triplets\n",
           akin_status_name(st), (long long)w.stop_at,
           (long long)info.examples);
    printf("the callback was called%s, last at %lld\n",
           w.calls > 1 ? " more than once" : "", (long long)w.seen);

    akin_model_free(model);
    akin_supervision_free(data);
    akin_rows_free(rows);
    akin_ctx_free(ctx);
    return st == AKIN_ECANCELLED ? 0 : 1;
}
