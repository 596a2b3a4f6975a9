/* The list of learners, and access to their options by name. */
#include <ctype.h>
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "learn/learner.h"

#define LEARNER(file, name, ...) extern const ak_learner ak_learner_##name;
#include "learn/learners.def"
#undef LEARNER

static const ak_learner *const learners[] = {
#define LEARNER(file, name, ...) &ak_learner_##name,
#include "learn/learners.def"
#undef LEARNER
};

enum { N_LEARNERS = sizeof learners / sizeof learners[0] };

const akin_recipe_options ak_recipe_counts = {sizeof(akin_recipe_options),
                                              "auto", "none", "l2", 0};
const akin_recipe_options ak_recipe_text = {sizeof(akin_recipe_options),
                                            "auto-tfidf", "none", "l2", 0};
const akin_recipe_options ak_recipe_standard = {
    sizeof(akin_recipe_options), "auto-sqrt-idf", "auto", "auto", 0};
const akin_recipe_options ak_recipe_centred = {sizeof(akin_recipe_options),
                                               "none", "auto", "global", 1};

const ak_learner *ak_learner_find(const char *name)
{
    for (int64_t i = 0; i < N_LEARNERS; ++i)
        if (strcmp(learners[i]->info.name, name) == 0)
            return learners[i];
    return NULL;
}

const akin_learner_info *akin_learner_at(int64_t i)
{
    return i >= 0 && i < N_LEARNERS ? &learners[i]->info : NULL;
}

const akin_learner_info *akin_learner_find(const char *name)
{
    const ak_learner *l = ak_learner_find(name);
    return l ? &l->info : NULL;
}

const char *akin_learner_checkpoints(const akin_learner_info *l)
{
    return l->is_online ? "examples" : l->has_checkpoints ? "iterations" : NULL;
}

bool ak_learner_ranks(const ak_learner *l, const akin_options *options)
{
    return l->rank != NULL &&
           (l->online == NULL || ak_options_shared(options).ranks);
}

const ak_online *ak_learner_online(const ak_learner *l,
                                   const akin_options *options)
{
    return ak_learner_ranks(l, options) ? l->rank : l->online;
}

/* The value of one option in an options struct; its row says the type. */
typedef union slot {
    double f64;
    int64_t i64;
    const char *string;
} slot;

static slot slot_get(const akin_options *o, const akin_option *row)
{
    slot s;
    memcpy(&s, (const char *)o + row->offset, sizeof s);
    return s;
}

static void slot_set(akin_options *o, const akin_option *row, slot s)
{
    memcpy((char *)o + row->offset, &s, sizeof s);
}

/* Whether `value` is one of "a|b". A choice in capitals accepts any value. */
static bool is_choice(const char *choices, const char *value)
{
    const size_t n = strlen(value);
    for (const char *p = choices;; ++p) {
        const size_t len = strcspn(p, "|");
        if ((len == n && strncmp(p, value, n) == 0) ||
            (len > 0 && isupper((unsigned char)p[0]) && n > 0))
            return true;
        p += len;
        if (*p == '\0')
            return false;
    }
}

static akin_status check_row(akin_ctx *ctx, const akin_options *o,
                             const akin_option *row)
{
    const slot s = slot_get(o, row);
    if (row->type == AKIN_STRING) {
        if (s.string != NULL && is_choice(row->choices, s.string))
            return AKIN_OK;
        return ak_fail(ctx, AKIN_EINVAL, "`%s` %s is unknown (one of %s)",
                       row->name, s.string ? s.string : "", row->choices);
    }
    const double x = row->type == AKIN_F64 ? s.f64 : (double)s.i64;
    if (x >= row->min && x <= row->max)
        return AKIN_OK;
    return ak_fail(ctx, AKIN_EINVAL, "`%s` %g is out of range (%g to %g)",
                   row->name, x, row->min, row->max);
}

akin_status ak_options_check(akin_ctx *ctx, const ak_learner *learner,
                             const akin_options *options)
{
    const akin_learner_info *info = &learner->info;
    if (options->size != info->defaults->size)
        return ak_fail(ctx, AKIN_EINVAL,
                       "the options of %s have %" PRIu64 " bytes (%" PRIu64
                       " expected)",
                       info->name, options->size, info->defaults->size);
    for (int64_t i = 0; i < info->n_options; ++i) {
        AK_CHECK(check_row(ctx, options, &info->options[i]));
    }
    return AKIN_OK;
}

akin_status akin_options_new(akin_options **out, akin_ctx *ctx,
                             const char *name)
{
    const ak_learner *l = ak_learner_find(name);
    if (l == NULL)
        return ak_fail(ctx, AKIN_EINVAL, "there is no learner '%s'", name);
    const size_t size = (size_t)l->info.defaults->size;
    AK_CHECK(ak_alloc(ctx, (int64_t)size, 1, out));
    memcpy(*out, l->info.defaults, size);
    return AKIN_OK;
}

void akin_options_free(akin_options *options)
{
    akin_free(options);
}

/* ---- what the papers set ---- */

typedef struct published_value {
    const char *learner, *setting, *value;
} published_value;

static const published_value published[] = {
#define PUBLISHED(learner, setting, value) {learner, setting, value},
#include "learn/published.def"
#undef PUBLISHED
};

enum { N_PUBLISHED = sizeof published / sizeof published[0] };

const char *akin_learner_published(const char *learner, const char *setting)
{
    for (int64_t i = 0; i < N_PUBLISHED; ++i)
        if (strcmp(published[i].learner, learner) == 0 &&
            strcmp(published[i].setting, setting) == 0)
            return published[i].value;
    return NULL;
}

akin_status akin_options_as_published(akin_ctx *ctx, akin_options *options)
{
    const ak_learner *l = ak_learner_find(options->learner);
    for (int64_t i = 0; l != NULL && i < l->info.n_options; ++i) {
        const char *name = l->info.options[i].name;
        const char *value = akin_learner_published(options->learner, name);
        if (value != NULL)
            AK_CHECK(akin_options_set(ctx, options, name, value));
    }
    return AKIN_OK;
}

static const akin_option *row_named(const akin_options *o, const char *name)
{
    const ak_learner *l = ak_learner_find(o->learner);
    for (int64_t i = 0; l != NULL && i < l->info.n_options; ++i)
        if (strcmp(l->info.options[i].name, name) == 0)
            return &l->info.options[i];
    return NULL;
}

/* An option by name, for code that serves learners with different structs; 0 or
 * NULL if the learner has no such option. */
static double number_named(const akin_options *options, const char *name)
{
    const akin_option *row = row_named(options, name);
    if (row == NULL)
        return 0.0;
    const slot s = slot_get(options, row);
    return row->type == AKIN_I64 ? (double)s.i64 : s.f64;
}

static const char *string_named(const akin_options *options, const char *name)
{
    const akin_option *row = row_named(options, name);
    return row != NULL ? slot_get(options, row).string : NULL;
}

static bool has_word(const akin_options *options, const char *name,
                     const char *word)
{
    const char *value = string_named(options, name);
    return value != NULL && strcmp(value, word) == 0;
}

static const char *word_or_auto(const akin_options *options, const char *name)
{
    const char *value = string_named(options, name);
    return value != NULL ? value : "auto";
}

akin_compare ak_compare_by(const char *score, akin_compare own)
{
    for (int by = AKIN_BY_DOT; by <= AKIN_BY_DISTANCE; ++by)
        if (strcmp(score, ak_compare_word((akin_compare)by)) == 0)
            return (akin_compare)by;
    return own;
}

ak_shared_options ak_options_shared(const akin_options *options)
{
    return (ak_shared_options){
        .rank = (int64_t)number_named(options, "rank"),
        .batch = (int64_t)number_named(options, "batch"),
        .prototypes = (int64_t)number_named(options, "prototypes"),
        .blend = number_named(options, "blend"),
        .averages = has_word(options, "average", "tail"),
        .symmetric = has_word(options, "symmetry", "positive"),
        .start = word_or_auto(options, "start"),
        .score = word_or_auto(options, "score"),
        .ranks = has_word(options, "task", "rank"),
    };
}

void ak_options_set_rank(akin_options *options, int64_t rank)
{
    const akin_option *row = row_named(options, "rank");
    if (row != NULL)
        slot_set(options, row, (slot){.i64 = rank});
}

void ak_options_set_auto(akin_options *options, const char *name,
                         const char *word)
{
    const akin_option *row = row_named(options, name);
    if (row != NULL && has_word(options, name, "auto"))
        slot_set(options, row, (slot){.string = word});
}

const akin_recipe_options *akin_options_recipe(const akin_options *options)
{
    /* A kernel centres its rows; most compare by distances, to which every
     * column should count. */
    static const akin_recipe_options of_kernels = {
        sizeof(akin_recipe_options), "none", "auto-minmax", "none", 0};
    static const akin_recipe_options as_they_are = AKIN_RECIPE_DEFAULTS;
    static const char *const names[] = {"kernel", "kernel_right"};
    const ak_learner *l = ak_learner_find(options->learner);
    for (int i = 0; i < 2; ++i) {
        const char *word = string_named(options, names[i]);
        if (word != NULL && strcmp(word, "none") != 0 &&
            strcmp(word, "auto") != 0 && strcmp(word, "same") != 0)
            return strcmp(word, "precomputed") == 0 ? &as_they_are
                                                    : &of_kernels;
    }
    return l != NULL ? l->info.recipe : NULL;
}

static akin_status find_row(const akin_option **out, akin_ctx *ctx,
                            const akin_options *o, const char *name)
{
    *out = row_named(o, name);
    if (*out != NULL)
        return AKIN_OK;
    return ak_fail(ctx, AKIN_EINVAL, "%s has no option '%s'", o->learner, name);
}

/* Integers may be written as 1e6. */
static bool parse_number(const akin_option *row, const char *text, slot *s)
{
    char *end = NULL;
    if (row->zero != NULL && strcmp(text, row->zero) == 0)
        text = "0";
    errno = 0;
    const double x = strtod(text, &end);
    if (end == text || *end != '\0' || !isfinite(x))
        return false;
    if (row->type == AKIN_F64) {
        s->f64 = x;
        return true;
    }
    s->i64 = strtoll(text, &end, 10);
    if (*end != '\0' && fabs(x) < 0x1p53 && x == floor(x)) {
        s->i64 = (int64_t)x;
        return true;
    }
    return *end == '\0' && errno == 0;
}

akin_status akin_options_set(akin_ctx *ctx, akin_options *options,
                             const char *name, const char *value)
{
    const akin_option *row = NULL;
    slot s = {.string = value};
    akin_status st = find_row(&row, ctx, options, name);
    if (st != AKIN_OK)
        return st;
    if (row->type != AKIN_STRING && !parse_number(row, value, &s))
        return ak_fail(ctx, AKIN_EINVAL, "`%s` %s is not a %snumber", row->name,
                       value, row->type == AKIN_I64 ? "whole " : "");
    const slot old = slot_get(options, row);
    slot_set(options, row, s);
    st = check_row(ctx, options, row);
    if (st != AKIN_OK)
        slot_set(options, row, old);
    return st;
}

static void print_slot(const akin_option *row, slot s, char *text, size_t size)
{
    if (row->type == AKIN_STRING)
        snprintf(text, size, "%s", s.string);
    else if (row->type == AKIN_I64)
        snprintf(text, size, "%" PRId64, s.i64);
    else
        for (int digits = 15; digits <= 17; ++digits) {
            snprintf(text, size, "%.*g", digits, s.f64);
            if (strtod(text, NULL) == s.f64)
                break;
        }
}

akin_status akin_options_get(char *text, akin_ctx *ctx,
                             const akin_options *options, const char *name,
                             uint64_t size)
{
    const akin_option *row = NULL;
    AK_CHECK(find_row(&row, ctx, options, name));
    print_slot(row, slot_get(options, row), text, (size_t)size);
    return AKIN_OK;
}

/* A model must not contain a path: a `start` that is a file is noted as
 * "given".
 */
static const char *without_path(const akin_option *row, const char *text)
{
    const size_t n = strlen(text);
    for (const char *p = row->choices; p != NULL; p = strchr(p, '|')) {
        p += *p == '|';
        if (strcspn(p, "|") == n && strncmp(p, text, n) == 0)
            return text;
    }
    return "given";
}

akin_status ak_options_note(ak_tensors *notes, akin_ctx *ctx,
                            const ak_learner *learner,
                            const akin_options *options)
{
    akin_status st = ak_tensors_note(notes, ctx, "learner", learner->info.name);
    for (int64_t i = 0; i < learner->info.n_options && st == AKIN_OK; ++i) {
        const akin_option *row = &learner->info.options[i];
        char key[80], text[512];
        if (row->use == AKIN_NAMING)
            continue;
        snprintf(key, sizeof key, "option.%s", row->name);
        print_slot(row, slot_get(options, row), text, sizeof text);
        st = ak_tensors_note(notes, ctx, key,
                             row->type == AKIN_STRING ? without_path(row, text)
                                                      : text);
    }
    return st;
}
