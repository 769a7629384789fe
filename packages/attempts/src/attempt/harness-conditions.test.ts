import { randomUUID } from "node:crypto"
import { mkdtemp, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { CONDITION_SIGNALS, type EvaluationParams } from "@assay/schemas"
import { verifies } from "@assay/testkit"
import { expect, it, onTestFinished } from "vitest"
import { openFileJournal } from "@assay/evaluation"
import { testEnvironment } from "@assay/evaluation/testing"
import { runEvaluation } from "./run-evaluation.ts"

/** Runs a Node script as the harness of a job. */
async function runScript(script: string, params: EvaluationParams = {}) {
  const workFolder = await mkdtemp(join(tmpdir(), "harness-job-"))
  onTestFinished(() => rm(workFolder, { recursive: true, force: true }))
  const job = {
    id: "eval-1",
    namespace: "default",
    target: { type: "rows" as const, rows: [] },
    config: {
      type: "benchmark" as const,
      params,
      harness: { command: [process.execPath, "-e", script] as [string, ...string[]] },
    },
    attempt: 1,
    scope: { kind: "run" as const },
  }
  const journal = await openFileJournal(join(workFolder, "rows.jsonl"), { sync: false })
  try {
    const newId = (prefix: string) => `${prefix}-${randomUUID()}`
    return await runEvaluation(
      job,
      testEnvironment(undefined, { workFolder, harnessEnvironment: {}, newId, now: Date.now }),
      {
        journal,
        signal: new AbortController().signal,
        filesUrl: null,
        onProgress: () => {},
        onLog: () => {},
        onConditions: () => {},
      },
    )
  } finally {
    await journal.close()
  }
}

it("a harness whose scores are read completes its job", verifies("metric.benchmark"), async () => {
  const scores = JSON.stringify({ gpqa: { accuracy: { exact: 0.25, flexible: "NaN" } } })
  const outcome = await runScript(`fs.writeFileSync(process.env.ASSAY_RESULTS, ${JSON.stringify(scores)})`)
  expect(outcome).toMatchObject({ status: "COMPLETED", message: "The harness ended, with scores of one task." })
  expect(outcome.progress.means).toEqual({ "gpqa.accuracy.exact": 0.25 })
})

it("a harness with a rate is refused, also without launch checks, because it sends its requests itself", async () => {
  const { status, message } = await runScript("", { rate: 3 })
  expect(status).toBe("FAILED")
  expect(message).toContain(
    "config.params.rate (--rate): the harness of a benchmark sends its requests itself, and not at 3 a second",
  )
})

it.each([
  ["gated_dataset", CONDITION_SIGNALS.gated_dataset.lines],
  ["gated_repository", CONDITION_SIGNALS.gated_repository.lines],
  ["inference_tls", [...CONDITION_SIGNALS.inference_tls.lines, "openai.APIConnectionError: Connection error."]],
  ["judge_output_unreadable", CONDITION_SIGNALS.judge_output_unreadable.lines],
  ["disk_full", CONDITION_SIGNALS.disk_full.lines],
] as const)(
  "a harness with %s in its log gives its job that condition",
  verifies("metric.benchmark", "condition.text"),
  async (code, lines) => {
    const script = `for (const line of ${JSON.stringify(lines)}) console.error(line)\nprocess.exitCode = 1`
    const { conditions } = await runScript(script)
    expect(conditions.map((condition) => condition.code)).toEqual([code, "harness_failed"])
    expect(conditions[0]?.evidence[0]).toContain(lines.at(0)?.slice(0, 60) ?? "no line")
  },
)
