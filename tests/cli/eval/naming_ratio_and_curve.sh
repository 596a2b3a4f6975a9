akin eval f.npy --task naming --captions c.csv --truth t.csv --method mean --curve --real-name-ratio 0.5
