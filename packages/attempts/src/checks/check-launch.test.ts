import { AssayError, type EvaluationConfigBody, type EvaluationTargetBody } from "@assay/schemas"
import { type FakeInference, startFakeInference, verifies } from "@assay/testkit"
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest"
import { createLaunchPorts, type LaunchPortsOptions } from "../testing/create-launch-ports.ts"
import { type FolderDatastore, openFolderDatastore } from "@assay/evaluation/testing"
import { checkLaunch } from "./check-launch.ts"
import { launchRefused } from "./check-run.ts"

let datastore: FolderDatastore
let fake: FakeInference
beforeAll(async () => {
  datastore = await openFolderDatastore()
  await datastore.add("questions", {
    "rows.jsonl": '{"question":"2+2?","answer":"4"}\n{"question":"3+3?","answer":"6"}\n',
    "broken.jsonl":
      '{"question":"2+2?","answer":"4"}\n{"question":\n[1]\n{"question":"2+2?","answer":"4","answer":"5"}\n',
    "empty.jsonl": "",
    // Rows of different lengths, of which the first are the shortest: an estimate from sizes would be wrong.
    "many.jsonl": Array.from({ length: 45 }, (_, at) => `{"question":"${"?".repeat(at * at)}","answer":"4"}\n`).join(
      "",
    ),
  })
  const schema = { type: "object", properties: { question: { type: "string" }, hint: {} }, required: ["question"] }
  await datastore.add("strict", { "rows.jsonl": '{"question":"2+2?"}\n{"question":7}\n' }, { schema })
  await datastore.add("good", { "rows.jsonl": '{"question":"2+2?"}\n' }, { schema })
  fake = await startFakeInference()
})
afterAll(async () => {
  await datastore[Symbol.asyncDispose]()
  await fake.close()
})
beforeEach(() => fake.faults.clear())

const modelAt = (url: string, model_id = "chat", more: object = {}): EvaluationTargetBody => ({
  type: "model",
  model: { api_endpoint: { url, model_id, ...more } },
})
const echo = () => modelAt(`${fake.url}/v1`)

/** Returns one task that sends a field and compares the answer with another field. */
function asking(
  files_url: unknown,
  { field = "question", answer = "answer", metrics = {} } = {},
): EvaluationConfigBody {
  const check = { type: "string-check", params: { check: ["{{sample.output_text}}", "equals", `{{item.${answer}}}`] } }
  const template = { messages: [{ role: "user", content: `{{item.${field}}}` }] }
  return {
    type: "custom",
    tasks: {
      qa: { type: "chat-completion", params: { template }, metrics: { check, ...metrics }, dataset: { files_url } },
    },
  }
}
const FILE = "assay://datasets/default/questions/rows.jsonl"

interface Launch extends LaunchPortsOptions {
  readonly checkMs?: number | undefined
  readonly signal?: AbortSignal
}
function launch(
  target: EvaluationTargetBody,
  config: EvaluationConfigBody,
  { checkMs, signal, ...environment }: Launch = {},
) {
  const options = { signal: signal ?? new AbortController().signal, checkMs }
  return checkLaunch({ target, config, namespace: "default" }, createLaunchPorts(datastore, environment), options)
}

it("The checks pass for a job that can run, and call each endpoint once for one token", async () => {
  const before = fake.requests.length
  expect(await launch(echo(), asking(FILE))).toMatchObject({ failed: [], warnings: [] })
  const asked = fake.requests.slice(before).map(({ chat }) => chat)
  expect(asked).toMatchObject([{ model: "chat", max_tokens: 1 }])
})

it(
  "The checks run in parallel and report all failures together",
  verifies("launch.together", "brief.evaluation.checks", "brief.condition.launch-refused"),
  async () => {
    const judge = {
      type: "llm-judge",
      params: {
        model: modelAt("http://127.0.0.1:1/v1", "judge").model,
        template: { messages: [{ role: "user", content: "{{ item.qestion" }] },
        scores: { quality: { type: "int", minimum: 1, maximum: 5, parser: { type: "json", json_path: "quality" } } },
      },
    }
    const config = asking(FILE, { field: "qestion", metrics: { judge } })
    const missing = { ...asking("hf://datasets/default/questions/row.jsonl").tasks?.["qa"] }
    const probeResults = () => Promise.reject(new AssayError("disk_full", "No space is left"))
    const { failed } = await launch(
      modelAt(`${fake.url}/v1`, "chatt"),
      { ...config, tasks: { ...config.tasks, missing, malformed: { ...missing, dataset: { files_url: "rows" } } } },
      { probeResults },
    )
    expect(failed.map(({ check, code }) => `${check} ${code}`).toSorted()).toEqual([
      "dataset dataset_format",
      "dataset dataset_missing",
      "endpoint inference_unreachable",
      "endpoint model_not_found",
      "fields rows_invalid",
      "results disk_full",
      "shape template_error",
    ])
    for (const { message, remedy } of failed)
      expect([message.length, remedy.length].every((length) => length > 10)).toBe(true)
    const files = failed.find(({ code }) => code === "dataset_missing")
    expect(files?.message).toMatch(/; near it: 'rows\.jsonl' \(config\.tasks\.missing\.dataset\)\.$/)
    const error = launchRefused(failed)
    expect(error).toMatchObject({ code: "launch_refused", context: { failed_checks: failed } })
    expect(error.message).toMatch(/^Job cannot be launched: 7 checks failed\./)
  },
)

it(
  "Prices of the job count in its plan and its max_cost, not for the budget of its workspace",
  verifies("plans.prices"),
  async () => {
    const prices = [{ model: "chat", prompt_price: 1, completion_price: 1 }]
    const config = { ...asking(FILE), params: { max_tokens: 5, prices, budget: { max_cost: 1 } } }
    const { failed, estimate } = await launch(echo(), config)
    expect([failed, estimate.cost]).toEqual([[], expect.closeTo(0.000_01, 5)])
    const month = { workspace: "default", month: "2026-11", resets_at: "2026-12-01T00:00:00.000Z", exhausted: null }
    const usage = { requests: 0, prompt_tokens: 0, completion_tokens: 0, unpriced_tokens: 0, cost: null }
    const getBudget = async () => ({ ...month, limits: { max_cost: 20 }, usage })
    expect((await launch(echo(), config, { getBudget })).failed).toMatchObject([{ check: "budget" }])
  },
)

describe("the check of fields", () => {
  it("warns of an expected text that is empty, in any row of a small dataset", async () => {
    const answers = Array.from({ length: 30 }, (_, at) => (at === 24 || at === 3 ? " " : "4"))
    const text = answers.map((answer, at) => `{"question":"${at}+2?","answer":"${answer}","hint":""}\n`).join("")
    await datastore.add("blanks", { "rows.jsonl": text })
    const { failed, warnings } = await launch(echo(), asking("assay://datasets/default/blanks/rows.jsonl"))
    expect(failed).toEqual([])
    expect(warnings).toEqual([
      {
        check: "fields",
        code: "rows_invalid",
        message:
          "tasks.qa.metrics.check: compares with 'answer', which is empty in rows.jsonl line 4, rows.jsonl line 25.",
        remedy: "Fill in 'answer', or remove the rows: a search for an empty text has no score.",
      },
    ])
  })

  it("reports a missing field, its reader, and similar fields", verifies("launch.fields"), async () => {
    const { failed } = await launch(echo(), asking(FILE, { field: "qestion" }))
    expect(failed).toMatchObject([
      { check: "fields", code: "rows_invalid", remedy: expect.stringContaining("'question'") },
    ])
    expect(failed[0]?.message).toMatch(
      /tasks\.qa\.params\.template.*line 1, reads 'qestion', which the rows of .*rows\.jsonl don't have; near it: 'question'/,
    )
  })

  it("looks for the field of cluster_by in the rows", verifies("launch.fields"), async () => {
    const { failed } = await launch(echo(), { ...asking(FILE), params: { cluster_by: "questoin" } })
    expect(failed[0]?.message).toMatch(/^'cluster_by' of task 'qa' reads 'questoin', which .* near it: 'question'/)
    expect((await launch(echo(), { ...asking(FILE), params: { cluster_by: "question" } })).failed).toEqual([])
  })

  it("looks for the columns of slices in the rows", verifies("metric.slices"), async () => {
    const { failed } = await launch(echo(), { ...asking(FILE), params: { slices: ["question", "questoin"] } })
    expect(failed).toHaveLength(1)
    expect(failed[0]?.message).toMatch(/^'slices' of task 'qa' reads 'questoin', which .* near it: 'question'/)
    expect((await launch(echo(), { ...asking(FILE), params: { slices: ["question.length"] } })).failed).toEqual([])
  })

  it("accepts a field that only the row schema has", verifies("launch.fields"), async () => {
    const config = asking("default/good", { answer: "hint" })
    expect((await launch(echo(), config)).failed).toEqual([])
  })

  it("a task without a prompt names a prompt that reads a column", async () => {
    const { template: _none, ...params } = asking(FILE).tasks?.["qa"]?.params ?? {}
    const config = asking(FILE)
    const { failed } = await launch(echo(), { ...config, tasks: { qa: { ...config.tasks?.["qa"], params } } })
    expect(failed).toMatchObject([
      {
        message: expect.stringMatching(/^Task 'qa' reads 'messages' or 'prompt', which/),
        remedy: expect.stringMatching(/^Write a prompt .*, such as "\{\{ \w+ \}\}"\.$/),
      },
    ])
  })

  it("reads the rows of a target", verifies("launch.fields"), async () => {
    const target: EvaluationTargetBody = { type: "rows", rows: [{ output: "4", result: "4" }] }
    const { dataset: _none, ...task } = asking(FILE).tasks?.["qa"] ?? {}
    const { failed } = await launch(target, { type: "custom", tasks: { qa: { ...task, type: "data" } } })
    expect(failed).toMatchObject([{ check: "fields", message: expect.stringContaining("reads 'answer'") }])
  })
})

describe("the check of rows", () => {
  it("reports lines that can't be parsed", verifies("launch.rows"), async () => {
    const { failed } = await launch(echo(), asking("default/questions#broken.jsonl"))
    expect(failed).toMatchObject([{ check: "rows", code: "rows_invalid" }])
    expect(failed[0]?.message).toMatch(
      /3 of the first 4 rows .* broken\.jsonl line 2 .*; broken\.jsonl line 3 is not an object; .* line 4 has the key "answer" twice/,
    )
  })

  it("reports lines that break the row schema of their fileset", verifies("launch.rows"), async () => {
    const { failed } = await launch(echo(), asking("default/strict", { answer: "hint" }))
    expect(failed).toMatchObject([{ check: "rows", code: "rows_invalid" }])
    expect(failed[0]?.message).toContain("rows.jsonl line 2 breaks its schema: /question")
  })

  it("refuses a file without rows", async () => {
    const { failed } = await launch(echo(), asking("default/questions#empty.jsonl"))
    expect(failed).toMatchObject([
      {
        check: "rows",
        message: "Dataset default/questions#empty.jsonl has no rows (config.tasks.qa.dataset).",
        remedy: "Add rows to the file, or name another file.",
      },
    ])
  })
})

describe("the check of datasets", () => {
  it("reads the rows of the split up to the limit", verifies("launch.rows"), async () => {
    await datastore.add("splits", { "dev.jsonl": "broken\n", "test.jsonl": '{"question":"?","answer":"!"}\nbroken\n' })
    const files_url = "default/splits"
    const launched = async (dataset: object) => {
      const config = asking(files_url)
      const qa = { ...config.tasks?.["qa"], dataset: { files_url, ...dataset } }
      return (await launch(echo(), { ...config, tasks: { qa } })).failed.map(({ check, code }) => `${check} ${code}`)
    }
    expect(await launched({ split: "test", limit: 1 })).toEqual([])
    expect(await launched({ split: "test" })).toEqual(["rows rows_invalid"])
    expect(await launched({ split: "train" })).toEqual(["dataset dataset_missing"])
  })
})

describe("checks that take too long", () => {
  it("fail at their own limit, and do not delay other checks", verifies("launch.together"), async () => {
    fake.faults.add({ fault: { kind: "hang" } })
    const openDataset = () => new Promise<never>(() => {})
    const { failed } = await launch(echo(), asking(FILE), { checkMs: 100, openDataset })
    expect(failed).toMatchObject([
      {
        check: "dataset",
        code: "datastore_unreachable",
        message: expect.stringContaining(`file ${FILE} on the datastore`),
      },
      { check: "endpoint", code: "request_timeout", message: expect.stringContaining("within 100 ms") },
    ])
  })

  it("end when the launch is aborted", async () => {
    const leaving = new AbortController()
    const openDataset = () => new Promise<never>(() => leaving.abort(new Error("gone")))
    await expect(launch(echo(), asking(FILE), { openDataset, signal: leaving.signal })).rejects.toThrow("gone")
  })
})

it("The checks report a location where results can't be written", verifies("launch.results"), async () => {
  const probeResults = () => Promise.reject(new AssayError("method_not_allowed", "The hub is read-only"))
  const { failed } = await launch(echo(), asking(FILE), { probeResults })
  expect(failed).toMatchObject([{ check: "results", message: "The results can't be written: The hub is read-only" }])
})

it("A small dataset is counted to its end for the estimate", verifies("launch.estimate"), async () => {
  const config = asking("assay://datasets/default/questions/many.jsonl")
  const { failed, estimate } = await launch(echo(), config)
  expect([failed, estimate.rows, estimate.about_rows, estimate.requests]).toEqual([[], 45, 45, 45])
  const limited = await launch(echo(), { ...config, params: { limit_samples: 30 } })
  expect(limited.estimate.rows).toBe(30)
})
