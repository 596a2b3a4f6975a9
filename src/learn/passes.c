#include "learn/passes.h"

static const double LEAST_GAIN = 0.1;

bool ak_passes_go_on(ak_passes *p, double loss)
{
    const int64_t w = p->window;
    p->loss[p->made++] = loss;
    if (p->made == AK_PASSES_MOST || !(loss > 0.0))
        return false;
    const double least = LEAST_GAIN * p->loss[0];
    if (p->made > w && !(p->loss[p->made - 1 - w] - loss > least))
        return false;                                    // (1)
    return p->made < w || p->loss[p->made - w] > least;  // (2)
}
