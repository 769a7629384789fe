/** Any object of the API. */
export interface ApiObject {
  readonly apiVersion: string
  readonly kind: string
  readonly metadata: ApiMetadata
}

export interface ApiMetadata {
  name: string
  readonly namespace: string
  readonly uid: string
  readonly creationTimestamp: string
  resourceVersion: string
  labels: Record<string, string>
  annotations: Record<string, string>
  ownerReferences?: readonly { readonly kind: string; readonly name: string; readonly uid: string }[]
  deletionTimestamp?: string
  finalizers?: readonly string[]
}

export interface ApiCondition {
  readonly type: string
  readonly status: "True" | "False"
  readonly reason?: string
  readonly message?: string
  readonly lastTransitionTime: string
}

export type PolicyAction = "FailJob" | "FailIndex" | "Ignore" | "Count"

export interface PolicyRule {
  readonly action: PolicyAction
  readonly onExitCodes?: {
    readonly containerName?: string
    readonly operator: "In" | "NotIn"
    readonly values: readonly number[]
  }
  readonly onPodConditions?: readonly { readonly type: string; readonly status?: string }[]
}

export interface JobSpec {
  parallelism?: number
  completions?: number
  completionMode?: "NonIndexed" | "Indexed"
  backoffLimit?: number
  backoffLimitPerIndex?: number
  maxFailedIndexes?: number
  activeDeadlineSeconds?: number
  ttlSecondsAfterFinished?: number
  suspend?: boolean
  podReplacementPolicy?: "TerminatingOrFailed" | "Failed"
  podFailurePolicy?: { readonly rules: readonly PolicyRule[] }
  template: PodTemplate
  [field: string]: unknown
}

export interface JobStatus {
  active: number
  ready: number
  succeeded: number
  failed: number
  terminating: number
  completedIndexes?: string
  failedIndexes?: string
  startTime?: string
  completionTime?: string
  conditions: ApiCondition[]
}

export interface ApiJob extends ApiObject {
  readonly spec: JobSpec
  status: JobStatus
}

export interface PodTemplate {
  readonly metadata?: {
    readonly labels?: Readonly<Record<string, string>>
    readonly annotations?: Readonly<Record<string, string>>
  }
  readonly spec: PodSpec
}

export interface PodSpec {
  readonly restartPolicy?: string
  readonly containers: readonly PodContainer[]
  readonly volumes?: readonly {
    readonly name: string
    readonly emptyDir?: object
    readonly persistentVolumeClaim?: { readonly claimName: string }
  }[]
  readonly terminationGracePeriodSeconds?: number
  nodeName?: string
  [field: string]: unknown
}

export interface PodContainer {
  readonly name: string
  readonly image: string
  readonly command?: readonly string[]
  readonly args?: readonly string[]
  readonly env?: readonly PodVariable[]
  readonly envFrom?: readonly {
    readonly prefix?: string
    readonly secretRef?: { readonly name: string }
    readonly configMapRef?: { readonly name: string }
  }[]
  readonly volumeMounts?: readonly { readonly name: string; readonly mountPath: string; readonly subPath?: string }[]
  [field: string]: unknown
}

export interface PodVariable {
  readonly name: string
  readonly value?: string
  readonly valueFrom?: {
    readonly secretKeyRef?: { readonly name: string; readonly key: string }
    readonly fieldRef?: { readonly fieldPath: string }
  }
}

export interface PodStatus {
  phase: "Pending" | "Running" | "Succeeded" | "Failed"
  conditions: ApiCondition[]
  containerStatuses: readonly {
    readonly name: string
    readonly state: {
      readonly waiting?: { readonly reason: string; readonly message?: string }
      readonly running?: { readonly startedAt: string }
      readonly terminated?: { readonly exitCode: number; readonly reason: string }
    }
  }[]
}

export interface ApiPod extends ApiObject {
  readonly spec: PodSpec
  status: PodStatus
}

/** Returns a time as the API writes it: RFC 3339 in whole seconds. */
export function timestamp(milliseconds = Date.now()): string {
  return `${new Date(milliseconds).toISOString().slice(0, 19)}Z`
}

/** Formats indexes as the status of a Job does: `0-4,7`. */
export function formatRanges(indexes: Iterable<number>): string {
  const ranges: number[][] = []
  for (const index of [...indexes].toSorted((a, b) => a - b)) {
    const last = ranges.at(-1)
    if (last?.at(-1) === index - 1) ranges[ranges.length - 1] = [last[0] ?? index, index]
    else ranges.push([index])
  }
  // Two indexes in a row are written with a comma, as the Job controller does.
  return ranges
    .map(([first, last = first]) =>
      first === last ? `${first}` : `${first}${last === (first ?? 0) + 1 ? "," : "-"}${last}`,
    )
    .join(",")
}
