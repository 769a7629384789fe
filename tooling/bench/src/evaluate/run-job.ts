// Runs the evaluation of its argument and prints time and memory.
import { join } from "node:path"
import process from "node:process"
import { setFlagsFromString } from "node:v8"
import { openFileJournal, planJob, runPlan } from "@assay/evaluation"
import { peakMemory } from "../measure/measure-memory.ts"
import { benchEnvironment } from "./bench-environment.ts"
import type { RunReport, RunSpec } from "./run-spec.ts"

// `assay eval run` does the same for its process.
setFlagsFromString("--semi-space-growth-factor=1")
setFlagsFromString("--heap-growing-percent=20")

/** Runs it. The program must not wait for this at its top level: parts of it are imported meanwhile, and wait for the program. */
async function run({ folder, target, config }: RunSpec): Promise<RunReport> {
  const environment = benchEnvironment(folder)
  const { signal } = new AbortController()
  const journal = await openFileJournal(join(folder, "rows.journal"))
  const plan = await planJob({ target, config, namespace: "bench" }, environment, { signal })
  const started = performance.now()
  const { progress, end } = await runPlan(plan, {
    job: { attempt: 1, scope: { kind: "run" } },
    journal,
    environment,
    signal,
    onProgress: () => {},
    onLog: () => {},
    onFailure: (error) => process.stderr.write(`${error.message}\n`),
  })
  await journal.close()
  const seconds = (performance.now() - started) / 1000
  await plan.close()
  if (end.kind !== "finished" || progress.failed > 0) throw new Error(`The run ended as ${JSON.stringify(end)}`)
  return { rows: progress.processed, seconds, peakBytes: peakMemory() }
}

run(JSON.parse(process.argv[2] ?? "")).then(
  (report) => process.stdout.write(JSON.stringify(report)),
  (error: unknown) => {
    process.stderr.write(`${error instanceof Error ? error.stack : String(error)}\n`)
    process.exitCode = 1
  },
)
