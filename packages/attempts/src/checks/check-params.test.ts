import type { EvaluationConfigBody } from "@assay/schemas"
import { verifies } from "@assay/testkit"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { createLaunchPorts } from "../testing/create-launch-ports.ts"
import { type FolderDatastore, openFolderDatastore } from "@assay/evaluation/testing"
import { checkLaunch } from "./check-launch.ts"

let datastore: FolderDatastore
beforeAll(async () => {
  datastore = await openFolderDatastore()
})
afterAll(() => datastore[Symbol.asyncDispose]())

const CHECK = ["{{sample.output_text}}", "equals", "{{answer}}"]

const NUMBER = { type: "number-check", params: { check: ["1", "equals", "1"], number: "compat" } }

async function checked(config: EvaluationConfigBody) {
  const target = { type: "rows" as const, rows: [{ output: "4", answer: "4" }] }
  const options = { signal: new AbortController().signal }
  const environment = createLaunchPorts(datastore, {})
  const { failed, warnings } = await checkLaunch({ target, config, namespace: "default" }, environment, options)
  return { failed: failed.map(({ message }) => message), warnings: warnings.map(({ message }) => message) }
}

function config(params: object, task: object = {}, metric: object = {}): EvaluationConfigBody {
  const metrics = { same: { type: "string-check", params: { check: CHECK, ...metric } } }
  return { type: "custom", params: { ...params }, tasks: { qa: { type: "data", params: { ...task }, metrics } } }
}

describe("the check of parameters", () => {
  it.each([
    [config({ limit_sample: 1 }), "config.params.limit_sample: has no effect here; did you mean 'limit_samples'?"],
    [config({ paralelism: 1 }), "config.params.paralelism: has no effect here; did you mean 'parallelism'?"],
    [config({}, { max_retrys: 1 }), "tasks.qa.params.max_retrys: has no effect here; did you mean 'max_retries'?"],
    [
      { type: "custom", tasks: { qa: { type: "data", metrics: { tools: NUMBER } } } } as const,
      "tasks.qa.metrics.tools.params.number: has no effect here; did you mean 'numbers'?",
    ],
  ])("refuses a misspelt key, and names the one that was meant", verifies("launch.params"), async (body, message) => {
    expect(await checked(body)).toMatchObject({ failed: [message], warnings: [] })
  })

  it("warns about a key without an effect, and lets the job run", verifies("launch.params"), async () => {
    expect(await checked(config({ vendor_thing: 1 }))).toEqual({
      failed: [],
      warnings: ["config.params.vendor_thing: has no effect here; put parameters for a model under 'extra'"],
    })
    expect(await checked(config({}, {}, { colour: "red" }))).toEqual({
      failed: [],
      warnings: [expect.stringContaining("tasks.qa.metrics.same.params.colour: has no effect here")],
    })
  })

  it("knows the keys of runs, of requests and of every metric", async () => {
    const run = { parallelism: 1, limit_samples: 1, max_rate_limit_wait: 1, repeats: 1, cache: false, extra: { a: 1 } }
    const sent = { temperature: 0, top_k: 1, response_format: {}, chat_template_kwargs: {} }
    const exact = { type: "exact-match", params: { ground_truth: "{{answer}}", candidate: "{{output}}" } }
    const f1 = { type: "f1", params: { references: ["{{answer}}"], prediction: "{{output}}" } }
    const number = { type: "number-check", params: { check: ["1", "equals", "1"], numbers: "compat" } }
    const schema = { type: "json-schema", params: { schema: {}, extract: true, candidate: "{{output}}" } }
    const tasks = { qa: { type: "data", params: { ...run, ...sent }, metrics: { exact, f1, number, schema } } }
    expect(await checked({ type: "custom", params: { ...run, ...sent }, tasks })).toEqual({ failed: [], warnings: [] })
  })

  it("accepts the parameters of the metric in an agentic task", async () => {
    const tasks = { calls: { type: "tool_call_accuracy", params: { strict_order: false, strict_ordr: true } } }
    const { failed, warnings } = await checked({ type: "agentic", tasks })
    expect([...failed, ...warnings].filter((message) => message.includes("has no effect"))).toEqual([
      "tasks.calls.params.strict_ordr: has no effect here; put parameters for a model under 'extra'",
    ])
  })
})
