# A search uses at once what was said of its query: what was good comes first,
# what was bad is not found. The query is an item.
mkdir docs
for i in 1 2 3; do
    echo "river bank water boat$i" > docs/river$i
    echo "money bank loan credit$i" > docs/money$i
    echo "forest tree bird leaf$i" > docs/forest$i
done
echo bank > docs/bank
akin documents docs --out c --quiet 2> /dev/null
search() { akin search c "$@" | cut -d ' ' -f 2,5; }
search --like bank --top 4
akin feedback c --query bank --good river3 --bad money1
echo -- and now
search --like bank --top 4
echo -- without it
search --like bank --top 4 --feedback none
akin feedback c --undo 1
search --like bank --top 4
echo -- the user has the last word
akin feedback c --query bank --good money1 --user ann
akin feedback c --query bank --bad money1 --user bob
search --like bank --top 2
search --like bank --top 2 --user ann
echo -- the file of the item
akin feedback c --query river1 --good forest2 --bad river2
search --document docs/river1 --top 3
search --text 'river bank water boat1' --top 3
search --document docs/river1 --top 3 --feedback none
