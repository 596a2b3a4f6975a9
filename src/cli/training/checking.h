/* cli/training/checking.h - whether what was learned is better than the measure
 * it began from, for every command that trains. */
#ifndef CLI_TRAINING_CHECKING_H
#define CLI_TRAINING_CHECKING_H

#include <akin/tune.h>

#include "cli/training/training.h"

typedef struct check_flags {
    const char *verdict, *score;
} check_flags;
extern const app_group cli_check_group;

/* EINVAL for --score where the learner ranks labels. Tells the learner. */
akin_status cli_check_prepare(app *a, cli_training *training,
                              const check_flags *f);
bool cli_verdict_wanted(const check_flags *f);
/* The comparison that is fixed by a flag, by the paper or by the model to
 * resume; AKIN_BY_DEFAULT: none is. `m`: the model; NULL: there is none yet. */
akin_compare cli_fixed_score(app *a, const cli_training *training,
                             const check_flags *f, const akin_model *m);
/* Checks a model learned with these options, sets its read-out, and writes it.
 * An interrupted check leaves a complete model, which is written as it is.
 * `measure` NULL: what fits the supervision. A verdict that is there already
 * (of an update or a stream) stays; its read-out is set. */
akin_status cli_check_and_save(app *a, akin_verdict *verdict,
                               const cli_training *training,
                               const check_flags *f,
                               const akin_options *options, const char *measure,
                               akin_model *m, const akin_learn_info *info,
                               const char *path);

/* Warns where learning made things worse, and says what to try. */
void cli_verdict_warn(app *a, const akin_verdict *v, const char *learner);
/* Adds held_out, baseline, verdict and so on. */
void cli_verdict_json(json_t *all, const akin_verdict *v);
/* "held-out map 0.612 +- 0.011; cosine 0.553: better", or why there is no
 * verdict; nothing when none was wanted. */
akin_status cli_verdict_print(app *a, const akin_verdict *v,
                              const check_flags *f);

#endif
