mkdir -p nothing
akin reproduce solis --data nothing
