import { readPrices } from "@assay/evaluation"
import {
  type JobOverrides,
  cutRuns,
  jobGates,
  jobOfFile,
  locateFaults,
  overridesOf,
  readEvaluationFile,
  runName,
} from "@assay/jobs"
import { createProgressReporter, formatCount, formatEstimate } from "@assay/reports/terminal"
import { scoreGates } from "@assay/results"
import { printable } from "@assay/schemas"
import { AssayError } from "@assay/schemas/errors"
import { parseYaml } from "@assay/schemas/validation"
import type { Context } from "../../../context.ts"
import { defaultWorkspace } from "../../../open-client.ts"
import { formatFailedChecks } from "../../../output/failed-checks.ts"
import type { JsonOption } from "../../action.ts"
import { withKeyHosts } from "../../guard/inference-key.ts"
import { print } from "../../print.ts"
import { pricesFileOf } from "../prices-file.ts"
import { shownPath } from "../run-end.ts"
import { openRun, runPorts } from "./open-run.ts"

/** Options of `assay eval cut`. */
export interface CutOptions extends JsonOption, JobOverrides {
  readonly shards: number
  readonly out: string
  readonly atOnce?: number
  readonly gate?: readonly string[]
  readonly prices?: string
  readonly skipChecks?: boolean
  readonly keyHost?: readonly string[]
}

/** Runs `assay eval cut <file>`: checks a job, and writes the plan of its shards. */
export async function cutEvaluation(given: Context, name: string, options: CutOptions): Promise<void> {
  const context = withKeyHosts(given, options.keyHost)
  const [file, ...others] = await readEvaluationFile(name, { ...context, parse: parseYaml })
  if (others.length > 0) {
    const message = `${file.name} has ${others.length + 1} jobs, one for each model and prompt, and a run has one: name one model and one prompt.`
    throw new AssayError("bad_usage", message)
  }
  const reporter = createProgressReporter(context, options)
  const store = await openRun(context, options.out)
  const job = jobOfFile(file, { workspace: defaultWorkspace(context), overrides: overridesOf(options) })
  if (job.config.params?.gates?.some(({ stop }) => stop === "early") === true) {
    reporter.say("gates with `stop: early` are compared at the end of a run in shards: all of its rows are asked")
  }
  const prices = await readPrices(pricesFileOf(context, options.prices), context.cwd)
  try {
    const plan = await cutRuns.cut(runPorts(context, prices), store, {
      job,
      name: runName(job, file),
      folder: file.folder,
      shards: options.shards,
      atOnce: options.atOnce,
      gates: jobGates.ofFile(file, { given: (options.gate ?? []).map(scoreGates.parse), stopEarly: false }).gates,
      skipChecks: options.skipChecks === true,
      onWarnings: (warnings) =>
        reporter.say(
          `warnings of the launch checks:\n\n${formatFailedChecks(locateFaults.inChecks(warnings, file.document))}\n`,
        ),
      onEstimate: (estimate) => reporter.say(`${formatEstimate(estimate)}\n`),
      signal: context.signal,
    })
    const rows = plan.shards.flat().reduce((sum, { firstRow, endRow }) => sum + endRow - firstRow, 0)
    const run = store.folder === undefined ? store.location : shownPath(context, store.folder)
    const cut = { run, id: plan.id, shards: plan.shards.length, at_once: plan.at_once, rows }
    await print(context, options, cut, () => formatCut(cut))
  } catch (error) {
    throw locateFaults.inRefusal(error, file.document)
  }
}

interface Cut {
  readonly run: string
  readonly shards: number
  readonly at_once: number
  readonly rows: number
}

function formatCut({ run, shards, at_once, rows }: Cut): string {
  const shown = printable(run)
  const last = shards === 1 ? "" : ` to ${shards - 1}`
  return (
    `${formatCount(rows, "row")} in ${formatCount(shards, "shard")}, at most ${at_once} at once, in ${shown}\n\n` +
    `assay eval shard ${shown} --index 0${last === "" ? "" : `   (0${last}, on any machine that reaches the run)`}\n` +
    `assay eval merge ${shown}\n`
  )
}
