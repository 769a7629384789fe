import { resolve } from "node:path"
import { readEndedJob } from "@assay/client"
import { explainJob, resultScores, scoreGates } from "@assay/results"
import { resultsFolder, runRecord } from "@assay/local"
import { type EvaluationResult, type JobExplanation, readGateStates } from "@assay/schemas"
import type { Context } from "../../context.ts"
import type { ExitCode } from "../../exit-code.ts"
import { isLocal } from "../../is-folder-name.ts"
import { openClient } from "../../open-client.ts"
import { formatCorrections, formatExplanation, formatGates, formatScores, formatSlices } from "@assay/reports/terminal"
import type { JsonOption } from "../action.ts"
import { linkOfJob, summaryOfJob, worstRowsHere, worstRowsOnServer } from "../summary/summary-of-job.ts"
import { checkReports, isOnStdout, type SummaryOption, writeSummary } from "../summary/write-summary.ts"
import { print } from "../print.ts"
import { askingRunOf, nextCommands } from "./recording/recorded-answers.ts"
import { exitCodeOfRun } from "./run-end.ts"

export interface ResultsOptions extends SummaryOption {
  readonly gate?: readonly string[]
}

/** Runs `assay eval results <job>`: the scores of a job or of a folder with results. Exit code 1 if a gate fails. */
export async function showResults(context: Context, jobOrFolder: string, options: ResultsOptions): Promise<ExitCode> {
  const limits = (options.gate ?? []).map(scoreGates.parse)
  await checkReports(context, options)
  const result = await resultOf(context, jobOrFolder)
  const gates = scoreGates.check(result, limits)
  const shown = limits.length === 0 ? result : { ...result, gates }
  const gated = gates.length === 0 ? "" : `\n${formatGates(gates)}`
  const scores = resultScores.list(result)
  const more = [formatSlices(scores), formatCorrections(scores)].map((text) => (text === "" ? "" : `\n${text}`))
  const code = exitCodeOfRun({ status: "COMPLETED", gates })
  await writeSummary(context, options, async () =>
    summaryOfJob({ ...(await describeJob(context, jobOrFolder, gates)), result, gates, code }),
  )
  if (isOnStdout(options)) return code
  await print(context, options, shown, () => formatScores(scores) + more.join("") + gated)
  return code
}

type Gates = ReturnType<typeof scoreGates.check>
type Described = Omit<Parameters<typeof summaryOfJob>[0], "result" | "gates" | "code">

/** Reads what the summary of a job says besides its scores. */
async function describeJob(context: Context, jobOrFolder: string, gates: Gates): Promise<Described> {
  const { cwd, signal } = context
  if (isLocal(context, jobOrFolder)) {
    const folder = resolve(cwd, jobOrFolder)
    const job = await resultsFolder.readJob(folder, jobOrFolder)
    const links = [{ label: "Report", path: `${jobOrFolder}/results/report.html` }]
    const name = job.config.name ?? jobOrFolder
    return { ...job, name, message: "", worst: await worstRowsHere(folder, jobOrFolder, signal), links }
  }
  const client = openClient(context)
  const { job, result, ...ended } = await readEndedJob(client.evaluation.jobs, jobOrFolder, { signal })
  const { config, target, conditions, status_details: details } = job
  const worst = await worstRowsOnServer(client, { id: job.id, config, result, gates }, signal)
  const links = [linkOfJob(client, job.id)]
  const name = config.name ?? job.id
  return { ...ended, name, target, conditions, details, message: details.message, worst, links }
}

/** Reads the result of a job of the server, or of a folder on this machine. */
export async function resultOf(context: Context, jobOrFolder: string): Promise<EvaluationResult> {
  if (isLocal(context, jobOrFolder))
    return (await resultsFolder.read(resolve(context.cwd, jobOrFolder), jobOrFolder)).result
  return openClient(context).evaluation.jobs.result(jobOrFolder, { signal: context.signal })
}

/** Runs `assay eval explain <job>`: what happened, the evidence, what to do, and which command to run next. */
export async function explainEvaluation(context: Context, jobOrFolder: string, options: JsonOption): Promise<void> {
  await print(context, options, await explanationOf(context, jobOrFolder), formatExplanation)
}

async function explanationOf(context: Context, jobOrFolder: string): Promise<JobExplanation> {
  if (!isLocal(context, jobOrFolder))
    return openClient(context).evaluation.jobs.explain(jobOrFolder, { signal: context.signal })
  const folder = resolve(context.cwd, jobOrFolder)
  const { conditions, gates: stored, ...job } = await resultsFolder.readJob(folder, jobOrFolder)
  const gates = readGateStates(stored)
  const run = await runRecord.read(folder)
  const status_details = { message: run?.message ?? "", task_status: {}, progress: run?.progress ?? null }
  const explained = explainJob(
    { ...job, status_details, conditions: [...conditions], gates },
    run === undefined ? undefined : jobOrFolder,
  )
  return run === undefined
    ? explained
    : { ...explained, next: [...nextCommands(explained.next, askingRunOf(context, run))] }
}
