/* tests/learners.h - every learner of the registry, and rows with what each of
 * them learns from. */
#ifndef AKIN_TESTS_LEARNERS_H
#define AKIN_TESTS_LEARNERS_H

#include "support.h"

#include <akin/learn.h>

enum { CLASSES = 3 };

typedef struct bench {
    akin_ctx *ctx;
    akin_rows *rows;  // to be made by the user
    akin_supervision *data;
    akin_supervision *captions;  // of the same rows
    akin_supervision *sides;     // the same rows on both
} bench;

/* Photos of two rows, captions with their classes and, in every third, one
 * more. */
static inline akin_status write_captions(akin_supervision *data, akin_ctx *ctx,
                                         int64_t n)
{
    const size_t size = 64 * (size_t)n + 64;
    char *text = malloc(size);
    size_t at = (size_t)snprintf(text, size, "photo,faces,names\n");
    for (int64_t i = 0; i + 1 < n; i += 2)
        at += (size_t)snprintf(text + at, size - at, "p%d,%d;%d,c%d;c%d%s\n",
                               (int)i, (int)i, (int)i + 1, (int)(i % CLASSES),
                               (int)((i + 1) % CLASSES),
                               i % 6 == 0 ? ";c3" : "");
    const akin_status st =
        akin_supervision_captions(ctx, data, "captions.csv", text);
    free(text);
    return st;
}

/* What is known of its rows. */
static inline akin_status bench_supervise(bench *b, int64_t sample)
{
    const akin_status st =
        akin_supervision_new(&b->data, b->ctx, b->rows, NULL, NULL);
    if (st != AKIN_OK)
        return st;
    akin_supervision_sample(b->data, sample, 1);
    const akin_status more =
        akin_supervision_new(&b->sides, b->ctx, b->rows, b->rows, NULL);
    if (more != AKIN_OK)
        return more;
    const akin_status most =
        akin_supervision_new(&b->captions, b->ctx, b->rows, NULL, NULL);
    return most == AKIN_OK ? write_captions(b->captions, b->ctx, b->rows->n)
                           : most;
}

/* What a learner takes. */
static inline akin_supervision *data_for(const bench *b, const akin_options *o)
{
    const akin_learner_info *learner = akin_learner_find(o->learner);
    if (learner->takes_right == 2)
        return b->sides;
    return learner->takes == AKIN_BAGS ? b->captions : b->data;
}

static inline void bench_empty(bench *b)
{
    akin_supervision_free(b->data);
    akin_supervision_free(b->captions);
    akin_supervision_free(b->sides);
    akin_rows_free(b->rows);
}

static inline void bench_free(bench *b)
{
    bench_empty(b);
    akin_ctx_free(b->ctx);
}

/* A learner and what it is run with: its defaults, a kernel where it takes one,
 * and, where it has a choice of tasks, once more to rank labels. */
typedef struct subject {
    const akin_learner_info *info;
    akin_options *options;
} subject;

enum { MOST_SUBJECTS = 128 };

static subject subjects[MOST_SUBJECTS];
static int n_subjects;
static akin_ctx *subjects_ctx;

static inline bool has_option(const akin_learner_info *info, const char *name)
{
    for (int64_t i = 0; i < info->n_options; ++i)
        if (strcmp(info->options[i].name, name) == 0)
            return true;
    return false;
}

static inline akin_options *add_subject(const akin_learner_info *info)
{
    subject *s = &subjects[n_subjects++];
    s->info = info;
    assert_int_equal(akin_options_new(&s->options, subjects_ctx, info->name),
                     AKIN_OK);
    return s->options;
}

static inline int make_subjects(void **state)
{
    const akin_learner_info *info = NULL;
    (void)state;
    akin_ctx_new(&subjects_ctx, NULL);
    for (int64_t i = 0; (info = akin_learner_at(i)) != NULL; ++i) {
        if (info->names_faces == 2)
            continue;  // it trains no model
        add_subject(info);
        if (has_option(info, "kernel"))
            akin_options_set(subjects_ctx, add_subject(info), "kernel", "rbf");
        if (!has_option(info, "task"))
            continue;
        akin_options *o = add_subject(info);
        akin_options_set(subjects_ctx, o, "task", "rank");
        akin_options_set(subjects_ctx, o, "rank", "2");  // of 3 labels
    }
    return 0;
}

static inline int free_subjects(void **state)
{
    (void)state;
    for (int i = 0; i < n_subjects; ++i)
        akin_options_free(subjects[i].options);
    akin_ctx_free(subjects_ctx);
    return 0;
}

#define FOR_EACH_LEARNER(s) \
    for (const subject *s = subjects; s < subjects + n_subjects; ++s)

#endif
