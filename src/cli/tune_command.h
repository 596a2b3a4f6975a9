/* cli/tune_command.h - how to train again what akin tune found best. */
#ifndef CLI_TUNE_COMMAND_H
#define CLI_TUNE_COMMAND_H

#include "cli/lesson.h"

/* Did the learner's option stand on the command line? */
bool cli_lesson_was_given(const cli_lesson *l, const akin_option *o);
/* "akin train solis-ada --data x.svm --out m --eta 0.1", quoted for a shell;
 * `flags` are those of akin tune. Free with free(); NULL: out of memory. */
char *cli_tune_command(app *a, const cli_lesson *l, const void *flags,
                       const akin_options *best);

#endif
