/* Any bytes as documents in JSON lines: what is accepted obeys every rule. */
#include <string.h>

#include "fuzz.h"
#include "text/json_documents.h"

/* A zero byte behind it, and nothing that files of rows cannot hold. */
static void check_label(ak_bytes s)
{
    if (s.n == 0 || strlen(s.text) != s.n)
        abort();
    for (size_t k = 0; k < s.n; ++k)
        if ((unsigned char)s.text[k] <= ' ' ||
            strchr(",:#\x7f", s.text[k]) != NULL)
            abort();
}

static void check(const ak_text *t)
{
    if (t->text.text[t->text.n] != '\0' || t->name.text[t->name.n] != '\0' ||
        t->n_written > t->room_written)
        abort();
    for (int64_t k = 0; k < t->n_labels; ++k) {
        check_label(t->labels[k]);
        for (int64_t j = 0; j < k; ++j)
            if (strcmp(t->labels[j].text, t->labels[k].text) == 0)
                abort();
    }
    for (int64_t k = 0; k < t->n_fields; ++k) {
        const ak_bytes value = t->fields[k].value;
        if (t->fields[k].name[0] == '\0' || value.n == 0 ||
            value.text[value.n] != '\0')
            abort();
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n)
{
    akin_ctx *ctx = fuzz_ctx();
    akin_text_options o = AKIN_TEXT_DEFAULTS;
    ak_warnings warnings = {0};
    ak_text t = {.warnings = &warnings};
    ak_json_documents d = {0};
    ak_source *source = NULL;
    bool there = true;
    o.label_column = n > 0 && data[0] == '\n' ? "tags" : NULL;
    if (ak_source_memory(&source, ctx, "fuzz", AK_SOURCE_TEXT, data, n) ==
            AKIN_OK &&
        ak_json_documents_begin(&d, ctx, source, "fuzz", &o) == AKIN_OK)
        while (ak_json_documents_next(&d, ctx, &t, &there) == AKIN_OK && there)
            check(&t);
    ak_json_documents_end(&d);
    ak_text_free(&t);
    ak_source_close(source);
    return 0;
}
