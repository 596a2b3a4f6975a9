/* cli/load.h - rows, models, examples and collections, as the flags say. */
#ifndef CLI_LOAD_H
#define CLI_LOAD_H

#include <akin/collection.h>
#include <akin/index.h>
#include <akin/model.h>

#include "app/app.h"
#include "app/json.h"
#include "cli/flags.h"

/* What an earlier file, a model or a recipe fixes for later files; 0: no. */
typedef struct cli_shape {
    int64_t index_base, dim;
    const char *of;             // its path
    const akin_recipe *recipe;  // borrowed; NULL: none
} cli_shape;

cli_shape cli_shape_of_recipe(const akin_recipe *recipe, const char *path);
/* Of raw rows, or of rows that are taken as they are. */
cli_shape cli_shape_of_model(const akin_model *m, const char *path,
                             akin_side side, bool as_is);
/* Of rows to put in (right), or of queries (left). */
cli_shape cli_shape_of_index(const akin_index *x, const char *path,
                             akin_side side);

/* The flags as the library takes them; they go before the shape. */
akin_read_options cli_read_options(const reading_flags *f, cli_shape shape);
/* A remark says so where `auto` finds that columns are numbered from 0. */
akin_status cli_read_rows(app *a, akin_rows **out, const char *path,
                          const reading_flags *f, cli_shape shape);
/* Add what reading found out: index_base, label_column, where there is one. */
void cli_add_reading(json_t *all, const akin_rows *rows);

/* The message of what is wrong with rows, with the file that they are from. */
akin_status cli_in_file(app *a, akin_status st, const char *path);

akin_status cli_forget_labels(app *a, akin_rows *rows);

/* Of a command with an argument MODEL: EINVAL for the name of a learner where
 * no file is called so. */
akin_status cli_check_model(app *a);

/* A file of a model; `turned`: with left and right exchanged. */
akin_status cli_load_model(app *a, akin_model **out, const char *path,
                           bool turned);

/* A model, and rows made ready for it. */
typedef struct cli_use {
    akin_model *model;
    akin_rows *data;
    const char *path;  // of --data
    const char *name;  // of the model, as it was given
    const reading_flags *reading;
    cli_shape first;  // of --data, for measures without learning
    bool as_is, builtin;
} cli_use;

/* Load MODEL and --data, which stands on `side`. `train` (may be NULL) is the
 * file that a measure without learning takes its statistics from. */
akin_status cli_use_open(app *a, cli_use *u, const use_flags *f,
                         const reading_flags *reading, akin_side side,
                         const char *train);
/* Further rows for the same model; `labels` is a file of theirs, or NULL. */
akin_status cli_use_read(app *a, const cli_use *u, akin_rows **out,
                         const char *path, const char *labels, akin_side side);
/* Rows of --right, or none (NULL) where `path` is NULL: EINVAL then where the
 * model compares rows of different columns, and --data are its left ones. */
akin_status cli_use_right(app *a, const cli_use *u, akin_rows **out,
                          const char *path, const char *labels);
void cli_use_close(cli_use *u);

/* All examples of a file: pairs (i j y) and triplets 3 numbers each, plain
 * pairs of rows (NOTHING) 2; free with free(). */
akin_status cli_read_examples(app *a, int64_t **numbers, int64_t *count,
                              akin_knowledge what, const char *path,
                              const akin_rows *left, const akin_rows *right);

/* EFORMAT: "x.txt: there are no triplets". */
akin_status cli_no_examples(app *a, akin_knowledge kind, const char *path);

/* ---- collections ---- */

/* A row of a collection by the name of its item or by number. */
akin_status cli_item_row(app *a, akin_collection *c, const char *text,
                         int64_t *row);
/* Collections are folders, and no other file that akin reads is one. */
bool cli_is_folder(const char *path);

/* MODEL, a file or the name of a measure without learning, whose statistics
 * are those of the collection. */
akin_status cli_item_model(app *a, const akin_collection *c, const char *name,
                           akin_model **out);

/* --model of a collection: it is searched by MODEL from now on; "auto" is the
 * measure without learning that it began with. */
akin_status cli_item_set_model(app *a, const char *path, const char *model);

/* Name the rows of an index from `first` on by the items of a collection, of
 * which there are as many; `ids` (NULL: not wanted) gets those of the items. */
akin_status cli_item_names(app *a, akin_index *x, int64_t first,
                           akin_collection *c, int64_t *ids);

/* A name for a line: control characters become '?'. To be freed with free(). */
akin_status cli_item_shown(app *a, const char *name, char **out);

#endif
