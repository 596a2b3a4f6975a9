/* Probabilities of names: shares of one face and of one name, the same for any
 * number of threads and for any order of photos and faces. */
#include "context.h"

#include <akin/naming.h>
#include <akin/synth.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { PHOTOS = 40, NAMES = 6, CHOICES = NAMES + 1 };

/* Names are numbered as captions first have them. */
static int64_t number_of(const akin_naming *s, int64_t q)
{
    char text[16];
    snprintf(text, sizeof text, "name%d", (int)q);
    for (int64_t k = 0; k < NAMES; ++k)
        if (strcmp(akin_naming_name(s, k), text) == 0)
            return k;
    return AKIN_NO_NAME;
}

/* Of each face, the probability of each name and of none, at the end. */
static double *estimate(akin_ctx *c, const akin_rows *rows,
                        const char *captions, int64_t *photo_of)
{
    const int64_t n = akin_rows_count(rows);
    akin_supervision *data = NULL;
    akin_naming *s = NULL;
    akin_estimate *x = NULL;
    double *all = calloc((size_t)(CHOICES * n), sizeof *all);
    double *one = calloc((size_t)n, sizeof *one);
    int32_t *names = calloc((size_t)n, sizeof *names);
    assert_int_equal(akin_supervision_new(&data, c, rows, NULL, NULL), AKIN_OK);
    assert_int_equal(akin_supervision_captions(c, data, "captions", captions),
                     AKIN_OK);
    assert_int_equal(akin_naming_learn(&s, c, NULL, data, NULL), AKIN_OK);
    assert_int_equal(akin_naming_estimate(&x, c, s, NULL), AKIN_OK);
    for (int64_t q = 0; q < CHOICES; ++q) {
        for (int64_t f = 0; f < n; ++f)
            names[f] = q < NAMES ? (int32_t)number_of(s, q) : AKIN_NO_NAME;
        assert_int_equal(akin_estimate_probabilities(one, c, x, s, names, NULL),
                         AKIN_OK);
        for (int64_t f = 0; f < n; ++f)
            all[CHOICES * f + q] = one[f];
    }
    for (int64_t f = 0; f < n; ++f)
        photo_of[f] = atoi(akin_naming_photo(s, f) + strlen("photo"));
    akin_estimate_free(x);
    akin_naming_free(s);
    akin_supervision_free(data);
    free(one);
    free(names);
    return all;
}

/* Lines `photo,faces,names` in the opposite order, and the faces of each. */
static char *turned(const char *captions)
{
    char *out = calloc(strlen(captions) + 2, 1), *copy = strdup(captions);
    char *lines[PHOTOS + 1] = {copy};
    int64_t n = 0;
    for (char *p = strtok(copy, "\n"); p != NULL; p = strtok(NULL, "\n"))
        lines[n++] = p;
    assert_int_equal(n, PHOTOS + 1);
    sprintf(out, "%s\n", lines[0]);
    for (int64_t k = n - 1; k > 0; --k) {
        char *faces = strchr(lines[k], ','), *names = strchr(faces + 1, ',');
        *faces++ = *names++ = '\0';
        sprintf(out + strlen(out), "%s,", lines[k]);
        for (char *last; (last = strrchr(faces, ';')) != NULL; *last = '\0')
            sprintf(out + strlen(out), "%s;", last + 1);
        sprintf(out + strlen(out), "%s,%s\n", faces, names);
    }
    free(copy);
    return out;
}

static void check_order(const double *p, int64_t n, const akin_rows *rows,
                        const char *captions)
{
    int64_t photo_of[PHOTOS * 20];
    char *other = turned(captions);
    double *q = estimate(ctx, rows, other, photo_of);
    for (int64_t k = 0; k < CHOICES * n; ++k)
        assert_true(fabs(p[k] - q[k]) < 1e-6);
    free(q);
    free(other);
}

static void check_shares(const double *p, int64_t n, const int64_t *photo_of)
{
    double sums[PHOTOS][NAMES] = {{0.0}};
    for (int64_t f = 0; f < n; ++f) {
        double sum = 0.0;
        for (int64_t q = 0; q < CHOICES; ++q) {
            const double x = p[CHOICES * f + q];
            assert_true(x >= 0.0 && x <= 1.0);
            sum += x;
            if (q < NAMES)
                sums[photo_of[f]][q] += x;
        }
        assert_true(sum <= 1.0 + 1e-9);
    }
    for (int64_t i = 0; i < PHOTOS; ++i)
        for (int64_t q = 0; q < NAMES; ++q)
            assert_true(sums[i][q] <= 1.0 + 1e-9);
}

static void probabilities_are_shares(void **state)
{
    (void)state;
    for (uint64_t seed = 1; seed <= 3; ++seed) {
        akin_synth_faces_options o = AKIN_SYNTH_FACES_DEFAULTS;
        akin_rows *rows = NULL;
        char *captions = NULL, *truth = NULL;
        int64_t photo_of[PHOTOS * 20];
        o.photos = PHOTOS;
        o.names = NAMES;
        o.dim = 12;
        akin_ctx_set_seed(ctx, seed);
        assert_int_equal(akin_synth_faces(&rows, &captions, &truth, ctx, &o),
                         AKIN_OK);
        const int64_t n = akin_rows_count(rows);
        assert_true(n <= PHOTOS * 20);
        akin_ctx_set_threads(ctx, 1);
        double *p = estimate(ctx, rows, captions, photo_of);
        akin_ctx_set_threads(ctx, 2);
        double *two = estimate(ctx, rows, captions, photo_of);
        check_shares(p, n, photo_of);
        check_order(p, n, rows, captions);
        assert_memory_equal(p, two, (size_t)(CHOICES * n) * sizeof *p);
        free(p);
        free(two);
        akin_free(captions);
        akin_free(truth);
        akin_rows_free(rows);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        CONTEXT_CASE(probabilities_are_shares),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
