import { outputDigest } from "@assay/results/testing"
import { mkdtemp, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { AssayError, type JobGate, type LabelRow } from "@assay/schemas"
import { verifies } from "@assay/testkit"
import { afterEach, beforeEach, expect, it } from "vitest"
import { type JobEnvironment, type Journal, openFileJournal } from "@assay/evaluation"
import { testEnvironment } from "@assay/evaluation/testing"
import { runEvaluation } from "./run-evaluation.ts"

const rows = Array.from({ length: 600 }, (_, at) => ({ at, output: at % 10 === 0 ? "no" : "yes" }))
/** People say yes to every second row. */
const labels = rows.map((item, at): LabelRow => {
  const sample = { output_text: item.output, response: null, usage: null, latency_ms: null, finish_reason: null }
  const address = { task: "qa", row_index: at, repeat: 0, job: "eval-1", created_at: "2026-11-24T00:00:00.000Z" }
  const label = { metric: "same.string-check", label: at % 2, author: null, probability: 1 }
  return { digest: outputDigest({ item, sample }), ...label, ...address }
})

let folder: string
let journal: Journal
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "assay-labelled-"))
  journal = await openFileJournal(join(folder, "rows.jsonl"), { sync: false })
})
afterEach(async () => {
  await journal.close()
  await rm(folder, { recursive: true })
})

async function run(
  readLabels: JobEnvironment["readLabels"],
  { gates = [], stop = new AbortController() }: Options = {},
) {
  const params = { check: ["{{ sample.output_text }}", "equals", "yes"] }
  const same = { type: "string-check", params, labels: "default/labels" }
  const log: string[] = []
  const outcome = await runEvaluation(
    {
      id: "eval-1",
      namespace: "default",
      attempt: 1,
      scope: { kind: "run" },
      target: { type: "rows", rows },
      config: { type: "custom", params: { gates: [...gates] }, tasks: { qa: { type: "data", metrics: { same } } } },
    },
    { ...testEnvironment(), readLabels },
    {
      journal,
      signal: stop.signal,
      filesUrl: null,
      onProgress: () => {},
      onLog: ({ level, message }) => void log.push(`${level} ${message}`),
      onConditions: () => {},
    },
  )
  return { ...outcome, log, score: outcome.result?.tasks["qa"]?.metrics["same"]?.scores["string-check"] }
}

interface Options {
  readonly gates?: readonly JobGate[]
  readonly stop?: AbortController
}

it(
  "Labels correct the score of a job, and its gates compare the score itself",
  verifies("eval.labels.option"),
  async () => {
    const gates: readonly JobGate[] = [{ task: "qa", metric: "same", op: ">=", value: 0.8 }]
    const { status, score, progress } = await run(async () => ({ name: "default/labels", rows: labels }), { gates })
    expect([status, score?.value, progress.gates?.[0]?.verdict]).toEqual(["COMPLETED", 0.9, "PASS"])
    expect(score?.corrected).toMatchObject({ rows: 600, labels: 600, corrected: { mean: expect.closeTo(0.5, 9) } })
  },
)

it("A job that its gates end early has a corrected mean without an interval", async () => {
  const gates: readonly JobGate[] = [{ task: "qa", metric: "same", op: ">=", value: 0.7, stop: "early" }]
  const { score, progress } = await run(async () => ({ name: "default/labels", rows: labels }), { gates })
  expect(progress.stoppedEarly?.rows).toBeLessThan(600)
  expect(score?.corrected).toMatchObject({ rows: progress.stoppedEarly?.rows, corrected: { interval: null } })
  expect(score?.corrected).toMatchObject({ labels_missing: 0, worth: null })
})

it("A job whose labels are gone completes with a warning in its log", async () => {
  const { status, score, log } = await run(() => Promise.reject(new AssayError("dataset_missing", "It is gone.")))
  expect([status, score?.value, score?.corrected]).toEqual(["COMPLETED", 0.9, undefined])
  expect(log).toContain("warn Labels 'default/labels' can't be read, so their scores are not corrected: It is gone.")
})

it("A job that is stopped while its labels are read is not a completed one", async () => {
  const stop = new AbortController()
  const { status } = await run(
    async (_reference, signal) => {
      stop.abort()
      return Promise.reject(signal.reason)
    },
    { stop },
  )
  expect(status).toBe("CANCELLED")
})
