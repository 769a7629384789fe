"""A server of the Model Context Protocol without dependencies. It runs once for each conversation, and so it can count its calls."""

import json
import sys

PRICES = {"A1": 30, "B2": 45}
TOOL = {
    "name": "find_price",
    "description": "What an article costs.",
    "inputSchema": {"type": "object", "properties": {"article": {"type": "string"}}, "required": ["article"]},
}
calls = 0


def answer(method, params):
    global calls
    if method == "initialize":
        return {
            "protocolVersion": params["protocolVersion"],
            "capabilities": {"tools": {}},
            "serverInfo": {"name": "prices", "version": "1"},
        }
    if method == "tools/list":
        return {"tools": [TOOL]}
    calls += 1
    price = PRICES.get(params["arguments"]["article"])
    if price is None:
        return {"isError": True, "content": [{"type": "text", "text": "no such article"}]}
    return {"content": [{"type": "text", "text": f"{price} euros (call {calls})"}]}


for line in sys.stdin:
    message = json.loads(line)
    if "id" in message:
        result = answer(message["method"], message.get("params", {}))
        print(json.dumps({"jsonrpc": "2.0", "id": message["id"], "result": result}), flush=True)
