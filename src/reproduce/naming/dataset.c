/* The folders of `akin reproduce naming`: photos with captions (faces.csv,
 * images.csv, features200.npy), or single faces with candidate names
 * (labels.csv, features108.npy). Their tables are rewritten as the texts that
 * the library reads. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "reproduce/common/csv_file.h"
#include "reproduce/naming/naming.h"

enum { MOST_NAMES = 100000 };

/* The two layouts. */
typedef struct layout_files {
    const char *dataset, *features;
    const char *captions, *truth;  // tables that have the captions, the names
} layout_files;

static const layout_files photos_layout = {"lfw_naming", "features200.npy",
                                           "images.csv", "faces.csv"};
static const layout_files lost_layout = {"lost_faces", "features108.npy",
                                         "labels.csv", "labels.csv"};

static bool has_layout(const char *folder, const layout_files *l)
{
    return reproduce_has_file(folder, l->captions) &&
           reproduce_has_file(folder, l->truth) &&
           reproduce_has_file(folder, l->features);
}

bool naming_is_here(const char *folder)
{
    return folder != NULL && (has_layout(folder, &photos_layout) ||
                              has_layout(folder, &lost_layout));
}

/* The texts for the library, while they are written. */
typedef struct folder_reader {
    naming_dataset *s;
    const layout_files *l;
    FILE *captions, *truth;
    int64_t captions_line, truth_line;  // current lines of the texts
    int64_t n;                          // faces read
    int64_t *photo_of;                  // of each face; -1: its caption is read
} folder_reader;

/* Begin the line of a text with the number of the current line of the table,
 * so that messages of the library tell the right number. */
static void begin_line(FILE *to, int64_t *at, const csv_file *c)
{
    for (; *at < c->line; ++*at)
        putc('\n', to);
}

/* A caption: "3 7" as "n3;n7". */
static akin_status put_numbers(folder_reader *r, const csv_file *c)
{
    const char *list = csv_text(c, 1);
    ++r->s->photos;
    for (const char *between = ""; *list; between = ";") {
        const size_t n = strspn(list, "0123456789");
        if (n == 0 || (list[n] != ' ' && list[n] != '\0'))
            return csv_fail(c, "'%.80s' is not a list of numbers of names",
                            csv_text(c, 1));
        ++r->s->caption_names;
        fprintf(r->captions, "%sn%.*s", between, (int)n, list);
        list += n;
        list += strspn(list, " ");
    }
    return AKIN_OK;
}

static akin_status check_count(const folder_reader *r, const char *path,
                               int64_t n)
{
    if (n == r->s->n)
        return AKIN_OK;
    return app_fail(r->s->a, AKIN_ESHAPE,
                    "%s: %" PRId64 " faces (expected %" PRId64
                    ", the rows of %s)",
                    path, n, r->s->n, r->l->features);
}

/* A line of faces.csv: the face, its image, and its true name. */
static akin_status take_face(void *arg, const csv_file *c)
{
    folder_reader *r = arg;
    int64_t face, name = -1;
    akin_status st = AKIN_OK;
    if (r->n == r->s->n)
        return check_count(r, c->path, r->n + 1);
    APP_TRY(csv_number(c, 0, INT32_MAX, &face));
    if (face != r->n)
        APP_TRY(
            csv_fail(c, "face %" PRId64 " (expected %" PRId64 ")", face, r->n));
    APP_TRY(csv_number(c, 1, INT32_MAX, &r->photo_of[r->n++]));
    if (strcmp(csv_text(c, 2), "-1") != 0)
        APP_TRY(csv_number(c, 2, MOST_NAMES, &name));
    r->s->named += name >= 0;
    begin_line(r->truth, &r->truth_line, c);
    fprintf(r->truth, "%" PRId64 ",", face);
    if (name >= 0)
        fprintf(r->truth, "n%" PRId64, name);
done:
    return st;
}

/* A line of images.csv: a photo and its caption. */
static akin_status take_image(void *arg, const csv_file *c)
{
    folder_reader *r = arg;
    const char *between = "";
    int64_t photo;
    akin_status st = AKIN_OK;
    APP_TRY(csv_number(c, 0, INT32_MAX, &photo));
    begin_line(r->captions, &r->captions_line, c);
    fprintf(r->captions, "%" PRId64 ",", photo);
    for (int64_t f = 0; f < r->s->n; ++f)
        if (r->photo_of[f] == photo) {
            fprintf(r->captions, "%s%" PRId64, between, f);
            between = ";";
            r->photo_of[f] = -1;
        }
    putc(',', r->captions);
    APP_TRY(put_numbers(r, c));
done:
    return st;
}

/* A line of labels.csv: every face has a photo of its own. */
static akin_status take_label(void *arg, const csv_file *c)
{
    folder_reader *r = arg;
    int64_t name;
    akin_status st = AKIN_OK;
    if (r->n == r->s->n)
        return check_count(r, c->path, r->n + 1);
    APP_TRY(csv_number(c, 0, MOST_NAMES, &name));
    begin_line(r->truth, &r->truth_line, c);
    begin_line(r->captions, &r->captions_line, c);
    fprintf(r->truth, "%" PRId64 ",n%" PRId64, r->n, name);
    fprintf(r->captions, "%" PRId64 ",%" PRId64 ",", r->n, r->n);
    r->s->named = ++r->n;
    APP_TRY(put_numbers(r, c));
done:
    return st;
}

static akin_status read_tables(folder_reader *r, const char *folder,
                               const char *captions, const char *truth)
{
    app *a = r->s->a;
    akin_status st = AKIN_OK;
    if (r->l == &lost_layout) {
        APP_TRY(
            csv_each(a, folder, r->l->truth, "name,candidates", take_label, r));
        APP_TRY(check_count(r, truth, r->n));
        return AKIN_OK;
    }
    APP_TRY(APP_NEW(a, r->s->n, &r->photo_of));
    APP_TRY(
        csv_each(a, folder, r->l->truth, "face,image,true_name", take_face, r));
    APP_TRY(check_count(r, truth, r->n));
    APP_TRY(csv_each(a, folder, r->l->captions, "image,caption_names",
                     take_image, r));
    for (int64_t f = 0; f < r->n; ++f)
        if (r->photo_of[f] >= 0)
            APP_TRY(app_fail(a, AKIN_EFORMAT,
                             "%s: no image %" PRId64 " (face %" PRId64
                             " is in it)",
                             captions, r->photo_of[f], f));
done:
    return st;
}

static akin_status read_folder(naming_dataset *s, const char *folder,
                               const layout_files *l)
{
    char *text[2] = {NULL, NULL};
    size_t size[2];
    char captions[REPRODUCE_PATH], truth[REPRODUCE_PATH];
    folder_reader r = {.s = s,
                       .l = l,
                       .captions = open_memstream(&text[0], &size[0]),
                       .truth = open_memstream(&text[1], &size[1]),
                       .captions_line = 1,
                       .truth_line = 1};
    akin_status st = AKIN_OK;
    if (r.captions == NULL || r.truth == NULL)
        APP_TRY(app_fail(s->a, AKIN_ENOMEM, "out of memory"));
    APP_TRY(reproduce_path(s->a, captions, folder, l->captions));
    APP_TRY(reproduce_path(s->a, truth, folder, l->truth));
    fputs("photo,faces,names", r.captions);
    fputs("face,name", r.truth);
    APP_TRY(read_tables(&r, folder, captions, truth));
    if (fflush(r.captions) != 0 || fflush(r.truth) != 0)
        APP_TRY(app_fail(s->a, AKIN_ENOMEM, "out of memory"));
    APP_TRY(akin_supervision_captions(s->a->ctx, s->known, captions, text[0]));
    APP_TRY(
        akin_face_names_parse(&s->truth, s->a->ctx, truth, text[1], s->known));
done:
    free(r.photo_of);
    if (r.captions)
        fclose(r.captions);
    if (r.truth)
        fclose(r.truth);
    free(text[0]);
    free(text[1]);
    return st;
}

akin_status naming_open(naming_dataset *s, const char *folder)
{
    const bool lost = !has_layout(folder, &photos_layout);
    const layout_files *l = lost ? &lost_layout : &photos_layout;
    akin_recipe_options o = AKIN_RECIPE_DEFAULTS;
    char path[REPRODUCE_PATH];
    akin_status st = AKIN_OK;
    s->dataset = l->dataset;
    if (lost) {
        o.norm = "l2";
        s->kappa = "0.9";
    } else {
        o.scale = "su";
    }
    APP_TRY(reproduce_path(s->a, path, folder, l->features));
    APP_TRY(akin_rows_read(&s->raw, s->a->ctx, path, NULL));
    APP_TRY(akin_recipe_fit(&s->recipe, s->a->ctx, s->raw, &o));
    APP_TRY(akin_recipe_apply(&s->rows, s->a->ctx, s->recipe, s->raw));
    APP_TRY(
        akin_supervision_new(&s->known, s->a->ctx, s->rows, NULL, s->recipe));
    s->n = akin_rows_count(s->rows);
    APP_TRY(APP_NEW(s->a, s->n, &s->names));
    APP_TRY(read_folder(s, folder, l));
done:
    return st;
}

static bool has_kappa(const char *method)
{
    const akin_learner_info *l = akin_learner_find(method);
    for (int64_t i = 0; l != NULL && i < l->n_options; ++i)
        if (strcmp(l->options[i].name, "kappa") == 0)
            return true;
    return false;
}

akin_status naming_options(akin_options **out, const naming_dataset *s,
                           const char *method)
{
    akin_status st = akin_options_new(out, s->a->ctx, method);
    if (st == AKIN_OK && s->kappa != NULL && has_kappa(method))
        st = akin_options_set(s->a->ctx, *out, "kappa", s->kappa);
    if (st == AKIN_OK && strcmp(method, "lrr") == 0)  // as in the paper
        st = akin_options_set(s->a->ctx, *out, "self_votes", "1");
    return st;
}

void naming_close(naming_dataset *s)
{
    free(s->names);
    akin_face_names_free(s->truth);
    akin_supervision_free(s->known);
    akin_rows_free(s->rows);
    akin_rows_free(s->raw);
    akin_recipe_free(s->recipe);
}
