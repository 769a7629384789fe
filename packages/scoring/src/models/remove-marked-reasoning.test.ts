import { verifies } from "@assay/testkit"
import * as fc from "fast-check"
import { describe, expect, it } from "vitest"
import { readReasoningSettings } from "./reasoning-settings.ts"
import { removeMarkedReasoning } from "./remove-marked-reasoning.ts"

const THINK = { start: "<think>", end: "</think>", keepsUnfinished: false }
const END = { start: null, end: "</think>", keepsUnfinished: true }

describe("removeMarkedReasoning", () => {
  it.each([
    ["<think>\nLyon?\n</think>\n\nParis", "Paris"],
    ["Lyon?\n</think>\nParis", "Paris"],
    ["<think>a</think>Par<think>b</think>is", "Paris"],
    ["a<think>b</think>c</think>Paris", "Paris"],
    ["<think></think>Paris", "Paris"],
    ["Paris", "Paris"],
    [" Paris ", " Paris "],
    ["<think>Lyon?", ""],
    ["Paris<think>Lyon?", "Paris"],
    ["", ""],
  ])("leaves of %j only %j", verifies("run.reasoning"), (text, left) => {
    expect(removeMarkedReasoning(text, THINK)).toBe(left)
  })

  it.each([
    ["Lyon?</think>Paris", "Paris"],
    ["<think>a</think>b</think> Paris", "Paris"],
    ["Paris", "Paris"],
  ])("without a start removes of %j everything up to the last end", verifies("run.reasoning"), (text, left) => {
    expect(removeMarkedReasoning(text, END)).toBe(left)
  })

  it("keeps unfinished reasoning only if the option is set", verifies("run.reasoning"), () => {
    expect(removeMarkedReasoning("<think>Lyon?", { ...THINK, keepsUnfinished: true })).toBe("<think>Lyon?")
    expect(removeMarkedReasoning("Lyon?", { ...END, keepsUnfinished: false })).toBe("")
  })

  it("leaves no end mark, and takes linear time", () => {
    const part = fc.constantFrom("<think>", "</think>", "a ", "b")
    fc.assert(
      fc.property(fc.array(part), (parts) => {
        expect(removeMarkedReasoning(parts.join(""), THINK)).not.toContain("</think>")
      }),
    )
    expect(removeMarkedReasoning("<think></think>".repeat(200_000), THINK)).toBe("")
    expect(removeMarkedReasoning("<think>".repeat(200_000), THINK)).toBe("")
  })
})

describe("readReasoningSettings", () => {
  const TAGS = { start: "<r>", end: "</r>" }

  it.each<[object, object | undefined]>([
    [{}, undefined],
    [{ reasoning: null }, undefined],
    [{ reasoning: { remove: true } }, THINK],
    [{ reasoning: { remove: false, tags: ["<r>", "</r>"] } }, undefined],
    [{ reasoning: { tags: ["<r>", "</r>"] } }, { ...TAGS, keepsUnfinished: false }],
    [{ api_endpoint: { reasoning: { remove: true } } }, THINK],
    [{ prompt: { reasoning_params: { end_token: "</r>" } } }, { start: null, end: "</r>", keepsUnfinished: true }],
    [
      { prompt: { reasoning_params: { end_token: "</r>", include_if_not_finished: false } } },
      { start: null, end: "</r>", keepsUnfinished: false },
    ],
    [{ prompt: { system_prompt: null, reasoning_params: {} } }, undefined],
    [{ adapter_config: { use_reasoning: true } }, { ...THINK, keepsUnfinished: true }],
    [{ adapter_config: { process_reasoning_traces: true } }, { ...THINK, keepsUnfinished: true }],
    [{ adapter_config: { use_reasoning: false, use_request_logging: true } }, undefined],
    [
      {
        api_endpoint: {
          adapter_config: {
            interceptors: [
              "endpoint",
              { name: "caching" },
              { name: "reasoning", config: { start_reasoning_token: "<r>", end_reasoning_token: "</r>" } },
            ],
          },
        },
      },
      { ...TAGS, keepsUnfinished: true },
    ],
    [
      {
        adapter_config: {
          interceptors: [
            { name: "reasoning", config: { start_reasoning_token: null, include_if_not_finished: false } },
          ],
        },
      },
      { start: null, end: "</think>", keepsUnfinished: false },
    ],
    [{ adapter_config: { interceptors: [{ name: "reasoning", enabled: false }] } }, undefined],
  ])("reads %j", verifies("run.reasoning"), (model, marks) => {
    expect(readReasoningSettings(model, "target.model")).toEqual(marks)
  })

  it.each<[object, string]>([
    [{ reasoning: true }, "target.model.reasoning"],
    [{ reasoning: { remove: "yes" } }, "target.model.reasoning"],
    [{ reasoning: { tags: ["<r>"] } }, "target.model.reasoning.tags"],
    [{ reasoning: { tags: ["<r>", ""] } }, "target.model.reasoning.tags"],
    [{ reasoning: { tag: "<r>" } }, "target.model.reasoning.tag"],
    [{ prompt: { system_prompt: "Be brief." } }, "target.model.prompt.system_prompt"],
    [{ prompt: { inference_params: { temperature: 1 } } }, "target.model.prompt.inference_params"],
    [{ prompt: { icl_template: "x" } }, "target.model.prompt.icl_template"],
    [{ prompt: { reasoning_params: { end_token: 5 } } }, "target.model.prompt.reasoning_params.end_token"],
    [{ adapter_config: { use_system_prompt: true } }, "target.model.adapter_config.use_system_prompt"],
    [{ adapter_config: { interceptors: [{ name: "system_message" }] } }, "'system_message', which is not supported"],
    [{ reasoning: {}, adapter_config: { use_reasoning: true } }, "differs from 'target.model.reasoning'"],
  ])("refuses %j by its name", verifies("run.reasoning"), (model, said) => {
    expect(() => readReasoningSettings(model, "target.model")).toThrow(said)
  })
})
