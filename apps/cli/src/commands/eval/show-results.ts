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

/**
 * Runs `assay eval results <job>`: the scores of a job or of a folder with results, and its gates, or instead of them those that the command gives. Exit code 1 if a
 * gate that is shown fails.
 */
export async function showResults(context: Context, jobOrFolder: string, options: ResultsOptions): Promise<ExitCode> {
  const limits = (options.gate ?? []).map(scoreGates.parse)
  await checkReports(context, options)
  const { result, gates: own, describe } = await readJudged(context, jobOrFolder)
  const isOwn = limits.length === 0
  const gates = isOwn ? own : scoreGates.check(result, limits)
  const shown = gates.length === 0 ? result : { ...result, gates }
  const gated = gates.length === 0 ? "" : `\n${formatGates(gates)}`
  const scores = resultScores.list(result)
  const more = [formatSlices(scores), formatCorrections(scores)].map((text) => (text === "" ? "" : `\n${text}`))
  const code = exitCodeOfRun({ status: "COMPLETED", gates })
  await writeSummary(context, options, async () => {
    const described = await describe(gates)
    // Without gates of the command, the summary is that of the job.
    return summaryOfJob({ ...described, result, gates, code: isOwn ? described.code : code })
  })
  if (isOnStdout(options)) return code
  await print(context, options, shown, () => formatScores(scores) + more.join("") + gated)
  return code
}

type Gates = ReturnType<typeof scoreGates.check>
type Described = Omit<Parameters<typeof summaryOfJob>[0], "result" | "gates">

interface JudgedResult {
  readonly result: EvaluationResult
  /** The gates by which the job was judged. */
  readonly gates: Gates
  /** Reads what the summary of the job says besides its scores. `code` is that of the job. */
  readonly describe: (shown: Gates) => Promise<Described>
}

async function readJudged(context: Context, jobOrFolder: string): Promise<JudgedResult> {
  const { cwd, signal } = context
  if (isLocal(context, jobOrFolder)) {
    const folder = resolve(cwd, jobOrFolder)
    const { job, result } = await resultsFolder.read(folder, jobOrFolder)
    const gates = readGateStates(job.gates)
    const links = [{ label: "Report", path: `${jobOrFolder}/results/report.html` }]
    const name = job.config.name ?? jobOrFolder
    return {
      result,
      gates,
      describe: async () => {
        const failed = (await runRecord.read(folder))?.failed
        const code = exitCodeOfRun({ ...job, gates, failed })
        return { ...job, name, message: "", code, worst: await worstRowsHere(folder, jobOrFolder, signal), links }
      },
    }
  }
  const client = openClient(context)
  const { jobs } = client.evaluation
  const { job, status, result: found, ...counts } = await readEndedJob(jobs, jobOrFolder, { signal })
  // The answer says why there is none.
  const result = found ?? (await jobs.result(jobOrFolder, { signal }))
  const { id, config, target, conditions, status_details: details } = job
  const { gates = [], samples_failed: failed, message } = details
  return {
    result,
    gates,
    describe: async (shown) => {
      const worst = await worstRowsOnServer(client, { id, config, result, gates: shown }, signal)
      const code = exitCodeOfRun({ status, gates, conditions, failed })
      const links = [linkOfJob(client, id)]
      const name = config.name ?? id
      return { ...counts, name, status, target, conditions, details, message, code, worst, links }
    },
  }
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
