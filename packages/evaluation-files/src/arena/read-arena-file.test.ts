import { verifies } from "@assay/testkit"
import { describe, expect, it } from "vitest"
import { parseYaml } from "@assay/validation"
import { readArenaFile } from "./read-arena-file.ts"

const read = (text: string) => readArenaFile(parseYaml(text, "arena.yaml"))
const endpoint = { url: "http://a/v1", model_id: "m" }

describe("an arena file", () => {
  it("takes models in each form, folders, and the judge of a check", verifies("arena.file"), () => {
    const { models, judge, ...rest } = read(`
models:
  short: http://a/v1#m
  parameters: { url: http://a/v1, model: m, temperature: 0.2 }
  long: { api_endpoint: { url: http://a/v1, model_id: m } }
  target: { type: model, model: { api_endpoint: { url: http://a/v1, model_id: m } } }
  old: ./results
dataset: rows.jsonl
params: { template: { system: Be kind., user: "{{ question }}" }, top: 2, alpha: 0.1, max_tokens: 50 }
judge: { ask: Which is kinder?, model: http://a/v1#m }
`)
    expect(models).toEqual([
      { kind: "model", name: "short", model: { api_endpoint: endpoint }, parameters: {} },
      { kind: "model", name: "parameters", model: { api_endpoint: endpoint }, parameters: { temperature: 0.2 } },
      { kind: "model", name: "long", model: { api_endpoint: endpoint }, parameters: {} },
      { kind: "model", name: "target", model: { api_endpoint: endpoint }, parameters: {} },
      { kind: "folder", name: "old", folder: "./results" },
    ])
    expect(judge).toEqual({
      ask: "Which is kinder?",
      judge: { model: { api_endpoint: endpoint } },
      question: "user: {{ question }}",
    })
    expect(rest).toMatchObject({ top: 2, alpha: 0.1, seed: 0, dataset: { files_url: "./rows.jsonl" } })
    expect(rest.parameters).toEqual({ max_tokens: 50 })
  })

  it("has a judge in the long form, and rows of its own", verifies("arena.file"), () => {
    const { judge, dataset, template } = read(`
models: { a: http://a/v1#m, b: ./x }
dataset: [{ prompt: Hello }]
judge: { model: { api_endpoint: { url: http://a/v1, model_id: m } } }
`)
    expect([judge, dataset, template]).toEqual([
      { judge: { model: { api_endpoint: endpoint } } },
      { rows: [{ prompt: "Hello" }] },
      undefined,
    ])
  })
})
