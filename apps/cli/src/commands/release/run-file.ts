import { type AttemptResult, localRuns, locateFaults, type ReleaseRun } from "@assay/local"
import { readPrices } from "@assay/evaluation"
import { createProgressReporter, formatCount } from "@assay/reports/terminal"
import { printable } from "@assay/schemas"
import type { Context } from "../../context.ts"
import { pricesFileOf } from "../eval/prices-file.ts"
import { shownRun } from "../eval/run-end.ts"
import { localPorts } from "../eval/run-here.ts"
import { launchListener } from "../eval/run-listener.ts"
import { withTelemetry } from "../with-telemetry.ts"

export interface RunFileOptions {
  /** Names the run in messages. */
  readonly label: string
  /** Absolute path of the results. */
  readonly out: string
  /** Absolute path of the folder for all runs. */
  readonly dataFolder: string
  /** Ask everything again, and replace results of another job. */
  readonly force: boolean
  readonly skipChecks: boolean
  readonly prices: string | undefined
  readonly json: boolean
}

/** Asks what a folder of results lacks: all rows, those that an interrupted run has not asked, or those that failed. Says on stderr how it ended. */
export async function runFile(context: Context, run: ReleaseRun, options: RunFileOptions): Promise<void> {
  const reporter = createProgressReporter(context, options)
  const folder = shownRun(context, options.out)
  reporter.say(printable(`${options.label}: ${run.file.name} → ${folder}`))
  const pricesFile = pricesFileOf(context, options.prices)
  const prices = await readPrices(pricesFile, context.cwd)
  const listener = {
    ...launchListener(context, reporter, run),
    onResumed: () => reporter.say(`resuming ${folder}, which was interrupted`),
  }
  const { details, outcome, isInterrupted } = await withTelemetry(
    context,
    async (telemetry): Promise<AttemptResult> => {
      const ports = localPorts(context, { telemetry, prices })
      const { file, job } = run
      const shared = { job, folder: file.folder, name: options.label, gates: [], listener, signal: context.signal }
      const { dataFolder, out, force: overwrite, skipChecks } = options
      const state = await localRuns.stateOf(ports, { ...shared, dataFolder, out, overwrite })
      if (state.kind === "failed") {
        const { record } = state
        const scope = { kind: record.is_asked === true ? "retry-failed" : "run" } as const
        return localRuns.again(ports, { ...shared, runFolder: out, record, scope })
      }
      const own = { file: file.path ?? null, cell: file.cell, overrides: run.overrides, pricesFile, dataFolder, out }
      return localRuns.run(ports, { ...shared, ...own, skipChecks, overwrite, fresh: overwrite })
    },
  ).catch((error: unknown) => {
    throw locateFaults.inRefusal(error, run.file.document)
  })
  if (isInterrupted) {
    reporter.say(`${formatCount(outcome.progress.processed, "row is", "rows are")} answered and kept in ${folder}`)
    throw context.signal.reason
  }
  reporter.say(
    printable(`${options.label}: ${outcome.status}${details.message === undefined ? "" : `, ${details.message}`}`),
  )
}
