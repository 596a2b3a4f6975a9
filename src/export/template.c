/* Texts with variables. */
#include <string.h>

#include "export/export.h"

static const char *value_of(const ak_variable *v, size_t n, const char *key,
                            size_t len)
{
    for (size_t k = 0; k < n; ++k)
        if (strlen(v[k].key) == len && memcmp(v[k].key, key, len) == 0)
            return v[k].value;
    return "";
}

/* What stands behind the condition of a line; NULL: it does not hold. */
static const char *behind_condition(const char *line, const ak_variable *v,
                                    size_t n)
{
    if (line[0] != '%')
        return line;
    const bool empty = line[1] == '!';
    const char *key = line + 1 + empty, *end = strchr(key, '%');
    const bool is_empty = value_of(v, n, key, (size_t)(end - key))[0] == '\0';
    return empty == is_empty ? end + 1 : NULL;
}

static akin_status put_line(ak_sink *s, akin_ctx *ctx, const char *line,
                            const ak_variable *v, size_t n)
{
    while (*line != '\0') {
        const size_t plain = strcspn(line, "@");
        AK_CHECK(ak_sink_put(s, ctx, line, plain));
        line += plain;
        if (*line == '\0')
            break;
        const char *end = strchr(line + 1, '@');
        AK_CHECK(ak_sink_text(
            s, ctx, value_of(v, n, line + 1, (size_t)(end - line - 1))));
        line = end + 1;
    }
    return AKIN_OK;
}

akin_status ak_template_write(const ak_export *e, akin_ctx *ctx,
                              const char *file, const char *const *lines,
                              size_t n_lines, const ak_variable *variables,
                              size_t n_variables)
{
    ak_sink *s = NULL;
    akin_status st = AKIN_OK;
    AK_TRY(ak_export_sink(e, ctx, file, &s));
    for (size_t k = 0; k < n_lines; ++k) {
        const char *line = behind_condition(lines[k], variables, n_variables);
        if (line != NULL)
            AK_TRY(put_line(s, ctx, line, variables, n_variables));
    }
done:
    return ak_sink_close(s, ctx, st);
}
