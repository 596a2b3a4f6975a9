cp "$CASES/../../golden/diagonal-1.safetensors" m.safetensors
python3 -c "
b = bytearray(open(\"m.safetensors\", \"rb\").read())
b[-1] ^= 1
open(\"m.safetensors\", \"wb\").write(b)"
akin check m.safetensors
