# What cases share: news, four documents in two classes.
mkdir -p news/space news/garden
echo "The rocket reached its orbit; the orbit was low." > news/space/1
echo "A second rocket waits: launch on Friday." > news/space/2
echo "Water the roses, then the tulips. Roses love sun!" > news/garden/1
echo "Tulips need a low pot and SUN." > news/garden/2
