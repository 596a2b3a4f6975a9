akin eval n.csv --task naming --captions c.csv --truth t.csv --real-name-ratio 0.5
