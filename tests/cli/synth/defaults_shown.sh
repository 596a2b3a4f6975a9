akin help synth | grep -- "\["
