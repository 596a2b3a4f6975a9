/* akin check: whether a file is valid, alone and with its supervision. */
#include <akin/faces.h>

#include "app/json.h"
#include "app/text.h"
#include "cli/commands.h"
#include "cli/inspect.h"

typedef struct file_check_flags {
    inspect_flags inspect;
    const char *without;
} file_check_flags;

typedef struct person_flags {
    const char *without;
} person_flags;

static const app_option person_options[] = {
    {"without-person", "NAME", APP_FIELD(person_flags, without),
     .help = "of a collection: exit 2 when any of its files has this name, in "
             "any case, with or without accents, or in part in a caption"},
};

static const app_group person_group =
    APP_GROUP("Persons", person_options, (&(const person_flags){0}));

/* Read the rows and every file of supervision that refers to them. */
static akin_status check_knowledge(app *a, const inspect_flags *f)
{
    const knowledge_flags *k = &f->knowledge;
    const struct {
        akin_knowledge what;
        const char *path;
    } files[] = {{AKIN_PAIRS, cli_all_pairs(k) ? NULL : k->pairs},
                 {AKIN_TRIPLETS, k->triplets},
                 {AKIN_QUADRUPLETS, k->quadruplets},
                 {AKIN_BAGS, k->captions}};
    akin_rows *rows = NULL;
    akin_supervision *s = NULL;
    akin_status st = AKIN_OK;
    APP_TRY(cli_read_rows(a, &rows, f->file.path, &f->reading, (cli_shape){0}));
    APP_TRY(akin_supervision_new(&s, a->ctx, rows, NULL, NULL));
    if (cli_all_pairs(k))
        APP_TRY(akin_supervision_all_pairs(a->ctx, s));
    if (k->labelled != NULL)
        APP_TRY(akin_supervision_labelled(a->ctx, s, k->labelled));
    for (size_t i = 0; i < sizeof files / sizeof files[0]; ++i)
        if (files[i].path != NULL)
            APP_TRY(
                akin_supervision_read(a->ctx, s, files[i].what, files[i].path));
done:
    akin_supervision_free(s);
    akin_rows_free(rows);
    return st;
}

static akin_status examine(app *a, const inspect_flags *f,
                           akin_file_info **info)
{
    const char *path;
    const akin_status st = cli_inspect(a, info, f);
    return st == AKIN_OK && cli_knowledge_given(&f->knowledge, &path)
               ? check_knowledge(a, f)
               : st;
}

/* A file that is not valid gets an object too. */
static akin_status print_json(app *a, const akin_file_info *info,
                              const char *path, akin_status st)
{
    json_t *object = cli_inspect_json(info, path);
    json_object_set_new(object, "sound", json_boolean(st == AKIN_OK));
    if (st != AKIN_OK) {
        json_object_set_new(object, "error",
                            app_json_string(app_error_text(a, st)));
        json_object_set_new(object, "exit", json_integer(akin_status_exit(st)));
    }
    const akin_status printed = app_json_print(a, object);
    return st == AKIN_OK ? printed : st;
}

/* Is the name in no file of the collection, however it is written? */
static akin_status check_person(app *a, const file_check_flags *f)
{
    int64_t files;
    akin_status st = AKIN_OK;
    if (f->without == NULL)
        return AKIN_OK;
    APP_TRY(
        akin_faces_mentions(&files, a->ctx, f->inspect.file.path, f->without));
    if (files > 0)
        APP_TRY(app_fail(a, AKIN_EFORMAT, "%s: %s %s the name",
                         f->inspect.file.path, app_counted(files, "file").text,
                         files == 1 ? "has" : "have"));
done:
    return st;
}

static akin_status run(app *a, const void *flags)
{
    const file_check_flags *all = flags;
    const inspect_flags *f = &all->inspect;
    akin_file_info *info = NULL;
    akin_status st = examine(a, f, &info);
    if (st == AKIN_OK)
        st = check_person(a, all);
    const bool checked = st == AKIN_OK || akin_status_exit(st) == 2;
    if (a->common.json && checked)
        st = print_json(a, info, f->file.path, st);
    else if (st == AKIN_OK)
        st = app_print(a, "%s: sound\n", f->file.path);
    akin_file_info_free(info);
    return st;
}

const app_command cmd_check = {
    .name = "check",
    .section = "files",
    .summary = "exit 0 if a file is sound, 2 with the reason if not",
    .about = "Read the whole file and verify its checksums. Files of "
             "supervision are checked against its rows.\n"
             "With --json the key `sound` is true or false; for a file that is "
             "not sound, `error` is the line that also goes to standard error.",
    .examples = "akin check m.safetensors\n"
                "akin check rows.svm --triplets triplets.txt\n"
                "akin check faces.akin --without-person 'Ann Smith'",
    .size = sizeof(file_check_flags),
    APP_PARTS(
        {&cli_file_group, offsetof(file_check_flags, inspect.file)},
        {&cli_knowledge_group, offsetof(file_check_flags, inspect.knowledge)},
        {&cli_more_knowledge_group,
         offsetof(file_check_flags, inspect.knowledge)},
        {&cli_reading_group, offsetof(file_check_flags, inspect.reading)},
        {&person_group, offsetof(file_check_flags, without)}),
    .run = run,
};
