/* cli/eval.h - the tasks of akin eval, one function each. */
#ifndef CLI_EVAL_H
#define CLI_EVAL_H

#include <akin/eval.h>
#include <jansson.h>

#include "cli/load.h"

typedef struct eval_flags {
    const char *task, *train, *right, *score, *report, *side;
    const char *queries, *query_rows, *relevant, *ignore, *like, *exclude, *ap;
    const char *train_labels, *query_labels, *right_labels;
    const char *triplets, *pairs, *source, *target, *source_labels;
    const char *captions, *truth, *method;
    const char *real_name_ratio;  // a number or "auto"
    int64_t k, folds;
    bool curve;
    bool by_label;
    bool save_threshold;
} eval_flags;

/* The plot of --report: what was measured, and beside it, where there is one,
 * a measure without learning on the same rows. */
enum { CLI_PLOT_MOST = 200 };
typedef struct cli_series {
    const char *name;
    double x[CLI_PLOT_MOST], y[CLI_PLOT_MOST];
    int64_t n;
} cli_series;

typedef struct cli_plot {
    const char *file;  // its name in the folder; NULL: no plot
    const char *title, *x_label, *y_label;
    bool as_bars;           // a group of bars for each x; else lines
    const char *groups[2];  // of bars; NULL: the numbers x
    const char *chance;     // NULL, or what the diagonal is called
    int64_t log_x;
    cli_series series[2];
    int64_t n_series;
} cli_plot;

/* Measure. `json` is an object; `text` is what people read. */
typedef struct cli_figures {
    json_t *json;
    char text[2048];
    cli_plot plot;              // filled for --report
    akin_learned_rows learned;  // of the rows that were measured
} cli_figures;

/* Any task but naming, by its name. */
akin_status cli_eval_task(app *a, const cli_use *u, const eval_flags *f,
                          cli_figures *out);
/* Of names in a file, or of faces, which are named by a method first. */
akin_status cli_eval_naming(app *a, const char *path, const eval_flags *f,
                            const reading_flags *reading, cli_figures *out);

/* The next series of a plot; points are added to it. */
cli_series *cli_plot_series(cli_plot *p, const char *name);
void cli_series_add(cli_series *s, double x, double y);

#endif
