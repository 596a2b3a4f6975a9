/* app/help.h - help as made from the tables. */
#ifndef APP_HELP_H
#define APP_HELP_H

#include "app/app.h"

/* "akin train LEARNER --data FILE --out MODEL", the needed ones alone. */
void app_usage(const app_command *command, char *text, size_t size);
/* What most users need of a command, or all that the tables know. */
akin_status app_help_command(app *a, const app_command *command, bool all);
enum { APP_HELP_LEFT = 25 };
/* A heading, and rows of two columns, the second wrapped and starting in
 * column `indent`. */
akin_status app_help_title(app *a, const char *title);
akin_status app_help_row(app *a, int indent, const char *left,
                         const char *right);
/* What stands left of an option's help: "--index-base auto|0|1". */
void app_option_left(const app_option *o, char *text, size_t size);

#endif
