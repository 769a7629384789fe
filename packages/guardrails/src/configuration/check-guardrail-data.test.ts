import { isAssayError, type GuardrailData } from "@assay/schemas"
import { verifies } from "@assay/testkit"
import { describe, expect, it } from "vitest"
import { builtInConfigurations } from "../built-in/built-in-configurations.ts"
import { checkGuardrailData } from "./check-guardrail-data.ts"

const MODELS = [{ type: "main" }, { type: "content_safety" }]

function faultsOf(data: Omit<GuardrailData, "models"> & Partial<GuardrailData>) {
  try {
    checkGuardrailData({ models: MODELS, ...data })
  } catch (error) {
    if (isAssayError(error, "invalid_request"))
      return error.issues.map(({ loc, msg, type }) => ({ loc: loc.slice(2), msg, type }))
    throw error
  }
  return []
}

describe("checkGuardrailData", () => {
  it("accepts a configuration in the form of the real platform", verifies("rails.configuration"), () => {
    const found = faultsOf({
      models: [
        { type: "content_safety", engine: "openai", model: "m-8b", url: "https://host/v1", family: "user-safety-json" },
        { type: "main" },
      ],
      prompts: [
        {
          task: "content_safety_check_input $model=content_safety",
          content: "…{{ user_input }}…",
          output_parser: "nemoguard_parse_prompt_safety",
          max_tokens: 50,
        },
      ],
      rails: {
        input: { flows: ["content safety check input $model=content_safety", "self check input"] },
        output: { flows: ["self check output"], streaming: { chunk_size: 200, context_size: 50 } },
      },
      policies: { "self check input": { on_unreadable: "block" } },
    })
    expect(found).toEqual([])
  })

  it("accepts the built-in configurations", () => {
    for (const { data } of builtInConfigurations()) expect(() => checkGuardrailData(data)).not.toThrow()
  })

  it("reports all faults together, each with its location", verifies("rails.configuration-checked"), () => {
    const found = faultsOf({
      models: [{ type: "judge", family: "gossip" }, { type: "judge" }],
      prompts: [
        { task: "self_check_input", content: "ok\n{% if %}" },
        { task: "self_check_input", content: "{{ user_name }}" },
        { task: "self_check_output" },
      ],
      rails: {
        input: {
          flows: [
            "self check sideways",
            "self check input $model=small",
            "self check output $model=judge",
            "ensemble ghosts",
          ],
        },
      },
      policies: { "self check output": { on_error: "block" } },
    })
    expect(found.map(({ loc, type }) => `${loc.join(".")} ${type}`)).toEqual([
      "models.1.type duplicate",
      "models.0.family unknown_family",
      "prompts.1.task duplicate",
      "prompts.0.content template_error",
      "prompts.1.content unknown_name",
      "prompts.2 one_of",
      "rails.input.flows.0 unknown_flow",
      "rails.input.flows.1 unknown_model",
      "rails.input.flows.2 wrong_place",
      "rails.input.flows.3 unknown_ensemble",
      "policies.self check output unknown_flow",
    ])
    expect(found.find(({ type }) => type === "template_error")?.msg).toContain("line 2")
    expect(found.find(({ type }) => type === "unknown_model")?.msg).toContain("'small'")
  })

  it("refuses ensembles that contain themselves or mix directions", () => {
    const found = faultsOf({
      rails: { input: { flows: ["ensemble a", "ensemble mixed"] } },
      ensembles: [
        { name: "a", kind: "majority", flows: ["ensemble b"] },
        { name: "b", kind: "cascade", flows: ["self check input", "ensemble a"] },
        { name: "mixed", kind: "any-block", flows: ["self check input", "self check output"] },
        { name: "mixed", kind: "any-block", flows: ["self check input"] },
      ],
    })
    expect(found.map(({ loc, type }) => `${loc.join(".")} ${type}`)).toEqual([
      "rails.input.flows.1 wrong_place",
      "ensembles.3.name duplicate",
      "ensembles.0.flows cycle",
      "ensembles.1.flows cycle",
      "ensembles.2.flows wrong_place",
      "ensembles.3.flows wrong_place",
    ])
  })

  it("demands a prompt if there is no built-in one for the judge's form", () => {
    const found = faultsOf({
      models: [{ type: "main", family: "harm-lines" }],
      rails: { input: { flows: ["content safety check input"] } },
    })
    expect(found).toMatchObject([
      { type: "missing_prompt", msg: expect.stringContaining("content_safety_check_input") },
    ])
  })
})
