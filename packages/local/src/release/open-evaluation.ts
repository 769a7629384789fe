import { resolve } from "node:path"
import type { releasePolicy } from "@assay/results"
import type { PolicyEvaluation } from "@assay/evaluation-files"
import { isAssayError, printable } from "@assay/schemas"
import { resultsFolder } from "../runs/results-folder.ts"
import { type CheckedNumbers, checkNumbers } from "./check-numbers.ts"
import type { ReleaseContext } from "./release-context.ts"

export type ReleaseEvaluation = Parameters<typeof releasePolicy.decide>[0][number]

/** Opens the results of an evaluation of a policy, and those that they are compared with. */
export async function openEvaluation(
  context: ReleaseContext,
  policy: PolicyEvaluation,
  folder: string,
): Promise<ReleaseEvaluation> {
  const { results: name, against: older } = policy
  const { found: results, decided, warnings } = await openChecked(context, name, folder)
  if (older === undefined) return { policy, results, decided, warnings }
  const against = await openChecked(context, older, folder)
  return { policy, results, decided, against: against.found, warnings: [...warnings, ...against.warnings] }
}

interface CheckedResults extends Pick<CheckedNumbers, "decided" | "warnings"> {
  readonly found: ReleaseEvaluation["results"]
}

/** Opens results whose numbers follow from their rows. Rows that were lost or changed decide nothing, also in a comparison. */
async function openChecked(context: ReleaseContext, name: string, folder: string): Promise<CheckedResults> {
  const found = await openResults(name, folder)
  if (typeof found === "string") return { found, warnings: [] }
  const { fault, decided, warnings } = await checkNumbers(context, resolve(folder, name), name)
  return { found: fault ?? found, decided, warnings }
}

/** Returns the results in a folder, or why there are none that a release could be decided by. */
export async function openResults(name: string, folder: string): Promise<ReleaseEvaluation["results"]> {
  const location = resolve(folder, name)
  try {
    const { status } = await resultsFolder.readJob(location, name)
    if (status !== "COMPLETED") return `the job of '${printable(name)}' is ${status}, and not COMPLETED.`
    return await resultsFolder.readJobToCompare(location, name)
  } catch (error) {
    if (!isAssayError(error, "not_found") && !isAssayError(error, "bad_document")) throw error
    const download = `download the job with \`assay eval download ${printable(name)} --out FOLDER\`, and name the folder.`
    return /^eval-\w+$/.test(name) ? `'${printable(name)}' is a job of a server: ${download}` : error.message
  }
}
