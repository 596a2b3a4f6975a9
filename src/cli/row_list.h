/* cli/row_list.h - row numbers on the command line: 12,408,77. */
#ifndef CLI_ROW_LIST_H
#define CLI_ROW_LIST_H

#include "app/app.h"

/* Free with free(); NULL text: none. EINVAL names the flag. */
akin_status cli_row_list(app *a, int64_t **rows, int64_t *count,
                         const char *flag, const char *text);

#endif
