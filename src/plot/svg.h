/* plot/svg.h - writes an SVG file. */
#ifndef AK_PLOT_SVG_H
#define AK_PLOT_SVG_H

#include "base/ctx.h"

typedef struct ak_svg {
    akin_ctx *ctx;
    char *bytes;
    int64_t n, room;
    akin_status st;  // of the first call that failed; later ones do nothing
} ak_svg;

void ak_svg_put(ak_svg *s, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
/* Any bytes as XML text of at most `most` characters: markup is escaped, bytes
 * that are not valid in XML become U+FFFD, a truncated text ends in dots. */
void ak_svg_text(ak_svg *s, const char *text, int64_t most);
/* The characters that ak_svg_text writes without a limit. */
int64_t ak_svg_length(const char *text);

/* Write what `draw` puts to a file. */
typedef void (*ak_svg_draw)(ak_svg *s, const void *arg);
akin_status ak_svg_save(akin_ctx *ctx, const char *path, ak_svg_draw draw,
                        const void *arg);

#endif
