/* Any bytes as a text file, compressed or not: read by lines, or in blocks, up
 * to 16 KiB. */
#include "data/io/source.h"
#include "fuzz.h"

enum { MOST = 1 << 14 };

static volatile size_t touched;

static void read_lines(ak_source *s)
{
    char *line;
    size_t n;
    for (size_t got = 0; got < MOST; got += n + 1) {
        if (ak_source_line(s, fuzz_ctx(), &line, &n) != AKIN_OK || line == NULL)
            break;
        if (line[n] != '\n')
            abort();
        touched += (size_t)(unsigned char)line[0];
    }
}

static void read_blocks(ak_source *s)
{
    char block[999];
    size_t n = sizeof block;
    for (size_t got = 0; got < MOST && n == sizeof block; got += n)
        if (ak_source_read(s, fuzz_ctx(), block, sizeof block, &n) != AKIN_OK)
            break;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n)
{
    static const char *const names[] = {"fuzz.gz", "fuzz.zst", "fuzz.txt"};
    ak_source *s = NULL;
    if (ak_source_memory(&s, fuzz_ctx(), names[n % 3], AK_SOURCE_TEXT, data,
                         n) == AKIN_OK) {
        if (n % 2 == 0)
            read_lines(s);
        else
            read_blocks(s);
    }
    ak_source_close(s);
    return 0;
}
