import type { GuardrailData } from "@assay/schemas"
import { verifies } from "@assay/testkit"
import { expect, it } from "vitest"
import { configurationWarnings } from "./configuration-warnings.ts"

const PROMPT = { task: "self_check_input", content: "{{ user_input }}" }

function warningsOf(prompt: object, model: object = {}): readonly string[] {
  const data = {
    models: [{ type: "main", engine: "x", model: "m", url: "http://127.0.0.1/v1", ...model }],
    prompts: [{ ...PROMPT, ...prompt }],
    rails: { input: { flows: ["self check input"] } },
  }
  return configurationWarnings(data as unknown as GuardrailData).map(({ loc, type }) => `${loc.join(".")} ${type}`)
}

it("A judge that may write one token is warned of, wherever its limit is", verifies("verdict.cut-word"), () => {
  expect(warningsOf({ max_tokens: 1 })).toEqual(["body.data.prompts.0.max_tokens token_limit"])
  expect(warningsOf({}, { parameters: { max_tokens: 1 } })).toEqual([
    "body.data.models.0.parameters.max_tokens token_limit",
  ])
  expect(warningsOf({}, { parameters: { max_completion_tokens: 1 } })).toEqual([
    "body.data.models.0.parameters.max_completion_tokens token_limit",
  ])
  expect(warningsOf({ max_tokens: 3 }, { parameters: { max_tokens: 1 } })).toEqual([])
  expect(warningsOf({})).toEqual([])
})
