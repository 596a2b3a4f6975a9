/* cli/flags.h - groups of flags that several commands take. */
#ifndef CLI_FLAGS_H
#define CLI_FLAGS_H

#include <akin/learn.h>

#include "app/app.h"

/* How data files are read. */
typedef struct reading_flags {
    const char *labels, *label_column, *variable, *label_variable;
    const char *index_base;
    int64_t dim;
    bool utf8_labels;  // of no flag: what is made of the rows names them
} reading_flags;
extern const app_group cli_reading_group;

/* What happens to rows before learning; NULL: as the learner says. */
typedef struct recipe_flags {
    bool center, as_is;
    const char *scale, *weights, *norm, *recipe;
} recipe_flags;
extern const app_group cli_recipe_group;

/* Rows of another kind, to learn between them and those of --data. */
typedef struct right_flags {
    const char *right, *labels, *recipe;
} right_flags;
extern const app_group cli_right_group;

/* What is known about the rows. */
typedef struct knowledge_flags {
    const char *pairs, *triplets, *quadruplets, *captions, *labelled;
} knowledge_flags;
extern const app_group cli_knowledge_group;
extern const app_group cli_more_knowledge_group;  // that no learner takes yet

/* A model, and the rows it is used on. */
typedef struct use_flags {
    const char *model;
    const char *data;
    bool as_is;
    bool unlabelled;  // no flag: set where labels of the data are not needed
    bool raw;         // no flag: set where the recipe is not to be applied yet
    bool turned;      // no flag: left and right of the model change places
} use_flags;
extern const app_group cli_use_group;
extern const app_group cli_use_some_group;  // --data may be missing

/* The measures that need no training, as a condition lists values. */
#define CLI_MEASURES "euclidean,cosine,tfidf,mahalanobis"

/* Where a measure without learning takes its statistics from. */
typedef struct statistics_flags {
    const char *train;
} statistics_flags;
extern const app_group cli_statistics_group;

#define CLI_SCORE_HELP                                                      \
    "how rows are compared in the learned space; without it, as the model " \
    "was trained for"

/* The file of examples that was given, and its kind; NOTHING without one.
 * CLI_ONE_KNOWLEDGE is the list of flags that exclude each other. */
#define CLI_ONE_KNOWLEDGE "pairs|triplets|captions|labelled"
akin_knowledge cli_knowledge_given(const knowledge_flags *f, const char **path);
/* Is it --pairs all? */
bool cli_all_pairs(const knowledge_flags *f);
/* "--triplets". */
const char *cli_knowledge_flag(akin_knowledge what);
/* "labels or triplets", of an or-ed set. */
void cli_knowledge_words(int64_t set, char *text, size_t size);

/* dot, cosine, distance; NULL: the model's own. */
akin_compare cli_compare(const char *word);
/* The word of a comparison; NULL: there is none. */
const char *cli_compare_word(akin_compare by);

/* Row numbers as in 12,408,77; free with free(). NULL text: none. EINVAL names
 * the flag. */
akin_status cli_row_list(app *a, int64_t **rows, int64_t *count,
                         const char *flag, const char *text);

#endif
