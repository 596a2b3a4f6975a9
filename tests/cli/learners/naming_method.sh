# A method of naming is found as learners are; train says what to use instead.
akin learners rlrr | head -9
akin learners lrr | grep -A1 -e --lambda -e --rounds
akin train rlrr --data x.npy --out m.safetensors
