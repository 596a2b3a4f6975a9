# The installation is at fault, not the input; or the build leaves .mat out.
: > a.mat
AKIN_LIBEXEC=/nowhere akin info a.mat 2> said
code=$?
grep -q 'akin-mat' said && [ $code = 1 ] && echo as it should
grep -q libmatio said && [ $code = 2 ] && echo as it should
