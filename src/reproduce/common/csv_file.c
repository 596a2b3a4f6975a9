#include "reproduce/common/csv_file.h"

#include <ctype.h>
#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

akin_status csv_fail(const csv_file *c, const char *format, ...)
{
    char text[512];
    va_list args;
    va_start(args, format);
    vsnprintf(text, sizeof text, format, args);
    va_end(args);
    return app_fail(c->a, AKIN_EFORMAT, "%s:%lld: %s", c->path,
                    (long long)c->line, text);
}

static akin_status read_all(csv_file *c, FILE *f)
{
    size_t room = 1 << 16, n = 0;
    for (;;) {
        char *text = realloc(c->text, room + 1);
        if (text == NULL)
            return app_fail(c->a, AKIN_ENOMEM, "out of memory");
        c->text = text;
        n += fread(text + n, 1, room - n, f);
        text[n] = '\0';
        if (n < room)
            break;
        room *= 2;
    }
    if (ferror(f))
        return app_fail(c->a, AKIN_EIO, "%s: %s", c->path, strerror(errno));
    if (strlen(c->text) != n)
        return app_fail(c->a, AKIN_EFORMAT, "%s: a zero byte in a text file",
                        c->path);
    return AKIN_OK;
}

/* Split the current line into fields. */
static akin_status split(csv_file *c, char *line)
{
    c->n_fields = 0;
    while (c->n_fields < CSV_MOST_FIELDS) {
        char *end = line + strcspn(line, c->separators);
        const bool last = *end == '\0';
        *end = '\0';
        c->fields[c->n_fields++] = line;
        if (last)
            return AKIN_OK;
        line = end + 1;
    }
    return csv_fail(c, "more than %d fields", CSV_MOST_FIELDS);
}

static char *next_line(csv_file *c)
{
    while (*c->at != '\0') {
        char *line = c->at;
        char *end = line + strcspn(line, "\n");
        c->at = *end ? end + 1 : end;
        ++c->line;
        while (end > line && isspace((unsigned char)end[-1]))
            --end;
        *end = '\0';
        if (end > line)
            return line;
    }
    return NULL;
}

/* Find wanted column k, whose name has `length` bytes, in the header. */
static akin_status find_column(csv_file *c, const char *name, size_t length,
                               int64_t k)
{
    for (int64_t i = 0; i < c->n_fields; ++i)
        if (strlen(c->fields[i]) == length &&
            memcmp(c->fields[i], name, length) == 0) {
            c->columns[k] = i;
            return AKIN_OK;
        }
    return csv_fail(c, "the header has no column '%.*s'", (int)length, name);
}

static akin_status read_header(csv_file *c, const char *wanted)
{
    char *line = next_line(c);
    if (line == NULL)
        return app_fail(c->a, AKIN_EFORMAT, "%s: empty (expected a header %s)",
                        c->path, wanted);
    akin_status st = split(c, line);
    for (int64_t k = 0; st == AKIN_OK && *wanted; ++k) {
        const size_t length = strcspn(wanted, ",");
        st = find_column(c, wanted, length, k);
        wanted += length + (wanted[length] == ',');
    }
    return st;
}

static akin_status open_file(csv_file *c, const char *wanted)
{
    FILE *f = fopen(c->path, "rb");
    if (f == NULL)
        return app_fail(c->a, AKIN_ENOENT, "%s: %s", c->path, strerror(errno));
    const akin_status st = read_all(c, f);
    fclose(f);
    c->at = c->text;
    for (int64_t k = 0; k < CSV_MOST_FIELDS; ++k)
        c->columns[k] = k;
    return st == AKIN_OK && *wanted ? read_header(c, wanted) : st;
}

akin_status csv_each(app *a, const char *folder, const char *name,
                     const char *wanted, csv_take take, void *arg)
{
    csv_file c = {.a = a, .separators = *wanted ? "," : " \t"};
    char *line;
    akin_status st = AKIN_OK;
    if (folder != NULL)
        APP_TRY(reproduce_path(a, c.path, folder, name));
    else
        snprintf(c.path, sizeof c.path, "%s", name);
    APP_TRY(open_file(&c, wanted));
    while ((line = next_line(&c)) != NULL) {
        APP_TRY(split(&c, line));
        APP_TRY(take(arg, &c));
    }
done:
    free(c.text);
    return st;
}

const char *csv_text(const csv_file *c, int64_t k)
{
    return c->columns[k] < c->n_fields ? c->fields[c->columns[k]] : "";
}

akin_status csv_number(const csv_file *c, int64_t k, int64_t end,
                       int64_t *value)
{
    const char *text = csv_text(c, k);
    char *rest;
    errno = 0;
    const long long x = strtoll(text, &rest, 10);
    if (!isdigit((unsigned char)*text) || *rest != '\0' || errno != 0 ||
        x >= end)
        return csv_fail(c, "'%s' is not a whole number from 0 to %lld", text,
                        (long long)end - 1);
    *value = x;
    return AKIN_OK;
}
