/* app/json.h - one JSON object on standard output. */
#ifndef APP_JSON_H
#define APP_JSON_H

#include <jansson.h>

#include "app/app.h"

/* Add to an object; the value's reference goes over. ENOMEM when either is
 * missing, so that a chain of calls needs one check at the end. */
akin_status app_json_set(app *a, json_t *object, const char *key,
                         json_t *value);
/* A text as it is, with U+FFFD for each byte that is not UTF-8, as a label or
 * a path may have. */
json_t *app_json_string(const char *text);
/* A number, or null where it is not finite. */
json_t *app_json_real(double x);
/* A number where the text is one, else a string. */
json_t *app_json_guess(const char *text);
/* The text of a value, two blanks a level, numbers as short as they can be
 * and read back the same; free with free(). */
char *app_json_text(const json_t *value);
/* Print it and give up the reference. */
akin_status app_json_print(app *a, json_t *object);

#endif
