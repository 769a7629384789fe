import type { LaunchSubject } from "@assay/attempts"
import { releasePolicy } from "@assay/results"
import { printable, RELEASE_TIERS, type ReleaseAsked } from "@assay/schemas"
import { jobOfFile } from "../file/evaluation-file.ts"
import { type JobOverrides, overridesOf } from "../job-overrides.ts"
import { localRuns } from "../run-locally.ts"
import { runRecord } from "../runs/list-runs.ts"
import { resultsFolder } from "../runs/results-folder.ts"
import { openEvaluation, type ReleaseEvaluation } from "./open-evaluation.ts"
import type { LocatedPolicy, PlannedResults, ReleasePlan, ReleaseRun } from "./plan-release.ts"
import type { ReleaseContext } from "./release-context.ts"

export interface ReleaseToAsk {
  readonly policy: LocatedPolicy
  readonly plan: ReleasePlan
  /** Absolute path of the folder for all runs. */
  readonly dataFolder: string
  /** Replace results of another job. */
  readonly force: boolean
  /** Ask also after an evaluation blocks the release. */
  readonly asksAll: boolean
  /** Asks what a folder of results lacks. */
  readonly ask: (run: ReleaseRun, results: { readonly label: string; readonly out: string }) => Promise<void>
}

/** The evaluations of a policy by name, and the names of those that were not asked. */
export interface Asked {
  readonly opened: ReadonlyMap<string, ReleaseEvaluation>
  readonly notAsked: readonly string[]
}

/** Asks the evaluations without results one after the other, until one of them blocks the release. */
export async function askUntilCertain(
  context: ReleaseContext,
  { policy: { alpha, folder }, plan: { results, tests }, dataFolder, force, asksAll, ask }: ReleaseToAsk,
): Promise<Asked> {
  const opened = new Map<string, ReleaseEvaluation>()
  const notAsked: string[] = []
  const members = results.flatMap(({ evaluations }) => evaluations)
  // The first evaluation that blocks the release, whatever the others say.
  let blocking = members.find((one) => one.blocks && one.missing !== undefined)?.policy.name
  for (const { planned, isMissing } of await inOrder(context, results, { dataFolder, force })) {
    const { evaluations, run, out } = planned
    const names = evaluations.map((one) => one.policy.name)
    if (run !== undefined && isMissing && blocking !== undefined && !asksAll) {
      const why = `not asked, because '${printable(blocking)}' blocks the release.`
      for (const one of evaluations) opened.set(one.policy.name, { policy: one.policy, results: why })
      notAsked.push(...names)
      continue
    }
    if (run !== undefined && isMissing) await ask(run, { label: names.join(", "), out })
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

interface OrderedResults {
  readonly planned: PlannedResults
  /** Whether they have to be asked, if something can ask them. */
  readonly isMissing: boolean
}

/** Puts results that exist first, and then those to ask by their highest tier. @throws `output_exists` for results of another job */
async function inOrder(
  context: ReleaseContext,
  results: readonly PlannedResults[],
  { dataFolder, force }: { readonly dataFolder: string; readonly force: boolean },
): Promise<readonly OrderedResults[]> {
  const found: OrderedResults[] = []
  for (const planned of results) {
    const { run, out } = planned
    if (run === undefined) {
      found.push({ planned, isMissing: false })
      continue
    }
    const where = { folder: run.file.folder, dataFolder, out, overwrite: force }
    const job = await jobOfResults(context, run, out)
    const { kind } = await localRuns.stateOf(context.ports, { job, ...where, signal: context.signal })
    found.push({ planned, isMissing: kind !== "completed" })
  }
  const tierOf = ({ planned }: OrderedResults) =>
    Math.min(...planned.evaluations.map(({ policy }) => RELEASE_TIERS.indexOf(policy.tier)))
  return found.toSorted((a, b) => Number(a.isMissing) - Number(b.isMissing) || tierOf(a) - tierOf(b))
}

/** Returns the job of a run at the pace of results that are complete: how fast rows were asked does not matter afterwards. */
async function jobOfResults(
  context: ReleaseContext,
  { file, job, overrides }: ReleaseRun,
  out: string,
): Promise<LaunchSubject> {
  const record = await runRecord.read(out)
  if (record?.status !== "COMPLETED") return job
  const { parallelism, rate, maxFail }: JobOverrides = record.overrides
  const { limit, gates } = overrides
  const own = overridesOf({ limit, gates, parallelism, rate, maxFail })
  return jobOfFile(file, { workspace: context.workspace, overrides: own })
}

/** Counts the rows of results that have a file to run. Undefined: there are none. */
export async function countAsked(
  { signal }: ReleaseContext,
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
