/* akin reproduce loreta: Shalit, Weinshall, Chechik, Online Learning in the
 * Embedded Manifold of Low-rank Matrices, JMLR 13, 2012; Figures 3 to 5. */
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "reproduce/common/csv_file.h"
#include "reproduce/loreta/loreta.h"

enum { SPLITS = 5 };

/* FOLDER/STEM.svm, compressed or not; false where there is none. */
static bool find_file(const char *folder, const char *stem, char *path,
                      size_t size)
{
    static const char *const endings[] = {"", ".gz", ".zst"};
    for (int i = 0; i < 3; ++i) {
        const int n =
            snprintf(path, size, "%s/%s.svm%s", folder, stem, endings[i]);
        if (n > 0 && (size_t)n < size && access(path, R_OK) == 0)
            return true;
    }
    return false;
}

static bool is_here(const char *folder)
{
    char path[4096];
    return folder == NULL || find_file(folder, "counts", path, sizeof path) ||
           (find_file(folder, "train", path, sizeof path) &&
            find_file(folder, "test", path, sizeof path));
}

static akin_status run(app *a, const reproduce_flags *f, json_t *rows)
{
    loreta_run r = {.a = a, .flags = f, .rows = rows};
    char path[4096], test[4096];
    r.n_splits = f->repeats > 0 ? f->repeats : f->quick ? 1 : SPLITS;
    reproduce_folder(f->data ? f->data : "synthetic", r.dataset,
                     sizeof r.dataset);
    if (f->data == NULL)
        return loreta_labels(&r, NULL, NULL);
    if (find_file(f->data, "counts", path, sizeof path))
        return loreta_text(&r, path);
    find_file(f->data, "train", path, sizeof path);
    find_file(f->data, "test", test, sizeof test);
    return loreta_labels(&r, path, test);
}

const reproduce_paper reproduce_loreta = {
    .name = "loreta",
    .title = "Online Learning in the Embedded Manifold of Low-rank Matrices "
             "(Shalit, Weinshall, Chechik; JMLR 2012)",
    .layout = "counts.svm[.gz|.zst] of documents, or train.svm and test.svm "
              "with labels",
    .takes = "",
    .is_here = is_here,
    .run = run,
    .figures = loreta_figures,
};
