import type { GuardrailModel } from "@assay/schemas"
import { type FakeModel, verifies } from "@assay/testkit"
import { describe, expect, it } from "vitest"
import { chatOf, openGuarded } from "../../testing/guarded-models.ts"

const FLOW = "content safety check input $model=judge"
const SAFE = '{"User Safety": "safe"}'

/** Refuses requests that have one of these parameters, as servers do. */
function judgeRefusing(...names: readonly string[]): FakeModel {
  return (body) => {
    const name = names.find((each) => each in body)
    if (name === undefined) return { content: SAFE }
    const error = { message: `Unsupported parameter: '${name}' is not supported with this model.`, param: name }
    return { fault: { kind: "answer", status: 400, body: { error: { ...error, type: "invalid_request_error" } } } }
  }
}

function open(judge: FakeModel, model: Partial<GuardrailModel> = {}) {
  return openGuarded({ judge }, { rails: { input: { flows: [FLOW] } } }, { model })
}

describe("a judge", () => {
  it("is asked once, with a JSON schema if its form is JSON", verifies("rails.json-schema-probe"), async () => {
    const { guardrail, asked } = await open(judgeRefusing())
    expect(await guardrail.check(chatOf("hello"))).toMatchObject({ status: "success" })
    expect(asked("judge")).toMatchObject([
      { temperature: 0, max_tokens: 256, response_format: { type: "json_schema" }, stream: false },
    ])
  })

  it("is asked without a schema after it has refused one", verifies("rails.json-schema-probe"), async () => {
    const { guardrail, asked } = await open(judgeRefusing("response_format"))
    await guardrail.check(chatOf("hello"))
    await guardrail.check(chatOf("hello"))
    expect(asked("judge").map((chat) => "response_format" in chat)).toEqual([true, false, false])
  })

  it("is asked without a schema after its server has answered 400 without a reason", async () => {
    const judge: FakeModel = (body) =>
      "response_format" in body ? { fault: { kind: "answer", status: 400, body: "Bad Request" } } : { content: SAFE }
    const { guardrail, asked } = await open(judge)
    expect(await guardrail.check(chatOf("hello"))).toMatchObject({ status: "success" })
    expect(asked("judge")).toHaveLength(2)
  })

  it("is never asked with a schema if its form is not JSON, or if its parameters forbid it", async () => {
    for (const model of [{ family: "llama-guard" }, { parameters: { response_format: null } }]) {
      const { guardrail, asked } = await open(() => ({ content: model.family === undefined ? SAFE : "safe" }), model)
      expect(await guardrail.check(chatOf("hello"))).toMatchObject({ status: "success" })
      expect(asked("judge").map((chat) => "response_format" in chat)).toEqual([false])
    }
  })

  it("gets the limit with its other name after it has refused max_tokens", verifies("rails.tokens"), async () => {
    const { guardrail, asked } = await open(judgeRefusing("max_tokens", "temperature"))
    await guardrail.check(chatOf("hello"))
    await guardrail.check(chatOf("hello"))
    expect(asked("judge")).toHaveLength(4)
    expect(asked("judge").at(-1)).toMatchObject({ max_completion_tokens: 256 })
    expect(asked("judge").at(-1)).not.toHaveProperty("temperature")
  })

  it("throws a refusal that has another reason", async () => {
    const { guardrail, asked } = await open(judgeRefusing("seed"), { parameters: { seed: 1, response_format: null } })
    await expect(guardrail.check(chatOf("hello"))).rejects.toMatchObject({ code: "parameter_unsupported" })
    expect(asked("judge")).toHaveLength(1)
  })
})
