import { resolve } from "node:path"
import { type JobOverrides, localRuns, resultsFolder } from "@assay/jobs"
import { decideRelease } from "@assay/results"
import { printable, type ReleaseAsked } from "@assay/schemas"
import type { Context } from "../../context.ts"
import type { ExitCode } from "../../exit-code.ts"
import { localPorts } from "../eval/run-here.ts"
import { withKeyHosts } from "../guard/inference-key.ts"
import { checkSummary } from "../summary/write-summary.ts"
import { openEvaluation, type ReleaseEvaluation } from "./open-evaluation.ts"
import { type PlannedResults, planRelease } from "./plan-release.ts"
import { readPolicy } from "./read-policy.ts"
import { reportRelease, type ReportReleaseOptions } from "./report-release.ts"
import { runFile } from "./run-file.ts"

export interface RunReleaseOptions extends ReportReleaseOptions, JobOverrides {
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
export async function runRelease(given: Context, name: string, options: RunReleaseOptions): Promise<ExitCode> {
  const context = withKeyHosts(given, options.keyHost)
  context.keepHeapSmall()
  checkSummary(options)
  const policy = await readPolicy(context, name)
  const { alpha, folder } = policy
  const { results, tests } = await planRelease(context, policy, options)
  const dataFolder = resolve(context.cwd, options.dataDir)
  const ordered = await inOrder(context, results, { dataFolder, force: options.force === true })
  const opened = new Map<string, ReleaseEvaluation>()
  const notAsked: string[] = []
  const { force = false, skipChecks = false, prices, json = false, all = false } = options
  const running = { dataFolder, force, skipChecks, prices, json }
  // The first evaluation that blocks the release, whatever the others say.
  let blocking = results.flatMap(({ evaluations }) => evaluations).find((one) => one.blocks && one.missing !== undefined)
    ?.policy.name
  for (const { planned, isMissing } of ordered) {
    const { evaluations, run, out } = planned
    const names = evaluations.map((one) => one.policy.name)
    if (isMissing && run !== undefined && (blocking === undefined || all)) {
      await runFile(context, run, { ...running, label: names.join(", "), out })
    } else if (isMissing && run !== undefined) {
      const why = `not asked, because '${printable(blocking ?? "")}' blocks the release.`
      for (const one of evaluations) opened.set(one.policy.name, { policy: one.policy, results: why })
      notAsked.push(...names)
      continue
    }
    for (const one of evaluations) {
      const evaluation = await openEvaluation(context, one.policy, folder)
      opened.set(one.policy.name, evaluation)
      if (!one.blocks || blocking !== undefined) continue
      const own = await decideRelease([evaluation], { alpha, others: tests - one.tests, signal: context.signal })
      if (own.verdict === "FAIL") blocking = one.policy.name
    }
  }
  const inPolicy = policy.evaluations.flatMap((one) => opened.get(one.name) ?? [])
  const report = await decideRelease(inPolicy, { alpha, signal: context.signal })
  const asked = await countAsked(context, results, notAsked)
  return reportRelease(context, options, { ...report, ...(asked === undefined ? {} : { asked }) })
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
    const { file, job } = run
    const where = { folder: file.folder, dataFolder, out, overwrite: force }
    const { kind } = await localRuns.stateOf(ports, { job, ...where, signal: context.signal })
    found.push({ planned, isMissing: kind !== "completed" })
  }
  const tierOf = ({ planned }: OrderedResults) =>
    Math.min(...planned.evaluations.map(({ policy }) => TIERS.indexOf(policy.tier)))
  return found.toSorted((a, b) => Number(a.isMissing) - Number(b.isMissing) || tierOf(a) - tierOf(b))
}

/** Counts the rows of results that have a file to run. Undefined: there are none. */
async function countAsked(
  { signal }: Context,
  results: readonly PlannedResults[],
  notAsked: readonly string[],
): Promise<ReleaseAsked | undefined> {
  const runs = results.filter(({ run }) => run !== undefined)
  if (runs.length === 0) return undefined
  let [rows, total] = [0, 0]
  for (const { out, evaluations } of runs) {
    if (evaluations.some(({ policy }) => notAsked.includes(policy.name))) continue
    const { units = {} } = await resultsFolder.readJob(out, out)
    const own = Object.values(units).reduce<number>((sum, count) => sum + (count ?? 0), 0)
    const { rows: read } = await resultsFolder.readJobToCompare(out, out)
    let count = 0
    for await (const batch of read(signal)) count += batch.filter(({ attempt }) => attempt === 1).length
    rows += Math.min(count, own)
    total += own
  }
  return { rows, rows_total: total, not_asked: notAsked }
}
