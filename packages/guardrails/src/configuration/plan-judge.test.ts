import type { GuardrailData } from "@assay/schemas"
import { verifies } from "@assay/testkit"
import { describe, expect, it } from "vitest"
import { parseFlow } from "./parse-flow.ts"
import { planJudge } from "./plan-judge.ts"

function planOf(name: string, data: Partial<GuardrailData>) {
  const flow = parseFlow(name)
  if (flow?.type !== "judge") throw new Error(`${name} is not a flow of a judge`)
  return planJudge(flow, { models: [{ type: "main" }], rails: {}, ...data })
}

describe("planJudge", () => {
  it("accepts parser names of vendors as families", verifies("rails.vendor-parsers"), () => {
    const familyOf = (output_parser: string) =>
      planOf("content safety check input", {
        prompts: [{ task: "content_safety_check_input", content: "x", output_parser }],
      }).family
    expect(familyOf("nemoguard_parse_prompt_safety")).toBe("user-safety-json")
    expect(familyOf("nemotron_reasoning_parse_response_safety")).toBe("harm-lines")
    expect(familyOf("is_content_safe")).toBeNull()
  })

  it("prefers the prompt for the flow's own model", () => {
    const prompts = [
      { task: "self_check_input", content: "for all" },
      { task: "self_check_input $model=small", content: "for small" },
    ]
    const models = [{ type: "main" }, { type: "small" }]
    expect(planOf("self check input $model=small", { models, prompts }).prompt?.content).toBe("for small")
    expect(planOf("self check input", { models, prompts }).prompt?.content).toBe("for all")
  })

  it("reads the answer to a built-in prompt in the form that the prompt requires, regardless of the model's family", () => {
    const models = [{ type: "main", family: "user-safety-json" }]
    expect(planOf("self check input", { models }).family).toBe("self-check")
  })

  it("sends guard models with a policy of their own only the conversation", () => {
    const models = [{ type: "llama_guard", family: "llama-guard" }]
    const plan = planOf("llama guard check output", { models })
    expect(plan.modelType).toBe("llama_guard")
    expect(plan.prompt?.messages).toMatchObject([{ content: "{{ user_input }}" }, { content: "{{ bot_response }}" }])
  })
})
