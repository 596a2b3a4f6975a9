/* akin learn: a collection learns from what people said. */
#include <akin/versions.h>
#include <inttypes.h>
#include <math.h>

#include "app/json.h"
#include "app/text.h"
#include "cli/commands.h"

typedef struct learn_flags {
    const char *collection, *learner;
    bool versions;
    int64_t rollback, after;
} learn_flags;

static const app_option options[] = {
    {"COLLECTION", NULL, APP_FIELD(learn_flags, collection),
     .help = "a collection", .flags = APP_ARGUMENT | APP_NEEDED},
    {"LEARNER", NULL, APP_FIELD(learn_flags, learner),
     .help = "a learner of triplets (akin learners), or auto: solis-ada",
     .flags = APP_ARGUMENT},
    {"versions", NULL, APP_FIELD(learn_flags, versions),
     .help = "list the versions of the model, and which is in use"},
    {"rollback", "V", APP_FIELD(learn_flags, rollback),
     .help = "use version V from now on; 0 is the measure without learning",
     .max = 9e15},
    {"after", "N", APP_FIELD(learn_flags, after),
     .help = "learn by itself whenever akin feedback has N new events; 0: "
             "never. 100 at the start",
     .max = 9e15},
};

static const app_group group = APP_GROUP(
    "Collection and model", options,
    (&(const learn_flags){.learner = "auto", .rollback = -1, .after = -1}));

static const char too_few[] = "too few queries to tell";

/* Was it learned here, and not given? */
static bool was_learned(const akin_version_info *v)
{
    return v->version > 0 && v->events >= 0;
}

static json_t *real_or_null(double x)
{
    return isnan(x) ? json_null() : json_real(x);
}

static json_t *json_of(const akin_version_info *v)
{
    json_t *o = APP_OBJECT(APP_KEY("version", v->version));
    if (v->learner[0] != '\0')
        json_object_set_new(o, "learner", json_string(v->learner));
    if (v->events >= 0)
        json_object_set_new(o, "events", json_integer(v->events));
    if (was_learned(v)) {
        const bool known = v->verdict[0] != '\0';
        json_object_set_new(o, "held_out", real_or_null(v->held_out));
        json_object_set_new(o, "baseline", real_or_null(v->baseline));
        json_object_set_new(o, "verdict",
                            known ? json_string(v->verdict) : json_null());
        if (!known)
            json_object_set_new(o, "note", json_string(too_few));
    }
    if (v->feedback[0] != '\0')
        json_object_set_new(o, "feedback", json_string(v->feedback));
    json_object_set_new(o, "in_use", json_boolean(v->in_use != 0));
    return o;
}

static akin_status print_version(app *a, const akin_version_info *v)
{
    akin_status st = AKIN_OK;
    APP_TRY(app_print(a, "version %" PRId64 "%s", v->version,
                      v->learner[0] ? ", " : ""));
    APP_TRY(app_print(a, "%s", v->learner));
    if (was_learned(v)) {
        APP_TRY(app_print(a, ", %s: ", app_counted(v->events, "event").text));
        if (!isnan(v->held_out))
            APP_TRY(app_print(a, "held-out %.4f, without learning %.4f, ",
                              v->held_out, v->baseline));
        APP_TRY(app_print(a, "%s", v->verdict[0] ? v->verdict : too_few));
    }
    APP_TRY(app_print(a, "%s\n", v->in_use ? ", in use" : ""));
done:
    return st;
}

static akin_status list(app *a, const char *path)
{
    akin_version_info *all = NULL;
    json_t *rows = json_array();
    int64_t n = 0;
    akin_status st = AKIN_OK;
    APP_TRY(akin_collection_versions(&all, &n, a->ctx, path));
    for (int64_t i = 0; i < n; ++i)
        if (a->common.json)
            json_array_append_new(rows, json_of(&all[i]));
        else
            APP_TRY(print_version(a, &all[i]));
    if (a->common.json)
        APP_TRY(app_json_print(
            a, APP_OBJECT(APP_KEY("versions", json_incref(rows)))));
done:
    json_decref(rows);
    akin_free(all);
    return st;
}

static akin_status rollback(app *a, const learn_flags *f)
{
    akin_status st = AKIN_OK;
    APP_TRY(akin_collection_rollback(a->ctx, f->collection, f->rollback));
    APP_TRY(a->common.json
                ? app_json_print(a, APP_OBJECT(APP_KEY("version", f->rollback)))
                : app_report(a, "%s: version %" PRId64 " is in use\n",
                             f->collection, f->rollback));
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

static akin_status learn(app *a, const learn_flags *f)
{
    akin_version_info v;
    akin_status st = AKIN_OK;
    APP_TRY(akin_collection_learn(&v, a->ctx, f->collection, f->learner));
    APP_TRY(a->common.json ? app_json_print(a, json_of(&v))
                           : print_version(a, &v));
    if (!v.in_use)
        app_remark(a,
                   "version %" PRId64 " is kept, but not in use: %s "
                   "(--rollback %" PRId64 " uses it)",
                   v.version,
                   v.verdict[0] ? "it is not better on held-out queries"
                                : "there are too few queries to tell whether "
                                  "it is better",
                   v.version);
done:
    return st;
}

static akin_status run(app *a, const void *flags)
{
    const learn_flags *f = flags;
    if (f->versions)
        return list(a, f->collection);
    if (app_was_given(a, "rollback"))
        return rollback(a, f);
    return app_was_given(a, "after") ? set_after(a, f) : learn(a, f);
}

const app_command cmd_learn = {
    .name = "learn",
    .section = "collections",
    .summary = "learn from all feedback on a collection",
    .about =
        "Learn a model from all events of akin feedback and all labels of a "
        "collection, and keep it as a version. Queries are held out to see "
        "whether it ranks good items before bad ones more often than the "
        "measure without learning. If so, searches use it from now on; if "
        "not, all stays as it is. The same items and events give the same "
        "model.",
    .examples = "akin learn photos.akin\n"
                "akin learn photos.akin --versions\n"
                "akin learn photos.akin --rollback 0",
    .size = sizeof(learn_flags),
    .excludes = "versions|rollback|after",
    APP_PARTS({&group, 0}),
    .run = run,
};
