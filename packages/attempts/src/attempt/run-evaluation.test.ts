import type { RunOutcome } from "./job-progress.ts"
import { mkdtemp, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { AssayError, type Condition, type EvaluationConfigBody, type EvaluationRow } from "@assay/schemas"
import { createOutages } from "@assay/storage"
import { verifies } from "@assay/testkit"
import { afterEach, beforeEach, describe, expect, it } from "vitest"
import { type FilesetSource, type Journal, openFileJournal, type RunnableJob } from "@assay/evaluation"
import { openFolderDatastore, testEnvironment } from "@assay/evaluation/testing"
import { runEvaluation } from "./run-evaluation.ts"

const ROWS = [
  { output: "Paris", answer: "Paris" },
  { output: "Rome", answer: "Bern" },
]

const CONFIG: EvaluationConfigBody = {
  type: "custom",
  tasks: {
    qa: {
      type: "data",
      metrics: {
        same: { type: "string-check", params: { check: ["{{sample.output_text}}", "equals", "{{item.answer}}"] } },
      },
    },
  },
}

const JOB: RunnableJob = {
  id: "eval-1",
  namespace: "default",
  target: { type: "rows", rows: ROWS },
  config: CONFIG,
  attempt: 1,
  scope: { kind: "run" },
}

describe("running an evaluation", () => {
  let folder: string
  let journal: Journal
  const reported: (readonly Condition[])[] = []
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), "assay-run-"))
    journal = await openFileJournal(join(folder, "rows.jsonl"), { sync: false })
  })
  afterEach(async () => {
    await journal.close()
    await rm(folder, { recursive: true })
    reported.splice(0)
  })

  const run = (
    job: Partial<RunnableJob> = {},
    signal = new AbortController().signal,
    environment = testEnvironment(),
  ) =>
    runEvaluation({ ...JOB, ...job }, environment, {
      journal,
      signal,
      filesUrl: "hf://datasets/default/evaluation-eval-1",
      onProgress: () => {},
      onLog: () => {},
      onConditions: (conditions) => void reported.push(conditions),
    })

  const valueOf = ({ result }: RunOutcome, metric: string) =>
    Object.values(result?.tasks["qa"]?.metrics[metric]?.scores ?? {}).map(({ value }) => value)

  it("returns the result and the status", async () => {
    const outcome = await run()
    expect(outcome).toMatchObject({ status: "COMPLETED", message: "2 rows done.", conditions: [], pins: [] })
    expect(outcome.result).toMatchObject({
      id: "evaluation_result-1",
      job: "eval-1",
      files_url: "hf://datasets/default/evaluation-eval-1",
    })
    expect(valueOf(outcome, "same")).toEqual([0.5])
  })

  it("fails with a condition if the job can't be planned", async () => {
    const tasks = { qa: { ...CONFIG.tasks?.["qa"], dataset: {} } }
    const outcome = await run({ target: { type: "dataset" }, config: { ...CONFIG, tasks } })
    expect(outcome).toMatchObject({ status: "FAILED", result: null, conditions: [{ code: "dataset_format" }] })
    expect(outcome.message).toBe(outcome.conditions[0]?.message)
  })

  it.each([
    ["waits", "unavailable", { status: "COMPLETED", asked: 2 }],
    // A user waits for this error, which can be that of a wrong address.
    ["does not wait", "upstream_failed", { status: "FAILED", asked: 1 }],
  ] as const)("%s if it is planned while its datastore fails with %s", async (_, code, expected) => {
    await using datastore = await openFolderDatastore()
    await datastore.add("rows", { "rows.jsonl": ROWS.map((row) => `${JSON.stringify(row)}\n`).join("") })
    let asked = 0
    const getFileset: FilesetSource["getFileset"] = async (...names) => {
      if (++asked === 1) throw new AssayError(code, "It does not respond.")
      return datastore.source.getFileset(...names)
    }
    const failing = { ...datastore, source: { ...datastore.source, getFileset } }
    const outages = createOutages({ now: () => 0, random: () => 0, sleep: async () => {} })
    const dataset = { files_url: "hf://datasets/default/rows/rows.jsonl" }
    const config = { ...CONFIG, tasks: { qa: { ...CONFIG.tasks?.["qa"], dataset } } }
    const outcome = await run({ target: { type: "dataset" }, config }, undefined, testEnvironment(failing, { outages }))
    expect({ status: outcome.status, asked }).toEqual(expected)
  })

  it("ends as cancelled if it is stopped before it began", async () => {
    const outcome = await run({}, AbortSignal.abort())
    expect(outcome.status).toBe("CANCELLED")
  })

  const failedRow = (row_index: number, code: string): EvaluationRow => ({
    task: "qa",
    row_index,
    repeat: 0,
    attempt: 1,
    item: ROWS[row_index] ?? {},
    sample: null,
    scores: {},
    error: { code, message: `Row ${row_index} failed.` },
  })

  it("reports also rows that failed before another runner continued the job", verifies("run.resume"), async () => {
    journal.append(failedRow(0, "context_overflow"))
    await journal.flush()
    const outcome = await run({ config: { ...CONFIG, params: { max_failed_share: 1 } } })
    expect(outcome.conditions).toMatchObject([{ code: "context_overflow", count: 1 }])
    expect(outcome.message).toBe("2 rows done, 1 of them failed.")
  })

  it("does not report failures of rows that it evaluates again", async () => {
    journal.append(failedRow(0, "context_overflow"))
    journal.append(failedRow(1, "inference_unauthorized"))
    await journal.flush()
    const outcome = await run({ attempt: 2, scope: { kind: "retry-failed" } })
    expect(outcome).toMatchObject({ status: "COMPLETED", message: "2 rows done.", conditions: [] })
  })

  it("adds new scores to the existing ones, and forgets failures from before a retry", async () => {
    journal.append(failedRow(0, "context_overflow"))
    await journal.flush()
    await run({ attempt: 2, scope: { kind: "retry-failed" } })
    const exact = { type: "exact-match", params: { ground_truth: "{{item.answer}}" } }
    const outcome = await run({ attempt: 3, scope: { kind: "score", metrics: { qa: { exact } } } })
    expect([valueOf(outcome, "same"), valueOf(outcome, "exact")]).toEqual([[0.5], [0.5]])
    expect(outcome.conditions).toEqual([])
  })
})
