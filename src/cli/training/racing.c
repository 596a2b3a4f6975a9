#include "cli/training/racing.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "app/json.h"
#include "app/text.h"
#include "cli/load.h"
#include "cli/training/parameters.h"

akin_purpose cli_purpose(const char *word)
{
    static const char *const words[] = {
        [AKIN_FOR_SEARCH] = "search",
        [AKIN_FOR_CLASSIFY] = "classify",
        [AKIN_FOR_VERIFY] = "verify",
        [AKIN_FOR_RANK] = "rank",
    };
    for (int i = AKIN_FOR_SEARCH; word != NULL && i <= AKIN_FOR_RANK; ++i)
        if (strcmp(words[i], word) == 0)
            return (akin_purpose)i;
    return AKIN_FOR_AUTO;
}

/* ---- rows and supervision ---- */

static akin_status read_side(app *a, cli_side *side, akin_side which,
                             const char *path, const char *recipe,
                             const reading_flags *reading)
{
    akin_rows *raw = NULL;
    cli_shape shape = {0};
    akin_status st = AKIN_OK;
    if (recipe != NULL) {
        APP_TRY(cli_load_recipe(a, side, recipe, which));
        shape = cli_shape_of_recipe(side->recipe, recipe);
    }
    APP_TRY(cli_read_rows(a, &raw, path, reading, shape));
    if (akin_rows_count(raw) > 0 && akin_rows_nonzeros(raw) == 0)
        APP_TRY(app_fail(a, AKIN_EINVAL, "%s: every row is empty", path));
    if (recipe != NULL) {
        APP_TRY(cli_apply_recipe(a, side, raw, path));
    } else {
        side->rows = raw;
        raw = NULL;
    }
done:
    akin_rows_free(raw);
    return st;
}

static akin_status read_known(app *a, cli_known *k, const known_input *in)
{
    const char *path;
    const akin_knowledge kind = cli_knowledge_given(in->knowledge, &path);
    akin_status st = AKIN_OK;
    if (cli_all_pairs(in->knowledge))
        APP_TRY(akin_supervision_all_pairs(a->ctx, k->known));
    else if (kind == AKIN_LABELS)
        APP_TRY(akin_supervision_labelled(a->ctx, k->known, path));
    else if (kind != AKIN_NOTHING)
        APP_TRY(akin_supervision_read(a->ctx, k->known, kind, path));
    if (k->right != NULL && akin_supervision_kind(k->known) == AKIN_LABELS &&
        akin_rows_label_count(k->right) == 0)
        APP_TRY(app_fail(a, AKIN_EINVAL,
                         "%s has no labels (--right-labels says where they "
                         "are; --pairs is other supervision)",
                         in->right->right));
    if (kind == AKIN_NOTHING && akin_supervision_kind(k->known) == AKIN_NOTHING)
        APP_TRY(app_fail(a, AKIN_EINVAL,
                         "%s has no labels (--label-column or --labels says "
                         "where they are; --pairs or --triplets is other "
                         "supervision)",
                         in->data));
    if (akin_supervision_examples(k->known) == 0)
        APP_TRY(path != NULL ? cli_no_examples(a, kind, path)
                             : app_fail(a, AKIN_EINVAL,
                                        "%s: no row has a label", in->data));
    akin_supervision_name(k->known, path ? path : in->data);
done:
    return st;
}

akin_status cli_known_open(app *a, cli_known *k, const known_input *in)
{
    reading_flags reading = *in->reading;
    const right_flags *r = in->right;
    cli_side *left = &k->side[AKIN_LEFT], *right = &k->side[AKIN_RIGHT];
    akin_status st = AKIN_OK;
    *k = (cli_known){0};
    if (r->recipe != NULL && in->recipe == NULL)
        APP_TRY(app_fail(a, AKIN_EINVAL,
                         "--right-recipe needs a recipe of the left rows, too "
                         "(--recipe of akin train)"));
    reading.utf8_labels = true;  // a model may keep them
    APP_TRY(read_side(a, left, AKIN_LEFT, in->data, in->recipe, &reading));
    if (r->right != NULL) {
        reading.labels = r->labels;
        reading.dim = 0;  // of the left
        APP_TRY(read_side(a, right, AKIN_RIGHT, r->right,
                          r->recipe ? r->recipe : in->recipe, &reading));
    }
    k->rows = left->rows;
    k->right = right->rows;
    APP_TRY(akin_supervision_new(&k->known, a->ctx, k->rows, k->right,
                                 left->recipe));
    akin_supervision_right_recipe(k->known, right->recipe);
    APP_TRY(read_known(a, k, in));
done:
    return st;
}

void cli_known_close(cli_known *k)
{
    akin_supervision_free(k->known);
    cli_side_close(&k->side[AKIN_LEFT]);
    cli_side_close(&k->side[AKIN_RIGHT]);
}

/* ---- the table ---- */

const char *cli_race_recipe(const akin_race_row *row)
{
    return row->recipe_text[0] != '\0' ? row->recipe_text : "none";
}

/* The options that are not at their default, as "k=5 mu=0.3". */
static void put_options(app *a, const akin_race_row *row, char *text,
                        size_t size)
{
    const akin_learner_info *l = row->options ? akin_learner_find(row->method)
                                              : NULL;
    char value[128], standard[128];
    size_t at = 0;
    text[0] = '\0';
    for (int64_t i = 0; l != NULL && i < l->n_options && at < size; ++i) {
        const char *name = l->options[i].name;
        if (akin_options_get(value, a->ctx, row->options, name, sizeof value) ==
                AKIN_OK &&
            akin_options_get(standard, a->ctx, l->defaults, name,
                             sizeof standard) == AKIN_OK &&
            strcmp(value, standard) != 0)
            at += (size_t)snprintf(text + at, size - at, " %s=%s", name, value);
    }
}

json_t *cli_race_row(app *a, const akin_race *r, int64_t i)
{
    const akin_race_row row = akin_race_at(r, i);
    const bool ok = row.status == AKIN_OK;
    char settings[256];
    put_options(a, &row, settings, sizeof settings);
    json_t *params = row.options != NULL
                         ? cli_parameters_json(a, row.options,
                                               akin_learner_find(row.method),
                                               NULL)
                         : json_object();
    return APP_OBJECT(
        APP_KEY("method", row.method), APP_KEY("recipe", cli_race_recipe(&row)),
        APP_KEY("params", params),
        APP_KEY("settings", (const char *)settings + (settings[0] == ' ')),
        APP_KEY("read_out", ok ? cli_compare_word(row.by) : NULL),
        APP_KEY("score", row.score), APP_KEY("se", row.se),
        APP_KEY("gain", row.gain), APP_KEY("gain_se", row.gain_se),
        APP_KEY("seconds", row.seconds),
        APP_KEY("model_bytes", row.model_bytes), APP_KEY("splits", row.splits),
        APP_KEY("rung", row.rung), APP_KEY("plain", (bool)row.is_plain),
        APP_KEY("status", ok ? "ok" : row.message));
}

json_t *cli_race_rows(app *a, const akin_race *r)
{
    json_t *rows = json_array();
    for (int64_t i = 0; i < akin_race_count(r); ++i)
        json_array_append_new(rows, cli_race_row(a, r, i));
    return rows;
}

/* A row with what is to be said of it; "": nothing. */
static akin_status print_row(app *a, const akin_race *r, int64_t i,
                             const char *mark)
{
    const akin_race_row row = akin_race_at(r, i);
    char options[256], score[32], se[32], dropped[48] = "";
    akin_status st = AKIN_OK;
    put_options(a, &row, options, sizeof options);
    snprintf(score, sizeof score, "%.4f", row.score);
    snprintf(se, sizeof se, "%.4f", row.se);
    if (row.status != AKIN_OK)
        return app_print(a, "%-17s %8s %7s %9s %10s  %s\n", row.method, "-",
                         "-", "-", "-", row.message);
    if (row.rung < akin_race_at(r, akin_race_best(r)).rung)
        snprintf(dropped, sizeof dropped, "  (left in round %lld)",
                 (long long)row.rung + 1);
    APP_TRY(app_print(a, "%-17s %8s %7s %9s %10s  %s%s%s%s\n", row.method,
                      isnan(row.score) ? "-" : score, isnan(row.se) ? "-" : se,
                      app_seconds(row.seconds).text,
                      app_bytes(row.model_bytes).text, cli_race_recipe(&row),
                      options, dropped, mark));
done:
    return st;
}

akin_status cli_race_print(app *a, const akin_race *r, int64_t most,
                           bool is_choice)
{
    const int64_t n = akin_race_count(r), best = akin_race_best(r);
    const int64_t plain = akin_race_baseline(r);
    int64_t left_out = 0;
    akin_status st = AKIN_OK;
    APP_TRY(app_print(a, "%-17s %8s %7s %9s %10s  %s\n", "method",
                      akin_race_measure(r), "se", "time", "size",
                      "recipe and settings"));
    if (is_choice)
        APP_TRY(print_row(a, r, best, "  <- chosen"));
    for (int64_t i = 0; i < n; ++i) {
        if (is_choice && i == best)
            continue;
        if (most == 0 || i < most || i == plain)
            APP_TRY(print_row(a, r, i,
                              i != plain  ? ""
                              : is_choice ? "  <- plain measure to beat"
                                          : "  <- best plain measure"));
        else
            ++left_out;
    }
    if (left_out > 0)
        APP_TRY(app_print(a, "(%s more; --json has all)\n",
                          app_count(left_out).text));
done:
    return st;
}
