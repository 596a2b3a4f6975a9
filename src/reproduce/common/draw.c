#include "reproduce/common/draw.h"

/* One step of a 64-bit mixer (splitmix64). */
static uint64_t next(draw *d)
{
    uint64_t z = d->state += 0x9e3779b97f4a7c15u;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return z ^ (z >> 31);
}

draw draw_from(uint64_t seed, int64_t a, int64_t b)
{
    draw d = {seed};
    d.state = next(&d) ^ (uint64_t)a;
    d.state = next(&d) ^ (uint64_t)b;
    return d;
}

int64_t draw_below(draw *d, int64_t n)
{
    const uint64_t size = (uint64_t)n;
    const uint64_t whole = UINT64_MAX - UINT64_MAX % size;
    uint64_t x;
    do
        x = next(d);
    while (x >= whole);
    return (int64_t)(x % size);
}

void draw_front(draw *d, int64_t *numbers, int64_t n, int64_t count)
{
    for (int64_t i = 0; i < count; ++i) {
        const int64_t j = i + draw_below(d, n - i);
        const int64_t held = numbers[i];
        numbers[i] = numbers[j];
        numbers[j] = held;
    }
}
