import { isAssayError } from "@assay/schemas"
import { failedCheck, launchRefused } from "./checks/launch-report.ts"

/**
 * Waits for lookups of names. Several names that are not found are reported together.
 * @throws the error of the first lookup that fails for another reason, or of the only name that is not found; `launch_refused` with several of them
 */
export async function allFound<const T extends readonly Promise<unknown>[]>(
  lookups: T,
): Promise<{ -readonly [Place in keyof T]: Awaited<T[Place]> }> {
  const outcomes = await Promise.allSettled(lookups)
  const reasons = outcomes.flatMap((outcome) => (outcome.status === "rejected" ? [outcome.reason as unknown] : []))
  const other = reasons.find((reason) => !isAssayError(reason, "not_found"))
  if (other !== undefined) throw other
  if (reasons.length > 1) throw launchRefused(reasons.map((reason) => failedCheck("shape", reason)))
  return Promise.all(lookups)
}
