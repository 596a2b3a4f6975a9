/* cli/training/auto.h - akin train auto: the best of a race. */
#ifndef CLI_TRAINING_AUTO_H
#define CLI_TRAINING_AUTO_H

#include "cli/training/racing.h"
#include "cli/training/training.h"

typedef struct auto_flags {
    const char *purpose;
    int64_t effort;
} auto_flags;
extern const app_group cli_auto_group;

/* The name that stands for the best of all learners. */
#define CLI_AUTO "auto"
bool cli_is_auto(const char *learner);

/* EINVAL: a flag that belongs to one learner, or to other uses of train. */
akin_status cli_auto_check(app *a);
akin_status cli_auto_run(app *a, const training_flags *training,
                         const auto_flags *f, const known_input *in);

#endif
