/* cli/parameters.h - the learners' own options as flags. */
#ifndef CLI_PARAMETERS_H
#define CLI_PARAMETERS_H

#include <akin/learn.h>
#include <jansson.h>

#include "app/app.h"

/* NULL with a message that suggests the nearest. */
const akin_learner_info *cli_learner_find(app *a, const char *name);

/* The same; NULL too for one that names faces and trains no model. */
const akin_learner_info *cli_trainable_find(app *a, const char *name);

/* What akin learners LEARNER prints. */
akin_status cli_learner_show(app *a, const akin_learner_info *l);

/* One option of a learner as a row of a table. */
typedef struct cli_parameter {
    char flag[48];
    app_option row;
} cli_parameter;
void cli_parameter_of(cli_parameter *out, const akin_option *o);
/* The option behind a flag, as a row too; NULL: the learner has none that has
 * an effect there. */
const akin_option *cli_parameter_find(const akin_learner_info *learner,
                                      akin_option_use use, const char *flag,
                                      cli_parameter *p);
/* EINVAL: there is no such flag, with the nearest of the learner or command. */
akin_status cli_parameter_unknown(app *a, const char *name,
                                  const akin_learner_info *learner,
                                  akin_option_use use,
                                  const app_command *command);

/* EINVAL for a flag that neither the learner nor `command` has; all goes while
 * the learner (NULL) is not known. */
akin_status cli_parameters_known(app *a, const char *learner,
                                 const app_command *command);
/* Set what stood on the command line. `given` (room for APP_MOST_WORDS + 2,
 * or NULL) gets the names, NULL-ended. */
akin_status cli_parameters_set(app *a, akin_options *options,
                               const akin_learner_info *learner,
                               akin_option_use use, const char **given);
/* Where `start` names a model of some rank, that is the rank, as if it had
 * been given; EINVAL when another one was. */
akin_status cli_parameters_start(app *a, akin_options *options,
                                 const akin_learner_info *learner,
                                 const char **given);
/* From the notes of a model that goes on learning. */
akin_status cli_parameters_resume(app *a, akin_options *options,
                                  const akin_learner_info *learner,
                                  const akin_model *m);
/* {"eta": 0.1, ...}, numbers as `m` (NULL: none) was learned with; NULL when
 * memory runs out. */
json_t *cli_parameters_json(app *a, const akin_options *options,
                            const akin_learner_info *learner,
                            const akin_model *m);

#endif
