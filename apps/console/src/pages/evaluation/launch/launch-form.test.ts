import { expect, it } from "vitest"
import { datasetsOf } from "./datasets-of.ts"
import { bodyOfForm, FIRST_FORM } from "./launch-form.ts"

it("a form becomes the definition of a job, with limits and a secret if they are given", () => {
  const body = bodyOfForm({ ...FIRST_FORM, secret: "default/key", limit: "20", metrics: ["equals", "f1"] })
  expect(body.target).toEqual({
    type: "model",
    model: {
      api_endpoint: { url: "http://127.0.0.1:9000/v1", model_id: "echo", api_key_secret: "default/key" },
    },
  })
  expect(body.config).toMatchObject({
    params: { limit_samples: 20 },
    tasks: {
      answers: {
        dataset: { files_url: "assay://datasets/default/questions/rows.jsonl" },
        metrics: {
          equals: {
            type: "string-check",
            params: { check: ["{{ sample.output_text }}", "equals", "{{ item.answer }}"] },
          },
          f1: { type: "f1", params: { ground_truth: "{{ item.answer }}" } },
        },
      },
    },
  })
})

it("the datasets of a definition are found with the smallest limit and the repeats", () => {
  const tasks = {
    one: {
      dataset: { files_url: "assay://datasets/ws/set/a/b.csv", limit: 50 },
      params: { limit_samples: 10, repeats: 3 },
    },
    two: { dataset: "ws/other" },
  }
  expect(datasetsOf({ config: { type: "custom", params: { limit_samples: 100 }, tasks } })).toEqual([
    { workspace: "ws", fileset: "set", path: "a/b.csv", limit: 10, repeats: 3 },
  ])
  expect(datasetsOf({})).toEqual([])
})
