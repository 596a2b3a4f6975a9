#include "cli/flags.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "app/app.h"

static const app_option reading_options[] = {
    {"labels", "FILE", APP_FIELD(reading_flags, labels),
     .help = "the labels of --data, one per row (.npy, .csv or lines)"},
    {"label-column", "NAME|N", APP_FIELD(reading_flags, label_column),
     .help = "csv: labels [label, class, target or y]; or none"},
    {"variable", "NAME", APP_FIELD(reading_flags, variable),
     .help = "mat, npz: the matrix to read", .advanced = true},
    {"label-variable", "NAME", APP_FIELD(reading_flags, label_variable),
     .help = "mat, npz: the labels to read", .advanced = true},
    {"index-base", "auto|0|1", APP_FIELD(reading_flags, index_base),
     .help = "svm: number of the first column; auto is 0 if a 0 occurs, else "
             "1, and later files follow the model",
     .advanced = true},
    {"dim", "N", APP_FIELD(reading_flags, dim),
     .help = "number of columns, of --data alone", .min = 1,
     .max = 2147483647.0, .zero = "auto", .advanced = true},
};

const app_group cli_reading_group =
    APP_GROUP("Reading data", reading_options,
              (&(const reading_flags){.index_base = "auto"}));

static const app_option recipe_options[] = {
    {"weights", "auto|none|binary|tf|sqrt|log|tfidf|binary-idf|sqrt-idf",
     APP_FIELD(recipe_flags, weights),
     .help = "what a count c becomes: 1 (binary), c / sum of the row (tf), "
             "sqrt(c), ln(1 + c) (log); tf, 1 or sqrt(c) times ln(rows / rows "
             "with the word) (tfidf, binary-idf, sqrt-idf); auto: sqrt-idf "
             "for counts, else none",
     .advanced = true},
    {"center", NULL, APP_FIELD(recipe_flags, center),
     .help = "subtract the mean of each column", .advanced = true},
    {"scale", "none|minmax|zscore|su", APP_FIELD(recipe_flags, scale),
     .help = "scale the columns: to 0 to 1 (minmax), to variance 1 (zscore), "
             "or as principal directions (su)",
     .advanced = true},
    {"norm", "none|l2|global", APP_FIELD(recipe_flags, norm),
     .help = "scale rows to length 1: each row (l2), or all by one factor so "
             "that their mean length is 1 (global)",
     .advanced = true},
    {"as-is", NULL, APP_FIELD(recipe_flags, as_is),
     .help = "use rows as they are, without a recipe",
     .excludes = "weights center scale norm recipe", .advanced = true},
    {"recipe", "FILE", APP_FIELD(recipe_flags, recipe),
     .help = "a recipe with its statistics, or a model to take it from",
     .flags = APP_REPLACED, .excludes = "weights center scale norm",
     .advanced = true},
};

const app_group cli_recipe_group = APP_GROUP(
    "Recipe: how rows are prepared; without a flag, as the learner prefers",
    recipe_options, (&(const recipe_flags){0}));

static const app_option right_options[] = {
    {"right", "FILE", APP_FIELD(right_flags, right),
     .help = "rows of another kind to compare with; j of --pairs"},
    {"right-labels", "FILE", APP_FIELD(right_flags, labels),
     .help = "the labels of --right, one per row (.npy, .csv or lines); names "
             "that are the same on both sides mean the same",
     .needs = "right", .advanced = true},
    {"right-recipe", "FILE", APP_FIELD(right_flags, recipe),
     .help = "as --recipe, for the rows of --right", .needs = "right",
     .advanced = true},
};

const app_group cli_right_group =
    APP_GROUP("Rows of two kinds", right_options, (&(const right_flags){0}));

static const app_option knowledge_options[] = {
    {"pairs", "FILE|all", APP_FIELD(knowledge_flags, pairs),
     .help = "lines `i j 1` (a match) or `i j -1`; all: by label"},
    {"triplets", "FILE", APP_FIELD(knowledge_flags, triplets),
     .help = "lines `q p n`: row q is more similar to p than to n"},
    {"captions", "FILE", APP_FIELD(knowledge_flags, captions),
     .help = "candidate names of the faces in each photo: csv with a header "
             "photo,faces,names, or JSON lines",
     .advanced = true},
    {"labelled", "FILE", APP_FIELD(knowledge_flags, labelled),
     .help = "only the labels of these rows are known, one row per line",
     .advanced = true},
};

const app_group cli_knowledge_group = APP_GROUP(
    "Supervision: labels in the data, or one of these files (rows from 0)",
    knowledge_options, (&(const knowledge_flags){0}));

static const app_option more_options[] = {
    {"quadruplets", "FILE", APP_FIELD(knowledge_flags, quadruplets),
     .help = "lines `a b c d`: a and b are more similar than c and d",
     .advanced = true},
};

const app_group cli_more_knowledge_group = APP_GROUP(
    "Further supervision", more_options, (&(const knowledge_flags){0}));

static const app_option statistics_options[] = {
    {"train", "FILE", APP_FIELD(statistics_flags, train),
     .help = "tfidf, mahalanobis: the rows to take statistics from, else those "
             "of --data",
     .needs = "MODEL=" CLI_MEASURES, .advanced = true},
};

const app_group cli_statistics_group =
    APP_GROUP("Measures without learning", statistics_options,
              (&(const statistics_flags){0}));

#define USE_OPTIONS(data_flags)                                              \
    {                                                                        \
        {"MODEL", NULL, APP_FIELD(use_flags, model),                         \
         .help = "a file from akin train, or a measure without learning: "   \
                 "euclidean, cosine, tfidf, mahalanobis",                    \
         .flags = APP_ARGUMENT | APP_NEEDED},                                \
            {"data", "FILE", APP_FIELD(use_flags, data),                     \
             .help = "rows as they were before training, of one file or of " \
                     "'part-*.svm'; the model's recipe is applied to them",  \
             .flags = (data_flags)},                                         \
            {"as-is", NULL, APP_FIELD(use_flags, as_is),                     \
             .help = "rows have been through the recipe already",            \
             .advanced = true},                                              \
    }

static const app_option use_options[] = USE_OPTIONS(APP_NEEDED);
static const app_option use_some_options[] = USE_OPTIONS(0);

const app_group cli_use_group =
    APP_GROUP("Model and data", use_options, (&(const use_flags){0}));

bool cli_all_pairs(const knowledge_flags *f)
{
    return f->pairs != NULL && strcmp(f->pairs, "all") == 0;
}

const app_group cli_use_some_group =
    APP_GROUP("Model and data", use_some_options, (&(const use_flags){0}));

akin_knowledge cli_knowledge_given(const knowledge_flags *f, const char **path)
{
    const struct {
        akin_knowledge what;
        const char *path;
    } all[] = {{AKIN_PAIRS, f->pairs},
               {AKIN_TRIPLETS, f->triplets},
               {AKIN_QUADRUPLETS, f->quadruplets},
               {AKIN_BAGS, f->captions},
               {AKIN_LABELS, f->labelled}};
    for (size_t i = 0; i < sizeof all / sizeof all[0]; ++i)
        if (all[i].path != NULL) {
            *path = all[i].path;
            return all[i].what;
        }
    *path = NULL;
    return AKIN_NOTHING;
}

const char *cli_knowledge_flag(akin_knowledge what)
{
    switch (what) {
    case AKIN_PAIRS:
        return "--pairs";
    case AKIN_TRIPLETS:
        return "--triplets";
    case AKIN_QUADRUPLETS:
        return "--quadruplets";
    case AKIN_BAGS:
        return "--captions";
    default:
        return "--labelled";
    }
}

void cli_knowledge_words(int64_t set, char *text, size_t size)
{
    static const char *const words[] = {"labels", "pairs", "triplets",
                                        "quadruplets", "captions"};
    size_t at = 0;
    text[0] = '\0';
    for (int i = 0; i < 5; ++i) {
        const int64_t rest = set >> (i + 1);
        if (!(set >> i & 1) || at >= size)
            continue;
        at += (size_t)snprintf(text + at, size - at, "%s%s",
                               at == 0 ? ""
                               : rest  ? ", "
                                       : " or ",
                               words[i]);
    }
    if (set == AKIN_NOTHING)
        snprintf(text, size, "nothing but the rows");
}

akin_compare cli_compare(const char *word)
{
    if (word == NULL)
        return AKIN_BY_DEFAULT;
    if (strcmp(word, "dot") == 0)
        return AKIN_BY_DOT;
    return strcmp(word, "cosine") == 0 ? AKIN_BY_COSINE : AKIN_BY_DISTANCE;
}

const char *cli_compare_word(akin_compare by)
{
    static const char *const words[] = {NULL, "dot", "cosine", "distance"};
    return words[by];
}

akin_status cli_row_list(app *a, int64_t **rows, int64_t *count,
                         const char *flag, const char *text)
{
    int64_t most = 1;
    const char *at = text;
    akin_status st = AKIN_OK;
    *count = 0;
    if (text == NULL)
        return AKIN_OK;
    for (const char *c = text; *c != '\0'; ++c)
        most += *c == ',';
    APP_TRY(APP_NEW(a, most, rows));
    for (int64_t k = 0; k < most; ++k) {
        char *end = NULL;
        errno = 0;
        (*rows)[k] = *at >= '0' && *at <= '9' ? strtoll(at, &end, 10) : -1;
        if (end == NULL || errno == ERANGE || (*end != ',' && *end != '\0'))
            APP_TRY(app_fail(a, AKIN_EINVAL,
                             "--%s needs row numbers, as in 12,408,77 (not "
                             "'%s')",
                             flag, text));
        at = end + 1;
    }
    *count = most;
done:
    return st;
}
