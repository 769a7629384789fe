import { AssayError } from "@assay/schemas"
import { checkHarness } from "../harness/harness-config.ts"
import { shapePlan } from "../plan/shape-plan.ts"
import type { TaskShape } from "../plan/task-shape.ts"
import { failedCheck, type FailedCheck } from "./failed-check.ts"
import type { LaunchSubject } from "./launch-subject.ts"
import type { LaunchPorts } from "./launch-ports.ts"

export interface CheckedShape {
  readonly failed: readonly FailedCheck[]
  /** Those that are well-formed. */
  readonly tasks: readonly TaskShape[]
}

/**
 * That target and configuration fit each other, that every metric is known, every template compiles, and that a harness may be run here.
 * Addresses of `remote` metrics must be ones that may be named.
 */
export function checkShape(
  subject: LaunchSubject,
  environment: Pick<LaunchPorts, "harnessEnvironment" | "harnessLimits" | "checkEndpoint">,
): CheckedShape {
  const { target, config } = subject
  try {
    if (config.type === "benchmark") checkHarness(subject, environment)
    const { tasks, issues } = shapePlan(target, config)
    const failed = issues.map(({ code, message }) => failedCheck("shape", new AssayError(code, message)))
    return { failed: [...failed, ...checkRemotes(subject, environment)], tasks }
  } catch (error) {
    return { failed: [failedCheck("shape", error)], tasks: [] }
  }
}

/** The addresses of `remote` metrics, which take rows and answer with scores: they are not asked here, only looked at. */
function checkRemotes(
  { config }: LaunchSubject,
  { checkEndpoint }: Pick<LaunchPorts, "checkEndpoint">,
): readonly FailedCheck[] {
  const metrics = Object.values(config.tasks ?? {}).flatMap(({ metrics = {} }) => Object.values(metrics))
  return metrics.flatMap(({ type, params = {} }) => {
    const { url } = params
    if (type !== "remote" || typeof url !== "string") return []
    try {
      checkEndpoint?.(url)
      return []
    } catch (error) {
      return [failedCheck("endpoint", error)]
    }
  })
}
