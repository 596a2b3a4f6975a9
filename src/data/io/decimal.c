/* Decimal texts, by their digits: no rounding whatever their length. */
#include <string.h>

#include "data/io/number.h"

enum { MOST = AK_DECIMAL_SIZE / 2 };

/* 0.DIGITS times 10^point; no zero at either end of the digits. */
typedef struct decimal {
    char digits[MOST];
    int n;
    int point;
    bool minus;
} decimal;

static bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

/* Digits from p on; returns behind them. */
static const char *take_digits(decimal *x, const char *p, const char *end)
{
    for (; p < end && is_digit(*p); ++p)
        if (x->n > 0 || *p != '0')
            x->digits[x->n++] = *p;
        else
            --x->point;  // before it is moved behind all digits
    return p;
}

/* "e5" at p; false: something else stands there. */
static bool take_exponent(const char *p, const char *end, int *exponent)
{
    *exponent = 0;
    if (p == end)
        return true;
    if ((*p | 0x20) != 'e' || ++p == end)
        return false;
    const bool minus = *p == '-';
    p += minus || *p == '+';
    if (p == end || end - p > 4)
        return false;
    for (; p < end && is_digit(*p); ++p)
        *exponent = 10 * *exponent + (*p - '0');
    if (minus)
        *exponent = -*exponent;
    return p == end;
}

static bool take(decimal *x, const char *p, const char *end)
{
    int exponent;
    *x = (decimal){.minus = *p == '-'};
    p += x->minus || *p == '+';
    const char *first = p;
    p = take_digits(x, p, end);
    const ptrdiff_t before = p - first;
    if (before > 1 && *first == '0')
        return false;  // 007 is a code, not a number
    x->point += (int)before;
    ptrdiff_t digits = before;
    if (p < end && *p == '.') {
        const char *behind = ++p;
        p = take_digits(x, p, end);
        digits += p - behind;
    }
    if (digits == 0 || !take_exponent(p, end, &exponent))
        return false;
    x->point += exponent;
    while (x->n > 0 && x->digits[x->n - 1] == '0')
        --x->n;
    return true;
}

static char *put(char *to, const char *from, int n)
{
    memcpy(to, from, (size_t)n);
    return to + n;
}

static char *put_zeros(char *to, int n)
{
    memset(to, '0', (size_t)n);
    return to + n;
}

size_t ak_decimal_write(char *to, const char *text, size_t n)
{
    enum { WIDEST = 21, SMALLEST = -5 };
    decimal x;
    char *p = to;
    if (n == 0 || n > MOST || !take(&x, text, text + n))
        return 0;
    if (x.minus && x.n > 0)
        *p++ = '-';
    if (x.n == 0) {
        *p++ = '0';
    } else if (x.point >= x.n && x.point <= WIDEST) {
        p = put_zeros(put(p, x.digits, x.n), x.point - x.n);
    } else if (x.point > 0 && x.point < x.n) {
        p = put(p, x.digits, x.point);
        *p++ = '.';
        p = put(p, x.digits + x.point, x.n - x.point);
    } else if (x.point <= 0 && x.point >= SMALLEST) {
        p = put_zeros(put(p, "0.", 2), -x.point);
        p = put(p, x.digits, x.n);
    } else {
        *p++ = x.digits[0];
        if (x.n > 1)
            *p++ = '.';
        p = put(p, x.digits + 1, x.n - 1);
        *p++ = 'e';
        p += ak_integer_write(p, x.point - 1);
    }
    return (size_t)(p - to);
}
