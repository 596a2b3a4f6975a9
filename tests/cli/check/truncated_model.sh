cp "$CASES/../../golden/diagonal-1.safetensors" m.safetensors
head -c 700 m.safetensors > t.safetensors
akin check t.safetensors
