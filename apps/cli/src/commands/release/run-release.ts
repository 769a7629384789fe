import { resolve } from "node:path"
import { type JobOverrides, jobOfFile, localRuns, overridesOf, resultsFolder, runRecord } from "@assay/local"
import type { LaunchSubject } from "@assay/attempts"
import { releasePolicy } from "@assay/results"
import { printable, type ReleaseAsked } from "@assay/schemas"
import type { Context } from "../../context.ts"
import type { ExitCode } from "../../exit-code.ts"
import { localPorts } from "../eval/run-here.ts"
import { defaultWorkspace } from "../../open-client.ts"
import { withKeyHosts } from "../guard/inference-key.ts"
import { given } from "../option-values.ts"
import { checkReports } from "../summary/write-summary.ts"
import type { FolderOptions } from "../eval/file/read-evaluation.ts"
import { openEvaluation, type ReleaseEvaluation } from "./open-evaluation.ts"
import { type PlannedResults, planRelease, type ReleasePlan, type ReleaseRun } from "./plan-release.ts"
import { type LocatedPolicy, readPolicy } from "./read-policy.ts"
import { reportRelease, type ReportReleaseOptions } from "./report-release.ts"
import { runFile } from "./run-file.ts"

export interface RunReleaseOptions extends ReportReleaseOptions, JobOverrides, FolderOptions {
  readonly dataDir: string
  readonly all?: boolean
  readonly force?: boolean
  readonly skipChecks?: boolean
  readonly prices?: string
  readonly keyHost?: readonly string[]
}

/**
 * Runs `assay release run <policy>`: asks the evaluations without results, critical ones first, until the verdict is certain, and decides the release by what is there
 * then. An evaluation with limits alone ends as soon as they are decided.
 */
export async function runRelease(ofProcess: Context, name: string, options: RunReleaseOptions): Promise<ExitCode> {
  const context = withKeyHosts(ofProcess, options.keyHost)
  context.keepHeapSmall()
  await checkReports(context, options)
  const policy = await readPolicy(context, name)
  const plan = await planRelease(context, policy, options)
  const { opened, notAsked } = await askUntilCertain(context, { policy, plan, options })
  const inPolicy = policy.evaluations.flatMap((one) => opened.get(one.name) ?? [])
  const report = await releasePolicy.decide(inPolicy, { alpha: policy.alpha, signal: context.signal })
  const asked = await countAsked(context, plan.results, notAsked)
  return reportRelease(context, options, { ...report, ...(asked === undefined ? {} : { asked }) })
}

interface Asking {
  readonly policy: LocatedPolicy
  readonly plan: ReleasePlan
  readonly options: RunReleaseOptions
}

/** The evaluations of a policy by name, and the names of those that were not asked. */
interface Asked {
  readonly opened: ReadonlyMap<string, ReleaseEvaluation>
  readonly notAsked: readonly string[]
}

/** Asks the evaluations without results one after the other, until one of them blocks the release. */
async function askUntilCertain(
  context: Context,
  { policy: { alpha, folder }, plan: { results, tests }, options }: Asking,
): Promise<Asked> {
  const { force = false, skipChecks = false, prices, json = false, all = false, dataDir } = options
  const running = { dataFolder: resolve(context.cwd, dataDir), force, skipChecks, prices, json }
  const opened = new Map<string, ReleaseEvaluation>()
  const notAsked: string[] = []
  const members = results.flatMap(({ evaluations }) => evaluations)
  // The first evaluation that blocks the release, whatever the others say.
  let blocking = members.find((one) => one.blocks && one.missing !== undefined)?.policy.name
  for (const { planned, isMissing } of await inOrder(context, results, running)) {
    const { evaluations, run, out } = planned
    const names = evaluations.map((one) => one.policy.name)
    if (run !== undefined && isMissing && blocking !== undefined && !all) {
      const why = `not asked, because '${printable(blocking)}' blocks the release.`
      for (const one of evaluations) opened.set(one.policy.name, { policy: one.policy, results: why })
      notAsked.push(...names)
      continue
    }
    if (run !== undefined && isMissing) await runFile(context, run, { ...running, label: names.join(", "), out })
    for (const one of evaluations) {
      const evaluation = await openEvaluation(context, one.policy, folder)
      opened.set(one.policy.name, evaluation)
      if (!one.blocks || blocking !== undefined) continue
      const own = await releasePolicy.decide([evaluation], { alpha, others: tests - one.tests, signal: context.signal })
      if (own.verdict === "FAIL") blocking = one.policy.name
    }
  }
  return { opened, notAsked }
}

const TIERS = ["critical", "supporting", "advisory"] as const

interface OrderedResults {
  readonly planned: PlannedResults
  /** Whether they have to be asked, if something can ask them. */
  readonly isMissing: boolean
}

/** Puts results that exist first, and then those to ask by their highest tier. @throws `output_exists` for results of another job */
async function inOrder(
  context: Context,
  results: readonly PlannedResults[],
  { dataFolder, force }: { readonly dataFolder: string; readonly force: boolean },
): Promise<readonly OrderedResults[]> {
  const ports = localPorts(context, { telemetry: undefined, prices: undefined })
  const found: OrderedResults[] = []
  for (const planned of results) {
    const { run, out } = planned
    if (run === undefined) {
      found.push({ planned, isMissing: false })
      continue
    }
    const where = { folder: run.file.folder, dataFolder, out, overwrite: force }
    const job = await jobOfResults(context, run, out)
    const { kind } = await localRuns.stateOf(ports, { job, ...where, signal: context.signal })
    found.push({ planned, isMissing: kind !== "completed" })
  }
  const tierOf = ({ planned }: OrderedResults) =>
    Math.min(...planned.evaluations.map(({ policy }) => TIERS.indexOf(policy.tier)))
  return found.toSorted((a, b) => Number(a.isMissing) - Number(b.isMissing) || tierOf(a) - tierOf(b))
}

/** Returns the job of a run at the pace of results that are complete: how fast rows were asked does not matter afterwards. */
async function jobOfResults(
  context: Context,
  { file, job, overrides }: ReleaseRun,
  out: string,
): Promise<LaunchSubject> {
  const record = await runRecord.read(out)
  if (record?.status !== "COMPLETED") return job
  const { parallelism, rate, maxFail }: JobOverrides = record.overrides
  const { limit, gates } = overrides
  const own = overridesOf(given({ limit, gates, parallelism, rate, maxFail }))
  return jobOfFile(file, { workspace: defaultWorkspace(context), overrides: own })
}

/** Counts the rows of results that have a file to run. Undefined: there are none. */
async function countAsked(
  { signal }: Context,
  results: readonly PlannedResults[],
  notAsked: readonly string[],
): Promise<ReleaseAsked | undefined> {
  const runs = results.filter(({ run }) => run !== undefined)
  if (runs.length === 0) return undefined
  const asked: { readonly rows: number; readonly total: number }[] = []
  for (const { out, evaluations } of runs) {
    if (evaluations.some(({ policy }) => notAsked.includes(policy.name))) continue
    asked.push(await countRows(out, signal))
  }
  return {
    rows: asked.reduce((sum, { rows }) => sum + rows, 0),
    rows_total: asked.reduce((sum, { total }) => sum + total, 0),
    not_asked: notAsked,
  }
}

/** Counts the rows that a job has asked, and all that it had to ask. */
async function countRows(out: string, signal: AbortSignal): Promise<{ readonly rows: number; readonly total: number }> {
  const { units = {} } = await resultsFolder.readJob(out, out)
  const total = Object.values(units).reduce<number>((sum, count) => sum + (count ?? 0), 0)
  const { rows: read } = await resultsFolder.readJobToCompare(out, out)
  let rows = 0
  for await (const batch of read(signal)) rows += batch.filter(({ attempt }) => attempt === 1).length
  return { rows: Math.min(rows, total), total }
}
