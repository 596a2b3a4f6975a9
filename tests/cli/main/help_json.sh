akin help score --json | python3 -c "
import json, sys
c = json.load(sys.stdin)
print(c[\"usage\"])
print([o for g in c[\"groups\"] for o in g[\"options\"] if o[\"name\"] == \"seed\"])"
