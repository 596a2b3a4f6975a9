akin reproduce solid --data .
