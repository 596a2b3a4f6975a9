#include "server/handlers/answers.h"

#include <string.h>

#include "app/json.h"

/* Labels are separated by newlines. */
static json_t *labels_of(const char *text)
{
    json_t *labels = json_array();
    char label[1024];
    while (text != NULL && *text != '\0') {
        const size_t n = strcspn(text, "\n");
        snprintf(label, sizeof label, "%.*s", (int)n, text);
        json_array_append_new(labels, app_json_string(label));
        text += n + (text[n] == '\n');
    }
    return labels;
}

json_t *answer_item(const akin_item *item, int64_t row)
{
    json_t *o = APP_OBJECT(APP_KEY("id", item->id), APP_KEY("row", row),
                           APP_KEY("name", app_json_string(item->name)),
                           APP_KEY("labels", labels_of(item->labels)));
    if (item->snippet != NULL)
        json_object_set_new(o, "snippet", app_json_string(item->snippet));
    if (item->width > 0) {
        json_object_set_new(o, "width", json_integer(item->width));
        json_object_set_new(o, "height", json_integer(item->height));
    }
    if (item->is_face)
        json_object_set_new(o, "face", json_true());
    return o;
}

json_t *answer_version(const akin_version_info *v)
{
    const bool learned = v->version > 0 && v->events >= 0;
    json_t *o = APP_OBJECT(APP_KEY("version", v->version),
                           APP_KEY("in_use", (bool)(v->in_use != 0)));
    if (v->learner[0] != '\0')
        json_object_set_new(o, "learner", json_string(v->learner));
    if (v->user[0] != '\0')
        json_object_set_new(o, "user", app_json_string(v->user));
    if (v->events >= 0)
        json_object_set_new(o, "events", json_integer(v->events));
    if (learned) {
        json_object_set_new(o, "held_out", app_json_real(v->held_out));
        json_object_set_new(o, "baseline", app_json_real(v->baseline));
        if (v->queries > 0)
            json_object_set_new(o, "queries", json_integer(v->queries));
        json_object_set_new(o, "verdict",
                            v->verdict[0] ? json_string(v->verdict)
                                          : json_null());
    }
    return o;
}
