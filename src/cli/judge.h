/* cli/judge.h - what learning is judged by: a part that is kept back, or a file
 * of its own. */
#ifndef CLI_JUDGE_H
#define CLI_JUDGE_H

#include "cli/lesson.h"

#define CLI_VALIDATE_HELP                                                    \
    "the part of the supervision that is kept back to judge by, or a file "  \
    "of the same kind; rows kept back ask for others among all rows, those " \
    "learned from too; of two kinds left rows are kept back and ask for "    \
    "right ones, and where labels are ranked right rows are"

typedef struct cli_judge {
    double fraction;          // 0: there is a file
    akin_supervision *known;  // of the file
    akin_rows *rows;
} cli_judge;

/* `validate` is a fraction or a file; EINVAL for a fraction out of range. */
akin_status cli_judge_open(app *a, cli_judge *j, const cli_lesson *l,
                           const reading_flags *reading, const char *validate);
void cli_judge_close(cli_judge *j);

/* As it is shown: an error is small when it is good. */
double cli_judge_shown(const char *measure, double score);

#endif
