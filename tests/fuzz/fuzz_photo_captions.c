/* Any bytes as captions of photos, csv or JSON by the first byte: what is
 * accepted is text, and names have no control characters. */
#include <string.h>

#include "base/utf8.h"
#include "collection/faces/captions/caption_file.h"
#include "fuzz.h"

static void check_lines(const char *text, bool names)
{
    const size_t n = strlen(text);
    for (size_t k = 0; k < n;) {
        const bool blank = text[k] == '\n' || (!names && text[k] == '\t');
        const size_t size = blank ? 1 : ak_utf8_length(text + k, n - k);
        if (size == 0)
            abort();
        if (names && text[k] == '\n' && (k == 0 || text[k + 1] == '\n'))
            abort();  // an empty name
        k += size;
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n)
{
    akin_ctx *ctx = fuzz_ctx();
    const char *name = n > 0 && data[0] == '{' ? "fuzz.jsonl" : "fuzz.csv";
    ak_source *source = NULL;
    ak_caption_file f = {0};
    if (ak_source_memory(&source, ctx, name, AK_SOURCE_TEXT, data, n) ==
            AKIN_OK &&
        ak_caption_file_read(&f, ctx, source) == AKIN_OK)
        for (int64_t i = 0; i < f.n; ++i) {
            if (f.captions[i].text != NULL)
                check_lines(f.captions[i].text, false);
            if (f.captions[i].names != NULL)
                check_lines(f.captions[i].names, true);
        }
    ak_caption_file_free(&f);
    ak_source_close(source);
    return 0;
}
