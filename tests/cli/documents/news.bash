# Documents of two classes.
mkdir -p news/space news/sport
echo 'The rocket reached an orbit around the moon.' > news/space/1
echo 'A probe sent pictures of the moon.' > news/space/2
echo 'The goalkeeper saved a penalty.' > news/sport/1
echo 'The team won after a penalty shootout.' > news/sport/2
# Without the time.
documents() { akin documents "$@" | sed 's/, [0-9.]* m\?s$//'; }
