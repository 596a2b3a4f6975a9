akin synth faces --known 0.5 --real-name-ratio 0.5 --captions c --truth t --out f.npy
