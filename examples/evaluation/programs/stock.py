"""A tool: reads one call as JSON, and writes its result and what it changes in the state."""

import json
import sys

call = json.load(sys.stdin)
article = call["arguments"]["article"]
left = call["state"]["stock"].get(article)

if left is None:
    print(json.dumps({"error": f"no article {article}"}))
elif call["name"] == "count_stock":
    print(json.dumps({"result": {"article": article, "left": left}}))
elif left == 0:
    print(json.dumps({"error": f"{article} is sold out"}))
else:
    print(json.dumps({"result": f"{article} is reserved", "set": {f"stock.{article}": left - 1}}))
