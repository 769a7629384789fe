import { verifies } from "@assay/testkit"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { OPENAI_DOOR, startGuardedServer, type GuardedServer } from "../../testing/start-guarded-server.ts"

const JSON_TYPE = { "content-type": "application/json" }
const DEEP = `${"[".repeat(100_000)}${"]".repeat(100_000)}`
const LARGE = "a".repeat(10_000_000)

let guarded: GuardedServer
beforeAll(async () => {
  guarded = await startGuardedServer()
})
afterAll(() => guarded[Symbol.asyncDispose]())

const BODIES = {
  "chat/completions": (value: string) => `{"model":"echo","messages":${value}}`,
  responses: (value: string) => `{"model":"echo","input":${value}}`,
  completions: (value: string) => `{"model":"echo","prompt":${value}}`,
} as const

const WRONG = [
  "NaN",
  "1e999",
  "null",
  "7",
  "{}",
  "[]",
  "[[]]",
  "[7]",
  "[null]",
  '[{"role":7}]',
  DEEP,
  '"a',
  "[{}]",
  '["a","b"]',
]
const FIELDS = [
  '"model":7',
  '"model":{"a":1}',
  '"stream":"yes"',
  '"guardrails":7',
  '"guardrails":{"config_id":"g"}',
  '"guardrails":{"options":{"rails":{"input":["no such flow"]}}}',
]

describe.each(Object.entries(BODIES))("POST %s", (path, bodyOf) => {
  const post = (body: string) => guarded.server.call("POST", `${OPENAI_DOOR}/${path}`, { body, headers: JSON_TYPE })
  const good = path === "chat/completions" ? '[{"role":"user","content":"Hello"}]' : '"Hello"'

  it("refuses a wrong body with 400 in OpenAI's form", verifies("openai.errors"), async () => {
    const bodies = [
      ...WRONG.map(bodyOf),
      ...FIELDS.map((field) => `{${field},${bodyOf(good).slice(1)}`),
      "",
      "[]",
      "7",
      "{",
      '{"a":1,"a":2}',
      "\uFEFF{}",
    ]
    guarded.countCalls()
    for (const body of bodies) {
      const { status, json, text } = await post(body)
      const what = body.slice(0, 80)
      expect([what, status]).toEqual([what, 400])
      expect([what, json.error]).toEqual([
        what,
        {
          message: expect.any(String),
          type: "invalid_request_error",
          code: "invalid_request",
          param: expect.toSatisfy(isParam),
        },
      ])
      expect([what, text.length < 6000]).toEqual([what, true])
    }
    expect(guarded.countCalls()).toBe(0)
  })

  it("takes 10 MB, unknown fields, and names that are not its own", verifies("openai.address"), async () => {
    const extra = '"__proto__":{"messages":[]},"constructor":1,"unknown":{"a":[1]},"top_k":4'
    for (const added of [extra, `${extra},"large":"${LARGE}"`]) {
      const { status, text } = await post(`{${added},${bodyOf(good).slice(1)}`)
      expect([added.length, status]).toEqual([added.length, 200])
      expect(text).toContain("Hello")
    }
    expect(guarded.judge.fake.requests.at(-2)?.chat?.["top_k"]).toBe(4)
  })

  it("refuses a body that is too large, and one of another type", verifies("openai.errors"), async () => {
    const { status, json } = await post(bodyOf(`"${"a".repeat(17_000_000)}"`))
    expect([status, json.error.type]).toEqual([413, "invalid_request_error"])
    expect(json.error.message).toMatch(/larger than 16777216 bytes/u)
    const form = await guarded.server.call("POST", `${OPENAI_DOOR}/${path}`, {
      body: "a=b",
      headers: { "content-type": "application/x-www-form-urlencoded" },
    })
    expect([form.status, form.json.error.type]).toEqual([415, "invalid_request_error"])
  })
})

const isParam = (param: unknown) => param === null || typeof param === "string"
