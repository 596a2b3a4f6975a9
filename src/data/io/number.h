/* data/io/number.h - decimal text to float and back, in any locale.
 *
 * Text becomes the double nearest to it, then the float nearest to that. */
#ifndef AK_DATA_IO_NUMBER_H
#define AK_DATA_IO_NUMBER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef enum ak_number {
    AK_NUMBER_OK,
    AK_NUMBER_NONE,     // no number stands here
    AK_NUMBER_INFINITE  // "nan", "inf", or too large for a float
} ak_number;

/* 10^0 to 10^22, the powers a double holds exactly. */
extern const double ak_powers_of_ten[23];

/* The general case of ak_number_read. */
ak_number ak_number_read_any(const char **at, float *value);

/* Read a number at *at and move behind it. The text ends with a byte that can
 * stand in no number, such as '\n'. At most 19 digits with a point make a
 * whole number below 2^53 times an exact power of ten: one rounding. */
static inline ak_number ak_number_read(const char **at, float *value)
{
    const char *p = *at;
    const bool minus = *p == '-';
    p += minus;
    const char *first = p;
    uint64_t m = 0;
    unsigned digit;
    while ((digit = (unsigned)(unsigned char)*p - '0') <= 9) {
        m = 10 * m + digit;
        ++p;
    }
    ptrdiff_t digits = p - first, behind = 0;
    if (*p == '.') {
        const char *point = p++;
        while ((digit = (unsigned)(unsigned char)*p - '0') <= 9) {
            m = 10 * m + digit;
            ++p;
        }
        behind = p - point - 1;
        digits += behind;
    }
    const bool short_form = digits > 0 && digits <= 19 &&
                            m <= UINT64_C(1) << 53 && (*p | 0x20) != 'e';
    if (!short_form)
        return ak_number_read_any(at, value);
    double x = (double)m;
    if (behind > 0)
        x /= ak_powers_of_ten[behind];
    *value = (float)(minus ? -x : x);
    *at = p;
    return AK_NUMBER_OK;
}

/* The shortest decimal that reads back as x, which is finite; at most
 * AK_NUMBER_SIZE bytes, no zero behind. Returns how many. */
enum { AK_NUMBER_SIZE = 32 };
size_t ak_number_write(char *to, float x);

/* The one text of a decimal number of `n` bytes, however it was written: 1 for
 * 1, +1, 1.0 and 1e0. Returns its length, 0 when the text is no number; one
 * that begins with a needless zero (007) is none. */
enum { AK_DECIMAL_SIZE = 128 };
size_t ak_decimal_write(char *to, const char *text, size_t n);

/* A whole number in at most 20 bytes. */
size_t ak_integer_write(char *to, int64_t x);

#endif
