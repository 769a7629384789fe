import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { setTimeout as sleep } from "node:timers/promises"
import type { AssayError, EvaluationRow } from "@assay/schemas"
import { onTestFinished } from "vitest"
import type { PlanOutcome } from "@assay/results"
import type { RunPlanOptions } from "../engine/run-options.ts"
import { runPlan } from "../engine/run-plan.ts"
import type { JobPlan } from "../plan/task-plan.ts"
import { openFileJournal } from "../journal/open-file-journal.ts"

export interface RunReport extends PlanOutcome {
  /** The lines of the journal after the run. */
  readonly lines: readonly EvaluationRow[]
  readonly failures: readonly AssayError[]
  readonly log: readonly string[]
}

export type RunTiny = ((plan: JobPlan, over?: Partial<RunPlanOptions>) => Promise<RunReport>) & {
  /** The path of the journal. */
  readonly path: string
}

/** Returns a function that runs plans on one journal. Its folder is removed after the test. */
export function createRunner(): RunTiny {
  const folder = mkdtempSync(join(tmpdir(), "engine-"))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  const path = join(folder, "rows.jsonl")
  const run = async (plan: JobPlan, over: Partial<RunPlanOptions> = {}): Promise<RunReport> => {
    const journal = await openFileJournal(path, { sync: false })
    const failures: AssayError[] = []
    const log: string[] = []
    try {
      const outcome = await runPlan(plan, {
        job: { attempt: 1, scope: { kind: "run" } },
        journal,
        environment: {
          now: () => performance.now(),
          random: () => 0.5,
          sleep: (ms, signal) => sleep(ms, undefined, { signal }),
        },
        signal: new AbortController().signal,
        onProgress: () => {},
        onLog: ({ message }) => log.push(message),
        onFailure: (failure) => failures.push(failure),
        ...over,
      })
      return { ...outcome, lines: (await Array.fromAsync(journal.read())).flat(), failures, log }
    } finally {
      await journal.close()
    }
  }
  return Object.assign(run, { path })
}
