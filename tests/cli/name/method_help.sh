akin help name | grep -A2 '^Methods'
akin help name | grep -A3 -e '--theta T' -e '--named-count K' -e '--real-name-ratio R'
