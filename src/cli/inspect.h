/* cli/inspect.h - one file and what it is; for info and check. */
#ifndef CLI_INSPECT_H
#define CLI_INSPECT_H

#include <jansson.h>

#include "cli/load.h"

typedef struct file_flags {
    const char *path;
} file_flags;
extern const app_group cli_file_group;

typedef struct inspect_flags {
    file_flags file;
    reading_flags reading;
    knowledge_flags knowledge;  // of check alone
} inspect_flags;

/* All that is known of a file; free with akin_file_info_free. */
akin_status cli_inspect(app *a, akin_file_info **out, const inspect_flags *f);
/* `info` NULL: nothing but the path. */
json_t *cli_inspect_json(const akin_file_info *info, const char *path);
akin_status cli_inspect_print(app *a, const akin_file_info *info);

#endif
