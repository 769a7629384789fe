import { expect, it } from "vitest"
import { readLaunchFile } from "../launch/file/read-launch-file.ts"
import { cellsOfFile } from "./cells-of-file.ts"

const TOOLS = { readLaunchFile }

const FILE = {
  models: ["http://h/v1#small", "http://h/v1#large"],
  data: "default/rows#a.csv",
  prompt: "{{ q }}",
  checks: [{ equals: "{{ a }}" }],
  gates: ["equals >= 0.8"],
  repeat: 5,
  limits: { rows: 100_000 },
}

it("each model of a file asks about one row once, whatever the file says about repeats, gates and rows", () => {
  const { models, faults } = cellsOfFile(FILE, TOOLS)
  expect([models.map(({ label }) => label), faults]).toEqual([["small", "large"], []])
  expect(models[1]?.bodyOf({ q: "x", a: 1 })).toMatchObject({
    target: { model: { api_endpoint: { model_id: "large" } } },
    config: {
      params: { limit_samples: 1 },
      tasks: { answers: { dataset: { rows: [{ q: "x", a: 1 }] }, metrics: { equals: { type: "accuracy" } } } },
    },
  })
  const { params } = (models[0]?.bodyOf({}).config ?? {}) as { readonly params?: object }
  expect(Object.keys(params ?? {}).toSorted()).toEqual(["limit_samples", "max_retries"])
})

it("a file with a fault tries nothing, and says why", () => {
  expect(cellsOfFile({ ...FILE, checks: [{ equal: 1 }] }, TOOLS)).toMatchObject({ models: [], faults: [{}] })
  expect(cellsOfFile({}, TOOLS)).toEqual({ models: [], faults: [] })
})
