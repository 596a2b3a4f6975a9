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
    double real_name_ratio;
    int64_t k, folds;
    bool curve;
    bool by_label;
} eval_flags;

/* A line to plot. */
enum { CLI_CURVE_MOST = 200 };
typedef struct cli_curve {
    const char *file, *title, *x_label, *y_label;
    const char *chance;  // NULL, or what the diagonal is called
    double x[CLI_CURVE_MOST], y[CLI_CURVE_MOST];
    int64_t n, log_x;
} cli_curve;

/* Measure. `*figures` gets a JSON object; `*text` is what people read. */
typedef struct cli_figures {
    json_t *json;
    char text[2048];
    double precision[AKIN_PRECISIONS];  // of retrieval and rank
    bool has_precision;
    cli_curve curve;  // of knn and verify; n is 0 where there is none
} cli_figures;

akin_status cli_eval_retrieval(app *a, const cli_use *u, const eval_flags *f,
                               cli_figures *out);
akin_status cli_eval_knn(app *a, const cli_use *u, const eval_flags *f,
                         cli_figures *out);
akin_status cli_eval_triplets(app *a, const cli_use *u, const eval_flags *f,
                              cli_figures *out);
akin_status cli_eval_verify(app *a, const cli_use *u, const eval_flags *f,
                            cli_figures *out);
akin_status cli_eval_cross(app *a, const cli_use *u, const eval_flags *f,
                           cli_figures *out);
akin_status cli_eval_rank(app *a, const cli_use *u, cli_figures *out);
/* Of names in a file, or of faces, which are named by a method first. */
akin_status cli_eval_naming(app *a, const char *path, const eval_flags *f,
                            const reading_flags *reading, cli_figures *out);

/* What retrieval and rank both print: ", P@1 0.3, ..." into `text`, returns its
 * length; and the same as an object. */
size_t cli_precision_text(char *text, size_t size, const double *precision);
json_t *cli_precision_json(const double *precision);

/* figures.json, and a plot where there is something to plot. */
akin_status cli_eval_report(app *a, const cli_figures *figures,
                            const char *folder);

#endif
