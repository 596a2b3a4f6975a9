akin reproduce loreta --quick --repeats 0 || echo $?
