import { resolve } from "node:path"
import { cutRuns } from "@assay/jobs"
import { createProgressReporter } from "@assay/reports/terminal"
import type { Context } from "../../../context.ts"
import type { ExitCode } from "../../../exit-code.ts"
import type { JsonOption } from "../../action.ts"
import { checkSummary, type SummaryOption } from "../../summary/write-summary.ts"
import { printResult } from "../run-here.ts"
import { openRun, runPorts } from "./open-run.ts"

/** Options of `assay eval merge`. */
export interface MergeOptions extends JsonOption, SummaryOption {
  readonly out?: string
  readonly junit?: string
}

/** Runs `assay eval merge <run>`: computes the results of a run. Exit code as that of `assay eval run`. */
export async function mergeRun(context: Context, written: string, options: MergeOptions): Promise<ExitCode> {
  checkSummary(options)
  context.keepHeapSmall()
  const { json = false, junit, summary, out } = options
  const reporter = createProgressReporter(context, options)
  const store = await openRun(context, written)
  const plan = await cutRuns.plan(store)
  const start = performance.now()
  const merged = await cutRuns.merge(runPorts(context), store, {
    out: out === undefined ? undefined : resolve(context.cwd, out),
    signal: context.signal,
  })
  const result = { ...merged, milliseconds: performance.now() - start, isInterrupted: false }
  const { name, job } = plan
  return printResult(context, result, { name, job, json, junit, summary, reporter, compareEnd: undefined })
}
