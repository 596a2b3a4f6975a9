akin reproduce solis || echo $?
akin reproduce
