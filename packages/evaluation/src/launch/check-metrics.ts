import { AssayError } from "@assay/schemas"
import type { TaskShape } from "../plan/task-shape.ts"
import { formatLimit, type CheckRun } from "./check-run.ts"
import type { FailedCheck } from "./failed-check.ts"
import type { LaunchPorts } from "./launch-ports.ts"

/** Checks the parameters of metrics that take longer to check than to read, such as schemas. */
export async function checkMetrics(
  tasks: readonly TaskShape[],
  environment: LaunchPorts,
  run: CheckRun,
): Promise<readonly FailedCheck[]> {
  const checks = tasks.flatMap(({ metrics }) => metrics.flatMap(({ check }) => (check === undefined ? [] : [check])))
  const outcomes = await Promise.all(
    checks.map((check) =>
      run.run(
        "shape",
        (signal) => check(environment, signal),
        () => tooSlow(run),
      ),
    ),
  )
  return outcomes.flatMap((outcome) => ("failed" in outcome ? [outcome.failed] : []))
}

function tooSlow({ limitMs }: CheckRun): AssayError {
  return new AssayError("unavailable", `The metrics could not be checked within ${formatLimit(limitMs)}; try again.`)
}
