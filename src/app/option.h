/* app/option.h - what a command takes: tables that parsing, help, the man page
 * and shell completion are all made from. */
#ifndef APP_OPTION_H
#define APP_OPTION_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <akin/base.h>

struct app;

typedef enum { APP_SWITCH, APP_INT, APP_REAL, APP_TEXT, APP_TEXTS } app_type;

enum {
    APP_NEEDED = 1,     // an error without it
    APP_ARGUMENT = 2,   // not a flag: known by its place
    APP_OUTPUT = 4,     // names what is written, "-" is not standard input
    APP_ROWS = 8,       // of an output: rows, in the format of the ending
    APP_FOLDER = 16,    // of an output: a folder, made where it is not there
    APP_REPLACED = 32,  // an input that an output may replace
    APP_BINARY = 64,    // of an output: nothing for a terminal
    APP_EITHER = 128,   // of an output: a file or a folder, as comes out later
    APP_MANY = 256,     // may be given again and again: app_value_at
};

/* One row of a table. `argument` shows what follows the flag: words in lower
 * case separated by | are the only values allowed, a word in upper case stands
 * for any value. The default is the field's value in the group's `defaults`;
 * NAN, or -1 where no number is below 0, means that there is none.
 *
 * The last three columns say which flags go together. A condition is a flag
 * that was given ("right") or a value that another one has ("task=knn,cross");
 * alternatives are separated by |, conditions that must all hold by blanks. */
typedef struct app_option {
    const char *name;      // "index-base"; of an argument "MODEL"
    const char *argument;  // "FILE", "auto|0|1", "A B"; NULL: a switch
    app_type type;
    size_t offset;  // of the field in the group's struct
    const char *help;
    double min, max;   // numbers: both ends included; 0, 0: any
    const char *zero;  // a word for 0: "auto"
    int flags;
    const char *excludes;   // conditions under which it is refused
    const char *needs;      // conditions without which it is refused
    const char *needed_by;  // a condition under which it must be given
    bool advanced;          // help lists it with --all alone
} app_option;

/* The type follows from the field; an array of two strings is APP_TEXTS. */
#define APP_FIELD(type, field) \
    _Generic(((const type *)0)->field,                             \
             bool: APP_SWITCH, int64_t: APP_INT, double: APP_REAL, \
             const char *: APP_TEXT, const char *const *: APP_TEXTS), \
        offsetof(type, field)

/* Rows that belong together, and fill one struct. */
typedef struct app_group {
    const char *title;
    const app_option *options;
    int64_t n_options;
    const void *defaults;
    size_t size;
    const char *needs;  // of every row, beside its own
} app_group;

#define APP_GROUP_NEEDS(heading, table, standard, conditions)                  \
    {                                                                          \
        .title = (heading), .options = (table),                                \
        .n_options = sizeof(table) / sizeof(table)[0], .defaults = (standard), \
        .size = sizeof *(standard), .needs = (conditions)                      \
    }
#define APP_GROUP(heading, table, standard) \
    APP_GROUP_NEEDS(heading, table, standard, NULL)

/* A group, and where its struct lies in the struct of the command. */
typedef struct app_part {
    const app_group *group;
    size_t offset;
} app_part;

#define APP_PARTS(...)                        \
    .parts = (const app_part[]){__VA_ARGS__}, \
    .n_parts = sizeof((const app_part[]){__VA_ARGS__}) / sizeof(app_part)

typedef struct app_command {
    const char *name;
    const char *section;  // of the overview: "learn"
    const char *summary;  // one line
    /* A line of the overview before its own: "akin train auto"; NULL: none. */
    const char *first_usage, *first_summary;
    const char *about;     // paragraphs, one per line; short help has the first
    const char *examples;  // one per line; short help has the first two
    const app_part *parts;
    int64_t n_parts;
    size_t size;           // of the struct that all parts lie in
    const char *needs;     // conditions, as in a row: "queries|like"
    const char *excludes;  // lists of flags of which one at most is given
    bool shared;           // ranks share its work; else rank 0 does it,
    const char *alone;     // and also with this flag; NULL: none
    /* Flags that no table has are kept for the command to check. */
    bool takes_others;
    /* Checks the arguments, before anything is said of flags; NULL: no check.
     */
    akin_status (*check_arguments)(struct app *a);
    /* Checks them, before flags that are missing are reported. */
    akin_status (*check_others)(struct app *a, const void *flags);
    akin_status (*run)(struct app *a, const void *flags);
    /* A further section of its help, NULL: none; a->help_all: with --all. */
    akin_status (*more_help)(struct app *a);
} app_command;

/* A flag kept by `takes_others`; the value is NULL where none followed. */
typedef struct app_other {
    const char *name, *value;
} app_other;

/* Fill `flags` (zeroed, command->size bytes) from the words behind the
 * command's name. EINVAL with a message that names the flag. */
akin_status app_parse(struct app *a, const app_command *command, int n,
                      char **words, void *flags);

/* May every output be written, is every ending known, and does none of them
 * replace an input? Also tells the app when a result goes to standard output.
 */
akin_status app_check_outputs(struct app *a, const app_command *command,
                              const void *flags);

/* Are both the same file, by whatever names? Not of devices and pipes. */
bool app_same_file(const char *path, const char *other);

/* Was the flag, or the argument, on the command line? */
bool app_was_given(const struct app *a, const char *name);

/* The present value of a flag by its name, as text; NULL: there is none. */
typedef const char *(*app_value_fn)(const void *from, const char *name);
/* Do the flags that were given go together, as the tables of the command say?
 * EINVAL: "--a and --b exclude each other", "--a needs --b". */
akin_status app_check_conflicts(struct app *a, const void *flags);
/* The same for a row of another table, which was given as a flag. */
akin_status app_check_row(struct app *a, const app_option *o,
                          app_value_fn value, const void *from);

/* The k-th value of a flag or an argument that was given, NULL behind the
 * last. */
const char *app_value_at(const struct app *a, const char *name, int64_t k);

/* Check a text against a row and store it in `field`, which may be NULL. */
akin_status app_option_set(struct app *a, const app_option *o, const char *text,
                           void *field);
/* "0 to 1", "at least 1", "none, minmax or zscore"; "" where all goes. */
void app_option_range(const app_option *o, char *text, size_t size);
/* The value of a field as text, "" for none. */
void app_option_text(const app_option *o, const void *field, char *text,
                     size_t size);

/* What stands before the name: "--", or nothing before an argument. */
const char *app_option_dashes(const app_option *o);

/* The common flags and then the command's groups, by number; NULL behind the
 * last. `offset` (may be NULL) is where its struct lies in the command's. */
const app_group *app_group_at(const app_command *command, int64_t i,
                              size_t *offset);
/* The options of all these groups, by number; NULL behind the last. `group` and
 * `offset` (each may be NULL) are its group, and where its field lies: in the
 * command's struct, or for a common flag in app_common. */
const app_option *app_option_at(const app_command *command, int64_t k,
                                const app_group **group, size_t *offset);

#endif
