#include "app/nearest.h"

#include <akin/base.h>
#include <stdio.h>

#include "app/option.h"

void app_nearest_try(app_nearest *n, const char *candidate)
{
    const int64_t d = akin_word_near(n->word, candidate);
    if (d > 0 && (n->best[0] == '\0' || d < n->distance)) {
        snprintf(n->best, sizeof n->best, "%s", candidate);
        n->distance = d;
    }
}

void app_nearest_flag(app_nearest *n, const app_command *command)
{
    const app_option *o;
    for (int64_t i = 0; (o = app_option_at(command, i, NULL, NULL)); ++i)
        if (!(o->flags & APP_ARGUMENT))
            app_nearest_try(n, o->name);
}

app_hint app_nearest_hint(const app_nearest *n, const char *dashes)
{
    app_hint h = {""};
    if (n->best[0] != '\0')
        snprintf(h.text, sizeof h.text, " (did you mean %s%s?)", dashes,
                 n->best);
    return h;
}
