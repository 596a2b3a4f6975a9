# bash completion for akin. Made by tools/gen.py; do not edit.
_akin_words() {
    mapfile -t COMPREPLY < <(compgen -W "$1" -- "$cur")
}

# The options of the learner on the line.
_akin_parameters() {
    local word
    for word in "${COMP_WORDS[@]:2}"; do
        case $word in
        solis-ada) echo "--eta --lambda --delta --clock --start --start-weight --units" ;;
        solis-afb) echo "--eta --lambda --delta --clock --start --start-weight --units" ;;
        solis-da) echo "--lambda --gamma --rho --clock --start --start-weight --units" ;;
        solis-tg) echo "--eta --lambda --clock --start --start-weight --units" ;;
        oasis-diag) echo "--C --units" ;;
        lego-diag) echo "--eta --y-sim --y-dis --targets --units" ;;
        qpao) echo "--C --w0 --tol --max-sweeps --units" ;;
        lmnn-diag) echo "--mu --tol --max-iterations" ;;
        loreta-1) echo "--rank --eta --max-s --start --score --prototypes --form --units --symmetry --average --task --ybar" ;;
        loreta) echo "--rank --eta --max-s --start --score --prototypes --form --units --symmetry --average --batch" ;;
        loreta-psd) echo "--rank --eta --max-s --start --score --prototypes --form --units --symmetry --average --blend" ;;
        loreta-mi) echo "--rank --eta --max-s --start --score --prototypes --form --units --symmetry --inner --eta2" ;;
        gd) echo "--rank --eta --start --score --prototypes --average --units --symmetry" ;;
        psd-gd) echo "--rank --eta --start --score --prototypes --average --units --symmetry" ;;
        pa) echo "--rank --C --order --start --score --prototypes --average --units --symmetry --task --ybar" ;;
        oasis) echo "--C --memory --units --symmetry" ;;
        lego) echo "--eta --y-sim --y-dis --targets --units --memory" ;;
        mahalanobis) echo "--ridge --rank" ;;
        pca) echo "--rank --variance --whiten" ;;
        lda) echo "--rank --shrinkage --directions" ;;
        itml) echo "--gamma --near --far --start --solver --tol --max-iterations --rank" ;;
        s3ml) echo "--beta --rho --beta-share --rho-share --start --solver --tol --max-iterations --rank --neighbours --alpha --theta" ;;
        s2ml) echo "--beta --rho --beta-share --rho-share --start --solver --tol --max-iterations --rank" ;;
        sdml) echo "--beta --rho --beta-share --rho-share --start --solver --tol --max-iterations --rank" ;;
        lmnn) echo "--mu --lambda --k --tol --max-iterations --rank" ;;
        nca) echo "--lambda --tol --max-iterations --rank --start" ;;
        lrml) echo "--k --gamma-s --gamma-d --share --ridge --rank" ;;
        perceptron) echo "--eta --ybar --units --constant --average" ;;
        group-perceptron) echo "--eta --exponent --ybar --units --constant --average" ;;
        logistic) echo "--lambda --sharpness --tol --max-iterations" ;;
        kernel-ridge) echo "--kernel --narrow --lambda --support --sharpness" ;;
        blend) echo "--with --share --lambda --shrinkage --sharpness" ;;
        cca) echo "--rank --reg --power --score --blend" ;;
        arc-t) echo "--C --lower --upper --rank --score --blend --tol --max-iterations --kernel --gamma --coef --degree --support --kernel-right --origin --length" ;;
        symm) echo "--gamma --tol --max-iterations" ;;
        svm-t) echo "--C --bias --loss --tol --max-sweeps --kernel --gamma --coef --degree --support --origin --length" ;;
        hfa) echo "--C --lambda --loss --tol --max-iterations --max-sweeps --kernel --gamma --coef --degree --support --kernel-right --origin --length" ;;
        rsl) echo "--rank --lambda --loss --loss-scale --reg --hessian --origin --length --start --starts --tol --max-iterations --score --prototypes --blend --kernel --gamma --coef --degree --support --kernel-right --check-derivatives" ;;
        tfidf) echo "" ;;
        fused) echo "--affinity --lambda --kappa --rho --delta-rho --rho-max --eps --gap --iterations --k --rounds" ;;
        lrr) echo "--affinity --lambda --kappa --rho --delta-rho --rho-max --eps --gap --iterations --start --rounds --surrogate --self-votes --count-by" ;;
        rlrr) echo "--affinity --lambda --kappa --rho --delta-rho --rho-max --eps --gap --iterations --gamma --penalise --form --start --rounds --surrogate --self-votes --count-by" ;;
        lrrml) echo "--affinity --lambda --kappa --rho --delta-rho --rho-max --eps --gap --iterations --sigma --outer --pca --alpha --start --rounds --surrogate --self-votes --count-by" ;;
        rlrrml) echo "--affinity --lambda --kappa --rho --delta-rho --rho-max --eps --gap --iterations --gamma --penalise --form --sigma --outer --pca --alpha --start --rounds --surrogate --self-votes --count-by" ;;
        asml) echo "--sigma --outer --epochs --batch --eps --rank --pca" ;;
        mms) echo "--sigma --outer --epochs --batch --eps" ;;
        knn) echo "--k --start --rounds" ;;
        mean) echo "--start --rounds" ;;
        kmeans) echo "--start --rounds" ;;
        kernel) echo "--start --rounds --surrogate --self-votes --count-by" ;;
        mildml) echo "--rank --tol --iterations --eps --start --rounds --surrogate --self-votes --count-by" ;;
        cgmm) echo "--start --rounds" ;;
        lr-svm) echo "--sparse --C --rho --delta-rho --eps --iterations" ;;
        esac
    done
}

# The words that an option takes; fails where they are free.
_akin_values() {
    case "$1 $2" in
    "train --clock" | "tune --clock" | "name --clock") echo "active all" ;;
    "train --start" | "tune --start" | "name --start") echo "measure zero mask auto identity principal gauss covariance lda spectral random ones uniform" ;;
    "train --units" | "tune --units" | "name --units") echo "relative absolute auto" ;;
    "train --rho" | "tune --rho" | "name --rho") echo "auto" ;;
    "train --targets" | "tune --targets" | "name --targets") echo "equality inequality" ;;
    "train --score" | "tune --score" | "name --score") echo "auto dot cosine distance" ;;
    "train --form" | "tune --form" | "name --form") echo "auto sparse dense structured" ;;
    "train --symmetry" | "tune --symmetry" | "name --symmetry") echo "auto positive none" ;;
    "train --average" | "tune --average" | "name --average") echo "none tail auto all" ;;
    "train --task" | "tune --task" | "name --task") echo "similarity rank" ;;
    "train --ybar" | "tune --ybar" | "name --ybar") echo "count one" ;;
    "train --order" | "tune --order" | "name --order") echo "sequential simultaneous" ;;
    "train --directions" | "tune --directions" | "name --directions") echo "weighted equal" ;;
    "train --solver" | "tune --solver" | "name --solver") echo "newton cyclic auto alm quic paper" ;;
    "train --beta" | "tune --beta" | "name --beta") echo "auto" ;;
    "train --constant" | "tune --constant" | "name --constant") echo "auto none one" ;;
    "train --kernel" | "tune --kernel" | "name --kernel") echo "laplacian rbf none linear poly chi2 intersection precomputed auto" ;;
    "train --with" | "tune --with" | "name --with") echo "classes whitened lda rows" ;;
    "train --reg" | "tune --reg" | "name --reg") echo "sq fro" ;;
    "train --kernel-right" | "tune --kernel-right" | "name --kernel-right") echo "same none linear rbf laplacian poly chi2 intersection precomputed" ;;
    "train --origin" | "tune --origin" | "name --origin") echo "mean zero classes" ;;
    "train --length" | "tune --length" | "name --length") echo "one given" ;;
    "train --loss" | "tune --loss" | "name --loss") echo "hinge hinge2 log ridge" ;;
    "train --loss-scale" | "tune --loss-scale" | "name --loss-scale") echo "mean sum" ;;
    "train --hessian" | "tune --hessian" | "name --hessian") echo "exact fd" ;;
    "train --affinity" | "tune --affinity" | "name --affinity") echo "minmax clip abs" ;;
    "train --surrogate" | "tune --surrogate" | "name --surrogate") echo "mean minorised" ;;
    "train --count-by" | "tune --count-by" | "name --count-by") echo "gains theta" ;;
    "train --penalise" | "tune --penalise" | "name --penalise") echo "both irrelevant self" ;;
    "train --for") echo "search classify verify rank" ;;
    "train --pairs") echo "all" ;;
    "train --sampler") echo "uniform warp" ;;
    "train --pair-weights") echo "balanced printed" ;;
    "train --guard") echo "auto none" ;;
    "train --measure") echo "map error accuracy auc" ;;
    "train --verdict") echo "auto none" ;;
    "train --score") echo "auto dot cosine distance" ;;
    "train --weights") echo "auto none binary tf sqrt log tfidf binary-idf sqrt-idf" ;;
    "train --scale") echo "none minmax zscore su" ;;
    "train --norm") echo "none l2 global" ;;
    "train --index-base") echo "auto 0 1" ;;
    "compare --for") echo "search classify verify rank" ;;
    "compare --pairs") echo "all" ;;
    "compare --index-base") echo "auto 0 1" ;;
    "tune --measure") echo "map error accuracy auc" ;;
    "tune --for") echo "search classify verify rank" ;;
    "tune --verdict") echo "auto none" ;;
    "tune --score") echo "auto dot cosine distance" ;;
    "tune --pairs") echo "all" ;;
    "tune --sampler") echo "uniform warp" ;;
    "tune --pair-weights") echo "balanced printed" ;;
    "tune --weights") echo "auto none binary tf sqrt log tfidf binary-idf sqrt-idf" ;;
    "tune --scale") echo "none minmax zscore su" ;;
    "tune --norm") echo "none l2 global" ;;
    "tune --index-base") echo "auto 0 1" ;;
    "score --score") echo "dot cosine distance" ;;
    "score --index-base") echo "auto 0 1" ;;
    "predict --side") echo "left right" ;;
    "predict --score") echo "dot cosine distance" ;;
    "predict --index-base") echo "auto 0 1" ;;
    "embed --side") echo "left right" ;;
    "embed --index-base") echo "auto 0 1" ;;
    "index --side") echo "left right" ;;
    "index --approximate") echo "none hnsw" ;;
    "index --score") echo "dot cosine distance" ;;
    "index --index-base") echo "auto 0 1" ;;
    "search --feedback") echo "auto none mean learn expand" ;;
    "search --score") echo "dot cosine distance" ;;
    "search --index-base") echo "auto 0 1" ;;
    "explain --by") echo "auto features pairs" ;;
    "explain --score") echo "dot cosine distance" ;;
    "explain --index-base") echo "auto 0 1" ;;
    "eval --task") echo "retrieval knn triplets verify cross rank naming" ;;
    "eval --side") echo "left right" ;;
    "eval --score") echo "dot cosine distance" ;;
    "eval --ap") echo "standard trapezoid" ;;
    "eval --method") echo "fused lrr rlrr lrrml rlrrml asml mms knn mean kmeans kernel mildml cgmm lr-svm" ;;
    "eval --index-base") echo "auto 0 1" ;;
    "images --colours") echo "none luv hsv" ;;
    "documents --stop-words") echo "english none" ;;
    "vectors --index-base") echo "auto 0 1" ;;
    "faces --detector") echo "hog mmod" ;;
    "faces --descriptor") echo "resnet patches" ;;
    "faces --index-base") echo "auto 0 1" ;;
    "serve --log") echo "text json" ;;
    "text --weights") echo "none binary tf sqrt log tfidf binary-idf sqrt-idf" ;;
    "text --norm") echo "none l2 global" ;;
    "text --stop-words") echo "english none" ;;
    "text --select") echo "infogain df" ;;
    "text --index-base") echo "auto 0 1" ;;
    "name --method") echo "fused lrr rlrr lrrml rlrrml asml mms knn mean kmeans kernel mildml cgmm lr-svm" ;;
    "name --scale") echo "none minmax zscore su" ;;
    "name --norm") echo "none l2 global" ;;
    "name --index-base") echo "auto 0 1" ;;
    "info --index-base") echo "auto 0 1" ;;
    "convert --index-base") echo "auto 0 1" ;;
    "split --index-base") echo "auto 0 1" ;;
    "check --pairs") echo "all" ;;
    "check --index-base") echo "auto 0 1" ;;
    "export --to") echo "pgvector opensearch elasticsearch faiss hnswlib numpy csv json xmp" ;;
    "export --score") echo "dot cosine distance" ;;
    "export --index-base") echo "auto 0 1" ;;
    "verify-export --index-base") echo "auto 0 1" ;;
    *) return 1 ;;
    esac
}

_akin() {
    local cur=${COMP_WORDS[COMP_CWORD]} prev=${COMP_WORDS[COMP_CWORD-1]}
    local command=${COMP_WORDS[1]} values
    COMPREPLY=()
    if [ "$COMP_CWORD" -eq 1 ]; then
        _akin_words "train compare tune learners score predict embed index search explain eval images documents vectors faces codebook tag feedback learn remove duplicates serve text persons name info convert split check export verify-export reproduce synth help version --version"
        return
    fi
    if [ "$cur" = = ]; then
        cur=
    elif [ "$prev" = = ]; then
        prev=${COMP_WORDS[COMP_CWORD-2]}
    fi
    if values=$(_akin_values "$command" "$prev"); then
        _akin_words "$values"
        return
    fi
    case $command in
    train)
        [[ $cur == -* ]] && _akin_words "--data --out --as-published --for --effort --right --right-labels --right-recipe --pairs --triplets --captions --labelled --sample --passes --sampler --pair-weights --resume --guard --save-every --checkpoint --every --validate --measure --patience --check-every --verdict --score --weights --center --scale --norm --as-is --recipe --labels --label-column --variable --label-variable --index-base --dim --seed --threads --quiet --json $(_akin_parameters)"
        [ "$COMP_CWORD" -eq 2 ] && _akin_words "auto solis-ada solis-afb solis-da solis-tg oasis-diag lego-diag qpao lmnn-diag loreta-1 loreta loreta-psd loreta-mi gd psd-gd pa oasis lego mahalanobis pca lda itml s3ml s2ml sdml lmnn nca lrml perceptron group-perceptron logistic kernel-ridge blend cca arc-t symm svm-t hfa rsl tfidf asml mms mildml lr-svm"
        ;;
    compare)
        [[ $cur == -* ]] && _akin_words "--data --test --tune --for --effort --report --right --right-labels --right-recipe --pairs --triplets --captions --labelled --labels --label-column --variable --label-variable --index-base --dim --seed --threads --quiet --json"
        [ "$COMP_CWORD" -eq 2 ] && _akin_words "solis-ada solis-afb solis-da solis-tg oasis-diag lego-diag qpao lmnn-diag loreta-1 loreta loreta-psd loreta-mi gd psd-gd pa oasis lego mahalanobis pca lda itml s3ml s2ml sdml lmnn nca lrml perceptron group-perceptron logistic kernel-ridge blend cca arc-t symm svm-t hfa rsl tfidf fused lrr rlrr lrrml rlrrml asml mms knn mean kmeans kernel mildml cgmm lr-svm"
        ;;
    tune)
        [[ $cur == -* ]] && _akin_words "--data --out --as-published --trials --measure --validate --for --verdict --score --right --right-labels --right-recipe --pairs --triplets --captions --labelled --sample --passes --sampler --pair-weights --weights --center --scale --norm --as-is --recipe --labels --label-column --variable --label-variable --index-base --dim --seed --threads --quiet --json $(_akin_parameters)"
        [ "$COMP_CWORD" -eq 2 ] && _akin_words "solis-ada solis-afb solis-da solis-tg oasis-diag lego-diag qpao lmnn-diag loreta-1 loreta loreta-psd loreta-mi gd psd-gd pa oasis lego mahalanobis pca lda itml s3ml s2ml sdml lmnn nca lrml perceptron group-perceptron logistic kernel-ridge blend cca arc-t symm svm-t hfa rsl tfidf asml mms mildml lr-svm"
        ;;
    learners)
        [[ $cur == -* ]] && _akin_words "--seed --threads --quiet --json"
        [ "$COMP_CWORD" -eq 2 ] && _akin_words "solis-ada solis-afb solis-da solis-tg oasis-diag lego-diag qpao lmnn-diag loreta-1 loreta loreta-psd loreta-mi gd psd-gd pa oasis lego mahalanobis pca lda itml s3ml s2ml sdml lmnn nca lrml perceptron group-perceptron logistic kernel-ridge blend cca arc-t symm svm-t hfa rsl tfidf fused lrr rlrr lrrml rlrrml asml mms knn mean kmeans kernel mildml cgmm lr-svm"
        ;;
    score)
        [[ $cur == -* ]] && _akin_words "--data --as-is --pairs --right --decide --threshold --score --train --labels --label-column --variable --label-variable --index-base --dim --exact --seed --threads --quiet --json"
        ;;
    predict)
        [[ $cur == -* ]] && _akin_words "--data --as-is --train --train-labels --side --k --top --score --labels --label-column --variable --label-variable --index-base --dim --exact --seed --threads --quiet --json"
        ;;
    embed)
        [[ $cur == -* ]] && _akin_words "--data --as-is --out --side --train --labels --label-column --variable --label-variable --index-base --dim --seed --threads --quiet --json"
        ;;
    index)
        [[ $cur == -* ]] && _akin_words "--data --names --side --shards --out --approximate --score --prune --add --remove --links --effort --as-is --train --labels --label-column --variable --label-variable --index-base --dim --seed --threads --quiet --json"
        ;;
    search)
        [[ $cur == -* ]] && _akin_words "--queries --image --text --document --model --version --top --like --unlike --where --html --feedback --user --verify --exact --ignore --score --effort --as-is --labels --label-column --variable --label-variable --index-base --dim --seed --threads --quiet --json"
        ;;
    explain)
        [[ $cur == -* ]] && _akin_words "--data --as-is --rows --label --right --by --top --score --model --out --train --labels --label-column --variable --label-variable --index-base --dim --exact --seed --threads --quiet --json"
        ;;
    eval)
        [[ $cur == -* ]] && _akin_words "--data --as-is --task --train --right --side --source --target --source-labels --train-labels --right-labels --query-labels --score --queries --query-rows --relevant --ignore --like --exclude --by-label --ap --k --folds --triplets --pairs --save-threshold --captions --truth --method --real-name-ratio --curve --report --labels --label-column --variable --label-variable --index-base --dim --exact --seed --threads --quiet --json"
        ;;
    images)
        [[ $cur == -* ]] && _akin_words "--out --add --model --labels --label-column --force --prune --restore --watch --strict --side --first-octave --words --sample --batch --codebook --colours --seed --threads --quiet --json"
        ;;
    documents)
        [[ $cur == -* ]] && _akin_words "--out --add --model --labels --text-column --label-column --name-column --header --force --prune --restore --watch --strict --stop-words --min-length --max-length --seed --threads --quiet --json"
        ;;
    vectors)
        [[ $cur == -* ]] && _akin_words "--out --add --model --names --fields --force --labels --label-column --variable --label-variable --index-base --dim --seed --threads --quiet --json"
        ;;
    faces)
        [[ $cur == -* ]] && _akin_words "--out --add --captions --boxes --vectors --from-xmp --force --prune --strict --aliases --tagger --detector --descriptor --side --upsample --labels --label-column --variable --label-variable --index-base --dim --seed --threads --quiet --json"
        ;;
    codebook)
        [[ $cur == -* ]] && _akin_words "--out --words --sample --codebook --collection --force --bags --names --seed --threads --quiet --json"
        ;;
    tag)
        [[ $cur == -* ]] && _akin_words "--image --text --document --model --top --k --seed --threads --quiet --json"
        ;;
    feedback)
        [[ $cur == -* ]] && _akin_words "--query --good --bad --user --key --file --list --undo --export --import --seed --threads --quiet --json"
        ;;
    learn)
        [[ $cur == -* ]] && _akin_words "--versions --rollback --user --after --seed --threads --quiet --json"
        ;;
    remove)
        [[ $cur == -* ]] && _akin_words "--where --person --names --seed --threads --quiet --json"
        ;;
    duplicates)
        [[ $cur == -* ]] && _akin_words "--at-least --seed --threads --quiet --json"
        ;;
    serve)
        [[ $cur == -* ]] && _akin_words "--port --listen --token --origin --read-only --log --log-file --seed --threads --quiet --json"
        ;;
    text)
        [[ $cur == -* ]] && _akin_words "--out --weights --norm --save-recipe --recipe --stop-words --min-length --max-length --min-df --max-df --features --select --text-column --header --vocabulary --list --strict --labels --label-column --variable --label-variable --index-base --dim --seed --threads --quiet --json"
        ;;
    persons)
        [[ $cur == -* ]] && _akin_words "--out --model --aliases --learn --lists --passes --seed --threads --quiet --json"
        ;;
    name)
        [[ $cur == -* ]] && _akin_words "--captions --model --method --affinity-file --affinity-weight --save-model --out --real-name-ratio --at-least --min-count --named-count --theta --confirmed --prior --quality --truth --changes --review --answers --all --curve --scale --norm --labels --label-column --variable --label-variable --index-base --dim --exact --seed --threads --quiet --json $(_akin_parameters)"
        ;;
    info)
        [[ $cur == -* ]] && _akin_words "--labels --label-column --variable --label-variable --index-base --dim --seed --threads --quiet --json"
        ;;
    convert)
        [[ $cur == -* ]] && _akin_words "--labels --label-column --variable --label-variable --index-base --dim --seed --threads --quiet --json"
        ;;
    split)
        [[ $cur == -* ]] && _akin_words "--fraction --by-class --out --labels --label-column --variable --label-variable --index-base --dim --seed --threads --quiet --json"
        ;;
    check)
        [[ $cur == -* ]] && _akin_words "--pairs --triplets --captions --labelled --quadruplets --labels --label-column --variable --label-variable --index-base --dim --without-person --seed --threads --quiet --json"
        ;;
    export)
        [[ $cur == -* ]] && _akin_words "--to --out --data --version --since --shards --half --name --score --names --force --labels --label-column --variable --label-variable --index-base --dim --seed --threads --quiet --json"
        ;;
    verify-export)
        [[ $cur == -* ]] && _akin_words "--against --queries --top --labels --label-column --variable --label-variable --index-base --dim --seed --threads --quiet --json"
        ;;
    reproduce)
        [[ $cur == -* ]] && _akin_words "--data --test --repeats --splits --codebook --quick --beside --report --seed --threads --quiet --json"
        [ "$COMP_CWORD" -eq 2 ] && _akin_words "solis loreta rsl s3ml naming"
        ;;
    synth)
        [[ $cur == -* ]] && _akin_words "--out --like --rows --dim --classes --words --class-words --signal --exponent --shift --burst --labels --rank --branching --leaves --nonzeros --noise --wrong --photos --names --face-rank --face-noise --most-faces --known --extra --missing --faces --real-name-ratio --captions --truth --landmarks --views --others --width --height --seed --threads --quiet --json"
        [ "$COMP_CWORD" -eq 2 ] && _akin_words "bags labels faces scenes"
        ;;
    help)
        [[ $cur == -* ]] && _akin_words "--all --seed --threads --quiet --json"
        [ "$COMP_CWORD" -eq 2 ] && _akin_words "train compare tune learners score predict embed index search explain eval images documents vectors faces codebook tag feedback learn remove duplicates serve text persons name info convert split check export verify-export reproduce synth help version solis-ada solis-afb solis-da solis-tg oasis-diag lego-diag qpao lmnn-diag loreta-1 loreta loreta-psd loreta-mi gd psd-gd pa oasis lego mahalanobis pca lda itml s3ml s2ml sdml lmnn nca lrml perceptron group-perceptron logistic kernel-ridge blend cca arc-t symm svm-t hfa rsl tfidf fused lrr rlrr lrrml rlrrml asml mms knn mean kmeans kernel mildml cgmm lr-svm"
        ;;
    version)
        [[ $cur == -* ]] && _akin_words "--seed --threads --quiet --json"
        ;;
    esac
    [ ${#COMPREPLY[@]} -gt 0 ] ||
        mapfile -t COMPREPLY < <(compgen -f -- "$cur")
}
complete -o filenames -F _akin akin
