/* What a file is, and its figures. Content decides, not the extension: a file
 * with the header of a safetensors file is one. */
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "data/io/formats.h"
#include "data/recipe/fingerprint.h"
#include "model/model.h"

typedef struct entry {
    char *key, *value;
} entry;

struct akin_file_info {
    entry *entries;
    int64_t n, room;
};

void akin_file_info_free(akin_file_info *info)
{
    if (info == NULL)
        return;
    for (int64_t i = 0; i < info->n; ++i) {
        akin_free(info->entries[i].key);
        akin_free(info->entries[i].value);
    }
    akin_free(info->entries);
    akin_free(info);
}

int akin_file_info_at(const char **key, const char **value,
                      const akin_file_info *info, int64_t i)
{
    if (i < 0 || i >= info->n)
        return 0;
    *key = info->entries[i].key;
    *value = info->entries[i].value;
    return 1;
}

static akin_status add(akin_file_info *info, akin_ctx *ctx, const char *key,
                       const char *value)
{
    AK_CHECK(ak_grow(ctx, info->n + 1, &info->room, sizeof *info->entries,
                     &info->entries));
    entry *e = &info->entries[info->n];
    *e = (entry){NULL, NULL};
    ++info->n;  // whatever of it is there is freed with the rest
    AK_CHECK(ak_strdup(ctx, key, &e->key));
    return ak_strdup(ctx, value, &e->value);
}

static akin_status add_i64(akin_file_info *info, akin_ctx *ctx, const char *key,
                           int64_t value)
{
    char text[32];
    snprintf(text, sizeof text, "%" PRId64, value);
    return add(info, ctx, key, text);
}

static int64_t labelled(const akin_rows *rows)
{
    const int32_t *labels;
    int64_t n = 0;
    for (int64_t i = 0; i < rows->n; ++i)
        n += akin_rows_labels(&labels, rows, i) > 0;
    return n;
}

static akin_status inspect_rows(akin_file_info *info, akin_ctx *ctx,
                                const char *path,
                                const akin_read_options *options)
{
    static const char *const bases[] = {"", "0", "1"};
    const ak_format *format = ak_format_of(path);
    akin_rows *rows = NULL;
    akin_status st = AKIN_OK;
    AK_TRY(akin_rows_read(&rows, ctx, path, options));
    AK_TRY(add(info, ctx, "type", "rows"));
    AK_TRY(add(info, ctx, "format", format->name));
    AK_TRY(add(info, ctx, "layout", rows->offsets ? "sparse" : "dense"));
    AK_TRY(add_i64(info, ctx, "rows", rows->n));
    AK_TRY(add_i64(info, ctx, "dim", rows->d));
    AK_TRY(add_i64(info, ctx, "nonzeros", akin_rows_nonzeros(rows)));
    AK_TRY(add_i64(info, ctx, "labels", akin_rows_label_count(rows)));
    AK_TRY(add_i64(info, ctx, "labelled_rows", labelled(rows)));
    if (rows->label_column != NULL)
        AK_TRY(add(info, ctx, "label_column", rows->label_column));
    if (rows->prepared[0] != '\0')
        AK_TRY(add(info, ctx, "recipe", rows->prepared));
    if (rows->index_base != AKIN_BASE_AUTO)
        AK_TRY(add(info, ctx, "index_base", bases[rows->index_base]));
done:
    akin_rows_free(rows);
    return st;
}

static akin_status add_recipe(akin_file_info *info, akin_ctx *ctx,
                              const char *key, const akin_recipe *recipe)
{
    char after[32];
    if (recipe == NULL)
        return AKIN_OK;
    AK_CHECK(add(info, ctx, key, akin_recipe_text(recipe)));
    snprintf(after, sizeof after, "%s_after", key);
    return recipe->after[0] ? add(info, ctx, after, recipe->after) : AKIN_OK;
}

static akin_status inspect_model(akin_file_info *info, akin_ctx *ctx,
                                 const ak_tensors *t)
{
    const char *key, *value;
    akin_model *m = NULL;
    akin_status st = AKIN_OK;
    AK_TRY(ak_model_take(&m, ctx, t));
    AK_TRY(add(info, ctx, "type", "model"));
    AK_TRY(add(info, ctx, "kind", m->kind->name));
    AK_TRY(add(info, ctx, "compare", ak_compare_word(m->by)));
    AK_TRY(add_i64(info, ctx, "dim", m->d[AKIN_LEFT]));
    if (m->d[AKIN_RIGHT] != m->d[AKIN_LEFT])
        AK_TRY(add_i64(info, ctx, "dim_right", m->d[AKIN_RIGHT]));
    if (akin_model_label_count(m) > 0)
        AK_TRY(add_i64(info, ctx, "labels", akin_model_label_count(m)));
    AK_TRY(add_i64(info, ctx, "nonzeros", akin_model_nonzeros(m)));
    AK_TRY(add_i64(info, ctx, "parameters", akin_model_parameters(m)));
    if (akin_model_rank(m) > 0)
        AK_TRY(add_i64(info, ctx, "rank", akin_model_rank(m)));
    AK_TRY(add_recipe(info, ctx, "recipe", m->recipe[AKIN_LEFT]));
    AK_TRY(add_recipe(info, ctx, "recipe_right", m->recipe[AKIN_RIGHT]));
    AK_TRY(add(info, ctx, "resumable", m->state ? "yes" : "no"));
    for (int64_t i = 0; akin_model_note_at(&key, &value, m, i); ++i)
        AK_TRY(add(info, ctx, key, value));
done:
    akin_model_free(m);
    return st;
}

static akin_status add_vocabulary(akin_file_info *info, akin_ctx *ctx,
                                  const ak_vocabulary *v)
{
    AK_CHECK(add_i64(info, ctx, "terms", v->terms.n));
    AK_CHECK(add_i64(info, ctx, "kept", v->n_kept));
    AK_CHECK(add_i64(info, ctx, "classes", v->classes.n));
    return add(info, ctx, "chosen_by", v->choices);
}

static akin_status inspect_recipe(akin_file_info *info, akin_ctx *ctx,
                                  const char *path)
{
    akin_recipe *recipe = NULL;
    char hex[24];
    akin_status st = AKIN_OK;
    AK_TRY(akin_recipe_load(&recipe, ctx, path));
    AK_TRY(add(info, ctx, "type", "recipe"));
    AK_TRY(add_recipe(info, ctx, "recipe", recipe));
    snprintf(hex, sizeof hex, "%016" PRIx64, ak_recipe_fingerprint(recipe));
    AK_TRY(add(info, ctx, "fingerprint", hex));
    AK_TRY(add_i64(info, ctx, "dim", akin_recipe_dim(recipe)));
    if (recipe->vocabulary != NULL)
        AK_TRY(add_vocabulary(info, ctx, recipe->vocabulary));
done:
    akin_recipe_free(recipe);
    return st;
}

/* "F64 2 x 3" */
static void describe(const ak_tensor *x, char *text, size_t size)
{
    int at = snprintf(text, size, "%s", ak_dtype_name(x->dtype));
    for (int64_t i = 0; i < x->n_dims; ++i)
        at += snprintf(text + at, size - (size_t)at,
                       i ? " x %" PRId64 : " %" PRId64, x->shape[i]);
}

/* A file of others, or of a kind that has no figures of its own. */
static akin_status inspect_tensors(akin_file_info *info, akin_ctx *ctx,
                                   const ak_tensors *t)
{
    const char *key, *value;
    AK_CHECK(add(info, ctx, "type", "tensors"));
    AK_CHECK(add_i64(info, ctx, "tensors", ak_tensors_count(t)));
    for (int64_t i = 0; i < ak_tensors_note_count(t); ++i) {
        ak_tensors_note_at(t, i, &key, &value);
        AK_CHECK(add(info, ctx, key, value));
    }
    for (int64_t i = 0; i < ak_tensors_count(t); ++i) {
        const ak_tensor *x = ak_tensors_at(t, i);
        char text[128];
        describe(x, text, sizeof text);
        AK_CHECK(add(info, ctx, x->name, text));
    }
    return AKIN_OK;
}

/* Its own figures; that it is sound as a whole, loading it shows. */
static akin_status inspect_index(akin_file_info *info, akin_ctx *ctx,
                                 const ak_tensors *t)
{
    const char *key, *value;
    AK_CHECK(add(info, ctx, "type", "index"));
    for (int64_t i = 0; i < ak_tensors_note_count(t); ++i) {
        ak_tensors_note_at(t, i, &key, &value);
        if (strncmp(key, "format", 6) != 0 && strcmp(key, "kind") != 0)
            AK_CHECK(add(info, ctx, key, value));
    }
    return AKIN_OK;
}

static akin_status inspect_safetensors(akin_file_info *info, akin_ctx *ctx,
                                       const char *path,
                                       const akin_read_options *options)
{
    ak_tensors *t = NULL;
    akin_status st = AKIN_OK;
    AK_TRY(ak_tensors_read(&t, ctx, path));
    const char *kind = ak_tensors_get_note(t, "kind");
    const char *version = ak_tensors_get_note(t, "akin_version");
    if (version != NULL)
        AK_TRY(ak_tensors_need_ours(t, ctx));
    if (kind == NULL || version == NULL)
        AK_TRY(inspect_tensors(info, ctx, t));
    else if (strcmp(kind, "recipe") == 0)
        AK_TRY(inspect_recipe(info, ctx, path));
    else if (strcmp(kind, "rows") == 0)
        AK_TRY(inspect_rows(info, ctx, path, options));
    else if (strcmp(kind, "index") == 0)
        AK_TRY(inspect_index(info, ctx, t));
    else if (ak_model_kind_find(kind) != NULL)
        AK_TRY(inspect_model(info, ctx, t));
    else
        AK_TRY(inspect_tensors(info, ctx, t));
done:
    ak_tensors_free(t);
    return st;
}

/* Eight bytes of a length that fits the file, and a brace. */
static bool looks_safetensors(const char *path)
{
    struct stat s;
    unsigned char head[9];
    uint64_t length;
    const int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    const bool whole = fd >= 0 && fstat(fd, &s) == 0 && S_ISREG(s.st_mode) &&
                       read(fd, head, sizeof head) == (ssize_t)sizeof head;
    if (fd >= 0)
        close(fd);
    if (!whole)
        return false;
    memcpy(&length, head, sizeof length);
    return head[8] == '{' && length <= (uint64_t)s.st_size - sizeof length;
}

static bool is_safetensors(const char *path)
{
    static const char extension[] = ".safetensors";
    const size_t n = strlen(path), m = strlen(extension);
    return (n >= m && strcmp(path + n - m, extension) == 0) ||
           looks_safetensors(path);
}

akin_status akin_file_inspect(akin_file_info **out, akin_ctx *ctx,
                              const char *path,
                              const akin_read_options *options)
{
    akin_file_info *info = NULL;
    akin_status st = AKIN_OK;
    AK_TRY(AK_NEW(ctx, 1, &info));
    if (is_safetensors(path))
        AK_TRY(inspect_safetensors(info, ctx, path, options));
    else
        AK_TRY(inspect_rows(info, ctx, path, options));
    *out = info;
    info = NULL;
done:
    akin_file_info_free(info);
    return st;
}
