import { AssayError } from "@assay/schemas"
import { formatLimit, type CheckRun } from "./check-run.ts"
import type { FailedCheck } from "./failed-check.ts"
import type { LaunchPorts } from "./launch-ports.ts"

/** That results can be written where they will go. */
export async function checkResults(
  { probeResults }: Pick<LaunchPorts, "probeResults">,
  run: CheckRun,
): Promise<readonly FailedCheck[]> {
  if (probeResults === undefined) return []
  const tooSlow = () => {
    const message = `The storage of the results did not take a file within ${formatLimit(run.limitMs)}; check that it answers.`
    return new AssayError("datastore_unreachable", message)
  }
  const outcome = await run.run("results", probeResults, tooSlow)
  if (!("failed" in outcome)) return []
  return [{ ...outcome.failed, message: `The results can't be written: ${outcome.failed.message}` }]
}
