# pca and logistic keep sparse rows sparse; lda makes a table of them, and says
# when it would be too large.
python3 - > wide.svm <<'EOF'
for i in range(60):
    at = sorted({1 + i % 3 * 1000000 + i * k * 7919 % 900000 for k in range(5)} | {3000000 + i % 3})
    print(i % 3, ' '.join('%d:1' % j for j in at))
EOF
akin train pca --data wide.svm --rank 5 --out m.safetensors --verdict none --json |
  python3 -c "import json,sys; d=json.load(sys.stdin); print(d['rank'], d['converged'], d['dim'])"
akin train logistic --data wide.svm --out m.safetensors --verdict none --quiet && echo logistic
akin train lda --data wide.svm --out m.safetensors --verdict none --quiet
