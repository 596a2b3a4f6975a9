/* akin convert: rows from one format to another. */
#include "app/json.h"
#include "app/text.h"
#include "cli/commands.h"
#include "cli/load.h"

typedef struct own_flags {
    const char *in, *out;
} own_flags;

typedef struct convert_flags {
    own_flags own;
    reading_flags reading;
} convert_flags;

static const app_option own_options[] = {
    {"IN", NULL, APP_FIELD(own_flags, in), .help = "the rows to read",
     .flags = APP_ARGUMENT | APP_NEEDED | APP_REPLACED},
    {"OUT", NULL, APP_FIELD(own_flags, out),
     .help = "the rows to write: .svm .npy .npz .csv .tsv .fvecs .safetensors; "
             "- is svm on standard output",
     .flags = APP_ARGUMENT | APP_NEEDED | APP_OUTPUT | APP_ROWS},
};

static const app_group own_group =
    APP_GROUP("Arguments", own_options, (&(const own_flags){0}));

static akin_status run(app *a, const void *flags)
{
    const convert_flags *f = flags;
    akin_rows *rows = NULL;
    akin_status st = AKIN_OK;
    APP_TRY(cli_read_rows(a, &rows, f->own.in, &f->reading, (cli_shape){0}));
    APP_TRY(akin_rows_write(a->ctx, rows, f->own.out));
    const int64_t n = akin_rows_count(rows), d = akin_rows_dim(rows);
    if (a->common.json) {
        json_t *all = APP_OBJECT(APP_KEY("rows", n), APP_KEY("dim", d),
                                 APP_KEY("nonzeros", akin_rows_nonzeros(rows)),
                                 APP_KEY("out", f->own.out));
        cli_add_reading(all, rows);
        APP_TRY(app_json_print(a, all));
    } else {
        APP_TRY(app_report(a, "%s: %s, %s\n", app_shown(f->own.out),
                           app_counted(n, "row").text,
                           app_counted(d, "column").text));
    }
done:
    akin_rows_free(rows);
    return st;
}

const app_command cmd_convert = {
    .name = "convert",
    .section = "files",
    .summary = "convert rows to another format, by extension",
    .about = "Read rows and write them in the format that the extension of OUT "
             "names, with labels where that format has them.",
    .examples = "akin convert rows.csv rows.svm --label-column class",
    .size = sizeof(convert_flags),
    APP_PARTS({&own_group, offsetof(convert_flags, own)},
              {&cli_reading_group, offsetof(convert_flags, reading)}),
    .run = run,
};
