# Documents change, move, come and go; nothing is there twice.
source "$CASES/news.bash"
documents news --out c
items() {
    /usr/bin/python3 -c "
import sqlite3
for row in sqlite3.connect('c/catalog.sqlite').execute(
        'SELECT id, name, labels, snippet FROM items ORDER BY id'):
    print(*[x.decode() if isinstance(x, bytes) else x for x in row], sep=' | ')"
}
echo 'The rocket landed on Mars.' > news/space/1
mv news/sport/1 news/space/9
rm news/sport/2
cp news/space/2 news/space/copy
touch news/space/2
documents c --add news
items
documents c --add news --prune
items
mv news old
documents c --add old
akin search c --like space/2 --top 2
akin check c
rm old/space/copy
akin check c 2>&1 | sed "s|$PWD/||"
documents c --prune
items
akin check c
# A long way round: what was removed comes again, as a new item.
echo 'A probe sent pictures of the moon.' > old/space/copy
documents c --add old
items
# The folder moves while a document goes: the rest of it is known.
mv old new
rm new/space/copy
documents c --add new
documents c --add new --prune
items
