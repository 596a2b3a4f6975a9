#include "data/io/number.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum {
    KEPT_DIGITS = 780,  // more than the 767 that can decide how a double rounds
    WHOLE_DIGITS = 19,  // any number of 19 digits fits 64 bits
    FAR_EXPONENT = 100000,
};

const double ak_powers_of_ten[23] = {
    1e0,  1e1,  1e2,  1e3,  1e4,  1e5,  1e6,  1e7,  1e8,  1e9,  1e10, 1e11,
    1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22};

static bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

/* Digits without leading zeros, as a whole number; `exponent` says where the
 * point was. Digits beyond the kept ones count as one sticky digit. */
typedef struct mantissa {
    char text[KEPT_DIGITS + 24];
    size_t n;
    uint64_t value;  // of the first WHOLE_DIGITS
    int64_t exponent;
    bool any;
} mantissa;

static const char *read_digits(mantissa *m, const char *p, bool behind_point)
{
    for (; is_digit(*p); ++p) {
        m->any = true;
        m->exponent -= behind_point;
        if (m->n == 0 && *p == '0')
            continue;
        if (m->n < WHOLE_DIGITS)
            m->value = 10 * m->value + (uint64_t)(*p - '0');
        if (m->n < KEPT_DIGITS) {
            m->text[m->n++] = *p;
        } else {
            if (*p != '0')
                m->text[KEPT_DIGITS - 1] |= 1;  // never ends in an exact tie
            ++m->exponent;
        }
    }
    return p;
}

static const char *read_exponent(mantissa *m, const char *p)
{
    const char *q = p + 1;
    const bool minus = *q == '-';
    q += *q == '-' || *q == '+';
    if (!is_digit(*q))
        return NULL;
    int64_t e = 0;
    for (; is_digit(*q); ++q)
        if (e < FAR_EXPONENT)
            e = 10 * e + (*q - '0');
    m->exponent += minus ? -e : e;
    return q;
}

static bool is_letter(char c)
{
    return (c | 0x20) >= 'a' && (c | 0x20) <= 'z';
}

/* The word, small or capital letters, and no letter behind it. */
static bool is_word(const char *p, const char *word)
{
    for (; *word; ++word, ++p)
        if ((*p | 0x20) != *word)
            return false;
    return !is_letter(*p);
}

/* Digits that fit 64 bits and a power of ten that is exact: the double is right
 * to two units of its last place. With one rounding it is the right one; with
 * more, the float is unless the double lies that near between two floats. */
static bool convert_short(const mantissa *m, double *x)
{
    if (m->n > WHOLE_DIGITS || m->exponent < -22 || m->exponent > 22)
        return false;
    const double power =
        ak_powers_of_ten[m->exponent < 0 ? -m->exponent : m->exponent];
    *x = m->exponent < 0 ? (double)m->value / power : (double)m->value * power;
    if (m->value <= UINT64_C(1) << 53)
        return true;
    uint64_t bits;
    memcpy(&bits, x, sizeof bits);
    const uint64_t below = bits & 0x1fffffff, half = 0x10000000;
    return (below < half - 8 || below > half + 8) && *x > 1e-37 && *x < 1e38;
}

/* strtod on digits and an exponent: without a point, no locale matters. */
static double convert(mantissa *m)
{
    double x;
    if (m->n == 0)
        return 0.0;
    if (convert_short(m, &x))
        return x;
    char *e = m->text + m->n;
    *e++ = 'e';
    e += ak_integer_write(e, m->exponent);
    *e = '\0';
    return strtod(m->text, NULL);
}

ak_number ak_number_read_any(const char **at, float *value)
{
    mantissa m;
    m.n = 0;
    m.value = 0;
    m.exponent = 0;
    m.any = false;
    const char *p = *at;
    const bool minus = *p == '-';
    p += *p == '-' || *p == '+';
    if (is_word(p, "nan") || is_word(p, "inf") || is_word(p, "infinity"))
        return AK_NUMBER_INFINITE;
    p = read_digits(&m, p, false);
    if (*p == '.')
        p = read_digits(&m, p + 1, true);
    if (!m.any)
        return AK_NUMBER_NONE;
    if ((*p | 0x20) == 'e' && (p = read_exponent(&m, p)) == NULL)
        return AK_NUMBER_NONE;
    const double x = convert(&m);
    *value = (float)(minus ? -x : x);
    *at = p;
    return isfinite(*value) ? AK_NUMBER_OK : AK_NUMBER_INFINITE;
}

size_t ak_integer_write(char *to, int64_t x)
{
    char back[20];
    size_t n = 0, k = 0;
    uint64_t u = x < 0 ? 0 - (uint64_t)x : (uint64_t)x;
    do
        back[n++] = (char)('0' + u % 10);
    while ((u /= 10) > 0);
    if (x < 0)
        to[k++] = '-';
    while (n > 0)
        to[k++] = back[--n];
    return k;
}

static char *put(char *to, const char *digits, int n)
{
    memcpy(to, digits, (size_t)n);
    return to + n;
}

static char *put_zeros(char *to, int n)
{
    memset(to, '0', (size_t)n);
    return to + n;
}

/* m * 10^e, with an exponent where people would write one. */
static size_t write_decimal(char *to, int64_t m, int e)
{
    char digits[20], *p = to;
    const int n = (int)ak_integer_write(digits, m);
    const int point = n + e;  // digits in front of it
    if (point > 15 || point < -4) {
        p = put(p, digits, 1);
        if (n > 1)
            *p++ = '.';
        p = put(p, digits + 1, n - 1);
        *p++ = 'e';
        p += ak_integer_write(p, point - 1);
    } else if (point >= n) {
        p = put_zeros(put(p, digits, n), point - n);
    } else if (point > 0) {
        p = put(p, digits, point);
        *p++ = '.';
        p = put(p, digits + point, n - point);
    } else {
        p = put_zeros(put(p, "0.", 2), -point);
        p = put(p, digits, n);
    }
    return (size_t)(p - to);
}

/* x * 10^e, to within a few roundings. */
static double scaled(double x, int e)
{
    for (; e > 22; e -= 22)
        x *= 1e22;
    for (; e < -22; e += 22)
        x /= 1e22;
    return e < 0 ? x / ak_powers_of_ten[-e] : x * ak_powers_of_ten[e];
}

static bool reads_back(const char *text, size_t n, float x)
{
    char copy[AK_NUMBER_SIZE + 1];
    const char *at = copy;
    float y;
    memcpy(copy, text, n);
    copy[n] = '\n';
    return ak_number_read(&at, &y) == AK_NUMBER_OK && y == x;
}

size_t ak_number_write(char *to, float x)
{
    if (fabsf(x) < 0x1p24F && x == truncf(x))
        return ak_integer_write(to, (int64_t)x);
    size_t sign = 0, n = 0;
    if (x < 0)
        to[sign++] = '-';
    const double a = fabs((double)x);
    const int magnitude = (int)floor(log10(a));
    /* Nine digits tell every float apart; seventeen are beyond any rounding
     * of `scaled`. */
    for (int digits = 1; digits <= 17; ++digits) {
        int e = magnitude + 1 - digits;
        long long m = llrint(scaled(a, -e));
        for (; m > 0 && m % 10 == 0; m /= 10)
            ++e;
        n = write_decimal(to + sign, m, e);
        if (reads_back(to + sign, n, (float)a))
            break;
    }
    return sign + n;
}

/* ---- decimal texts by their digits: no rounding whatever their length ---- */

enum { MOST = AK_DECIMAL_SIZE / 2 };

/* 0.DIGITS times 10^point; no zero at either end of the digits. */
typedef struct decimal {
    char digits[MOST];
    int n;
    int point;
    bool minus;
} decimal;

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

static bool take_decimal(decimal *x, const char *p, const char *end)
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

size_t ak_decimal_write(char *to, const char *text, size_t n)
{
    enum { WIDEST = 21, SMALLEST = -5 };
    decimal x;
    char *p = to;
    if (n == 0 || n > MOST || !take_decimal(&x, text, text + n))
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
