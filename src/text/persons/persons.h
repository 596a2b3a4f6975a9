/* text/persons/persons.h - the persons of a caption, as a caller gets them. */
#ifndef AK_TEXT_PERSONS_PERSONS_H
#define AK_TEXT_PERSONS_PERSONS_H

#include <akin/persons.h>

/* Persons of a list of names, separated by ';': all are in the picture. Names
 * that are aliases are replaced. */
akin_status ak_persons_listed(akin_persons **out, akin_ctx *ctx,
                              const akin_tagger *tagger, const char *names,
                              size_t n);

#endif
