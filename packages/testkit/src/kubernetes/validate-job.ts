import type { StatusCause } from "./api-status.ts"
import type { JobSpec, PodContainer, PodSpec, PolicyRule } from "./kubernetes-objects.ts"

const LABEL = /^[a-z0-9]([-a-z0-9]{0,61}[a-z0-9])?$/
const SUBDOMAIN = /^[a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*$/
const LABEL_VALUE = /^(([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9])?$/
const QUALIFIED = /^([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]$/
const QUANTITY = /^[+-]?(\d+(\.\d*)?|\.\d+)([numkMGTPE]|[KMGTPE]i|[eE][+-]?\d+)?$/
const MAX_COMPLETIONS = 100_000
const MAX_ANNOTATIONS = 256 * 1024

export interface CandidateJob {
  readonly metadata: {
    readonly name: string
    readonly labels?: Readonly<Record<string, string>>
    readonly annotations?: Readonly<Record<string, string>>
  }
  readonly spec: JobSpec
}

/**
 * Returns what a real API server refuses in a Job, as far as it matters here: names, labels, indexes, policies and pods. After
 * https://github.com/kubernetes/kubernetes/blob/v1.34.0/pkg/apis/batch/validation/validation.go
 */
export function validateJob({ metadata, spec }: CandidateJob): readonly StatusCause[] {
  const causes: StatusCause[] = []
  const invalid = (field: string, value: unknown, why: string) =>
    causes.push({ reason: "FieldValueInvalid", field, message: `Invalid value: ${JSON.stringify(value)}: ${why}` })
  const required = (field: string, why: string) =>
    causes.push({ reason: "FieldValueRequired", field, message: `Required value${why === "" ? "" : `: ${why}`}` })

  if (!SUBDOMAIN.test(metadata.name) || metadata.name.length > 253) {
    invalid(
      "metadata.name",
      metadata.name,
      "a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.'",
    )
  }
  checkLabels("metadata.labels", metadata.labels ?? {}, invalid)
  const annotated = Object.entries(metadata.annotations ?? {}).reduce(
    (sum, [key, value]) => sum + key.length + value.length,
    0,
  )
  if (annotated > MAX_ANNOTATIONS) invalid("metadata.annotations", annotated, "must have at most 262144 bytes")
  for (const key of Object.keys(metadata.annotations ?? {})) checkKey("metadata.annotations", key, invalid)

  const { completions = 1, parallelism = 1, completionMode = "NonIndexed", template } = spec
  for (const [field, value] of Object.entries({
    completions,
    parallelism,
    ttlSecondsAfterFinished: spec.ttlSecondsAfterFinished ?? 0,
  })) {
    if (!Number.isInteger(value) || value < 0) invalid(`spec.${field}`, value, "must be greater than or equal to 0")
  }
  if (completionMode === "Indexed") {
    if (spec.completions === undefined) required("spec.completions", "when completion mode is Indexed")
    if (completions > MAX_COMPLETIONS && spec.backoffLimitPerIndex === undefined) {
      invalid("spec.completions", completions, "must be less than or equal to 100000")
    }
    if (parallelism > MAX_COMPLETIONS)
      invalid("spec.parallelism", parallelism, "must be less than or equal to 100000 when completion mode is Indexed")
    // The host name of the pod with the greatest index.
    const host = `${metadata.name}-${Math.max(0, completions - 1)}`
    if (!LABEL.test(host)) {
      invalid(
        "metadata.name",
        metadata.name,
        "will not able to create pod with invalid DNS label: must be no more than 63 characters",
      )
    }
  } else if (spec.backoffLimitPerIndex !== undefined) {
    causes.push({
      reason: "FieldValueInvalid",
      field: "spec.backoffLimitPerIndex",
      message: `Invalid value: ${spec.backoffLimitPerIndex}: requires indexed completion mode`,
    })
  }
  if (spec.maxFailedIndexes !== undefined) {
    if (spec.backoffLimitPerIndex === undefined)
      required("spec.backoffLimitPerIndex", "when maxFailedIndexes is specified")
    if (spec.maxFailedIndexes > completions)
      invalid("spec.maxFailedIndexes", spec.maxFailedIndexes, "must be less than or equal to completions")
  }
  if (spec.podFailurePolicy !== undefined) {
    if (template?.spec?.restartPolicy !== "Never") {
      invalid(
        "spec.template.spec.restartPolicy",
        template?.spec?.restartPolicy,
        'only "Never" is supported when podFailurePolicy is specified',
      )
    }
    if (spec.podReplacementPolicy === "TerminatingOrFailed") {
      causes.push({
        reason: "FieldValueNotSupported",
        field: "spec.podReplacementPolicy",
        message: 'Unsupported value: "TerminatingOrFailed": supported values: "Failed"',
      })
    }
    for (const [at, rule] of spec.podFailurePolicy.rules.entries()) {
      checkRule(`spec.podFailurePolicy.rules[${at}]`, rule, { spec, invalid, required })
    }
  }
  checkLabels("spec.template.metadata.labels", template?.metadata?.labels ?? {}, invalid)
  if (template?.spec === undefined) required("spec.template.spec", "")
  else checkPod(template.spec, { invalid, required })
  return causes
}

interface Reports {
  readonly invalid: (field: string, value: unknown, why: string) => void
  readonly required: (field: string, why: string) => void
}

function checkRule(
  path: string,
  rule: PolicyRule,
  { spec, invalid, required }: Reports & { readonly spec: JobSpec },
): void {
  if (rule.action === "FailIndex" && spec.backoffLimitPerIndex === undefined) {
    invalid(`${path}.action`, rule.action, "requires the backoffLimitPerIndex to be set")
  }
  if ((rule.onExitCodes === undefined) === (rule.onPodConditions === undefined)) {
    invalid(path, "", "specifying one of OnExitCodes and OnPodConditions is required")
  }
  if (rule.onExitCodes?.operator === "In" && rule.onExitCodes.values.includes(0)) {
    invalid(`${path}.onExitCodes.values`, 0, "must not be 0 for the In operator")
  }
  for (const [at, { type, status }] of (rule.onPodConditions ?? []).entries()) {
    if (type === "") required(`${path}.onPodConditions[${at}].type`, "")
    if (status === undefined) required(`${path}.onPodConditions[${at}].status`, "")
  }
}

function checkPod({ restartPolicy, containers, volumes = [] }: PodSpec, reports: Reports): void {
  const { invalid, required } = reports
  const pod = "spec.template.spec"
  if (restartPolicy !== "Never" && restartPolicy !== "OnFailure") {
    required(`${pod}.restartPolicy`, 'valid values: "OnFailure", "Never"')
  }
  if (!Array.isArray(containers) || containers.length === 0) required(`${pod}.containers`, "")
  for (const [at, container] of (containers ?? []).entries()) {
    checkContainer(
      `${pod}.containers[${at}]`,
      container,
      volumes.map(({ name }) => name),
      reports,
    )
  }
  for (const [at, { name }] of volumes.entries()) {
    if (!LABEL.test(name))
      invalid(
        `${pod}.volumes[${at}].name`,
        name,
        "a lowercase RFC 1123 label must consist of lower case alphanumeric characters or '-'",
      )
  }
}

function checkContainer(
  path: string,
  container: PodContainer,
  volumes: readonly string[],
  { invalid, required }: Reports,
): void {
  if (!LABEL.test(container.name ?? ""))
    invalid(`${path}.name`, container.name, "a lowercase RFC 1123 label is required")
  if ((container.image ?? "") === "") required(`${path}.image`, "")
  else if (container.image.trim() !== container.image)
    invalid(`${path}.image`, container.image, "must not have leading or trailing whitespace")
  for (const [at, { name, value, valueFrom }] of (container.env ?? []).entries()) {
    if (!/^[ -<>-~]+$/.test(name))
      invalid(
        `${path}.env[${at}].name`,
        name,
        "a valid environment variable name must consist only of printable ASCII characters other than '='",
      )
    if (value !== undefined && value !== "" && valueFrom !== undefined)
      invalid(`${path}.env[${at}].valueFrom`, "", "may not be specified when `value` is not empty")
  }
  const paths = new Set<string>()
  for (const [at, { name, mountPath }] of (container.volumeMounts ?? []).entries()) {
    if (!volumes.includes(name)) invalid(`${path}.volumeMounts[${at}].name`, name, "not found")
    if (paths.has(mountPath)) invalid(`${path}.volumeMounts[${at}].mountPath`, mountPath, "must be unique")
    paths.add(mountPath)
  }
  const { requests = {}, limits = {} } = (container["resources"] ?? {}) as Readonly<
    Record<string, Record<string, unknown>>
  >
  for (const [kind, quantities] of Object.entries({ requests, limits })) {
    for (const [name, quantity] of Object.entries(quantities)) {
      if (!QUANTITY.test(String(quantity)))
        invalid(
          `${path}.resources.${kind}[${name}]`,
          quantity,
          "quantities must match the regular expression '^([+-]?[0-9.]+)([eEinumkKMGTP]*[-+]?[0-9]*)$'",
        )
    }
  }
}

function checkLabels(field: string, labels: Readonly<Record<string, string>>, invalid: Reports["invalid"]): void {
  for (const [key, value] of Object.entries(labels)) {
    checkKey(field, key, invalid)
    if (!LABEL_VALUE.test(value) || value.length > 63) {
      invalid(
        field,
        value,
        "a valid label must be an empty string or consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character",
      )
    }
  }
}

function checkKey(field: string, key: string, invalid: Reports["invalid"]): void {
  const parts = key.split("/")
  const name = parts.at(-1) ?? ""
  const isGood =
    parts.length <= 2 &&
    QUALIFIED.test(name) &&
    name.length <= 63 &&
    (parts.length === 1 || SUBDOMAIN.test(parts[0] ?? ""))
  if (!isGood)
    invalid(
      field,
      key,
      "name part must consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character",
    )
}
