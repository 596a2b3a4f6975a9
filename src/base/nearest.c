/* The word that was probably meant. Optimal string alignment; two rows back are
 * kept for swaps. */
#include <akin/base.h>
#include <ctype.h>
#include <stdbool.h>
#include <string.h>

enum { MOST = 64 };

static int64_t least(int64_t a, int64_t b)
{
    return a < b ? a : b;
}

static bool same(char a, char b)
{
    return tolower((unsigned char)a) == tolower((unsigned char)b);
}

/* Letters to insert, drop, change or swap to get from a to b. */
static int64_t distance(const char *a, const char *b)
{
    int64_t rows[3][MOST + 1];
    const size_t n = strlen(a), m = strlen(b);
    if (n > MOST || m > MOST)
        return MOST;
    for (size_t j = 0; j <= m; ++j)
        rows[0][j] = (int64_t)j;
    for (size_t i = 1; i <= n; ++i) {
        int64_t *now = rows[i % 3];
        const int64_t *up = rows[(i + 2) % 3], *up2 = rows[(i + 1) % 3];
        now[0] = (int64_t)i;
        for (size_t j = 1; j <= m; ++j) {
            now[j] = least(up[j], now[j - 1]) + 1;
            now[j] = least(now[j], up[j - 1] + !same(a[i - 1], b[j - 1]));
            if (i > 1 && j > 1 && same(a[i - 1], b[j - 2]) &&
                same(a[i - 2], b[j - 1]))
                now[j] = least(now[j], up2[j - 2] + 1);
        }
    }
    return rows[n % 3][m];
}

int64_t akin_word_near(const char *word, const char *candidate)
{
    const size_t length = strlen(word);
    int64_t d = distance(word, candidate);
    if (strcmp(word, candidate) == 0)
        return 0;
    if (d == 0)
        return 1;  // in another case
    if (length < 2)
        return 0;
    if (strncmp(word, candidate, length) == 0)
        d = 1;  // the beginning of it
    const int64_t near = length <= 5 ? 1 : length <= 8 ? 2 : 3;
    return d <= near ? d : 0;
}
