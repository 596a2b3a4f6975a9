/* akin/akin.h - everything. */
#ifndef AKIN_AKIN_H
#define AKIN_AKIN_H

#include <akin/base.h>
#include <akin/codebook.h>
#include <akin/collection.h>
#include <akin/comm.h>
#include <akin/data.h>
#include <akin/eval.h>
#include <akin/events.h>
#include <akin/export.h>
#include <akin/faces.h>
#include <akin/feedback.h>
#include <akin/index.h>
#include <akin/learn.h>
#include <akin/mentions.h>
#include <akin/model.h>
#include <akin/naming.h>
#include <akin/persons.h>
#include <akin/plot.h>
#include <akin/review.h>
#include <akin/synth.h>
#include <akin/text.h>
#include <akin/tune.h>
#include <akin/versions.h>

#endif
