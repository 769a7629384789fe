import type { EvaluationConfigBody, EvaluationTargetBody } from "@assay/schemas"
import { verifies } from "@assay/testkit"
import { describe, expect, it } from "vitest"
import { shapePlan } from "../shape-plan.ts"

const rows = [{ prompt: "Hello", label: "safe" }]
const model = { api_endpoint: { url: "http://127.0.0.1:9/v1", model_id: "judge" } }

function shape(
  judge: Record<string, unknown>,
  params: EvaluationConfigBody["params"] = {},
  target: EvaluationTargetBody = { type: "rows", rows },
) {
  const { tasks, issues } = shapePlan(target, { type: "calibration", params, tasks: { strict: judge } })
  return { tasks, issues: issues.map(({ message }) => message) }
}

describe("the shape of a calibration", () => {
  it("is a task for each judge, whose model has its own address", verifies("config.calibration"), () => {
    const { tasks, issues } = shape({ params: { model } }, { repeats: 3, limit_samples: 5, max_miss: 0.1 })
    expect(issues).toEqual([])
    expect(tasks).toMatchObject([{ name: "strict", endpoints: [model.api_endpoint], run: { repeats: 3, limit: 5 } }])
    expect(shape({ params: { guardrail: "default/strict" } }).tasks).toMatchObject([{ endpoints: [] }])
    expect(shapePlan({ type: "rows", rows }, { type: "calibration" }).issues).toHaveLength(1)
  })

  it.each([
    [{ params: {} }, {}, "tasks.strict.params.guardrail: is missing"],
    [{ params: { model: { url: "http://a" } } }, {}, "tasks.strict.params.model: needs the model that judges"],
    [{ params: { model, repeats: 2 } }, {}, "tasks.strict.params.repeats: applies to all judges"],
    [{ params: { model, max_miss: 0.2 } }, {}, "tasks.strict.params.max_miss: applies to all judges"],
    [{ params: { model, logprobs: 1 } }, {}, "tasks.strict.params.logprobs: write true or false"],
    [{ params: { model }, dataset: "default/other" }, {}, "tasks.strict.dataset: is not used"],
  ])("refuses %j, which would give judges different questions or none", (judge, params, message) => {
    expect(shape(judge, params).issues.join("\n")).toContain(message)
  })

  it("refuses a target without labelled prompts", () => {
    expect(shape({ params: { model } }, {}, { type: "model", model }).issues[0]).toContain(
      "target.type: is 'model', and the target of a calibration is its labelled prompts",
    )
  })
})
