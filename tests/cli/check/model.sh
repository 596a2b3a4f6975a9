cp "$CASES/../../golden/diagonal-1.safetensors" m.safetensors
akin check m.safetensors
