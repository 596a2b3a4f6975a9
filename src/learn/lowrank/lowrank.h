/* learn/lowrank/lowrank.h - what the learners on the manifold of matrices of
 * rank k share: the factors of W = A B' or A A', their start, and their files.
 */
#ifndef AK_LEARN_LOWRANK_LOWRANK_H
#define AK_LEARN_LOWRANK_LOWRANK_H

#include "learn/lowrank/loreta.h"
#include "learn/lowrank/loreta_zero.h"
#include "learn/lowrank/retract.h"

typedef struct ak_lowrank {
    ak_loreta_head head;
    int64_t n, k;
    double eta, max_s;
    akin_compare by;
    bool psd;  // A alone
    ak_factor_form form;
    bool is_ready;  // false: still on the full matrix of a start from zero
    bool is_new;    // ready since this round, which was one of the start
    ak_zero zero;
    ak_factor A, B;
    double *Aq, *BD;  // A'x and B'D of the lesson, k each, and 4 k of room
} ak_lowrank;

/* Into zeroed memory; `options` are those of AK_LORETA_OPTIONS. */
akin_status ak_lowrank_begin(ak_lowrank *s, akin_ctx *ctx,
                             const akin_options *options,
                             const akin_supervision *data,
                             const ak_tensors *resume, bool psd,
                             const ak_loreta_rule *rule);
/* What it holds, not itself. */
void ak_lowrank_end(ak_lowrank *s);

/* The same for a state that is nothing else; and ak_online.free for it. */
akin_status ak_lowrank_new(void **state, akin_ctx *ctx,
                           const akin_options *options,
                           const akin_supervision *data,
                           const ak_tensors *resume, bool psd,
                           const ak_loreta_rule *rule);
void ak_lowrank_free(void *state);

/* x'W D; leaves Aq and BD. */
double ak_lowrank_margin(void *state, const ak_lesson *l);
/* The rows of the factors that a triplet touches. */
void ak_lowrank_fetch(const void *state, const akin_rows *rows,
                      const int64_t *triplet);
/* The step while is_ready is false. */
akin_status ak_lowrank_pretrain(ak_lowrank *s, akin_ctx *ctx,
                                const ak_lesson *l);
/* After a round: whether it was one on the manifold. */
bool ak_lowrank_counts(ak_lowrank *s);
/* eta, max_s and the lesson's part of a step; and the step of ak_retract, both
 * after ak_lowrank_margin. */
ak_stride ak_lowrank_stride(const ak_lowrank *s, const ak_lesson *l);
akin_status ak_lowrank_step(void *state, akin_ctx *ctx, ak_lesson *l);

/* ak_online.model and save; and a model of other factors of this state. */
akin_status ak_lowrank_model(akin_model **out, akin_ctx *ctx, void *state);
akin_status ak_lowrank_model_of(akin_model **out, akin_ctx *ctx,
                                const ak_lowrank *s, const ak_factor *A,
                                const ak_factor *B);
/* The same after `finish` has done what a state has not done yet, on copies, so
 * that the state goes on as if nobody had asked. */
typedef akin_status (*ak_finish_fn)(const void *state, akin_ctx *ctx,
                                    ak_factor *A, ak_factor *B);
akin_status ak_lowrank_model_after(akin_model **out, akin_ctx *ctx,
                                   const void *state, ak_finish_fn finish);
akin_status ak_lowrank_save(const void *state, akin_ctx *ctx, ak_tensors *t);

#endif
