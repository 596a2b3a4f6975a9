/* The folders of faces that `akin reproduce naming` knows: photos with captions
 * (faces.csv, images.csv, features200.npy), or faces on their own (labels.csv,
 * features108.npy). Their tables become the texts that the library reads. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "reproduce/common/csv_file.h"
#include "reproduce/common/reproduce.h"
#include "reproduce/naming/naming.h"

enum { MOST_NAMES = 100000 };

static bool exists(const char *folder, const char *name)
{
    char path[4096];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    return access(path, R_OK) == 0;
}

static bool is_photos(const char *folder)
{
    return exists(folder, "faces.csv") && exists(folder, "images.csv") &&
           exists(folder, "features200.npy");
}

static bool is_lost(const char *folder)
{
    return exists(folder, "labels.csv") && exists(folder, "features108.npy");
}

bool naming_is_here(const char *folder)
{
    return folder != NULL && (is_photos(folder) || is_lost(folder));
}

typedef struct texts {
    FILE *captions, *truth;
    int64_t captions_line, truth_line;  // begun last
} texts;

/* The line of a text that stands for the current one of its file: messages of
 * the library tell its number. */
static void begin_line(FILE *to, int64_t *at, const csv_file *c)
{
    for (; *at < c->line; ++*at)
        putc('\n', to);
}

/* A caption: "3 7" as "n3;n7". */
static akin_status put_numbers(naming_dataset *s, FILE *to, const csv_file *c)
{
    const char *list = csv_text(c, 1);
    ++s->photos;
    for (const char *between = ""; *list; between = ";") {
        const size_t n = strspn(list, "0123456789");
        if (n == 0 || (list[n] != ' ' && list[n] != '\0'))
            return csv_fail(c, "'%.80s' is not a list of numbers of names",
                            csv_text(c, 1));
        ++s->caption_names;
        fprintf(to, "%sn%.*s", between, (int)n, list);
        list += n;
        list += strspn(list, " ");
    }
    return AKIN_OK;
}

static akin_status check_count(const naming_dataset *s, const csv_file *c,
                               int64_t n)
{
    return n == s->n
               ? AKIN_OK
               : app_fail(s->a, AKIN_ESHAPE,
                          "%s: %" PRId64 " faces (there are %" PRId64 " rows)",
                          c->path, n, s->n);
}

/* Line n: face n, its image, and who it is. */
static akin_status read_face(naming_dataset *s, const csv_file *c, int64_t n,
                             int64_t *photo, texts *to)
{
    int64_t face, name = -1;
    akin_status st = AKIN_OK;
    APP_TRY(csv_number(c, 0, INT32_MAX, &face));
    if (face != n)
        APP_TRY(
            csv_fail(c, "face %" PRId64 " (expected %" PRId64 ")", face, n));
    APP_TRY(csv_number(c, 1, INT32_MAX, photo));
    if (strcmp(csv_text(c, 2), "-1") != 0)
        APP_TRY(csv_number(c, 2, MOST_NAMES, &name));
    s->named += name >= 0;
    begin_line(to->truth, &to->truth_line, c);
    fprintf(to->truth, "%" PRId64 ",", n);
    if (name >= 0)
        fprintf(to->truth, "n%" PRId64, name);
done:
    return st;
}

static akin_status read_faces(naming_dataset *s, const char *folder,
                              int64_t *photo_of, texts *to)
{
    csv_file faces = {0};
    bool more = true;
    akin_status st = AKIN_OK;
    APP_TRY(
        csv_open(&faces, s->a, folder, "faces.csv", "face,image,true_name"));
    for (int64_t n = 0;; ++n) {
        APP_TRY(csv_next(&faces, &more));
        if (!more || n == s->n) {
            APP_TRY(check_count(s, &faces, n + more));
            break;
        }
        APP_TRY(read_face(s, &faces, n, &photo_of[n], to));
    }
done:
    csv_close(&faces);
    return st;
}

/* The caption of one image, with its faces, which are then done: -1. */
static akin_status read_image(naming_dataset *s, const csv_file *c,
                              int64_t *photo_of, texts *to)
{
    const char *between = "";
    int64_t photo;
    akin_status st = AKIN_OK;
    APP_TRY(csv_number(c, 0, INT32_MAX, &photo));
    begin_line(to->captions, &to->captions_line, c);
    fprintf(to->captions, "%" PRId64 ",", photo);
    for (int64_t f = 0; f < s->n; ++f)
        if (photo_of[f] == photo) {
            fprintf(to->captions, "%s%" PRId64, between, f);
            between = ";";
            photo_of[f] = -1;
        }
    putc(',', to->captions);
    APP_TRY(put_numbers(s, to->captions, c));
done:
    return st;
}

/* Photos with several faces: the faces of each first, then the captions. */
static akin_status read_photos(naming_dataset *s, const char *folder, texts *to)
{
    csv_file images = {0};
    int64_t *photo_of = NULL;
    bool more = true;
    akin_status st = AKIN_OK;
    APP_TRY(APP_NEW(s->a, s->n, &photo_of));
    APP_TRY(read_faces(s, folder, photo_of, to));
    APP_TRY(
        csv_open(&images, s->a, folder, "images.csv", "image,caption_names"));
    for (;;) {
        APP_TRY(csv_next(&images, &more));
        if (!more)
            break;
        APP_TRY(read_image(s, &images, photo_of, to));
    }
    for (int64_t f = 0; f < s->n; ++f)
        if (photo_of[f] >= 0)
            APP_TRY(app_fail(s->a, AKIN_EFORMAT,
                             "%s: no image %" PRId64 " (face %" PRId64
                             " is in it)",
                             images.path, photo_of[f], f));
done:
    free(photo_of);
    csv_close(&images);
    return st;
}

/* Every face a photo of its own. */
static akin_status read_lost(naming_dataset *s, const char *folder, texts *to)
{
    csv_file labels = {0};
    bool more = true;
    akin_status st = AKIN_OK;
    APP_TRY(csv_open(&labels, s->a, folder, "labels.csv", "name,candidates"));
    for (;; ++s->named) {
        int64_t name;
        APP_TRY(csv_next(&labels, &more));
        if (!more || s->named == s->n)
            break;
        APP_TRY(csv_number(&labels, 0, MOST_NAMES, &name));
        begin_line(to->truth, &to->truth_line, &labels);
        begin_line(to->captions, &to->captions_line, &labels);
        fprintf(to->truth, "%" PRId64 ",n%" PRId64, s->named, name);
        fprintf(to->captions, "%" PRId64 ",%" PRId64 ",", s->named, s->named);
        APP_TRY(put_numbers(s, to->captions, &labels));
    }
    APP_TRY(check_count(s, &labels, s->named + more));
done:
    csv_close(&labels);
    return st;
}

static akin_status read_texts(naming_dataset *s, const char *folder, bool lost)
{
    char *text[2] = {NULL, NULL};
    size_t size[2];
    char captions[4096], truth[4096];
    texts to = {open_memstream(&text[0], &size[0]),
                open_memstream(&text[1], &size[1]), 1, 1};
    akin_status st = AKIN_OK;
    if (to.captions == NULL || to.truth == NULL)
        APP_TRY(app_fail(s->a, AKIN_ENOMEM, "out of memory"));
    APP_TRY(cli_join(s->a, captions, sizeof captions, folder,
                     lost ? "labels.csv" : "images.csv"));
    APP_TRY(cli_join(s->a, truth, sizeof truth, folder,
                     lost ? "labels.csv" : "faces.csv"));
    fputs("photo,faces,names", to.captions);
    fputs("face,name", to.truth);
    APP_TRY((lost ? read_lost : read_photos)(s, folder, &to));
    if (fflush(to.captions) != 0 || fflush(to.truth) != 0)
        APP_TRY(app_fail(s->a, AKIN_ENOMEM, "out of memory"));
    APP_TRY(akin_supervision_captions(s->a->ctx, s->known, captions, text[0]));
    APP_TRY(
        akin_face_names_parse(&s->truth, s->a->ctx, truth, text[1], s->known));
done:
    if (to.captions)
        fclose(to.captions);
    if (to.truth)
        fclose(to.truth);
    free(text[0]);
    free(text[1]);
    return st;
}

akin_status naming_open(naming_dataset *s, const char *folder)
{
    const bool lost = !is_photos(folder);
    akin_recipe_options o = AKIN_RECIPE_DEFAULTS;
    char path[4096];
    akin_status st = AKIN_OK;
    s->dataset = lost ? "lost_faces" : "lfw_naming";
    if (lost) {
        o.norm = "l2";
        s->kappa = "0.9";
    } else {
        o.scale = "su";
    }
    APP_TRY(cli_join(s->a, path, sizeof path, folder,
                     lost ? "features108.npy" : "features200.npy"));
    APP_TRY(akin_rows_read(&s->raw, s->a->ctx, path, NULL));
    APP_TRY(akin_recipe_fit(&s->recipe, s->a->ctx, s->raw, &o));
    APP_TRY(akin_recipe_apply(&s->rows, s->a->ctx, s->recipe, s->raw));
    APP_TRY(
        akin_supervision_new(&s->known, s->a->ctx, s->rows, NULL, s->recipe));
    s->n = akin_rows_count(s->rows);
    APP_TRY(APP_NEW(s->a, s->n, &s->names));
    APP_TRY(read_texts(s, folder, lost));
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
