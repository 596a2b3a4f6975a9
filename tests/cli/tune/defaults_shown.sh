akin help tune | grep -E -A 2 -- "--(trials|validate)"
