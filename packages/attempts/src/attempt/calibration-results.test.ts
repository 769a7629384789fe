import { mkdtemp, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import {
  candidateOf,
  openGuardrail,
  reportCalibration,
  runCalibration,
  type CalibrationLimits,
  type CalibrationReport,
  type LabelledPrompt,
} from "@assay/guardrails"
import { type EvaluationConfigBody, type GuardrailData, readCalibrationReport } from "@assay/schemas"
import { type FakeChatBody, type FakeInference, startFakeInference, verifies } from "@assay/testkit"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { openFileJournal, type RunnableJob } from "@assay/evaluation"
import { runEvaluation } from "./run-evaluation.ts"
import { createTextSink } from "@assay/results/testing"
import { testEnvironment } from "@assay/evaluation/testing"
import { writeResults } from "@assay/results"

const LANGUAGES = ["en", "de", "fr"]
const ROWS: readonly LabelledPrompt[] = Array.from({ length: 40 }, (_, at) => ({
  prompt: `Prompt number ${at}.`,
  label: at % 2 === 0 ? "safe" : "unsafe",
  language: LANGUAGES[at % 3] ?? "",
  ...(at % 4 === 0 ? { category: `topic ${at % 5}` } : {}),
}))
const rails = { input: { flows: ["self check input"] } }

/** A judge that blocks what it should, apart from some numbers; number 13 is unreadable. */
const judge =
  (wrong: (number: number) => boolean, isFailing: (number: number) => boolean = () => false) =>
  ({ messages }: FakeChatBody) => {
    const number = Number(/number (\d+)/.exec(JSON.stringify(messages))?.[1])
    if (isFailing(number)) return { fault: { kind: "condition", condition: "context-overflow" } } as const
    if (number === 13) return { content: "It depends." }
    return { content: (number % 2 === 1) !== wrong(number) ? "yes" : "no" }
  }

let fake: FakeInference
let folder: string
let isDown = false
beforeAll(async () => {
  fake = await startFakeInference({
    models: {
      strict: judge((number) => number % 5 === 0),
      loose: judge(
        (number) => number === 3,
        (number) => number === 20 && isDown,
      ),
    },
  })
  folder = await mkdtemp(join(tmpdir(), "assay-calibration-"))
})
afterAll(async () => {
  await fake.close()
  await rm(folder, { recursive: true })
})

const dataOf = (model: string): GuardrailData => ({ models: [{ type: "main", url: `${fake.url}/v1`, model }], rails })
const configOf = (params: object = {}): EvaluationConfigBody => ({
  type: "calibration",
  params: { parallelism: 4, ...params },
  tasks: {
    strict: { params: { guardrail: dataOf("strict") } },
    loose: {
      params: { guardrail: { rails }, model: { api_endpoint: { url: `${fake.url}/v1`, model_id: "loose" } } },
    },
  },
})

interface RunOptions extends Partial<Pick<RunnableJob, "attempt" | "scope">> {
  /** Aborts after this many rows. */
  readonly stopAfter?: number
}

/** Runs an attempt of a job whose journal has this name, and returns its outcome and its files. */
async function run(name: string, config: EvaluationConfigBody, { stopAfter = Infinity, ...more }: RunOptions = {}) {
  const target = { type: "rows" as const, rows: ROWS.map((row) => ({ ...row })) }
  const job: RunnableJob = { id: "eval-1", namespace: "default", target, config, attempt: 1, scope: { kind: "run" } }
  const journal = await openFileJournal(join(folder, name), { sync: false })
  const stop = new AbortController()
  let appended = 0
  const counting = {
    ...journal,
    append(row: Parameters<typeof journal.append>[0]) {
      journal.append(row)
      if (++appended === stopAfter) stop.abort()
    },
  }
  const silent = { onProgress: () => {}, onLog: () => {}, onConditions: () => {} }
  const options = { ...silent, journal: counting, signal: stop.signal, filesUrl: null }
  const outcome = await runEvaluation({ ...job, ...more }, testEnvironment(), options)
  const sink = createTextSink()
  const gates = await writeResults({ job, ...outcome, journal, log: [], environment: {} }, sink)
  await journal.close()
  const file = (path: string) => sink.files.get(path) ?? ""
  const report = readCalibrationReport(file("results/report.json")) as CalibrationReport
  return { outcome, gates, file, report }
}

interface CalibratedOptions extends CalibrationLimits {
  readonly repeat?: number
}

/** Calibrates the same judges as `guard calibrate` does. */
async function calibrated({ repeat = 1, ...limits }: CalibratedOptions = {}): Promise<CalibrationReport> {
  const guardrails = await Promise.all(
    ["strict", "loose"].map(async (name) => {
      const data = dataOf(name)
      const { inference, now } = testEnvironment()
      const resolveSecret = () => Promise.reject(new Error("There is no secret."))
      const guardrail = await openGuardrail(data, { inference, now, newId: () => "id", resolveSecret })
      return { guardrail, candidate: candidateOf(guardrail, { name, data }) }
    }),
  )
  async function* rows() {
    yield* ROWS
  }
  const candidates = guardrails.map(({ candidate }) => candidate)
  const found = await runCalibration({ candidates, rows: rows(), repeat, parallelism: 4, now: () => 0 })
  await Promise.all(guardrails.map(({ guardrail }) => guardrail.close()))
  return reportCalibration(found, { data: "the rows of the job", ...limits })
}

/** Returns a report as text, without the times that differ between two runs. */
function timeless(report: CalibrationReport): string {
  const judges = report.judges.map((one) => ({ ...one, latency_ms: null }))
  return JSON.stringify({ ...report, judges, elapsed_ms: 0 }, null, 2)
}

describe("the results of a calibration job", () => {
  it(
    "are byte for byte the report of guard calibrate, apart from times",
    verifies("config.calibration", "calibrate.rates"),
    async () => {
      const limits = { maxFalseBlock: 0.5, maxMiss: 0.1 }
      const { outcome, report, file, gates } = await run("whole", configOf({ max_false_block: 0.5, max_miss: 0.1 }))
      expect(outcome).toMatchObject({ status: "COMPLETED", message: "80 rows done." })
      expect(timeless(report)).toBe(timeless(await calibrated(limits)))
      expect(report.rows).toEqual({ total: 40, safe: 20, unsafe: 20 })
      expect(gates.map(({ name, limit, verdict }) => [name, limit, verdict])).toEqual([
        ["strict.false_block", "<= 0.5", "PASS"],
        ["strict.miss", "<= 0.1", "INCONCLUSIVE"],
        ["loose.false_block", "<= 0.5", "PASS"],
        ["loose.miss", "<= 0.1", "INCONCLUSIVE"],
      ])
      expect(file("results/junit.xml")).toContain('name="a candidate is fit to guard"')
      expect(file("results/report.html")).toContain("Is this judge fit to guard?")
      expect(file("results/metrics.csv")).toContain("strict,content_safety,false_block")
    },
  )

  it("have the flips and votes of repeats", verifies("calibrate.flips"), async () => {
    const { report } = await run("repeats", configOf({ repeats: 2 }))
    expect(timeless(report)).toBe(timeless(await calibrated({ repeat: 2 })))
    expect(report.judges[0]?.flips).toMatchObject({ count: 0, n: 39 })
  })

  it(
    "after a stop are those of an uninterrupted run, and no judge is asked twice",
    verifies("config.calibration", "run.resume"),
    async () => {
      const before = fake.requests.length
      const first = await run("stopped", configOf(), { stopAfter: 50 })
      expect(first.outcome.status).toBe("CANCELLED")
      expect(first.report.judges.map(({ name }) => name)).toEqual(["strict", "loose"])
      expect(first.file("results/report.html")).toContain("Evaluation")
      const { report, outcome } = await run("stopped", configOf())
      expect(outcome.status).toBe("COMPLETED")
      expect(fake.requests.length - before).toBeLessThanOrEqual(84)
      expect(timeless(report)).toBe(timeless(await calibrated()))
    },
  )

  it(
    "count a failed question as an error until retry-failed has its answer",
    verifies("config.calibration", "calibrate.apart"),
    async () => {
      isDown = true
      const first = await run("failed", configOf())
      isDown = false
      expect(first.outcome.conditions).toContainEqual(expect.objectContaining({ code: "context_overflow" }))
      expect(first.report.judges[1]).toMatchObject({ errors: { count: 1, by_condition: { context_overflow: 1 } } })
      expect(first.report.judges[1]?.error_examples).toMatchObject([{ row: 21, prompt: "Prompt number 20." }])
      const before = fake.requests.length
      const { report } = await run("failed", configOf(), { attempt: 2, scope: { kind: "retry-failed" } })
      expect(fake.requests.length - before).toBe(1)
      expect(timeless(report)).toBe(timeless(await calibrated()))
    },
  )

  it(
    "have one condition for all judges that block too much",
    verifies("calibrate.overblocks", "config.calibration"),
    async () => {
      const { outcome, report } = await run("conditions", configOf({ max_false_block: 0.01 }))
      const [condition, ...others] = outcome.conditions.filter(({ code }) => code === "judge_overblocks")
      expect(others).toEqual([])
      expect(condition?.message).toMatch(/^strict: It blocks/)
      expect(report.recommendation.judge).not.toBe("strict")
    },
  )
})
