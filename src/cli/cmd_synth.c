/* akin synth: data of known structure. */
#include <stdio.h>
#include <string.h>

#include "app/json.h"
#include "app/text.h"
#include "cli/commands.h"
#include "cli/load.h"

typedef struct own_flags {
    const char *kind, *out, *like;
} own_flags;

typedef struct synth_flags {
    own_flags own;
    akin_synth_bags_options bags;
} synth_flags;

static const app_option own_options[] = {
    {"KIND", "bags", APP_FIELD(own_flags, kind),
     .help = "bags: bags of words, as documents and pictures become",
     .flags = APP_ARGUMENT | APP_NEEDED},
    {"out", "FILE", APP_FIELD(own_flags, out),
     .help = "where the rows go, as the ending says; - is svm on standard "
             "output",
     .flags = APP_NEEDED | APP_OUTPUT | APP_ROWS},
    {"like", "FILE", APP_FIELD(own_flags, like),
     .help = "take word frequencies from this file of counts"},
};

static const app_group own_group =
    APP_GROUP("What to make", own_options, (&(const own_flags){0}));

static const akin_synth_bags_options standard = AKIN_SYNTH_BAGS_DEFAULTS;

#define FIELD(field) APP_FIELD(akin_synth_bags_options, field)

static const app_option bags_options[] = {
    {"rows", "N", FIELD(rows), .help = "how many bags", .min = 1, .max = 1e9},
    {"dim", "N", FIELD(dim), .help = "how many words there are", .min = 1,
     .max = 2147483647.0},
    {"classes", "N", FIELD(classes), .help = "classes; 0: no labels",
     .max = 1e9},
    {"words", "N", FIELD(words), .help = "mean words in a bag, repeats counted",
     .min = 1, .max = 1e9},
    {"class-words", "N", FIELD(class_words),
     .help = "words that belong to each class", .min = 1, .max = 1e9},
    {"signal", "X", FIELD(signal),
     .help = "share of a bag that is drawn from its class's words", .max = 1},
    {"exponent", "X", FIELD(exponent),
     .help = "frequency of the word of rank r: (r + shift)^-exponent",
     .max = 10},
    {"shift", "X", FIELD(shift), .help = "see --exponent", .max = 1e9},
    {"burst", "X", FIELD(burst),
     .help = "chance that a word is drawn again, below 1", .max = 0.999},
};

static const app_group bags_group = APP_GROUP("Bags", bags_options, &standard);

static akin_status report(app *a, const akin_rows *rows, const char *path)
{
    const int64_t n = akin_rows_count(rows), d = akin_rows_dim(rows);
    const int64_t nonzeros = akin_rows_nonzeros(rows);
    if (a->common.json)
        return app_json_print(
            a, json_pack("{s:I, s:I, s:I, s:I, s:o}", "rows", (json_int_t)n,
                         "dim", (json_int_t)d, "nonzeros", (json_int_t)nonzeros,
                         "classes", (json_int_t)akin_rows_label_count(rows),
                         "out", app_json_string(path)));
    const int64_t words = (nonzeros + n / 2) / n,
                  classes = akin_rows_label_count(rows);
    return app_print(a, "%s: %s of %s different word%s out of %s, %s class%s\n",
                     app_shown(path), app_counted(n, "bag").text,
                     app_count(words).text, words == 1 ? "" : "s",
                     app_count(d).text, app_count(classes).text,
                     classes == 1 ? "" : "es");
}

/* The library speaks of its fields, people of flags. */
static akin_status name_flag(app *a, akin_status st)
{
    char text[APP_MESSAGE_SIZE];
    snprintf(text, sizeof text, "%s", akin_ctx_message(a->ctx));
    const size_t n = strcspn(text, " ");
    for (size_t i = 0; i < n; ++i)
        if (text[i] == '_')
            text[i] = '-';
    for (size_t i = 0; i < sizeof bags_options / sizeof *bags_options; ++i)
        if (strlen(bags_options[i].name) == n &&
            memcmp(bags_options[i].name, text, n) == 0)
            return app_fail(a, st, "--%s", text);
    return st;
}

static akin_status run(app *a, const void *flags)
{
    const synth_flags *f = flags;
    akin_rows *like = NULL, *rows = NULL;
    akin_status st = AKIN_OK;
    if (f->own.like != NULL) {
        const char *const unused[] = {"dim", "exponent", "shift"};
        for (int i = 0; i < 3; ++i)
            if (app_was_given(a, unused[i]))
                APP_TRY(app_fail(a, AKIN_EINVAL,
                                 "--like and --%s exclude each other",
                                 unused[i]));
        APP_TRY(akin_rows_read(&like, a->ctx, f->own.like, NULL));
    }
    st = akin_synth_bags(&rows, a->ctx, &f->bags, like);
    if (st == AKIN_EINVAL)
        name_flag(a, st);
    APP_TRY(st);
    APP_TRY(akin_rows_write(a->ctx, rows, f->own.out));
    APP_TRY(report(a, rows, f->own.out));
done:
    akin_rows_free(rows);
    akin_rows_free(like);
    return st;
}

const app_command cmd_synth = {
    .name = "synth",
    .section = "science",
    .summary = "data of known structure, for trying out and measuring",
    .about = "Word frequencies follow a power law, or those of --like. Each "
             "class has words of its own, which its bags use more often.",
    .examples = "akin synth bags --rows 2000 --classes 20 --out bags.svm\n"
                "akin synth bags --like counts.svm --classes 0 --rows 1000000 "
                "--out distractors.svm",
    .size = sizeof(synth_flags),
    APP_PARTS({&own_group, offsetof(synth_flags, own)},
              {&bags_group, offsetof(synth_flags, bags)}),
    .run = run,
};
