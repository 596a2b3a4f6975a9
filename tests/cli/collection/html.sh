# A page of results stands alone: pictures are in it, names are escaped.
source "$CASES/../images/pictures.bash"
pictures p 2 3
mv p/k0/1.png 'p/k0/<b>&"1".png'
akin images p --out c --words 20 --quiet > /dev/null
akin search c --image p/k0/0.png --image p/k1/2.png --top 3 --html page.html | cut -d' ' -f 1-3,5-
grep -c '<img alt="" src="data:image/jpeg;base64,' page.html
grep -c 'https\?:' page.html
grep -c '&lt;b&gt;&amp;&quot;1&quot;.png' page.html
rm p/k1/1.png
akin search c --like k1/0.png --top 5 --html page.html > /dev/null
grep -c '<img' page.html
akin search c --like 0 --html nowhere/page.html; echo $?
: > c.index
akin search c.index --like 0 --html page.html; echo $?
