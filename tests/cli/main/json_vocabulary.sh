# One vocabulary over the JSON of all commands: a command that writes a file
# says where (out), a fact has the same key and the same type everywhere.
source "$CASES/../data.sh"
printf '0 1 1\n0 2 -1\n3 4 1\n1 3 -1\n' >pairs
run() { # NAME COMMAND...: its object goes to NAME.json
    local name=$1
    shift
    akin "$@" --json --quiet >$name.json 2>stderr || echo "$name: exit $?: $(cat stderr)"
}
run version version
run help help
run learners learners
run synth-bags synth bags --rows 20 --dim 50 --class-words 5 --out b.svm
run synth-labels synth labels --rows 20 --dim 30 --labels 10 --rank 3 --out l.svm
run synth-faces synth faces --photos 12 --names 3 --dim 8 --captions c.csv --truth t.csv --out f.npy
run synth-scenes synth scenes --landmarks 1 --views 1 --others 0 --width 64 --height 64 --out town
run train train solis-ada --data rows.svm --sample 500 --validate 0.3 --out m
run train-rsl train rsl --data rows.svm --rank 3 --max-iterations 2 --out rsl
run train-ranker train perceptron --data l.svm --sample 200 --out ranker
run compare compare cosine solis-ada --data rows.svm --effort 1
printf 'a,b,label\n1,2,x\n2,1,x\n1.5,3,x\n8,2,y\n9,3,y\n8.5,1,y\n' >dense.csv
run train-auto train auto --data dense.csv --effort 1 --out best
run tune tune solis-ada --data rows.svm --sample 200 --trials 2 --out tuned
run score score m --data rows.svm --pairs pairs
run predict predict m --data rows.svm --train rows.svm
run embed embed rsl --data rows.svm --out e.npy
run index index m --data rows.svm --out x
run search search x --queries rows.svm --top 2
run export export x --to csv --out exported
run verify-export verify-export exported --against x --queries rows.svm --top 2
run explain explain m --data rows.svm --rows 0,1
for task in retrieval knn triplets verify cross; do
    case $task in
    retrieval) flags="--by-label --report r" ;;
    knn) flags="--train rows.svm" ;;
    triplets) flags="--triplets triplets" ;;
    verify) flags="--pairs pairs" ;;
    cross) flags="--source rows.svm" ;;
    esac
    printf '0 3 1\n' >triplets
    run eval-$task eval m --data rows.svm --task $task $flags
done
run eval-rank eval ranker --data l.svm --task rank
mkdir -p news/a news/b
echo some words of a text >news/a/1
echo other words of another text >news/b/1
run text text news --save-recipe recipe --list documents --out text.svm
printf 'photo,caption\n1,Mayor Anna Fischer waves.\n' >prose.csv
run persons persons prose.csv --out persons.csv
echo '{"caption": "Ann Roe.", "names": [{"mentions": ["Ann Roe"], "in_picture": true}]}' >labelled.jsonl
run persons-learn persons --learn labelled.jsonl --passes 1 --out tagger
run name name f.npy --captions c.csv --truth t.csv --save-model people --out names.csv
run eval-naming eval names.csv --task naming --captions c.csv --truth t.csv
for file in rows.svm f.npy m rsl ranker x recipe people; do
    run info-$file info $file
done
run convert convert rows.svm rows.npz
run split split rows.svm --out one.svm two.svm
run check check rows.svm --pairs pairs
run reproduce reproduce loreta --quick --repeats 1 --report plots
/usr/bin/python3 "$CASES/json_vocabulary.py" *.json
