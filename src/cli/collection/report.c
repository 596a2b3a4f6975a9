#include "cli/collection/report.h"

#include <stdio.h>

#include "app/json.h"
#include "app/text.h"

static akin_status report_json(app *a, const report_words *w,
                               const akin_items_info *i, const char *path,
                               double seconds)
{
    char features[32];
    json_t *all = APP_OBJECT(APP_KEY("rows", i->items), APP_KEY("dim", i->dim),
                             APP_KEY("labels", i->classes),
                             APP_KEY("added", i->added),
                             APP_KEY("changed", i->changed),
                             APP_KEY("seconds", seconds), APP_KEY("out", path));
    if (w->feature != NULL) {
        snprintf(features, sizeof features, "%ss", w->feature);
        json_object_set_new(all, features, json_integer(i->features));
    }
    if (w->files) {
        json_object_set_new(all, "moved", json_integer(i->moved));
        json_object_set_new(all, "gone", json_integer(i->gone));
        json_object_set_new(all, "removed", json_integer(i->pruned));
        json_object_set_new(all, "dismissed", json_integer(i->dismissed));
        json_object_set_new(all, "skipped", json_integer(i->left_out));
        json_object_set_new(all, "other_files", json_integer(i->other_files));
        json_object_set_new(all, "repaired", json_integer(i->repaired));
        json_object_set_new(all, "empty", json_integer(i->empty));
    }
    return app_json_print(a, all);
}

static void remark(app *a, const report_words *w, const akin_items_info *i)
{
    if (i->other_files > 0)
        app_remark(a, "%s skipped: not an image extension",
                   app_counted(i->other_files, "file").text);
    if (i->moved > 0)
        app_remark(a, "%s moved: known by the content",
                   app_counted(i->moved, w->item).text);
    if (i->gone > 0)
        app_remark(a, "%s no longer there (--prune removes them)",
                   app_counted(i->gone, w->item).text);
    if (i->pruned > 0)
        app_remark(a, "%s removed: no longer there",
                   app_counted(i->pruned, w->item).text);
    if (i->dismissed > 0)
        app_remark(a, "%s removed earlier: not added again (--restore adds %s)",
                   app_counted(i->dismissed, w->item).text,
                   i->dismissed == 1 ? "it" : "them");
}

akin_status report_items(app *a, const report_words *w,
                         const akin_items_info *i, const char *path,
                         double seconds)
{
    char changed[64] = "", skipped[64] = "", features[64] = "";
    if (a->common.json)
        return report_json(a, w, i, path, seconds);
    remark(a, w, i);
    if (i->changed > 0)
        snprintf(changed, sizeof changed, ", %s changed",
                 app_count(i->changed).text);
    if (w->files)
        snprintf(skipped, sizeof skipped, ", %s skipped",
                 app_count(i->left_out).text);
    if (w->feature != NULL)
        snprintf(features, sizeof features, " %s,",
                 app_counted(i->features, w->feature).text);
    return app_report(
        a, "%s: %s (%s new%s%s),%s %s, %s%s, %s\n", path,
        app_counted(i->items, w->item).text, app_count(i->added).text, changed,
        skipped, features, app_counted(i->dim, w->column).text,
        app_count(i->classes).text, i->classes == 1 ? " class" : " classes",
        app_seconds(seconds).text);
}

akin_status report_look(app *a, const report_words *w, const akin_items_info *i,
                        const char *path, double seconds, bool first,
                        bool strict)
{
    akin_status st = AKIN_OK;
    if (first || i->added + i->changed + i->moved + i->pruned > 0)
        APP_TRY(report_items(a, w, i, path, seconds));
    if (strict && i->left_out > 0)
        APP_TRY(app_fail(a, AKIN_EFORMAT, "%s skipped (--strict)",
                         app_counted(i->left_out, w->item).text));
done:
    return st;
}
