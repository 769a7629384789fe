import { resolve } from "node:path"
import type { Client } from "@assay/client"
import { resultsFolder } from "@assay/local"
import { formatComparison } from "@assay/reports/terminal"
import { type Comparison, type JobVerdict, printable } from "@assay/schemas"
import { AssayError, isAssayError } from "@assay/schemas/errors"
import type { Context } from "../../context.ts"
import { EXIT, type ExitCode, exitCodeOfVerdict } from "../../exit-code.ts"
import { isLocal } from "../../is-folder-name.ts"
import { isBucket } from "../eval/run-end.ts"
import { verdictOf } from "../summary/write-summary.ts"
import { baselineAddress } from "./manage-baselines.ts"

/** Options of `eval run` and `eval watch` that compare the job with an earlier one. */
export interface AgainstOptions {
  /** A baseline, a job, or a folder with results. */
  readonly against?: string
  readonly margin?: number
  /** Decide also scores whose metric or judge differs. */
  readonly allowChanged?: boolean
  /** Move the baseline to the new job unless the comparison fails. */
  readonly accept?: boolean
  /** Names of the earlier results and of the run in a comparison on this machine. Default: the folder, and `this run`. */
  readonly names?: readonly [before: string, run: string]
}

/** The comparison of a job with its baseline, and a note on what became of the baseline. */
export interface Compared {
  readonly comparison: Comparison | null
  readonly note: string
  /** The results that the job was compared with, for those who compare again. */
  readonly against?: Parameters<typeof resultsFolder.decisions.keep>[1]["against"]
}

/** The comparison of one command. It is prepared before the job runs, so that a wrong name costs no run. */
export type CompareEnd = (job: { readonly id: string; readonly namespace: string }) => Promise<Compared>

/** Finds what a job on a server is compared with. @throws `not_found`, `bad_usage` */
export async function againstServer(
  context: Context,
  client: Client,
  options: AgainstOptions,
): Promise<CompareEnd | undefined> {
  const { against, margin = 0, allowChanged = false, accept = false } = options
  if (against === undefined) return noBaseline(options)
  const { signal } = context
  const { evaluation } = client
  if (against.startsWith("eval-")) {
    if (accept) throw new AssayError("bad_usage", `--accept moves a baseline, and '${printable(against)}' is a job.`)
    return async ({ id }) => ({
      comparison: await evaluation.compare([against, id], { margin, allowChanged, signal }),
      note: "",
      against: { results: against, job: against, margin, allow_changed: allowChanged },
    })
  }
  const [workspace, name] = baselineAddress(context, against)
  const found = await evaluation.baselines.get(workspace, name, { signal }).catch((error: unknown) => {
    if (accept && isAssayError(error, "not_found")) return undefined
    throw error
  })
  const shown = printable(`${workspace}/${name}`)
  return async ({ id }) => {
    const comparison =
      found === undefined ? null : await evaluation.compare([found.job, id], { margin, allowChanged, signal })
    const job = found?.job
    const kept = job === undefined ? {} : { against: { results: job, job, margin, allow_changed: allowChanged } }
    if (!accept || comparison?.verdict === "FAIL")
      return { comparison, note: accept ? `${shown} stays ${job}\n` : "", ...kept }
    await evaluation.baselines.set(workspace, name, id, { signal })
    return { comparison, note: `${shown} is ${id} now\n`, ...kept }
  }
}

/** The comparison of a run on this machine with results that stay readable until it is closed. */
export interface FolderComparison extends AsyncDisposable {
  /** @param folder the folder of the run */
  readonly compare: (folder: string) => Promise<Compared>
}

/**
 * Opens what a run on this machine is compared with: a folder with results.
 * @param location the folder or the bucket of the run
 * @throws `bad_usage`, also for a run in a bucket
 */
export async function againstFolder(
  { cwd, signal }: Context,
  options: AgainstOptions,
  location?: string,
): Promise<FolderComparison | undefined> {
  const { against, margin = 0, allowChanged = false, accept = false } = options
  if (against === undefined) return noBaseline(options)
  if (location !== undefined && isBucket(location)) {
    const message =
      "--against compares results on this machine, and the run is in a bucket: merge it into a folder with `assay eval merge RUN --out FOLDER`, and compare that with `assay eval compare`."
    throw new AssayError("bad_usage", message)
  }
  const named = printable(against)
  if (accept) throw noBaselineHere(`--accept makes this job the baseline '${named}'`, "Leave out --accept")
  if (!isLocal({ cwd }, against)) {
    throw noBaselineHere(`There is no folder '${named}' here`, "Name a folder of results, such as ./before")
  }
  // The run may replace these results.
  const [nameOfBefore, nameOfRun] = options.names ?? [against, "this run"]
  const before = await resultsFolder.hold(resolve(cwd, against), nameOfBefore)
  return {
    async compare(folder) {
      const after = await resultsFolder.readJobToCompare(folder, nameOfRun)
      const { compareJobs } = await import("@assay/results")
      const comparison = await compareJobs([before.job, after], { margin, allowChanged, signal })
      const kept = { results: resolve(cwd, against), job: before.job.id, margin, allow_changed: allowChanged }
      await resultsFolder.decisions.keep(folder, { against: kept })
      return { comparison, note: "" }
    },
    [Symbol.asyncDispose]: () => before[Symbol.asyncDispose](),
  }
}

/**
 * @param found why a server would be needed
 * @param instead what works without one
 */
function noBaselineHere(found: string, instead: string): AssayError {
  const remedy = `${instead}, or give --server (or set ASSAY_URL).`
  return new AssayError("bad_usage", `${found}, and baselines are on a server.`, { context: { remedy } })
}

function noBaseline({ margin, allowChanged = false, accept = false }: AgainstOptions): undefined {
  const option = accept ? "--accept" : (margin ?? 0) > 0 ? "--margin" : allowChanged ? "--allow-changed" : undefined
  if (option !== undefined) throw new AssayError("bad_usage", `${option} needs a baseline: add --against.`)
}

/** Returns the exit code of a run and of its comparison: 1 if one of them fails, then 3 if one can't be decided. */
export function exitCodeWith(code: ExitCode, compared: Compared | undefined): ExitCode {
  const codes = new Set<ExitCode>([code])
  if (compared?.comparison != null) codes.add(exitCodeOfVerdict(compared.comparison.verdict))
  return [EXIT.no, EXIT.inconclusive].find((one) => codes.has(one)) ?? code
}

/**
 * Returns the verdict of a run and of its comparison, which its exit code repeats. Null if neither decides.
 * @param verdict that of the run
 */
export function verdictWith(
  verdict: JobVerdict | null,
  code: ExitCode,
  compared: Compared | undefined,
): JobVerdict | null {
  return compared?.comparison == null ? verdict : verdictOf(code)
}

/** Formats a comparison, and what became of the baseline, below the outcome of a run. */
export function formatCompared(compared: Compared | undefined): string {
  if (compared === undefined) return ""
  const { comparison, note } = compared
  return `\n${comparison === null ? "" : `${formatComparison(comparison)}\n`}${note}`.trimEnd().concat("\n")
}
