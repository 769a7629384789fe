import { expect, it } from "vitest"
import { callsInConversation } from "./conversation.ts"

it("callsInConversation reads calls of both forms, and no arguments in which a key is there twice", () => {
  const messages = [
    { role: "assistant", function_call: { name: "add", arguments: '{"a": 1}' } },
    { role: "assistant", tool_calls: [{ function: { name: "add", arguments: '{"a": 1, "a": 2}' } }] },
  ]
  const [old, twice] = callsInConversation(messages)
  expect(JSON.stringify(old)).toBe('{"name":"add","args":{"a":1}}')
  expect(twice).toEqual({ name: "add", args: undefined })
})
