/* Any bytes as an event: what is stored is read back, and as that stored
 * again. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <akin/events.h>

#include "collection/feedback/events.h"
#include "fuzz.h"

/* The files go while they are in use. */
static void forget(const char *folder)
{
    static const char *const endings[] = {"", "-wal", "-shm"};
    char path[PATH_MAX];
    for (int k = 0; k < 3; ++k) {
        snprintf(path, sizeof path, "%s/catalog.sqlite%s", folder, endings[k]);
        unlink(path);
    }
    rmdir(folder);
}

/* Four items with two words each. */
static akin_events *make(akin_ctx *ctx)
{
    static akin_events *e;
    static char folder[] = "fuzz_events.XXXXXX";
    static const ak_space space = {0, 8, AK_FORM_SPARSE, "vectors"};
    const int32_t row[4] = {1, 2, 0x3f800000, 0x3f800000};
    if (e != NULL)
        return e;
    e = calloc(1, sizeof *e);
    if (mkdtemp(folder) == NULL ||
        ak_catalog_open(&e->catalog, ctx, folder, AK_CATALOG_WRITE) !=
            AKIN_OK ||
        ak_sql_begin(&e->catalog.sql, ctx) != AKIN_OK ||
        ak_catalog_set(&e->catalog, ctx, "kind", "vectors") != AKIN_OK ||
        ak_space_put(&e->catalog, ctx, &space) != AKIN_OK)
        abort();
    e->writes = true;
    strcpy(e->folder, folder);
    for (int i = 0; i < 4; ++i) {
        const char name[2] = {(char)('a' + i), '\0'};
        ak_catalog_item item = {.name = {name, 1}, .labels = ""};
        if (ak_item_insert(&e->catalog, ctx, &item) != AKIN_OK ||
            ak_item_features(&e->catalog, ctx, item.id, 0,
                             (ak_blob){row, sizeof row},
                             (ak_blob){NULL, 0}) != AKIN_OK)
            abort();
    }
    if (ak_sql_end(&e->catalog.sql, ctx, AKIN_OK) != AKIN_OK)
        abort();
    forget(folder);
    return e;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n)
{
    akin_ctx *ctx = fuzz_ctx();
    akin_events *e = make(ctx);
    int64_t number, again;
    char *text = NULL;
    if (akin_events_begin(ctx, e) != AKIN_OK)
        abort();
    if (akin_events_add_json(&number, ctx, e, (const char *)data, n) ==
        AKIN_OK) {
        if (akin_events_next(&text, &again, ctx, e, number - 1) != AKIN_OK ||
            text == NULL || again != number ||
            akin_events_add_json(&again, ctx, e, text, strlen(text)) != AKIN_OK)
            abort();
        akin_free(text);
    }
    akin_events_end(ctx, e, AKIN_ECANCELLED);  // nothing stays
    return 0;
}
