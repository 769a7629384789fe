import { describe, expect, it } from "vitest"
import { readScript } from "./scripted-model.ts"

const SCRIPT = JSON.stringify({
  desk: [
    {
      user: "cancel",
      conversation: "\\b(?<order>[A-Z](?<digit>\\d+))",
      called: "none",
      call: { get_order: { id: "{order}", deep: ["{order}", 1], n: "{digit:number}" } },
    },
    { told: '"status":"(?<status>\\w+)"', say: "It is {status}, {who}." },
    { user: "cancel", say: "Which order?" },
  ],
})

async function ask(...messages: readonly object[]): Promise<unknown> {
  return readScript(SCRIPT)["desk"]?.({ model: "desk", messages: messages as never })
}

describe("a scripted model", () => {
  it("answers by the first rule whose patterns are all found", async () => {
    const user = { role: "user", content: "Please CANCEL it" }
    expect(await ask(user)).toEqual({ content: "Which order?" })
    const call = await ask({ role: "user", content: "My order is B7" }, { role: "assistant", content: "Yes?" }, user)
    expect(call).toMatchObject({
      finish_reason: "tool_calls",
      toolCalls: [{ function: { name: "get_order", arguments: '{"id":"B7","deep":["B7",1],"n":7}' } }],
    })
    const { toolCalls } = call as { readonly toolCalls: readonly object[] }
    const told = { role: "tool", content: '{"status":"shipped"}' }
    const answer = await ask({ role: "user", content: "cancel B7" }, { role: "assistant", tool_calls: toolCalls }, told)
    expect(answer).toEqual({ content: "It is shipped, {who}." })
    expect(await ask({ role: "user", content: "Hello" })).toEqual({ content: "I can't help with that." })
  })

  it.each([
    ["[]", "A script is an object"],
    ['{"a": 1}', "'a' of the script has no list"],
    ['{"a": [{"says": "x"}]}', "Rule 1 of 'a' has 'says'"],
    ['{"a": [{"user": "x"}]}', "needs one of 'say' and 'call'"],
    ['{"a": [{"user": "(", "say": "x"}]}', "is not a regular expression"],
  ])("is refused: %s", (text, why) => {
    expect(() => readScript(text)).toThrow(why)
  })
})
