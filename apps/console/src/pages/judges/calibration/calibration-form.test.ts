import { describe, expect, it } from "vitest"
import { bodyOfCalibration, FIRST_CALIBRATION, needsModel } from "./calibration-form.ts"

const open = new Set(["system/self-check"])

describe("the form of a calibration", () => {
  it("makes a judge of each guardrail, and of each model for a guardrail without an address", () => {
    const form = {
      ...FIRST_CALIBRATION,
      dataset: "default/prompts#rows.jsonl",
      judges: ["default/strict", "system/self-check"],
      url: "http://judge.example/v1",
      models: "small, large,",
      secret: "default/key",
      maxFalseBlock: "2.5",
      maxMiss: "",
    }
    const at = { url: "http://judge.example/v1", api_key_secret: "default/key" }
    const judge = (model_id: string) => ({
      params: { guardrail: "system/self-check", model: { api_endpoint: { ...at, model_id } } },
    })
    expect(bodyOfCalibration(form, { workspace: "runs", open })).toEqual({
      namespace: "runs",
      description: "Calibration of default/strict, system/self-check × small, system/self-check × large",
      target: { type: "dataset", dataset: { files_url: "assay://datasets/default/prompts/rows.jsonl" } },
      config: {
        type: "calibration",
        params: { max_false_block: 0.025 },
        tasks: {
          "default/strict": { params: { guardrail: "default/strict" } },
          "system/self-check × small": judge("small"),
          "system/self-check × large": judge("large"),
        },
      },
    })
  })

  it("asks for a model if a guardrail has one without an address", () => {
    const model = { type: "main", model: "judge" }
    expect([
      needsModel({ data: {} }),
      needsModel({ data: { models: [model] } }),
      needsModel({ data: { models: [{ ...model, url: "http://judge.example/v1" }] } }),
      needsModel({ data: { models: [{ ...model, parameters: { base_url: "http://judge.example/v1" } }] } }),
    ]).toEqual([true, true, false, false])
  })
})
