import { AssayError } from "@assay/schemas"
import type { JobEnvironment } from "../job-environment.ts"
import type { RunnableJob } from "../jobs/runnable-job.ts"
import { checkLimits } from "./limits/join-limits.ts"
import { readHarnessConfig } from "./read-harness-config.ts"
import { renderCommand } from "./render-command.ts"

/**
 * That the harness of a `benchmark` can be started here.
 * @throws `harness_not_allowed`, `invalid_request`, `template_error`
 */
export function checkHarness(
  job: Pick<RunnableJob, "target" | "config">,
  environment: Pick<JobEnvironment, "harnessEnvironment" | "harnessLimits">,
): void {
  checkHarnessAllowed(environment)
  const harness = readHarnessConfig(job.config)
  checkLimits(harness.limits, environment.harnessLimits)
  renderCommand(harness, job)
}

/** The variables that harnesses are started with. @throws `harness_not_allowed` where none may be */
export function checkHarnessAllowed({
  harnessEnvironment,
}: Pick<JobEnvironment, "harnessEnvironment">): Readonly<Record<string, string>> {
  if (harnessEnvironment !== undefined) return harnessEnvironment
  const what = "A benchmark runs a command of its user, and harnesses are not allowed here"
  const advice =
    "run it with `assay eval run` on a machine of your own, or have the operator set ASSAY_HARNESS_ENVIRONMENT"
  throw new AssayError("harness_not_allowed", `${what}; ${advice}.`)
}
