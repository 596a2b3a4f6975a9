#include "cli/collection/gallery.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "app/json.h"

enum { SIDE = 200 };  // pixels of a thumbnail

static const char head[] =
    "<!DOCTYPE html>\n<html lang=\"en\"><head><meta charset=\"utf-8\">\n"
    "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
    "<title>akin search</title>\n<style>\n"
    "body { font: 15px/1.4 system-ui, sans-serif; margin: 2rem; color: #222;"
    " background: #fff }\n"
    "h1 { font-size: 1.1rem; font-weight: 600; margin: 1.5rem 0 .75rem;"
    " overflow-wrap: anywhere }\n"
    "ol { display: grid; gap: 1rem; padding: 0; list-style: none;"
    " grid-template-columns: repeat(auto-fill, minmax(200px, 1fr)) }\n"
    "li { border: 1px solid #ddd; border-radius: 6px; padding: .6rem }\n"
    "img { display: block; margin: 0 auto .5rem; max-width: 100%;"
    " height: 150px; object-fit: contain }\n"
    "p { margin: 0 0 .4rem; color: #444; overflow-wrap: anywhere }\n"
    "b { display: block; overflow-wrap: anywhere }\n"
    "small { color: #666 }\n"
    "@media (prefers-color-scheme: dark) { body { background: #1b1b1b; color:"
    " #eee } li { border-color: #444 } p { color: #ccc } small { color: #aaa }"
    " }\n"
    "</style></head><body>\n";

/* Text in HTML; bytes that are not UTF-8 are replaced as in JSON. */
static void put_text(FILE *f, const char *text)
{
    json_t *clean = app_json_string(text);
    const char *at = clean ? json_string_value(clean) : "";
    for (; *at != '\0'; ++at)
        switch (*at) {
        case '<':
            fputs("&lt;", f);
            break;
        case '>':
            fputs("&gt;", f);
            break;
        case '&':
            fputs("&amp;", f);
            break;
        case '"':
            fputs("&quot;", f);
            break;
        default:
            fputc((unsigned char)*at < ' ' && *at != '\n' ? ' ' : *at, f);
        }
    json_decref(clean);
}

static void put_base64(FILE *f, const unsigned char *bytes, int64_t n)
{
    static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrs"
                                 "tuvwxyz0123456789+/";
    for (int64_t i = 0; i < n; i += 3) {
        const unsigned long x = (unsigned long)bytes[i] << 16 |
                                (i + 1 < n ? (unsigned long)bytes[i + 1] : 0)
                                    << 8 |
                                (i + 2 < n ? (unsigned long)bytes[i + 2] : 0);
        fputc(digits[x >> 18], f);
        fputc(digits[x >> 12 & 63], f);
        fputc(i + 1 < n ? digits[x >> 6 & 63] : '=', f);
        fputc(i + 2 < n ? digits[x & 63] : '=', f);
    }
}

/* A picture whose file cannot be read has its name alone. */
static void put_thumbnail(app *a, FILE *f, akin_collection *c, int64_t row)
{
    uint8_t *jpeg = NULL;
    int64_t n = 0;
    if (akin_collection_thumbnail(&jpeg, &n, a->ctx, c, row, SIDE) == AKIN_OK) {
        fputs("<img alt=\"\" src=\"data:image/jpeg;base64,", f);
        put_base64(f, jpeg, n);
        fputs("\">", f);
    }
    akin_free(jpeg);
}

static akin_status put_item(app *a, FILE *f, akin_collection *c, int64_t row,
                            double score)
{
    akin_item item;
    akin_status st = AKIN_OK;
    APP_TRY(akin_collection_item(&item, a->ctx, c, row));
    const bool picture = item.width > 0;
    fputs("<li>", f);
    if (picture)
        put_thumbnail(a, f, c, row);
    APP_TRY(akin_collection_item(&item, a->ctx, c, row));
    fputs("<b>", f);
    put_text(f, item.name);
    fputs("</b>", f);
    if (item.snippet != NULL) {
        fputs("<p>", f);
        put_text(f, item.snippet);
        fputs("</p>", f);
    }
    fprintf(f, "<small>%s", app_score(a, score).text);
    if (item.labels != NULL && item.labels[0] != '\0') {
        fputs(" &middot; ", f);
        put_text(f, item.labels);
    }
    fputs("</small></li>\n", f);
done:
    return st;
}

static akin_status put_results(app *a, FILE *f, akin_collection *c,
                               const gallery_results *r)
{
    akin_status st = AKIN_OK;
    fputs("<h1>", f);
    put_text(f, r->title);
    fputs("</h1>\n<ol>\n", f);
    for (int64_t k = 0; k < r->n && r->rows[k] >= 0; ++k)
        APP_TRY(put_item(a, f, c, r->rows[k], r->scores[k]));
    fputs("</ol>\n", f);
done:
    return st;
}

akin_status gallery_write(app *a, const char *path, akin_collection *c,
                          const gallery_results *results, int64_t n)
{
    char *text = NULL;
    size_t size = 0;
    FILE *f = open_memstream(&text, &size);
    akin_status st = AKIN_OK;
    if (f == NULL)
        APP_TRY(app_fail(a, AKIN_ENOMEM, "out of memory"));
    fputs(head, f);
    for (int64_t t = 0; t < n && st == AKIN_OK; ++t)
        st = put_results(a, f, c, &results[t]);
    fputs("</body></html>\n", f);
    if (fclose(f) != 0 && st == AKIN_OK)
        st = app_fail(a, AKIN_ENOMEM, "out of memory");
    if (st == AKIN_OK)
        st = akin_output_write(a->ctx, path, text);
done:
    free(text);
    return st;
}
