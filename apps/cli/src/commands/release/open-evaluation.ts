import { resolve } from "node:path"
import { resultsFolder } from "@assay/jobs"
import type { releasePolicy } from "@assay/results"
import { type PolicyEvaluation, printable } from "@assay/schemas"
import { isAssayError } from "@assay/schemas/errors"
import type { Context } from "../../context.ts"
import { checkNumbers } from "./check-rows.ts"

export type ReleaseEvaluation = Parameters<typeof releasePolicy.decide>[0][number]

/** Opens the results of an evaluation of a policy, and counts their numbers again if a limit is compared with them. */
export async function openEvaluation(
  context: Context,
  policy: PolicyEvaluation,
  folder: string,
): Promise<ReleaseEvaluation> {
  const { results: name, against, gates } = policy
  const results = await openResults(name, folder)
  const isChecked = typeof results !== "string" && gates.some(({ kind }) => kind === "limit")
  const { fault, decided, warnings } = isChecked
    ? await checkNumbers(context, resolve(folder, name), name)
    : { fault: undefined, decided: undefined, warnings: [] }
  return {
    policy,
    results: fault ?? results,
    ...(against === undefined ? {} : { against: await openResults(against, folder) }),
    decided,
    warnings,
  }
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
