cp "$CASES/../../golden/diagonal-1.safetensors" m.safetensors
akin info m.safetensors | head -4
