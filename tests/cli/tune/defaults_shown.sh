akin help tune --all | grep -E -A 4 -- "--(trials|validate)"
