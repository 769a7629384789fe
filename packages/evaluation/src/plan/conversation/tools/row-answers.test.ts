import { testSchemas } from "@assay/scoring/testing"
import { verifies } from "@assay/testkit"
import { describe, expect, it } from "vitest"
import { readToolCalls } from "./tool-calls.ts"
import { compileTools } from "./compile-tools.ts"
import { openTools } from "./tool-box.ts"

const ANSWERS = [
  { when: { id: "A1", at: { b: 1, a: 2 } }, result: { status: "{{ shipped }}" } },
  { when: { id: "A2" }, error: "gone" },
  { when: { id: "A1" }, result: "cancelled" },
]

/** Calls the tool several times in a conversation, and returns the messages that the model gets. */
async function answers(value: unknown, ...made: readonly object[]): Promise<readonly string[]> {
  const tools = compileTools({ tools: [{ name: "get", answers: "{{ tool_answers.get | default([]) }}" }] }, "tools")
  const box = openTools(tools as never, { schemas: testSchemas() } as never)
  const conversation = box.begin({ tool_answers: value }, { signal: AbortSignal.timeout(60_000) } as never)
  const contents: string[] = []
  for (const args of made) {
    const [call] = readToolCalls([{ id: "c", function: { name: "get", arguments: JSON.stringify(args) } }], String)
    if (call === undefined) throw new Error("No call.")
    contents.push((await conversation.answer(call, null)).content)
  }
  return contents
}

describe("answers of a tool in the row", () => {
  it("are data, and equal calls get those that fit one after the other", verifies("run.row-answers"), async () => {
    const [one, other] = [
      { id: "A1", at: { a: 2, b: 1 } },
      { at: { b: 1, a: 2 }, id: "A1" },
    ]
    expect(await answers({ get: ANSWERS }, one, { id: "A2" }, other, one, { id: "A1" }, { id: "B" })).toEqual([
      '{"status":"{{ shipped }}"}',
      '{"error":"gone"}',
      "cancelled",
      "cancelled",
      "cancelled",
      '{"error":"The tool has no answer for these arguments."}',
    ])
    expect(await answers({}, { id: "A1" })).toEqual(['{"error":"The tool has no answer for these arguments."}'])
  })

  it.each([
    [{ get: 5 }, "of the type number; give a list"],
    [{ get: [1] }, "answer 1 of the row"],
    [{ get: [{ set: {} }] }, "'set' is none of them"],
    [{ get: [{ when: 1 }] }, "'when' is an object and 'error' a text"],
    [{ get: Array.from({ length: 1001 }, () => ({})) }, "a list of 1001"],
  ])("are refused: %j", async (value, why) => {
    await expect(answers(value, {})).rejects.toMatchObject({
      code: "rows_invalid",
      message: expect.stringContaining(why),
    })
  })
})
