/* vision/octaves.h - the parts of SIFT that take most of the time, done anew
 * for VLFeat's filter: smoothing, and descriptors. */
#ifndef AK_VISION_OCTAVES_H
#define AK_VISION_OCTAVES_H

#include "vision/sift.h"

typedef struct _VlSiftFilt VlSiftFilt;

/* The levels of the first octave of a picture of the filter's size, and of the
 * next one; false: there is none. They stand for the vl_sift_process_..., and
 * give the same bits. */
void ak_octave_first(VlSiftFilt *f, const float *grey);
bool ak_octave_next(VlSiftFilt *f);

/* A keypoint of the octave at hand, in pixels of that octave. */
typedef struct ak_keypoint {
    double x, y, scale, angle;
    int level;
} ak_keypoint;

/* Stands for vl_sift_calc_keypoint_descriptor after a call for the angles, and
 * gives the same but for rounding. False: it cannot be described. */
bool ak_keypoint_describe(const VlSiftFilt *f, const ak_keypoint *k, float *v);

#endif
