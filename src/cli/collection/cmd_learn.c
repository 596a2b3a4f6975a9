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
     .help = "list the versions of the model; * is the one in use"},
    {"rollback", "V", APP_FIELD(learn_flags, rollback),
     .help = "use version V from now on; 0 is the measure without learning",
     .max = 9e15},
    {"after", "N", APP_FIELD(learn_flags, after),
     .help = "learn by itself whenever akin feedback has N new events; 0: "
             "never. 100 at the start",
     .max = 9e15},
};

static const app_group group = APP_GROUP(
    "Collection and model", options, (&(const learn_flags){.learner = "auto"}));

static json_t *json_of(const akin_version_info *v)
{
    json_t *o = APP_OBJECT(APP_KEY("version", v->version));
    if (v->learner[0] != '\0')
        json_object_set_new(o, "learner", json_string(v->learner));
    if (v->events >= 0)
        json_object_set_new(o, "events", json_integer(v->events));
    if (v->verdict[0] != '\0') {
        json_object_set_new(o, "held_out", json_real(v->held_out));
        json_object_set_new(o, "baseline", json_real(v->baseline));
        json_object_set_new(o, "verdict", json_string(v->verdict));
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
    if (v->verdict[0] != '\0')
        APP_TRY(app_print(a, ", %s: held-out %.4f, without learning %.4f, %s",
                          app_counted(v->events, "event").text, v->held_out,
                          v->baseline, v->verdict));
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
                   "version %" PRId64 " is kept, but not in use: it is not "
                   "better on held-out feedback (--rollback %" PRId64
                   " uses it)",
                   v.version, v.version);
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
