import { expect, it } from "vitest"
import { readConversation } from "./conversation.ts"

it("messages are read from a body or a list, with the calls of tools and parts that are not text as JSON", () => {
  const messages = [
    { role: "user", content: "hello" },
    { role: "assistant", content: null, tool_calls: [{ id: "1" }] },
    { role: "user", content: [{ type: "text", text: "see" }, { type: "image_url" }, { type: "text", text: "that" }] },
  ]
  expect(readConversation({ messages })).toEqual(readConversation(messages))
  expect(readConversation(messages)).toEqual([
    { role: "user", text: "hello", more: undefined },
    { role: "assistant", text: "", more: expect.stringContaining("tool_calls") },
    { role: "user", text: "see\n\nthat", more: expect.stringContaining("image_url") },
  ])
  expect(readConversation({ prompt: "go on" })).toEqual([{ role: "prompt", text: "go on", more: undefined }])
})

it("anything else is not a conversation", () => {
  expect([null, "x", {}, [], [{ role: "user" }], [{ content: "x" }], [1]].map(readConversation)).toEqual(
    Array(7).fill(undefined),
  )
})
