"""An agent: reads a task, asks the model of the evaluation file, calls its own tool, and writes an ATIF trajectory."""

import json
import os
import sys
import urllib.request

ORDERS = {"A1": "shipped", "A2": "delivered"}
TOOL = {
    "type": "function",
    "function": {
        "name": "find_order",
        "description": "Where an order is.",
        "parameters": {"type": "object", "properties": {"id": {"type": "string"}}, "required": ["id"]},
    },
}


def ask(messages):
    body = {"model": os.environ["ASSAY_TARGET_MODEL"], "messages": messages, "tools": [TOOL]}
    request = urllib.request.Request(
        os.environ["ASSAY_TARGET_URL"] + "/chat/completions",
        json.dumps(body).encode(),
        {"content-type": "application/json", "authorization": "Bearer " + os.environ["ASSAY_TARGET_API_KEY"]},
    )
    with urllib.request.urlopen(request) as response:
        return json.load(response)


messages = json.load(sys.stdin)["messages"]
steps = [{"step_id": 1, "source": "user", "message": messages[-1]["content"]}]
for _ in range(5):
    answer = ask(messages)
    message = answer["choices"][0]["message"]
    usage = answer["usage"]
    step = {
        "step_id": len(steps) + 1,
        "source": "agent",
        "message": message.get("content") or "",
        "metrics": {key: usage[key] for key in ("prompt_tokens", "completion_tokens")},
    }
    steps.append(step)
    messages.append(message)
    if not message.get("tool_calls"):
        break
    step["tool_calls"] = []
    step["observation"] = {"results": []}
    for call in message["tool_calls"]:
        arguments = json.loads(call["function"]["arguments"])
        result = ORDERS.get(arguments.get("id"), "no such order")
        messages.append({"role": "tool", "tool_call_id": call["id"], "content": result})
        step["tool_calls"].append(
            {"tool_call_id": call["id"], "function_name": call["function"]["name"], "arguments": arguments}
        )
        step["observation"]["results"].append({"source_call_id": call["id"], "content": result})

print(json.dumps({"schema_version": "ATIF-v1.7", "agent": {"name": "shop", "version": "1"}, "steps": steps}))
