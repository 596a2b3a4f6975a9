/* Optimal string alignment; two rows back are kept for swaps. */
#include "app/nearest.h"

#include <stdio.h>
#include <string.h>

#include "app/option.h"

enum { MOST = 64 };

static int64_t least(int64_t a, int64_t b)
{
    return a < b ? a : b;
}

int64_t app_distance(const char *a, const char *b)
{
    int64_t rows[3][MOST + 1];
    const size_t n = strlen(a), m = strlen(b);
    if (n > MOST || m > MOST)
        return MOST;
    for (size_t j = 0; j <= m; ++j)
        rows[0][j] = (int64_t)j;
    for (size_t i = 1; i <= n; ++i) {
        int64_t *now = rows[i % 3];
        const int64_t *up = rows[(i + 2) % 3], *up2 = rows[(i + 1) % 3];
        now[0] = (int64_t)i;
        for (size_t j = 1; j <= m; ++j) {
            now[j] = least(up[j], now[j - 1]) + 1;
            now[j] = least(now[j], up[j - 1] + (a[i - 1] != b[j - 1]));
            if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1])
                now[j] = least(now[j], up2[j - 2] + 1);
        }
    }
    return rows[n % 3][m];
}

void app_nearest_try(app_nearest *n, const char *candidate)
{
    const size_t length = strlen(n->word);
    int64_t d = app_distance(n->word, candidate);
    if (length >= 2 && strncmp(n->word, candidate, length) == 0)
        d = 1;  // the beginning of it
    const int64_t near = length <= 5 ? 1 : length <= 8 ? 2 : 3;
    if (d > 0 && d <= near && (n->best[0] == '\0' || d < n->distance)) {
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
