/* text/persons/position.h - where a person is in a picture, as text. */
#ifndef AK_TEXT_PERSONS_POSITION_H
#define AK_TEXT_PERSONS_POSITION_H

#include <akin/persons.h>
#include <stdbool.h>

enum { AK_POSITION_ROOM = 80 };

/* "back row, second from left" */
void ak_position_write(char text[AK_POSITION_ROOM], const akin_position *p);
/* The same back, but for `listed`, which the text does not have; false: it says
 * something else. */
bool ak_position_read(akin_position *out, const char *text);

#endif
