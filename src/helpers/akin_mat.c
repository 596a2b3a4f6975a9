/* akin-mat FILE VARIABLE LABELS: a matrix of a MATLAB file to standard output.
 *
 * A separate program, with limits on memory and time, because matio and HDF5
 * meet files that nobody has checked: what goes wrong here ends this process
 * and no other. VARIABLE and LABELS may be empty. Output, for data/io/mat.c:
 *   "AKINMAT1"
 *   'e' TEXT                              what is wrong; nothing follows
 *   'd' ARRAY                             a dense matrix
 *   's' SHAPE STARTS INDEX VALUES         compressed columns
 *   'l' ARRAY, or 'n'                     labels, or none
 *   't' TEXT                              what was taken, where that is not
 *                                         plain: 500 bytes, filled with zeros
 *   '.'
 * where an array, in capitals, is a .npy file. */
#include <inttypes.h>
#include <matio.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "helpers/fence.h"
#include "helpers/limits.h"

enum { SECONDS = 300, MESSAGE = 500, TEXT = 4096, MAX_LABELS = 1 << 24 };

/* Say what is wrong and end. */
static void stop(const char *format, ...) __attribute__((format(printf, 1, 2)))
__attribute__((noreturn));

static void stop(const char *format, ...)
{
    char text[MESSAGE];
    va_list args;
    va_start(args, format);
    vsnprintf(text, sizeof text, format, args);
    va_end(args);
    printf("e%s", text);
    fflush(stdout);
    _exit(0);  // memory goes with the process, and nobody looks for leaks
}

/* ---- what is in the file ---- */

static bool is_numeric(const matvar_t *v)
{
    return v->class_type >= MAT_C_SPARSE && v->class_type <= MAT_C_UINT64 &&
           !v->isComplex && v->rank == 2 && v->dims[0] > 0 && v->dims[1] > 0;
}

static bool is_matrix(const matvar_t *v)
{
    return is_numeric(v) && v->dims[0] > 1 && v->dims[1] > 1;
}

/* Variables that may be meant: how many, the last of them, and the same of
 * those whose name says so. */
typedef struct choice {
    int n, n_known;
    char any[TEXT], known[TEXT];
} choice;

typedef struct contents {
    char list[MESSAGE];  // names, for messages
    choice matrices, vectors;
} contents;

static bool is_one_of(const char *name, const char *const *names)
{
    while (*names != NULL && strcmp(name, *names) != 0)
        ++names;
    return *names != NULL;
}

static void look_at(contents *c, const matvar_t *v)
{
    static const char *const names[] = {"X",        "data", "fts", "fea",
                                        "features", "x",    NULL};
    const size_t n = strlen(c->list), room = sizeof c->list - n;
    if (v->name == NULL)
        return;
    if (strlen(v->name) + 2 < room)
        snprintf(c->list + n, room, "%s%s", n ? " " : "", v->name);
    if (!is_numeric(v))
        return;
    choice *of = is_matrix(v) ? &c->matrices : &c->vectors;
    ++of->n;
    snprintf(of->any, sizeof of->any, "%s", v->name);
    if (is_one_of(v->name, names)) {
        ++of->n_known;
        snprintf(of->known, sizeof of->known, "%s", v->name);
    }
}

static contents list_variables(mat_t *mat)
{
    contents c = {0};
    matvar_t *v;
    while ((v = Mat_VarReadNextInfo(mat)) != NULL) {
        look_at(&c, v);
        Mat_VarFree(v);
    }
    Mat_Rewind(mat);
    return c;
}

/* What was taken where that is not plain, for those who read it. */
static char remark[MESSAGE];

/* The only one, or the only one of a name that says so; "": neither. */
static const char *choose(const contents *c)
{
    const choice *of = c->matrices.n > 0 ? &c->matrices : &c->vectors;
    if (of->n == 1)
        return of->any;
    if (of->n_known != 1)
        return "";
    snprintf(remark, sizeof remark,
             "using variable %.99s (`variable` selects another of: %.300s)",
             of->known, c->list);
    return of->known;
}

static matvar_t *read_matrix(mat_t *mat, const char *wanted)
{
    const contents c = list_variables(mat);
    const char *name = *wanted ? wanted : choose(&c);
    matvar_t *v = *name ? Mat_VarRead(mat, name) : NULL;
    if (v == NULL && *name)
        stop("cannot read variable %s (there are: %s)", name, c.list);
    if (v == NULL && c.matrices.n + c.vectors.n == 0)
        stop("no variable is a matrix of real numbers (there are: %s)", c.list);
    if (v == NULL)
        stop("which variable to read is not clear; `variable` selects one of: "
             "%s",
             c.list);
    if (!is_numeric(v))
        stop("variable %s is not a matrix of real numbers", v->name);
    return v;
}

/* ---- writing ---- */

static void put(const void *bytes, size_t size, size_t n)
{
    if (n > 0 && fwrite(bytes, size, n, stdout) != n)
        exit(1);  // nobody listens any more
}

/* Columns lie together, as in the file. */
static void put_array(const char *type, size_t n, size_t d, bool matrix,
                      const void *data, size_t size)
{
    char text[256];
    int m = snprintf(text + 10, sizeof text - 10,
                     "{'descr': '%s', 'fortran_order': True, 'shape': (%zu,",
                     type, n);
    if (matrix)
        m += snprintf(text + 10 + m, 32, " %zu", d);
    m += snprintf(text + 10 + m, 8, "), }\n");
    memcpy(text, "\x93NUMPY\1\0", 8);
    text[8] = (char)(m & 0xff);
    text[9] = (char)(m >> 8);
    put(text, 1, (size_t)m + 10);
    put(data, size, n * d);
}

/* NumPy's name of the type of a variable's elements, held against the number
 * of bytes there are. */
static const char *type_of(const matvar_t *v, size_t *size)
{
    static const struct {
        enum matio_types type;
        const char *name;
        size_t size;
    } types[] = {
        {MAT_T_DOUBLE, "<f8", 8}, {MAT_T_SINGLE, "<f4", 4},
        {MAT_T_INT8, "|i1", 1},   {MAT_T_UINT8, "|u1", 1},
        {MAT_T_INT16, "<i2", 2},  {MAT_T_UINT16, "<u2", 2},
        {MAT_T_INT32, "<i4", 4},  {MAT_T_UINT32, "<u4", 4},
        {MAT_T_INT64, "<i8", 8},  {MAT_T_UINT64, "<u8", 8},
    };
    for (size_t k = 0; k < sizeof types / sizeof *types; ++k)
        if (v->data_type == types[k].type && v->data != NULL) {
            *size = types[k].size;
            return types[k].name;
        }
    stop("variable %s has elements of an unknown type", v->name);
}

static void put_dense(const matvar_t *v)
{
    size_t size;
    const char *type = type_of(v, &size);
    const size_t n = v->dims[0], d = v->dims[1];
    if ((size_t)v->data_size != size || n > SIZE_MAX / size / d ||
        v->nbytes != n * d * size)
        stop("variable %s does not have the size it states", v->name);
    put("d", 1, 1);
    put_array(type, n, d, true, v->data, size);
}

static void put_sparse(const matvar_t *v)
{
    size_t size;
    const char *type = type_of(v, &size);
    const mat_sparse_t *s = v->data;
    const int64_t shape[2] = {(int64_t)v->dims[0], (int64_t)v->dims[1]};
    const size_t n = s->ndata;
    if (s->jc == NULL || s->njc != v->dims[1] + 1 || s->jc[s->njc - 1] > n ||
        s->nir < n || (n > 0 && (s->ir == NULL || s->data == NULL)))
        stop("variable %s does not have the size it states", v->name);
    put("s", 1, 1);
    put_array("<i8", 2, 1, false, shape, sizeof *shape);
    put_array("<u4", s->njc, 1, false, s->jc, sizeof *s->jc);
    put_array("<u4", s->jc[s->njc - 1], 1, false, s->ir, sizeof *s->ir);
    put_array(type, s->jc[s->njc - 1], 1, false, s->data, size);
}

/* ---- labels ---- */

/* Character k of a text variable. */
static uint32_t character(const matvar_t *v, size_t k)
{
    const unsigned char *p = v->data;
    uint32_t c = 0;
    if (v->data_size >= 1 && v->data_size <= 4)
        memcpy(&c, p + k * (size_t)v->data_size, (size_t)v->data_size);
    return c;
}

/* Row i of a text variable to n code points, blanks behind it left out. */
static void put_text(const matvar_t *v, size_t i, size_t n)
{
    const size_t rows = v ? v->dims[0] : 0;
    size_t used = v && v->data ? v->dims[1] : 0;
    while (used > 0 && (character(v, (used - 1) * rows + i) == ' '))
        --used;
    for (size_t k = 0; k < n; ++k) {
        const uint32_t c = k < used ? character(v, k * rows + i) : 0;
        put(&c, sizeof c, 1);
    }
}

static bool is_text(const matvar_t *v)
{
    return v != NULL && v->class_type == MAT_C_CHAR && v->rank == 2 &&
           v->data_size >= 1 && v->data_size <= 4 && v->dims[0] <= v->nbytes &&
           v->dims[1] <= v->nbytes &&
           v->dims[0] * v->dims[1] * (size_t)v->data_size <= v->nbytes;
}

/* A cell of texts: its cells, or NULL. */
static matvar_t **cells_of(const matvar_t *v, size_t n, size_t *width)
{
    matvar_t **cells = v->data;
    if (v->class_type != MAT_C_CELL || cells == NULL ||
        v->nbytes / sizeof *cells < n)
        return NULL;
    for (size_t k = 0; k < n; ++k) {
        const bool empty = cells[k] != NULL && cells[k]->rank == 2 &&
                           (cells[k]->dims[0] == 0 || cells[k]->dims[1] == 0);
        if (!empty && (!is_text(cells[k]) || cells[k]->dims[0] != 1))
            return NULL;
        if (!empty && cells[k]->dims[1] > *width)
            *width = cells[k]->dims[1];
    }
    return cells;
}

static void put_texts(const matvar_t *v, size_t n)
{
    char type[32];
    size_t width = 1;
    matvar_t **cells = cells_of(v, n, &width);
    if (cells == NULL && (!is_text(v) || v->dims[0] != n))
        stop("variable %s is not %zu labels", v->name, n);
    if (cells == NULL && v->dims[1] > width)
        width = v->dims[1];
    if (width > TEXT)
        stop("variable %s has a label of more than %d characters", v->name,
             TEXT);
    snprintf(type, sizeof type, "<U%zu", width);
    put("l", 1, 1);
    put_array(type, n, 0, false, NULL, 0);
    for (size_t i = 0; i < n; ++i) {
        const bool empty = cells != NULL && !is_text(cells[i]);
        put_text(empty ? NULL : cells ? cells[i] : v, cells ? 0 : i, width);
    }
}

static size_t count_of(const matvar_t *v)
{
    if (v->rank != 2 ||
        (v->class_type != MAT_C_CHAR && v->dims[0] != 1 && v->dims[1] != 1))
        return 0;
    return v->class_type == MAT_C_CHAR ? v->dims[0] : v->dims[0] * v->dims[1];
}

static bool fits(const matvar_t *v, size_t n)
{
    return v != NULL && count_of(v) == n && n <= MAX_LABELS;
}

/* The first of the names there is and fits, or NULL. */
static const char *choose_labels(mat_t *mat, size_t n)
{
    static const char *const names[] = {"y",   "Y",     "label", "labels",
                                        "gnd", "class", NULL};
    const char *first = NULL;
    for (const char *const *name = names; *name != NULL; ++name) {
        matvar_t *info = Mat_VarReadInfo(mat, *name);
        const size_t used = strlen(remark);
        if (fits(info, n) && first == NULL)
            first = *name;
        else if (fits(info, n) && strstr(remark, "using labels") == NULL)
            snprintf(remark + used, sizeof remark - used,
                     "%susing labels %s (`label_variable` selects others: %s)",
                     used ? "; " : "", first, *name);
        Mat_VarFree(info);
    }
    return first;
}

static void put_labels(mat_t *mat, const char *wanted, size_t n)
{
    size_t size;
    const char *name = *wanted ? wanted : choose_labels(mat, n);
    matvar_t *v = name ? Mat_VarRead(mat, name) : NULL;
    if (v == NULL && *wanted)
        stop("cannot read variable %s", wanted);
    if (!fits(v, n) && *wanted)
        stop("variable %s is not %zu labels", wanted, n);
    if (!fits(v, n)) {
        put("n", 1, 1);
    } else if (is_numeric(v) && v->class_type != MAT_C_SPARSE) {
        const char *type = type_of(v, &size);
        if (v->nbytes != n * size)
            stop("variable %s does not have the size it states", v->name);
        put("l", 1, 1);
        put_array(type, n, 1, false, v->data, size);
    } else {
        put_texts(v, n);
    }
    Mat_VarFree(v);
}

int main(int argc, char **argv)
{
    if (argc != 4) {
        fprintf(stderr, "usage: akin-mat FILE VARIABLE LABELS\n");
        return 2;
    }
    ak_set_limits((rlim_t)4 << 30, SECONDS, 0);
    ak_set_fence(AK_FENCE_READ);
    put("AKINMAT1", 1, 8);
    mat_t *mat = Mat_Open(argv[1], MAT_ACC_RDONLY);
    if (mat == NULL)
        stop("not a MATLAB file");
    matvar_t *v = read_matrix(mat, argv[2]);
    const size_t n = v->dims[0];
    if (v->class_type == MAT_C_SPARSE)
        put_sparse(v);
    else
        put_dense(v);
    Mat_VarFree(v);
    put_labels(mat, argv[3], n);
    if (*remark) {
        put("t", 1, 1);
        put(remark, 1, sizeof remark);
    }
    put(".", 1, 1);
    Mat_Close(mat);
    return fflush(stdout) == 0 ? 0 : 1;
}
