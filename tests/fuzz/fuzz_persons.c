/* Any bytes as a caption: mentions lie in it, names are text. */
#include <akin/persons.h>
#include <string.h>

#include "base/utf8.h"
#include "fuzz.h"
#include "text/persons/position.h"

static const akin_tagger *standard(void)
{
    static akin_tagger *tagger;
    if (tagger == NULL && akin_tagger_default(&tagger, fuzz_ctx()) != AKIN_OK)
        abort();
    return tagger;
}

/* What is written can be read, and is then written the same. */
static void check_position(const char *text)
{
    char again[AK_POSITION_ROOM];
    akin_position p;
    if (!ak_position_read(&p, text))
        abort();
    ak_position_write(again, &p);
    if (strcmp(text, again) != 0)
        abort();
}

static void check(const akin_persons *p, int64_t i, size_t n)
{
    const char *name = akin_persons_name(p, i);
    if (name[0] == '\0' || ak_utf8_span(name, strlen(name)) != strlen(name) ||
        akin_persons_mention_count(p, i) < 1)
        abort();
    check_position(akin_persons_position(NULL, p, i));
    for (int64_t k = 0; k < akin_persons_mention_count(p, i); ++k) {
        size_t start, end;
        akin_persons_mention(&start, &end, p, i, k);
        if (start >= end || end > n)
            abort();
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n)
{
    akin_persons *p = NULL;
    if (akin_persons_find(&p, fuzz_ctx(), standard(), (const char *)data, n) !=
        AKIN_OK)
        abort();
    for (int64_t i = 0; i < akin_persons_count(p); ++i)
        check(p, i, n);
    akin_persons_free(p);
    return 0;
}
