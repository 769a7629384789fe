import type { InferenceContext } from "@assay/inference"
import type { ApiEndpoint, EvaluationConfigBody, EvaluationTargetBody, HarnessLimits } from "@assay/schemas"
import type { HarnessSandbox } from "./sandbox/harness-sandbox.ts"

/** The part of a job that its harness needs. */
export interface HarnessJob {
  readonly target: EvaluationTargetBody
  readonly config: EvaluationConfigBody
}

/** A line that a harness wrote. */
export interface HarnessLogLine {
  readonly level: "info" | "warn" | "error"
  readonly message: string
}

/** Receives what may show why a harness failed. */
export interface HarnessFindings {
  addLogLine(line: string): void
  addError(error: unknown, location: { readonly evidence: readonly string[] }): void
}

/** The rights that an operator gives to harnesses. */
export interface HarnessSettings {
  /** Variables for harnesses. Absent: harnesses can't run here. */
  readonly harnessEnvironment?: Readonly<Record<string, string>> | undefined
  /** Limits of a harness, unless it sets lower ones. Absent: only its own limits apply. */
  readonly harnessLimits?: HarnessLimits | undefined
  /** Isolates harnesses from this machine. Absent: they run as the user of this process, with all its rights. */
  readonly harnessSandbox?: HarnessSandbox | undefined
}

/** The dependencies of a harness. */
export interface HarnessPorts extends HarnessSettings {
  /** A folder for only this job on a local disk. The caller creates and removes it. */
  readonly workFolder: string
  /** Returns the key of an endpoint; undefined if it has none. @throws `secret_not_readable` */
  readonly resolveKey: (endpoint: ApiEndpoint) => Promise<string | undefined>
  /** Returns the value of a secret. @throws `secret_not_readable` */
  readonly resolveSecret: (reference: string) => Promise<string>
  readonly inference: InferenceContext
  /** Returns milliseconds since 1970, UTC. */
  readonly now: () => number
  /** Returns a new id that begins with `prefix` and a hyphen. */
  readonly newId: (prefix: string) => string
}
