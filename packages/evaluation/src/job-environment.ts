import type { SchemaRunner } from "@assay/contents"
import type { InferenceContext } from "@assay/inference"
import type { ApiEndpoint, DatasetMetadata, DatasetPin, GuardrailData, HarnessLimits } from "@assay/schemas"
import type { FilePath, Storage } from "@assay/storage"
import type { HarnessSandbox } from "./harness/sandbox/harness-sandbox.ts"

/** The row files that a dataset names, open to be read. */
export interface OpenedDataset {
  readonly storage: Storage
  /** In code-point order; at least one. */
  readonly paths: readonly FilePath[]
  /** Its row schemas, where the fileset has some. */
  readonly metadata: DatasetMetadata | undefined
  readonly pin: DatasetPin
}

export interface DatasetOptions {
  readonly signal?: AbortSignal
}

/** What a job uses from its surroundings: a server's registry, or a folder and an environment. */
export interface JobEnvironment {
  /**
   * Opens what a `files_url` names.
   * @throws `dataset_format`, `dataset_missing`, `datastore_unreachable`, or the condition of its storage
   */
  readonly openDataset: (filesUrl: string, options?: DatasetOptions) => Promise<OpenedDataset>
  /** The key of an endpoint; undefined where it has none. @throws `secret_not_readable` */
  readonly resolveKey: (endpoint: ApiEndpoint) => Promise<string | undefined>
  /** The key behind a secret reference, for guardrails. @throws `secret_not_readable` */
  readonly resolveSecret: (reference: string) => Promise<string>
  /** A stored guardrail configuration, by `name` or `workspace/name`. @throws `not_found` */
  readonly getGuardrail: (name: string) => Promise<GuardrailData>
  readonly inference: InferenceContext
  /** Where schemas of users are compiled, and rows and answers are checked with them. */
  readonly schemas: SchemaRunner
  /** Milliseconds since 1970, UTC. */
  readonly now: () => number
  /** From 0 to 1. */
  readonly random: () => number
  /** A new id that begins with `prefix` and a hyphen. */
  readonly newId: (prefix: string) => string
  readonly sleep: (milliseconds: number, signal?: AbortSignal) => Promise<void>
  /** A folder of this job's own on a local disk, made and kept by the caller. */
  readonly workFolder: string
  /** Where answers are kept that jobs of the workspace share (`params.cache`); absent: none are. */
  readonly responseCacheFolder?: string
  /** Variables that a harness is started with; absent: harnesses can't be run here. */
  readonly harnessEnvironment?: Readonly<Record<string, string>>
  /** What a harness may use at most, and does unless it says less. Absent: what it says itself. */
  readonly harnessLimits?: HarnessLimits
  /** Keeps harnesses apart from this machine; absent: they run as the user of this process, with all that it may do. */
  readonly harnessSandbox?: HarnessSandbox
}
