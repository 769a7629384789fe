import { resolve } from "node:path"
import type { LaunchSubject } from "@assay/attempts"
import type { OpenedPolicy, PolicyEvaluation, PolicyLimit } from "@assay/evaluation-files"
import { releasePolicy, type scoreGates } from "@assay/results"
import { AssayError, isAssayError, printable } from "@assay/schemas"
import { jobOfFile, type OpenedEvaluationFile } from "../file/evaluation-file.ts"
import { jobGates } from "../gates/job-gates.ts"
import { type JobOverrides, overridesOf } from "../job-overrides.ts"
import { openResults } from "./open-evaluation.ts"
import type { ReleaseContext } from "./release-context.ts"

/** A policy, and the folder that its paths are relative to. */
export interface LocatedPolicy extends OpenedPolicy {
  /** Absolute path. */
  readonly folder: string
}

/** A folder of results, and the evaluations of a policy that it decides. */
export interface PlannedResults {
  readonly evaluations: readonly PlannedEvaluation[]
  /** Absolute path. */
  readonly out: string
  /** The evaluation that writes them. Undefined: no evaluation names a file to run. */
  readonly run: ReleaseRun | undefined
}

interface PlannedEvaluation {
  readonly policy: PolicyEvaluation
  readonly blocks: boolean
  /** The number of its tests. */
  readonly tests: number
  /** Why nothing can decide it, whatever is asked. */
  readonly missing: string | undefined
}

/** A job that a policy runs. */
export interface ReleaseRun {
  readonly file: OpenedEvaluationFile
  readonly job: LaunchSubject
  readonly overrides: JobOverrides
}

/** The results of a policy, and the number of tests that decide it together. */
export interface ReleasePlan {
  readonly results: readonly PlannedResults[]
  readonly tests: number
}

/**
 * Plans the runs of a policy. All tests that block share alpha in equal parts, so that a limit may end its job at alpha / their number, whatever the others say. Results that
 * several evaluations name are written once.
 * @throws `bad_document` and `not_found` for a policy or a file with faults, before anything is asked
 */
export async function planRelease(
  context: ReleaseContext,
  { alpha, evaluations, folder }: LocatedPolicy,
  options: JobOverrides,
): Promise<ReleasePlan> {
  const planned: PlannedEvaluation[] = []
  for (const policy of evaluations) {
    const older = policy.against === undefined ? undefined : await openResults(policy.against, folder)
    const isMissing = typeof older === "string"
    const tests = releasePolicy.countTests(policy, isMissing ? undefined : older)
    planned.push({ policy, blocks: policy.tier !== "advisory", tests, missing: isMissing ? older : undefined })
  }
  const tests = planned.reduce((sum, one) => sum + (one.blocks ? one.tests : 0), 0)
  const alphaOf = ({ blocks }: PlannedEvaluation) => (blocks ? alpha / tests : alpha)
  const byFolder = Map.groupBy(planned, ({ policy }) => resolve(folder, policy.results))
  const results: PlannedResults[] = []
  for (const [out, members] of byFolder) {
    const file = await fileOf(context, members, { folder, out })
    const run = file === undefined ? undefined : planRun(context, { file, members, alphaOf, options })
    results.push({ evaluations: members, out, run })
  }
  return { results, tests }
}

/** Reads the file that writes a folder of results. @throws `bad_document`, `not_found` */
async function fileOf(
  context: ReleaseContext,
  members: readonly PlannedEvaluation[],
  { folder, out }: { readonly folder: string; readonly out: string },
): Promise<OpenedEvaluationFile | undefined> {
  const named = members.flatMap(({ policy: { name, run, results } }) =>
    run === undefined ? [] : [{ name, run, results }],
  )
  const [first] = named
  if (first === undefined) return undefined
  const other = named.find(({ run }) => resolve(folder, run) !== resolve(folder, first.run))
  if (other !== undefined) {
    const [one, two] = [first, other].map(({ name, run }) => `'${printable(name)}' runs '${printable(run)}'`)
    const message = `${one} and ${two}, and both name the results '${printable(first.results)}': give each a folder of its own.`
    throw new AssayError("bad_document", message)
  }
  const own = members.find(({ policy: { against } }) => against !== undefined && resolve(folder, against) === out)
  if (own !== undefined) {
    const message = `'${printable(own.policy.name)}' compares with '${printable(first.results)}', whose results its run would replace: choose another folder for the results.`
    throw new AssayError("bad_document", message)
  }
  const files = await context.readFile(first.run, folder)
  if (files.length > 1) {
    const message = `'${printable(first.run)}' of '${printable(first.name)}' describes ${files.length} jobs, and an evaluation of a policy has the results of one: keep one model and one prompt.`
    throw new AssayError("bad_document", message)
  }
  return jobGates.without(files[0])
}

interface RunToPlan {
  readonly file: OpenedEvaluationFile
  readonly members: readonly PlannedEvaluation[]
  readonly alphaOf: (one: PlannedEvaluation) => number
  readonly options: JobOverrides
}

/** Plans a run that ends as soon as its gates are decided, if all of them can be decided early. */
function planRun(context: ReleaseContext, { file, members, alphaOf, options }: RunToPlan): ReleaseRun {
  const all = members.flatMap((one) => one.policy.gates.map((gate) => ({ gate, alpha: alphaOf(one) })))
  const limits = all.flatMap(({ gate, alpha }) => (gate.kind === "limit" ? [{ gate, alpha }] : []))
  for (const { gate } of all) {
    try {
      if (gate.name !== undefined) jobGates.checkName(file, gate.name)
      if (gate.kind === "limit") jobGates.sequential(file, [{ ...limitOf(gate), alpha: 0.5 }])
    } catch (error) {
      if (!isAssayError(error, "bad_usage")) throw error
      throw new AssayError("bad_document", `${gate.location}: ${error.message}`, { cause: error })
    }
  }
  const early =
    limits.length < all.length
      ? undefined
      : jobGates.sequential(
          file,
          limits.map(({ gate, alpha }) => ({ ...limitOf(gate), alpha })),
        )
  const overrides = overridesOf(early === undefined ? options : { ...options, gates: early })
  return { file, overrides, job: jobOfFile(file, { workspace: context.workspace, overrides }) }
}

function limitOf({ name, op, value, isCorrected, isOnTheseRows, maxUnscored }: PolicyLimit) {
  const limit = op === ">=" ? { atLeast: value } : { atMost: value }
  return { name, limit, isCorrected, isOnTheseRows, maxUnscored } satisfies ReturnType<typeof scoreGates.parse>
}
