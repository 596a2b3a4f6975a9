akin help synth --all | grep -- "\["
