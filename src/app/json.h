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
/* A field of an object. Its type in JSON follows from that in C: a boolean, a
 * whole number, a number (null where it is not finite), a text (null for NULL)
 * or a value, whose reference goes over. */
typedef struct app_field {
    const char *key;
    json_t *value;
} app_field;
#define APP_KEY(key, x) \
    ((app_field){(key), _Generic((x),                                   \
                                 bool: app_json_bool,                   \
                                 int64_t: app_json_integer,             \
                                 double: app_json_real,                 \
                                 char *: app_json_text_or_null,         \
                                 const char *: app_json_text_or_null,   \
                                 json_t *: app_json_value)(x)})
json_t *app_json_bool(bool x);
json_t *app_json_integer(int64_t x);
json_t *app_json_text_or_null(const char *text);
json_t *app_json_value(json_t *x);
/* An object of fields in their order; NULL when memory runs out. */
#define APP_OBJECT(...)                                        \
    app_json_object((const app_field[]){__VA_ARGS__},          \
                    sizeof((const app_field[]){__VA_ARGS__}) / \
                        sizeof(app_field))
json_t *app_json_object(const app_field *fields, size_t n);

/* Add a text where there is one, NULL adds nothing. */
void app_json_add_text(json_t *object, const char *key, const char *text);
/* --report: add the key `report` and write the object to the folder, which is
 * made where it is not there. */
#define APP_FIGURES "figures.json"
akin_status app_json_report(app *a, json_t *figures, const char *folder);

/* A number where the text is one, else a string. */
json_t *app_json_guess(const char *text);
/* The text of a value, two blanks a level, numbers as short as they can be
 * and read back the same; free with free(). */
char *app_json_text(const json_t *value);
/* Print it and give up the reference. */
akin_status app_json_print(app *a, json_t *object);

#endif
