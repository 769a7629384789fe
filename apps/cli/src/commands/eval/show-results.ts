import { resolve } from "node:path"
import { readEndedJob } from "@assay/client"
import { explainJob, resultScores, scoreGates } from "@assay/results"
import { resultsFolder, runRecord } from "@assay/local"
import { type EvaluationResult, type JobExplanation, jobVerdict, readGateStates } from "@assay/schemas"
import type { Context } from "../../context.ts"
import type { ExitCode } from "../../exit-code.ts"
import { isLocal } from "../../is-folder-name.ts"
import { openClient } from "../../open-client.ts"
import {
  formatCorrections,
  formatExplanation,
  formatGates,
  formatScores,
  formatSlices,
  jobTitle,
} from "@assay/reports/terminal"
import type { SummaryRow } from "@assay/reports"
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
      const name = jobTitle(job) ?? id
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

/** Runs `assay eval explain <job>`: what happened, the worst rows if it failed, the evidence, what to do, and which command to run next. */
export async function explainEvaluation(context: Context, jobOrFolder: string, options: JsonOption): Promise<void> {
  const { explanation, worst } = isLocal(context, jobOrFolder)
    ? await explainFolder(context, jobOrFolder)
    : await explainServed(context, jobOrFolder)
  const rows = options.json === true ? [] : await worst()
  await print(context, options, explanation, (shown, layout) => formatExplanation(shown, rows, layout))
}

interface Explained {
  readonly explanation: JobExplanation
  /** Reads the worst rows of a job whose verdict is FAIL; no rows of any other. */
  readonly worst: () => Promise<readonly SummaryRow[]>
}

async function explainServed(context: Context, id: string): Promise<Explained> {
  const client = openClient(context)
  const { jobs } = client.evaluation
  const { signal } = context
  const explanation = await jobs.explain(id, { signal })
  return {
    explanation,
    async worst() {
      const { config, status_details: details } = await jobs.get(id, { signal })
      if (details.verdict !== "FAIL") return []
      const result = await jobs.result(id, { signal })
      return worstRowsOnServer(client, { id, config, result, gates: details.gates ?? [] }, signal)
    },
  }
}

async function explainFolder(context: Context, name: string): Promise<Explained> {
  const folder = resolve(context.cwd, name)
  const { conditions, gates: stored, ...job } = await resultsFolder.readJob(folder, name)
  const gates = readGateStates(stored)
  const run = await runRecord.read(folder)
  const status_details = { message: run?.message ?? "", task_status: {}, progress: run?.progress ?? null }
  const explained = explainJob(
    { ...job, status_details, conditions: [...conditions], gates },
    run === undefined ? undefined : name,
  )
  const isFailed = jobVerdict({ status: job.status, gates, conditions, failed: run?.failed }) === "FAIL"
  return {
    explanation:
      run === undefined
        ? explained
        : { ...explained, next: [...nextCommands(explained.next, askingRunOf(context, run))] },
    worst: async () => (isFailed ? worstRowsHere(folder, name, context.signal) : []),
  }
}
