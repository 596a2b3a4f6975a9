akin help tune | grep -E -A 4 -- "--(trials|validate)"
