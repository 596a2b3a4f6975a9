/* cluster/kmeans.h - words for points, by k-means. */
#ifndef AK_CLUSTER_KMEANS_H
#define AK_CLUSTER_KMEANS_H

#include "cluster/codebook.h"

typedef enum { AK_START_SAMPLE, AK_START_PLUS } ak_kmeans_start;

typedef struct ak_kmeans_options {
    int64_t k;
    int64_t iterations;  // at most
    int64_t probe;       // cells searched per point; 0: all words
    int64_t batch;       // points per iteration, drawn at random; 0: all
    double tolerance;    // stops when the inertia falls by less than this share
    ak_kmeans_start start;
} ak_kmeans_options;

typedef struct ak_kmeans_info {
    int64_t iterations;
    double inertia;    // mean squared distance to the word, as last assigned
    int64_t repaired;  // words without points that moved, in all
    bool converged;
} ak_kmeans_info;

/* AKIN_EINVAL: more words than points. */
akin_status ak_kmeans(ak_codebook **out, akin_ctx *ctx, const ak_points *points,
                      const ak_kmeans_options *options, ak_kmeans_info *info);
/* The same from given words. */
akin_status ak_kmeans_improve(ak_codebook *c, akin_ctx *ctx,
                              const ak_points *points,
                              const ak_kmeans_options *options,
                              ak_kmeans_info *info);

#endif
