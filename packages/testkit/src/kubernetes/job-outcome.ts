import {
  type ApiCondition,
  type ApiJob,
  type ApiPod,
  type PolicyAction,
  type PolicyRule,
  timestamp,
} from "./kubernetes-objects.ts"

/** The effect of the end of a pod on its Job. */
export interface PodOutcome {
  readonly action: PolicyAction | "Succeeded"
}

/** Returns what the end of a pod means: the action of the first rule of the policy that matches, or else it is counted. */
export function podOutcome({ spec }: ApiJob, pod: ApiPod): PodOutcome {
  if (pod.status.phase === "Succeeded") return { action: "Succeeded" }
  const rule = spec.podFailurePolicy?.rules.find((one) => matches(one, pod))
  return { action: rule?.action ?? "Count" }
}

function matches({ onExitCodes, onPodConditions }: PolicyRule, { status }: ApiPod): boolean {
  if (onExitCodes !== undefined) {
    const { containerName, operator, values } = onExitCodes
    return status.containerStatuses.some(({ name, state }) => {
      const code = state.terminated?.exitCode ?? 0
      if (code === 0 || (containerName !== undefined && containerName !== name)) return false
      return values.includes(code) === (operator === "In")
    })
  }
  return (onPodConditions ?? []).some(({ type, status: wanted = "True" }) =>
    status.conditions.some((condition) => condition.type === type && condition.status === wanted),
  )
}

/** How a Job ends. */
export interface JobEnd {
  readonly type: "Complete" | "Failed"
  readonly reason: string
  readonly message: string
}

interface JobCounts {
  readonly completed: ReadonlySet<number>
  readonly failed: ReadonlySet<number>
  readonly failures: ReadonlyMap<number, number>
  readonly outcome: PolicyAction | "Succeeded" | undefined
}

/** Returns how a Job ends. Undefined: it goes on. */
export function jobOutcome({ spec, status }: ApiJob, counts: JobCounts, now: number): JobEnd | undefined {
  const { completed, failed, failures, outcome } = counts
  const { completions = 1, backoffLimit = 6, backoffLimitPerIndex, maxFailedIndexes, activeDeadlineSeconds } = spec
  const fail = (reason: string, message: string): JobEnd => ({ type: "Failed", reason, message })
  if (outcome === "FailJob") return fail("PodFailurePolicy", "Container assay failed matching FailJob rule")
  const started = status.startTime === undefined ? now : Date.parse(status.startTime)
  if (activeDeadlineSeconds !== undefined && now >= started + activeDeadlineSeconds * 1000) {
    return fail("DeadlineExceeded", "Job was active longer than specified deadline")
  }
  if (maxFailedIndexes !== undefined && failed.size > maxFailedIndexes) {
    return fail("MaxFailedIndexesExceeded", "Job has exceeded the specified maximal number of failed indexes")
  }
  const all = [...failures.values()].reduce((sum, count) => sum + count, 0)
  if (backoffLimitPerIndex === undefined && all > backoffLimit) {
    return fail("BackoffLimitExceeded", "Job has reached the specified backoff limit")
  }
  if (completed.size + failed.size < completions) return undefined
  if (failed.size > 0) return fail("FailedIndexes", "Job has failed indexes")
  return { type: "Complete", reason: "CompletionsReached", message: "Reached expected number of succeeded pods" }
}

/** Returns the conditions of a Job: first the criterion of its end, and when no pod runs any more, the end. */
export function finishedCondition(
  { spec, status }: ApiJob,
  end: JobEnd | undefined,
  hasPods: boolean,
): readonly ApiCondition[] {
  const before = (type: string) => status.conditions.find((one) => one.type === type)
  const condition = (type: string, reason: string, message: string): ApiCondition =>
    before(type) ?? { type, status: "True", reason, message, lastTransitionTime: timestamp() }
  if (end === undefined) {
    return spec.suspend === true ? [condition("Suspended", "JobSuspended", "Job suspended")] : []
  }
  const first = end.type === "Complete" ? "SuccessCriteriaMet" : "FailureTarget"
  const conditions = [condition(first, end.reason, end.message)]
  return hasPods ? conditions : [...conditions, condition(end.type, end.reason, end.message)]
}
