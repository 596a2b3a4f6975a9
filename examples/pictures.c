/* Make a folder of pictures searchable, and find the pictures nearest to each
 * of some files. A second run only reads new pictures.
 *
 *   cc pictures.c $(pkg-config --cflags --libs akin) -o pictures
 *   ./pictures FOLDER COLLECTION FILE... */
#include <akin/akin.h>
#include <stdio.h>
#include <stdlib.h>

static akin_ctx *ctx;

static void must(akin_status st)
{
    if (st == AKIN_OK)
        return;
    fprintf(stderr, "pictures: %s\n", akin_ctx_message(ctx));
    exit(akin_status_exit(st));
}

/* The log names pictures that cannot be read; they are skipped. */
static void on_log(void *user, akin_log_level level, const char *line)
{
    (void)user;
    (void)level;
    fprintf(stderr, "pictures: %s\n", line);
}

static void show(akin_collection *c, const char *file, const int64_t *rows,
                 const double *scores, int64_t top)
{
    printf("%s\n", file);
    for (int64_t k = 0; k < top && rows[k] >= 0; ++k) {
        akin_item p;
        must(akin_collection_item(&p, ctx, c, rows[k]));
        printf("  %.3f %s\n", scores[k], p.name);
    }
}

int main(int argc, char **argv)
{
    const char *const *files = (const char *const *)argv + 3;
    akin_find_options o = AKIN_FIND_DEFAULTS;
    akin_items_info info;
    akin_collection *c = NULL;
    akin_rows *queries = NULL;
    int64_t *rows = NULL;
    double *scores = NULL;
    if (argc < 4) {
        printf("usage: pictures FOLDER COLLECTION FILE...\n");
        return argc == 1 ? 0 : 2;
    }
    if (akin_ctx_new(&ctx, NULL) != AKIN_OK)
        return 1;
    akin_ctx_set_log(ctx, on_log, NULL);
    must(akin_collection_is(argv[2])
             ? akin_images_add(ctx, argv[2], argv[1], NULL, &info)
             : akin_images_make(ctx, argv[2], argv[1], NULL, &info));
    printf("%lld pictures, %lld new\n", (long long)info.items,
           (long long)info.added);
    must(akin_collection_open(&c, ctx, argv[2]));
    must(akin_collection_describe(&queries, ctx, c, files, argc - 3));
    o.top = 5;
    must(akin_collection_search(&rows, &scores, ctx, c, queries, &o));
    for (int t = 0; t < argc - 3; ++t)
        show(c, files[t], rows + t * o.top, scores + t * o.top, o.top);
    akin_free(rows);
    akin_free(scores);
    akin_rows_free(queries);
    akin_collection_close(c);
    akin_ctx_free(ctx);
    return 0;
}
