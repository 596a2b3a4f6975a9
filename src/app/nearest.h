/* app/nearest.h - the word that was probably meant. */
#ifndef APP_NEAREST_H
#define APP_NEAREST_H

#include <stdint.h>

struct app_command;

typedef struct app_nearest {
    const char *word;  // as given
    char best[64];     // "": none is near
    int64_t distance;
} app_nearest;

typedef struct app_hint {
    char text[96];
} app_hint;

/* Keep the candidate when it is near, and nearer than the best so far. */
void app_nearest_try(app_nearest *n, const char *candidate);
/* Try all flags of a command. */
void app_nearest_flag(app_nearest *n, const struct app_command *command);
/* " (did you mean --data?)", or "" where none is near. */
app_hint app_nearest_hint(const app_nearest *n, const char *dashes);

#endif
