# Captions and boxes of no photo, of several photos, and outside of a photo;
# regions of XMP that cannot be used.
. "$CASES/../faces.sh"
mkdir -p s/a s/b
for p in a/p b/p b/q r; do paint s/$p.png 80 60 20,30,250,236,12; done
table() {
    akin export $1 --to json --out t --quiet
    python3 - <<'TABLE'
import json
for p in json.load(open("t/faces.json")):
    print(p["photo"], p.get("caption", "-"),
          *(f"{f['x']},{f['y']} {f.get('name', '-')}" for f in p["faces"]))
TABLE
}
cat >c.csv <<'CAPTIONS'
photo,caption
p.png,Ann Lee waves.
q.png,Bob Roe waves.
r.png,Cat Fox waves.
ph999.png,Dora Poe waves.
ph998.png,Dora Poe waves.
CAPTIONS
akin faces s --captions c.csv --out c.akin --quiet
table c.akin
echo --- the path tells them apart
mkdir other && paint other/o.png 80 60 20,30,30,236,12
printf 'photo,caption\na/p.png,One\np.png,Several\no.png,Other\nr.png,Before\n' >c2.csv
akin faces c.akin --add other --captions c2.csv --quiet
akin faces c.akin --add s --captions c2.csv --quiet
table c.akin
echo --- boxes
cat >b.csv <<'BOXES'
photo,x,y,width,height,name
r.png,5000,5000,30,30,Nobody
r.png,20,15,30,30,Cat
q.png,-5,15,30,30,Bob
p.png,20,15,30,30,Ann
nope.png,1,1,30,30,Dora
BOXES
akin faces s --boxes b.csv --out b.akin --quiet
table b.akin
echo --- regions
region() { # FILE X W UNIT
    cat >$1 <<XMP
<x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF
xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#"><rdf:Description
xmlns:mwg-rs="http://www.metadataworkinggroup.com/schemas/regions/"
xmlns:stArea="http://ns.adobe.com/xmp/sType/Area#"><mwg-rs:Regions
rdf:parseType="Resource"><mwg-rs:RegionList><rdf:Bag>
<rdf:li rdf:parseType="Resource"><mwg-rs:Type>Face</mwg-rs:Type><mwg-rs:Area
stArea:x="$2" stArea:y="0.5" stArea:w="$3" stArea:h="0.5" stArea:unit="$4"/>
</rdf:li>$5</rdf:Bag></mwg-rs:RegionList></mwg-rs:Regions></rdf:Description>
</rdf:RDF></x:xmpmeta>
XMP
}
good='<rdf:li rdf:parseType="Resource"><mwg-rs:Name>Good</mwg-rs:Name><mwg-rs:Area
stArea:x="0.5" stArea:y="0.5" stArea:w="0.25" stArea:h="0.5"/></rdf:li>'
region s/r.png.xmp nan 0.3 normalized
region s/a/p.png.xmp 0,5 0.3 normalized "$good"
region s/b/p.png.xmp 40 30 pixel
region s/b/q.png.xmp 1.9 0.3 normalized "$good"
akin faces s --from-xmp --out x.akin --quiet
table x.akin
