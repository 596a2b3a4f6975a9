akin learners --json | python3 -c "
import json, sys
for l in json.load(sys.stdin)[\"learners\"]:
    print(l[\"name\"], l[\"makes\"], len(l[\"options\"]))
"
