/* Flags that go together or not, as the columns of a table say. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "app/app.h"

typedef struct flags {
    const char *kind, *task, *file, *other, *queries, *rows;
    bool plain, exact;
} flags;

#define FIELD(field) APP_FIELD(flags, field)

static const app_option rows[] = {
    {"KIND", NULL, FIELD(kind), .flags = APP_ARGUMENT},
    {"task", "knn|rank|cross", FIELD(task), .help = ""},
    {"file", "FILE", FIELD(file), .needed_by = "task=knn,cross"},
    {"other", "FILE", FIELD(other), .needs = "file|plain"},
    {"plain", NULL, FIELD(plain), .excludes = "exact task=rank"},
    {"exact", NULL, FIELD(exact), .needs = "task=knn,rank file"},
};
static const app_option more[] = {
    {"queries", "FILE", FIELD(queries), .help = ""},
    {"rows", "FILE", FIELD(rows), .help = ""},
};
static const app_group group =
    APP_GROUP("Rows", rows, (&(const flags){.task = "rank"}));
static const app_group of_bags = APP_GROUP_NEEDS(
    "More", more, (&(const flags){.task = "rank"}), "KIND=bags,words");
static const app_command command = {
    .name = "try",
    .size = sizeof(flags),
    .needs = "file|task=rank,cross",
    .excludes = "queries|rows|exact",
    APP_PARTS({&of_bags, 0}, {&group, 0}),
};

/* What is said of a command line; "" when nothing is wrong. */
static const char *message(const char *line)
{
    static app a;
    static char words[256];
    char *all[16];
    flags f;
    int n = 0;
    memset(&a, 0, sizeof a);
    memset(&f, 0, sizeof f);
    strcpy(words, line);
    for (char *w = strtok(words, " "); w != NULL; w = strtok(NULL, " "))
        all[n++] = w;
    const akin_status st = app_parse(&a, &command, n, all, &f);
    assert_int_equal(st == AKIN_OK, a.message[0] == '\0');
    return a.message;
}

static void flags_that_go_together_pass(void **state)
{
    (void)state;
    assert_string_equal(message(""), "");
    assert_string_equal(message("--task knn --file x --exact"), "");
    assert_string_equal(message("bags --queries x"), "");
}

static void excluded_flag_is_named(void **state)
{
    (void)state;
    assert_string_equal(message("--task knn --file x --exact --plain"),
                        "--plain and --exact exclude each other");
    assert_string_equal(message("--plain"),
                        "--plain and --task rank exclude each other");
}

static void missing_condition_is_named(void **state)
{
    (void)state;
    assert_string_equal(message("--other x"),
                        "--other needs --file or --plain");
    assert_string_equal(message("--task cross --file x --exact"),
                        "--exact needs --task knn or rank");
    assert_string_equal(message("--exact"), "--exact needs --file");
}

static void a_group_needs_for_all_its_rows(void **state)
{
    (void)state;
    assert_string_equal(message("faces --queries x"),
                        "--queries needs KIND bags or words");
}

static void a_value_needs_a_flag(void **state)
{
    (void)state;
    assert_string_equal(message("--task cross --plain"),
                        "--task cross needs --file FILE");
}

static void a_command_needs_one_of_several(void **state)
{
    (void)state;
    assert_string_equal(
        message("--task knn"),
        "try needs --file, or --task rank or cross (see akin help try)");
}

static void one_of_a_list_at_most(void **state)
{
    (void)state;
    assert_string_equal(message("bags --rows x --queries y"),
                        "--queries and --rows exclude each other");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(flags_that_go_together_pass),
        cmocka_unit_test(excluded_flag_is_named),
        cmocka_unit_test(missing_condition_is_named),
        cmocka_unit_test(a_group_needs_for_all_its_rows),
        cmocka_unit_test(a_value_needs_a_flag),
        cmocka_unit_test(a_command_needs_one_of_several),
        cmocka_unit_test(one_of_a_list_at_most),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
