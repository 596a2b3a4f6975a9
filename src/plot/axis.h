/* plot/axis.h - one axis: its range, the position of numbers, its ticks. */
#ifndef AK_PLOT_AXIS_H
#define AK_PLOT_AXIS_H

#include <stdbool.h>
#include <stdint.h>

enum { AK_AXIS_TICKS = 24, AK_AXIS_TEXT = 48 };

typedef struct ak_axis {
    bool log;
    double low, high;  // of the data, or their log10
    double from, to;   // where the ends are drawn
    int64_t n_ticks;
    double ticks[AK_AXIS_TICKS];
    char texts[AK_AXIS_TICKS][AK_AXIS_TEXT];
} ak_axis;

ak_axis ak_axis_new(bool log);
/* Can this number be drawn? It must be finite and at most 1e300, and on a
 * logarithmic axis positive. */
bool ak_axis_shows(const ak_axis *a, double v);
/* Extend the range to v, if it can be drawn. */
void ak_axis_reach(ak_axis *a, double v);
/* The range has no number yet. */
bool ak_axis_empty(const ak_axis *a);
/* A margin at both ends (none at a zero), then about `wanted` ticks; none when
 * the axis is empty. */
void ak_axis_finish(ak_axis *a, double margin, int64_t wanted);
/* Where v is drawn, clamped to the ends. */
double ak_axis_at(const ak_axis *a, double v);

#endif
