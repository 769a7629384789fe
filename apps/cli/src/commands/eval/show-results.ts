import { resolve } from "node:path"
import { explainJob, resultScores, scoreGates } from "@assay/results"
import { resultsFolder, runRecord } from "@assay/jobs"
import type { EvaluationResult, JobExplanation } from "@assay/schemas"
import type { Context } from "../../context.ts"
import type { ExitCode } from "../../exit-code.ts"
import { isFolderName } from "../../is-folder-name.ts"
import { openClient } from "../../open-client.ts"
import { formatCorrections, formatExplanation, formatGates, formatScores, formatSlices } from "@assay/reports/terminal"
import type { JsonOption } from "../action.ts"
import { print } from "../print.ts"
import { exitCodeOfRun } from "./run-end.ts"

export interface ResultsOptions extends JsonOption {
  readonly gate?: readonly string[]
}

/** Runs `assay eval results <job>`: the scores of a job or of a folder with results. Exit code 1 if a gate fails. */
export async function showResults(context: Context, jobOrFolder: string, options: ResultsOptions): Promise<ExitCode> {
  const limits = (options.gate ?? []).map(scoreGates.parse)
  const result = await resultOf(context, jobOrFolder)
  const gates = scoreGates.check(result, limits)
  const shown = limits.length === 0 ? result : { ...result, gates }
  const gated = gates.length === 0 ? "" : `\n${formatGates(gates)}`
  const scores = resultScores.list(result)
  const more = [formatSlices(scores), formatCorrections(scores)].map((text) => (text === "" ? "" : `\n${text}`))
  await print(context, options, shown, () => formatScores(scores) + more.join("") + gated)
  return exitCodeOfRun({ status: "COMPLETED", gates })
}

async function resultOf(context: Context, jobOrFolder: string): Promise<EvaluationResult> {
  if (isFolderName(jobOrFolder))
    return (await resultsFolder.read(resolve(context.cwd, jobOrFolder), jobOrFolder)).result
  return openClient(context).evaluation.jobs.result(jobOrFolder, { signal: context.signal })
}

/** Runs `assay eval explain <job>`: what happened, the evidence, what to do, and which command to run next. */
export async function explainEvaluation(context: Context, jobOrFolder: string, options: JsonOption): Promise<void> {
  await print(context, options, await explanationOf(context, jobOrFolder), formatExplanation)
}

async function explanationOf(context: Context, jobOrFolder: string): Promise<JobExplanation> {
  if (!isFolderName(jobOrFolder))
    return openClient(context).evaluation.jobs.explain(jobOrFolder, { signal: context.signal })
  const folder = resolve(context.cwd, jobOrFolder)
  const { conditions, ...job } = await resultsFolder.readJob(folder, jobOrFolder)
  const run = await runRecord.read(folder)
  const status_details = { message: run?.message ?? "", task_status: {}, progress: run?.progress ?? null }
  return explainJob(
    { ...job, status_details, conditions: [...conditions] },
    run === undefined ? undefined : jobOrFolder,
  )
}
