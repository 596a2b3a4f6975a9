# XMP that is there already: what else it says stays, and no face gets lost.
. "$CASES/../faces.sh"
paint_photos
cat >boxes.csv <<'END'
photo,x,y,width,height,name
ann_bob.png,10,15,30,30,Ann
ann_bob.png,70,13,34,34,Bob
bob.png,20,15,30,30,Bob
END
sidecar() {
    cat <<END
<?xpacket begin='' id='W5M0MpCehiHzreSzNTczkc9d'?>
<x:xmpmeta xmlns:x='adobe:ns:meta/'>
<rdf:RDF xmlns:rdf='http://www.w3.org/1999/02/22-rdf-syntax-ns#'>
 <rdf:Description rdf:about='urn:1' xmlns:xmp='http://ns.adobe.com/xap/1.0/' xmp:Rating='4'>
  <xmp:Label>Red &amp; blue</xmp:Label>
 </rdf:Description>
 <rdf:Description rdf:about='urn:1'
  xmlns:mwg-rs='http://www.metadataworkinggroup.com/schemas/regions/'
  xmlns:a='http://ns.adobe.com/xmp/sType/Area#'>
  <mwg-rs:Regions><rdf:Description><mwg-rs:RegionList><rdf:Bag>
   <rdf:li><rdf:Description mwg-rs:Name='$1' mwg-rs:Type='$2'>
    <mwg-rs:Area a:x='0.21' a:y='0.5' a:w='0.25' a:h='0.5'/></rdf:Description></rdf:li>
  </rdf:Bag></mwg-rs:RegionList></rdf:Description></mwg-rs:Regions>
 </rdf:Description>
</rdf:RDF>
</x:xmpmeta>
<?xpacket end='w'?>
END
}
akin faces photos --boxes boxes.csv --captions captions.csv --out c.akin --quiet
sidecar Ann Face >photos/ann_bob.png.xmp
akin export c.akin --to xmp --out photos
cat photos/ann_bob.png.xmp
cp photos/ann_bob.png.xmp before.xmp
akin export c.akin --to xmp --out photos --quiet
cmp photos/ann_bob.png.xmp before.xmp && echo exported twice: the same
echo --- refused
for other in 'Zoe Face' 'Rex Pet'; do
    sidecar $other >photos/ann_bob.png.xmp
    rm -f photos/cat.png.xmp
    akin export c.akin --to xmp --out photos || echo "exit $?"
    ls photos/cat.png.xmp 2>/dev/null
done
echo '<a><b></a>' >photos/ann_bob.png.xmp
akin export c.akin --to xmp --out photos || echo "exit $?"
echo --- forced
sidecar Zoe Face >photos/ann_bob.png.xmp
akin export c.akin --to xmp --out photos --force
cmp photos/ann_bob.png.xmp before.xmp && echo the same, without Zoe
echo --- a person leaves
akin remove c.akin --person Ann
akin check c.akin --without-person Ann
