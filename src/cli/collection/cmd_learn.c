/* akin learn: a collection learns from what people said. */
#include <akin/versions.h>
#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "app/json.h"
#include "app/text.h"
#include "cli/commands.h"

typedef struct learn_flags {
    const char *collection, *learner, *user;
    bool versions;
    int64_t rollback, after;
} learn_flags;

static const app_option options[] = {
    {"COLLECTION", NULL, APP_FIELD(learn_flags, collection),
     .help = "a collection", .flags = APP_ARGUMENT | APP_NEEDED},
    {"LEARNER", NULL, APP_FIELD(learn_flags, learner),
     .help = "a learner of triplets (akin learners), or auto: solis-ada; for "
             "dense rows loreta-psd where that is better on held-out queries",
     .flags = APP_ARGUMENT},
    {"versions", NULL, APP_FIELD(learn_flags, versions),
     .help = "list the versions of the model, and which is in use"},
    {"rollback", "V", APP_FIELD(learn_flags, rollback),
     .help = "use version V from now on; 0 is the measure without learning",
     .max = 9e15},
    {"user", "USER", APP_FIELD(learn_flags, user),
     .help = "learn from the events of this user alone, for their searches "
             "(akin search --user): weights that are added to the shared ones. "
             "With --rollback: use V for this user, 0: the shared model alone; "
             "with --versions: list theirs"},
    {"after", "N", APP_FIELD(learn_flags, after),
     .help = "learn by itself whenever akin feedback has N new events; 0: "
             "never. 100 at the start. Then also for each user with 20 events "
             "or more",
     .max = 9e15},
};

static const app_group group = APP_GROUP(
    "Collection and model", options,
    (&(const learn_flags){.learner = "auto", .rollback = -1, .after = -1}));

static const char no_effect[] = "not in effect: the shared model is another";
static const char too_few[] = "too few queries to tell";

/* Was it learned here, and not given? */
static bool was_learned(const akin_version_info *v)
{
    return (v->version > 0 || v->user[0] != '\0') && v->events >= 0;
}

static json_t *real_or_null(double x)
{
    return isnan(x) ? json_null() : json_real(x);
}

static json_t *json_of(const akin_version_info *v)
{
    json_t *o = APP_OBJECT(APP_KEY("version", v->version));
    app_json_add_text(o, "user", v->user[0] ? v->user : NULL);
    app_json_add_text(o, "learner", v->learner[0] ? v->learner : NULL);
    if (v->events >= 0)
        json_object_set_new(o, "events", json_integer(v->events));
    if (was_learned(v)) {
        const bool known = v->verdict[0] != '\0';
        json_object_set_new(o, "held_out", real_or_null(v->held_out));
        if (v->own > 0) {
            json_object_set_new(o, "own", json_integer(v->own));
            json_object_set_new(o, "own_held_out",
                                real_or_null(v->own_held_out));
            json_object_set_new(o, "own_stays",
                                json_boolean(v->own_stays != 0));
        }
        json_object_set_new(o, "incumbent", real_or_null(v->incumbent));
        json_object_set_new(o, "against", json_integer(v->against));
        json_object_set_new(o, "baseline", real_or_null(v->baseline));
        json_object_set_new(o, "verdict",
                            known ? json_string(v->verdict) : json_null());
        if (!known)
            json_object_set_new(o, "note", json_string(too_few));
    }
    if (v->user[0] != '\0' && v->version > 0)
        json_object_set_new(o, "weights", json_integer(v->weights));
    if (v->has_ended)
        json_object_set_new(o, "note", json_string(no_effect));
    if (v->is_lost)
        json_object_set_new(o, "lost", json_true());
    app_json_add_text(o, "feedback", v->feedback[0] ? v->feedback : NULL);
    json_object_set_new(o, "in_use", json_boolean(v->in_use != 0));
    return o;
}

/* So many that what is better or worse looks so. */
static int digits_of(const akin_version_info *v)
{
    const double other = v->own > 0 ? v->own_held_out : v->incumbent;
    const double gap = fabs(v->held_out - other);
    const bool differs = v->verdict[0] != '\0' && strcmp(v->verdict, "same");
    int digits = 4;
    for (double least = 1e-4; differs && gap < least && digits < 12;
         least /= 10.0)
        ++digits;
    return digits;
}

/* What held-out queries say. */
static akin_status print_figures(app *a, const akin_version_info *v)
{
    const int digits = digits_of(v);
    akin_status st = AKIN_OK;
    APP_TRY(app_print(a, ", %s: ", app_counted(v->events, "event").text));
    if (!isnan(v->held_out))
        APP_TRY(app_print(a, "held-out %.*f, ", digits, v->held_out));
    if (v->own > 0 && !isnan(v->own_held_out))
        APP_TRY(app_print(a, "version %" PRId64 " of %s %.*f, ", v->own,
                          v->user, digits, v->own_held_out));
    if (!isnan(v->held_out) && v->against > 0)
        APP_TRY(app_print(a, "version %" PRId64 " %.*f, ", v->against, digits,
                          v->incumbent));
    if (!isnan(v->held_out))
        APP_TRY(app_print(a, "without learning %.*f, ", digits, v->baseline));
    APP_TRY(app_print(a, "%s", v->verdict[0] ? v->verdict : too_few));
done:
    return st;
}

static akin_status print_version(app *a, const akin_version_info *v)
{
    const bool of_user = v->user[0] != '\0';
    akin_status st = AKIN_OK;
    if (v->version > 0 || !of_user)
        APP_TRY(app_print(a, "version %" PRId64 "%s", v->version,
                          of_user ? " of " : ""));
    APP_TRY(
        app_print(a, "%s%s%s", v->user, v->learner[0] ? ", " : "", v->learner));
    if (was_learned(v))
        APP_TRY(print_figures(a, v));
    if (of_user && v->version > 0)
        APP_TRY(app_print(a, ", %s", app_counted(v->weights, "weight").text));
    if (v->has_ended)
        APP_TRY(app_print(a, ", of version %" PRId64 ", not in effect",
                          v->against));
    APP_TRY(app_print(a, "%s%s\n", v->is_lost ? ", its file is lost" : "",
                      v->in_use ? ", in use" : ""));
done:
    return st;
}

/* All versions, or those of a user. */
static akin_status list(app *a, const char *path, const char *user)
{
    akin_version_info *all = NULL;
    json_t *rows = json_array();
    int64_t n = 0;
    akin_status st = AKIN_OK;
    APP_TRY(akin_collection_versions(&all, &n, a->ctx, path));
    for (int64_t i = 0; i < n; ++i) {
        if (user != NULL && strcmp(user, all[i].user) != 0)
            continue;
        if (a->common.json)
            json_array_append_new(rows, json_of(&all[i]));
        else
            APP_TRY(print_version(a, &all[i]));
    }
    if (a->common.json)
        APP_TRY(app_json_print(
            a, APP_OBJECT(APP_KEY("versions", json_incref(rows)))));
done:
    json_decref(rows);
    akin_free(all);
    return st;
}

/* Users whose weights cannot be added to the shared model. */
static akin_status count_ended(app *a, const char *path, int64_t *out)
{
    akin_version_info *all = NULL;
    int64_t n = 0;
    akin_status st = AKIN_OK;
    *out = 0;
    APP_TRY(akin_collection_versions(&all, &n, a->ctx, path));
    for (int64_t i = 0; i < n; ++i)
        *out += all[i].has_ended;
done:
    akin_free(all);
    return st;
}

/* The shared model changed: of how many users did the weights end by that? */
static akin_status say_ended(app *a, const char *path, int64_t before)
{
    int64_t now;
    akin_status st = AKIN_OK;
    APP_TRY(count_ended(a, path, &now));
    if (now > before)
        app_remark(a,
                   "the weights of %s are not in effect any more: they were "
                   "learned for another shared model (akin learn %s --user "
                   "USER learns them again)",
                   app_counted(now - before, "user").text, path);
done:
    return st;
}

static akin_status rollback(app *a, const learn_flags *f)
{
    akin_status st = AKIN_OK;
    APP_TRY(f->user
                ? akin_collection_rollback_user(a->ctx, f->collection, f->user,
                                                f->rollback)
                : akin_collection_rollback(a->ctx, f->collection, f->rollback));
    if (a->common.json) {
        json_t *o = APP_OBJECT(APP_KEY("version", f->rollback));
        app_json_add_text(o, "user", f->user);
        APP_TRY(app_json_print(a, o));
    } else if (f->user && f->rollback == 0)
        APP_TRY(app_report(a, "%s: %s has the shared model\n", f->collection,
                           f->user));
    else
        APP_TRY(app_report(a, "%s: version %" PRId64 " is in use%s%s\n",
                           f->collection, f->rollback, f->user ? " for " : "",
                           f->user ? f->user : ""));
done:
    return st;
}

static akin_status set_after(app *a, const learn_flags *f)
{
    akin_status st = AKIN_OK;
    APP_TRY(akin_collection_learn_after(a->ctx, f->collection, f->after));
    APP_TRY(a->common.json
                ? app_json_print(a, APP_OBJECT(APP_KEY("after", f->after)))
                : app_report(a, "%s: learns after %s\n", f->collection,
                             app_counted(f->after, "new event").text));
done:
    return st;
}

/* Why a model is not used. */
static const char *reason(const akin_version_info *v)
{
    return v->verdict[0] == '\0' ? "there are too few queries to tell whether "
                                   "it is better"
           : v->user[0] && v->weights == 0 ? "it adds no weights"
           : v->against > 0 || v->user[0]
               ? "it is not better on held-out queries than what is in use"
               : "it is not better on held-out queries";
}

static akin_status learn(app *a, const learn_flags *f)
{
    akin_version_info v;
    akin_status st = AKIN_OK;
    APP_TRY(f->user
                ? akin_collection_learn_user(&v, a->ctx, f->collection,
                                             f->learner, f->user)
                : akin_collection_learn(&v, a->ctx, f->collection, f->learner));
    APP_TRY(a->common.json ? app_json_print(a, json_of(&v))
                           : print_version(a, &v));
    if (v.in_use && v.own_stays)
        app_remark(a, "nothing is new: version %" PRId64 " stays", v.own);
    else if (v.own_stays)
        app_remark(a, "no version was made, %s keeps version %" PRId64 ": %s",
                   f->user, v.own, reason(&v));
    else if (!v.in_use && f->user)
        app_remark(a, "no version was made, %s has the shared model: %s",
                   f->user, reason(&v));
    else if (!v.in_use)
        app_remark(a,
                   "version %" PRId64 " is kept, but not in use: %s "
                   "(--rollback %" PRId64 " uses it)",
                   v.version, reason(&v), v.version);
done:
    return st;
}

static akin_status change(app *a, const learn_flags *f)
{
    int64_t ended = 0;
    akin_status st = AKIN_OK;
    if (f->user == NULL)
        APP_TRY(count_ended(a, f->collection, &ended));
    APP_TRY(app_was_given(a, "rollback") ? rollback(a, f) : learn(a, f));
    if (f->user == NULL)
        APP_TRY(say_ended(a, f->collection, ended));
done:
    return st;
}

static akin_status run(app *a, const void *flags)
{
    const learn_flags *f = flags;
    if (f->versions)
        return list(a, f->collection, f->user);
    return app_was_given(a, "after") ? set_after(a, f) : change(a, f);
}

const app_command cmd_learn = {
    .name = "learn",
    .section = "collections",
    .summary = "learn from all feedback on a collection",
    .about =
        "Learn a model from all events of akin feedback and all labels of a "
        "collection, and keep it as a version. Queries are held out to see "
        "whether it ranks good items before bad ones more often than the "
        "measure without learning, and not less often than the version in "
        "use. If so, searches use it from now on; if not, all stays as it is. "
        "The same items and events give the same model.",
    .examples = "akin learn photos.akin\n"
                "akin learn photos.akin --user anna\n"
                "akin learn photos.akin --versions\n"
                "akin learn photos.akin --rollback 0",
    .size = sizeof(learn_flags),
    .excludes = "versions|rollback|after",
    APP_PARTS({&group, 0}),
    .run = run,
};
