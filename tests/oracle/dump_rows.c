/* Read rows and print them, or write them to another file:
 *   dump_rows IN [--variable X] [--label-variable y] [--labels FILE]
 *             [--label-column C] [--out FILE]
 * One line a row: labels parted by commas, then index:value from 0, tabs
 * between. */
#include <akin/akin.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

static void print_row(const akin_rows *r, int64_t i)
{
    const int32_t *cols, *labels;
    const float *vals;
    const int64_t n_labels = akin_rows_labels(&labels, r, i);
    const int64_t n = akin_rows_row(&cols, &vals, r, i);
    for (int64_t k = 0; k < n_labels; ++k)
        printf("%s%s", k ? "," : "", akin_rows_label_name(r, labels[k]));
    for (int64_t k = 0; k < n; ++k)
        if (vals[k] != 0)
            printf("\t%" PRId64 ":%.9g", cols ? cols[k] : k, (double)vals[k]);
    printf("\n");
}

static void print_log(void *user, akin_log_level level, const char *line)
{
    (void)user;
    (void)level;
    fprintf(stderr, "%s\n", line);
}

int main(int argc, char **argv)
{
    akin_read_options o = AKIN_READ_DEFAULTS;
    const char *out = NULL;
    const struct {
        const char *name;
        const char **to;
    } options[] = {{"--variable", &o.variable},
                   {"--label-variable", &o.label_variable},
                   {"--labels", &o.labels},
                   {"--label-column", &o.label_column},
                   {"--out", &out}};
    for (int i = 2; i + 1 < argc; i += 2)
        for (size_t k = 0; k < sizeof options / sizeof *options; ++k)
            if (strcmp(argv[i], options[k].name) == 0)
                *options[k].to = argv[i + 1];
    akin_ctx *ctx = NULL;
    akin_rows *r = NULL;
    akin_status st = akin_ctx_new(&ctx, NULL);
    if (st == AKIN_OK)
        akin_ctx_set_log(ctx, print_log, NULL);
    if (st == AKIN_OK && argc > 1)
        st = akin_rows_read(&r, ctx, argv[1], &o);
    if (st == AKIN_OK && out != NULL)
        st = akin_rows_write(ctx, r, out);
    if (st != AKIN_OK) {
        fprintf(stderr, "%s\n", akin_ctx_message(ctx));
    } else if (out == NULL) {
        printf("%" PRId64 " %" PRId64 "\n", akin_rows_count(r),
               akin_rows_dim(r));
        for (int64_t i = 0; i < akin_rows_count(r); ++i)
            print_row(r, i);
    }
    akin_rows_free(r);
    akin_ctx_free(ctx);
    return akin_status_exit(st);
}
