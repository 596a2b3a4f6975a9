/* app/text.h - numbers and paragraphs as people read them. */
#ifndef APP_TEXT_H
#define APP_TEXT_H

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

/* Room for any number below. */
typedef struct app_text {
    char text[48];
} app_text;

app_text app_count(int64_t n);  // 1,234,567
/* "1 row", "2,000 rows"; the plural of `noun` is -s, or -ies for -y. */
app_text app_counted(int64_t n, const char *noun);
app_text app_si(double x);       // 526 k
app_text app_bytes(int64_t n);   // 64.2 KiB
app_text app_seconds(double s);  // 1.94 s, 2 min 5 s
app_text app_real(double x);     // the shortest that reads back the same
app_text app_limit(double x);    // the same, of a range: 1e12, 100, 2147483647
app_text app_digits(double x, int digits);  // so many, significant
app_text app_percent(double part);          // 91.9 %; NaN: none

/* Write a csv cell, quoted where necessary. */
void app_csv_cell(FILE *to, const char *text);

/* The library names options in backquotes, `max_sweeps`; a program writes them
 * as flags, --max-sweeps. In place: the length stays the same. */
void app_options_to_flags(char *text);

/* Bytes of the next line of `text` when it is broken at `width`, without the
 * blanks there; `*next` is where the line after it starts. */
size_t app_wrap(const char *text, size_t width, const char **next);

#endif
