import { resolve } from "node:path"
import { type Client, readEndedJob, watchJob } from "@assay/client"
import { explainJob, resultScores, type ScoreGate, scoreGates } from "@assay/results"
import { downloadResultFiles, resultsFolder } from "@assay/local"
import { isFinalJobStatus, jobVerdict, printable } from "@assay/schemas"
import { formatOutcome, createProgressReporter, jobTitle, type ProgressReporter } from "@assay/reports/terminal"
import type { Context } from "../../context.ts"
import type { ExitCode } from "../../exit-code.ts"
import { openClient } from "../../open-client.ts"
import { adviseOnJudges } from "../label/advise-on-judges.ts"
import { linkOfJob, summaryOfJob, worstRowsOnServer } from "../summary/summary-of-job.ts"
import { checkReports, isOnStdout, type SummaryOption, writeSummary } from "../summary/write-summary.ts"
import { given } from "../option-values.ts"
import { print } from "../print.ts"
import {
  type AgainstOptions,
  againstServer,
  type Compared,
  type CompareEnd,
  exitCodeWith,
  formatCompared,
  verdictWith,
} from "../baseline/compare-with-baseline.ts"
import { checkServedJob } from "./check-served-job.ts"
import { withKeyHosts } from "../guard/inference-key.ts"
import { findCutRun } from "./engines/open-engines.ts"
import { watchRun } from "./engines/watch-run.ts"
import { withPace } from "./shards/pace-location.ts"
import { watchShards } from "./served-shards.ts"
import { compareOthers, noteOnOthers } from "./given-gates.ts"
import { earlyMessage, exitCodeOfRun, shownPath, writeJunit, type JobEnd } from "./run-end.ts"

export interface WatchOptions extends SummaryOption, AgainstOptions {
  readonly gate?: readonly string[]
  readonly junit?: string
  readonly out?: string
  readonly force?: boolean
  /** Hosts that may get keys of shards that are submitted again. */
  readonly keyHost?: readonly string[]
  /** Where they share the rates of endpoints. */
  readonly pace?: string
}

/** Runs `assay eval watch <job>`: follows a job to its end. Exit code 1 if the job or a gate fails. */
export async function watchEvaluation(given: Context, id: string, options: WatchOptions): Promise<ExitCode> {
  const context = withPace(withKeyHosts(given, options.keyHost), options.pace)
  const run = await findCutRun(context, id)
  if (run !== undefined) return watchRun(context, run, options)
  checkServedJob(context, id, "'assay eval results' reads folders")
  const gates = (options.gate ?? []).map(scoreGates.parse)
  const { json = false, junit, summary, force: overwrite = false } = options
  await checkReports(context, options)
  const out = options.out === undefined ? undefined : resolve(context.cwd, options.out)
  if (out !== undefined) await resultsFolder.check(out, { overwrite, isSame: (job) => job.id === id })
  const client = openClient(context)
  const compareEnd = await againstServer(context, client, options)
  // The events of a job that has ended would repeat each status that it had.
  const { status } = await client.evaluation.jobs.get(id, { signal: context.signal })
  if (!isFinalJobStatus(status)) await showJob(context, client, id, createProgressReporter(context, options))
  return printEnd(context, client, id, { gates, junit, summary, out, overwrite, json, compareEnd })
}

/** Shows the progress of a job on a server until it ends. */
export async function showJob(context: Context, client: Client, id: string, reporter: ProgressReporter): Promise<void> {
  const { signal } = context
  const countsOf = watchShards(context, client, id)
  await watchJob(
    client.evaluation.jobs,
    id,
    {
      onProgress: (progress) => reporter.show({ ...progress, ...countsOf() }),
      onCondition: ({ title, message }) => reporter.say(printable(`${title}: ${message}`)),
      onError: (message) => reporter.say(printable(message)),
      onStatus: (status) => reporter.say(`${id}: ${status}`),
    },
    { signal },
  ).finally(() => reporter.end())
}

export interface EndOptions {
  /** The file for the summary in Markdown. */
  readonly summary: string | undefined
  /** Gates of the command, besides those of the job. Default: none. */
  readonly gates?: readonly ScoreGate[] | undefined
  /** Absolute path for a copy of the results. */
  readonly out: string | undefined
  /** Replace the results of another job in `out`. */
  readonly overwrite: boolean
  readonly junit: string | undefined
  readonly json: boolean
  /** Compares the job with another one, if it has completed. */
  readonly compareEnd: CompareEnd | undefined
  /** Whether the comparison has no effect on the exit code. Default false. */
  readonly isInformative?: boolean | undefined
  /** Receives the job when its results were read. */
  readonly onEnd?: ((end: JobEnd) => void) | undefined
}

/** Prints the outcome of a job that has ended on a server. Returns 1 if the job or a gate failed. */
export async function printEnd(
  context: Context,
  client: Client,
  id: string,
  { gates: limits = [], out, overwrite, junit, summary, json, compareEnd, isInformative = false, onEnd }: EndOptions,
): Promise<ExitCode> {
  const { signal } = context
  const { job, status, result, ...counts } = await readEndedJob(client.evaluation.jobs, id, { signal })
  const { status_details, conditions, namespace, target, config } = job
  const { message, gates: own = [], samples_failed: failed } = status_details
  const others = result === null ? [] : compareOthers(result, own, limits)
  const gates = [...own, ...others]
  const verdict = jobVerdict({ status, gates: own, conditions, failed })
  if (out !== undefined) await downloadResultFiles(client.files, job, out, { signal, overwrite })
  if (junit !== undefined) {
    const ended = status === "COMPLETED" || status === "CANCELLED" ? status : "FAILED"
    await writeJunit(context, junit, { job, status: ended, message, result, conditions, gates })
  }
  const name = config.name ?? job.id
  const title = jobTitle(job) ?? job.id
  const results = out === undefined ? {} : { results: shownPath(context, out) }
  const notes = [...noteOnOthers(others, verdict), ...(await adviseOnJudges(context, config, result, id))]
  const compared = status === "COMPLETED" ? await compareEnd?.(job) : undefined
  const { comparison } = compared ?? {}
  if (out !== undefined) await keepDecisions(out, others, compared?.against)
  onEnd?.({ job: id, result, judged: verdict, verdict: comparison?.verdict })
  const record = { name, id, status, verdict, message, result, conditions, gates, notes }
  const shown = { ...record, ...results, ...given({ comparison }) }
  const { next } = explainJob({ id, namespace, status, status_details, conditions, target, config })
  const code = exitCodeWith(exitCodeOfRun({ status, gates, conditions, failed }), isInformative ? undefined : compared)
  // Gates of the command count, too.
  const decided = jobVerdict({ status, gates, conditions, failed })
  const isShown = summary !== undefined || (decided === "FAIL" && !json)
  const worst = isShown ? await worstRowsOnServer(client, { id, config, result, gates }, signal) : []
  await writeSummary(context, { summary }, () => {
    const ended = { ...shown, name: title, ...counts, target, details: status_details, comparison }
    return summaryOfJob({ ...ended, code, worst, next, links: [linkOfJob(client, id)] })
  })
  if (isOnStdout({ summary })) return code
  await print(context, { json }, shown, (_shown, layout) => {
    const scores = result === null ? null : resultScores.list(result)
    const outcome = {
      ...shown,
      name: title,
      ...counts,
      verdict: verdictWith(decided, code, isInformative ? undefined : compared),
      early: earlyMessage(config, status_details, message),
      scores,
      worst: decided === "FAIL" ? worst : [],
      next,
      cost: status_details.cost,
    }
    return formatOutcome(outcome, layout) + formatCompared(compared)
  })
  return code
}

/** Keeps what the command decided besides the job, for those who decide it again. */
async function keepDecisions(
  out: string,
  others: ReturnType<typeof compareOthers>,
  against: Compared["against"],
): Promise<void> {
  const ofCommand = others.map(({ name, limit }) => `${name}${limit}`)
  const gates = ofCommand.length === 0 ? undefined : ofCommand
  await resultsFolder.decisions.keep(out, given({ gates, against }))
}
