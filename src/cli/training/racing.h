/* cli/training/racing.h - what compare and train auto share: raw rows with
 * what is known about them, a race, and its table. */
#ifndef CLI_TRAINING_RACING_H
#define CLI_TRAINING_RACING_H

#include <akin/tune.h>
#include <jansson.h>

#include "app/app.h"
#include "cli/training/training.h"

#define CLI_FOR_WORDS "search|classify|verify|rank"
#define CLI_FOR_HELP "the use that decides what is measured"
#define CLI_EFFORT_HELP "1 is the quickest, 5 tries the most"

/* search, classify, verify, rank; NULL: what fits. */
akin_purpose cli_purpose(const char *word);

/* Rows, and what is known about them. */
typedef struct cli_known {
    cli_side side[2];
    const akin_rows *rows, *right;  // of the sides
    akin_supervision *known;
} cli_known;

typedef struct known_input {
    const char *data;
    const right_flags *right;
    const reading_flags *reading;
    const knowledge_flags *knowledge;
    const char *recipe;  // that rows go through; NULL: they stay as they are
} known_input;

/* EINVAL: no labels and no file of supervision. */
akin_status cli_known_open(app *a, cli_known *k, const known_input *in);
void cli_known_close(cli_known *k);

/* "scale=minmax", or "none". */
const char *cli_race_recipe(const akin_race_row *row);
/* [{"method": ..., "recipe": ..., "params": ..., "score": ...}], best first. */
json_t *cli_race_rows(app *a, const akin_race *r);
json_t *cli_race_row(app *a, const akin_race *r, int64_t i);
/* figures.json and compare.html in a folder, which is made where it is not
 * there. */
akin_status cli_race_report(app *a, json_t *figures, const char *folder);
/* At most `most` rows, and always the best and the baseline; 0: all. Of a
 * choice the chosen one comes first. */
akin_status cli_race_print(app *a, const akin_race *r, int64_t most,
                           bool is_choice);

#endif
