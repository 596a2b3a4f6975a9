/* --report: the figures, and one page that shows them without a network. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "app/json.h"
#include "cli/report_page.h"
#include "cli/training/racing.h"

/* JSON inside of a script: no "<" that could end it. */
static void put_data(FILE *f, const char *json)
{
    for (; *json != '\0'; ++json)
        if (*json == '<')
            fputs("\\u003c", f);
        else
            fputc(*json, f);
}

/* The page with the figures in the place of @DATA@; free with free(), NULL: out
 * of memory. */
static char *fill_page(const char *json)
{
    static const char place[] = "@DATA@";
    char *page = NULL;
    size_t size = 0;
    FILE *f = open_memstream(&page, &size);
    if (f == NULL)
        return NULL;
    for (size_t i = 0; i < sizeof report_page / sizeof report_page[0]; ++i) {
        const char *line = report_page[i];
        const char *at = strstr(line, place);
        if (at == NULL) {
            fputs(line, f);
            continue;
        }
        fwrite(line, 1, (size_t)(at - line), f);
        put_data(f, json);
        fputs(at + strlen(place), f);
    }
    if (fclose(f) == 0)
        return page;
    free(page);
    return NULL;
}

static akin_status write_report(app *a, json_t *figures, const char *folder)
{
    char path[PATH_MAX], *json = NULL, *page = NULL;
    akin_status st = AKIN_OK;
    APP_TRY(app_json_report(a, figures, folder));
    json = app_json_text(figures);
    page = json ? fill_page(json) : NULL;
    if (page == NULL)
        APP_TRY(app_fail(a, AKIN_ENOMEM, "out of memory"));
    APP_TRY(app_path_in(a, path, folder, "compare.html"));
    APP_TRY(akin_output_write(a->ctx, path, page));
done:
    free(json);
    free(page);
    return st;
}

akin_status cli_race_report(app *a, json_t *figures, const char *folder)
{
    akin_outputs files;
    akin_outputs_begin(a->ctx, &files);
    return akin_outputs_end(a->ctx, &files, write_report(a, figures, folder));
}
