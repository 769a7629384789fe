import type { ConversationTool } from "@assay/schemas"
import { testSchemas } from "@assay/scoring/testing"
import * as fc from "fast-check"
import { describe, expect, it } from "vitest"
import { parseStatePath, withValueAt } from "./state-path.ts"
import { assistantMessage, readToolCalls } from "./tool-calls.ts"
import { compileTools } from "./compile-tools.ts"
import { openTools } from "./tool-box.ts"

const read = (...calls: readonly unknown[]) => readToolCalls(calls, (at) => `new_${at}`)
const OPTIONS = { repeat: 0, signal: new AbortController().signal, onRetry: () => {} }
const called = (name: string, args: unknown) => ({ id: "c1", function: { name, arguments: args } })

const TOOLS: readonly ConversationTool[] = [
  {
    name: "get",
    parameters: { type: "object", properties: { id: { type: "string" } }, required: ["id"] },
    answers: [
      {
        when: { id: "{{ mine }}" },
        result: { by: "{{ arguments.id }}", was: "{{ state.n }}" },
        set: { n: 2, "a.b": 1 },
      },
      { when: { id: "late" }, error: "{{ arguments.id }}!", delay: 2 },
      { when: { id: "big" }, result: "ü".repeat(1024 * 1024) },
      { when: { id: "{{ arguments.same }}" }, result: "same" },
      { when: { id: "left" }, result: "{{ arguments.other.n }}" },
      { when: { id: "odd" }, result: "{{ state.orders[arguments.other] }}" },
      { when: { id: "file" }, result: "{{ absent }}" },
      { when: { id: "said" }, error: "{{ arguments.other }}" },
    ],
  },
]

async function answer(one: unknown, state: unknown = { n: 1 }) {
  const box = openTools(compileTools({ tools: [...TOOLS] }, "tools") as never, { schemas: testSchemas() } as never)
  expect(box.told).toHaveLength(1)
  const [call] = read(one)
  if (call === undefined) throw new Error("No call.")
  return box.begin({ mine: "A1" }, OPTIONS).answer(call, state)
}

describe("a tool with answers that are written out", () => {
  it("gives the first answer that fits, with templates over the row, the arguments and the state", async () => {
    expect(await answer(called("get", '{"id": "A1", "other": 1}'))).toEqual({
      call: { name: "get", arguments: { id: "A1", other: 1 }, result: { by: "A1", was: 1 } },
      content: '{"by":"A1","was":1}',
      state: { n: 2, a: { b: 1 } },
      delayMs: 0,
      tookMs: 0,
    })
  })

  it("fails on purpose, after a delay", async () => {
    const { call, content, delayMs } = await answer(called("get", '{"id":"late"}'))
    expect([call.error, content, delayMs]).toEqual(["late!", '{"error":"late!"}', 2000])
  })

  it("says any argument in an error, also an object that has no text", async () => {
    const { call } = await answer(called("get", '{"id":"said","other":{"toString":1,"valueOf":2}}'))
    expect(call.error).toBe('{"toString":1,"valueOf":2}')
  })

  it("returns at most 1 MiB, cut at the end of a character", async () => {
    const { content, call } = await answer(called("get", '{"id":"big"}'))
    expect([Buffer.byteLength(content), content.endsWith("ü"), call.result === content]).toEqual([2 ** 20, true, true])
  })

  it.each([
    [called("get", "{id: A1}"), "malformed", "not a JSON object"],
    [called("get", "[1]"), "malformed", "not a JSON object"],
    [called("get", "[".repeat(100_000)), "malformed", "not a JSON object"],
    [called("get", `{"id":"${"x".repeat(2 ** 20)}"}`), "malformed", "too long"],
    [called("get", '{"id": 1}'), "malformed", "do not satisfy the schema: /id"],
    [called("got", "{}"), "unknown", "There is no tool 'got'. Did you mean 'get'?"],
    [called("__proto__", "{}"), "unknown", "There is no tool"],
    [{}, "unknown", "There is no tool ''"],
    [null, "unknown", "There is no tool ''"],
  ] as const)("returns a fault of the model as an error: %j", async (one, fault, why) => {
    const answered = await answer(one)
    expect(answered).toMatchObject({ fault, state: { n: 1 }, delayMs: 0 })
    expect(answered.call.error).toContain(why)
    expect(answered.content).toBe(JSON.stringify({ error: answered.call.error }))
    expect(JSON.stringify(answered.call).length).toBeLessThan(3000)
  })

  it("returns an argument that a template misses as a fault of the model, and any other failure on arguments as one of the tool", async () => {
    const left = await answer(called("get", '{"id":"left","other":{}}'))
    expect(left).toMatchObject({
      fault: "malformed",
      call: { error: "The argument 'other.n' is missing.", refused: true },
    })
    const odd = await answer(called("get", '{"id":"odd","other":"A9"}'), { orders: { "secret-1": 1 } })
    expect(odd).toMatchObject({ fault: "failed", state: { orders: { "secret-1": 1 } } })
    expect(odd.content).toMatch(/^\{"error":"The tool failed: The template 'tools.0.answers.5.result' reads/)
    expect(odd.content).not.toContain("secret-1")
    expect((await answer(called("get", '{"id":"x","same":"x"}'))).content).toBe("same")
    await expect(answer(called("get", '{"id":"file"}'))).rejects.toMatchObject({ code: "template_error" })
  })

  it("says that no answer fits", async () => {
    expect((await answer(called("get", '{"id":"B"}'))).content).toContain("no answer for these arguments")
  })

  it.each([
    [[...TOOLS, ...TOOLS], "name of two tools"],
    [[{ name: "a" }], "has no answers; give it one of"],
    [[{ name: "a", answers: [{}], script: ["b"] }], "can't be beside 'answers'"],
    [[{ script: ["b"] }], "name"],
    [[{ name: "a", answers: [{}], files: {} }], "it belongs to `script`"],
    [[{ mcp: { command: ["b"] }, timeout: 1 }], "write it into `mcp`"],
    [[{ name: "a", answers: [{ result: 1, error: "x" }] }], "beside a result"],
    [[{ name: "a", answers: [{ set: { "a..b": 1 } }] }], "not a path of the state"],
    [[{ name: "a", answers: [{ result: "{{ x" }] }], "tools.0.answers.0.result"],
  ])("is refused: %j", (tools, why) => {
    expect(() => compileTools({ tools: [...tools] }, "tools")).toThrow(why)
  })
})

describe("the calls of an answer", () => {
  it("keep their text and get an id, but arguments that are too long leave the history", () => {
    const [first, second] = read(
      { id: "", function: { name: "a", arguments: "{ }" } },
      called("b", "x".repeat(2 ** 20 + 1)),
    )
    const message = assistantMessage(
      null,
      [first, second].filter((one) => one !== undefined),
    )
    expect(message["tool_calls"]).toEqual([
      { id: "new_0", type: "function", function: { name: "a", arguments: "{ }" } },
      { id: "c1", type: "function", function: { name: "b", arguments: "{}" } },
    ])
  })
})

describe("a path of a state", () => {
  it("sets one value and leaves every other one", () => {
    const key = fc.constantFrom("a", "b", "__proto__", "constructor", "0")
    const state = fc.dictionary(key, fc.dictionary(key, fc.integer()))
    fc.assert(
      fc.property(state, fc.array(key, { minLength: 1, maxLength: 4 }), (before, keys) => {
        const path = parseStatePath(`$.${keys.join(".")}`) ?? []
        const after = withValueAt(before, path, "new")
        const found = keys.reduce<unknown>(
          (at, one) => Object.entries(at as object).find(([name]) => name === one)?.[1],
          after,
        )
        expect(found).toBe("new")
        for (const [name, value] of Object.entries(before)) {
          if (name !== keys[0]) expect(Object.entries(after as object)).toContainEqual([name, value])
        }
        expect(({} as Record<string, unknown>)["new"]).toBeUndefined()
      }),
    )
  })

  it("changes an item of a list, and refuses an empty key", () => {
    expect(withValueAt({ list: [1, { a: 1 }] }, ["list", "1", "a"], 2)).toEqual({ list: [1, { a: 2 }] })
    expect([parseStatePath("a..b"), parseStatePath(""), parseStatePath("a.".repeat(40) + "b")]).toEqual([
      undefined,
      undefined,
      undefined,
    ])
  })
})
