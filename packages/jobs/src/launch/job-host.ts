import type { JobExecutors } from "../job-engines/job-executors.ts"
import type { SchemaRunner } from "@assay/contents"
import type { InferenceContext } from "@assay/inference"
import type { Registry } from "@assay/registry"
import type { GuardrailData, HarnessLimits, PriceTable } from "@assay/schemas"
import type { Telemetry } from "@assay/telemetry"
import type { HarnessSandbox } from "@assay/harness"

/** A server that runs jobs of a registry: everything that its jobs share. */
export interface JobHost {
  readonly registry: Registry
  readonly schemas: {
    /** Returns threads for the schemas of a workspace. */
    readonly of: (workspace: string) => Promise<SchemaRunner>
  }
  readonly guardrails: GuardrailSource
  /** Fails if jobs may not call this inference endpoint. @throws `host_not_allowed` */
  readonly checkEndpoint: (url: string) => void
  /** Returns what inference clients of all jobs share. Asynchronous, so that a server loads it with the first job. */
  readonly openInference: () => Promise<InferenceContext>
  /** Returns milliseconds since 1970, UTC. */
  readonly now: () => number
  /** Returns milliseconds since any moment, for elapsed times. The clock of the machine does not change it. */
  readonly elapsed: () => number
  /** Returns a number from 0 to 1. */
  readonly random: () => number
  /** Returns a new id that begins with `prefix` and a hyphen. */
  readonly newId: (prefix: string) => string
  readonly sleep: (milliseconds: number, signal?: AbortSignal) => Promise<void>
  /** Makes spans of jobs, shards and rows. Absent: nothing is collected. */
  readonly telemetry?: Telemetry | undefined
  /** Prices of tokens. Absent: no cost is known. */
  readonly prices?: PriceTable | undefined
  /** Variables for harnesses. Absent: the operator allows no harness. */
  readonly harnessEnvironment?: Readonly<Record<string, string>> | undefined
  readonly harnessLimits?: HarnessLimits | undefined
  /** The engines that jobs can name. Absent: none. */
  readonly executors?: JobExecutors | undefined
  /** Isolates harnesses from this machine. Absent: the operator trusts them. */
  readonly harnessSandbox?: HarnessSandbox | undefined
  /** Whether the workers of this server have a sandbox, and this process none, because it is not a worker. Default false. */
  readonly isSandboxElsewhere?: boolean | undefined
}

/** Guardrail configurations: the stored ones, and those that come with the program. */
export interface GuardrailSource {
  /** @throws `not_found` */
  get(workspace: string, name: string): Promise<{ readonly data: GuardrailData }>
  isBuiltIn(workspace: string, name: string): Promise<boolean>
}
