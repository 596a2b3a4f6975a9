/* The numbers of the paper's tables. */
#include <math.h>
#include <string.h>

#include "reproduce/solis/solis.h"

enum { COLUMNS = 9 };

typedef struct line {
    solis_measure what;
    const char *codebook, *landmark;
    double values[COLUMNS];
} line;

#define NO (-1.0)
#define LINE(what, book, name, ...) {what, book, name, {__VA_ARGS__}},
#define MAP(...) LINE(SOLIS_MAP, __VA_ARGS__)
#define ZEROS(...) LINE(SOLIS_ZEROS, __VA_ARGS__)
#define SECONDS(...) LINE(SOLIS_SECONDS, __VA_ARGS__)
static const line lines[] = {
#include "reproduce/solis/paper.def"
};

double solis_paper(solis_measure what, const char *codebook,
                   const char *landmark, int column)
{
    for (size_t i = 0; column >= 0 && i < sizeof lines / sizeof lines[0]; ++i) {
        const line *l = &lines[i];
        if (l->what == what && strcmp(l->codebook, codebook) == 0 &&
            strcmp(l->landmark, landmark ? landmark : "") == 0)
            return l->values[column] < 0.0 ? NAN : l->values[column];
    }
    return NAN;
}
