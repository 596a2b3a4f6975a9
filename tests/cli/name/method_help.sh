akin help name --all | grep -A2 '^Methods'
akin help name --all | grep -A3 -e '--theta T' -e '--named-count K' -e '--real-name-ratio R'
