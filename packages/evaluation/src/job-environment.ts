import type { SchemaRunner } from "@assay/contents"
import type { InferenceContext } from "@assay/inference"
import type { ApiEndpoint, DatasetMetadata, DatasetPin, GuardrailData, HarnessLimits, PriceTable } from "@assay/schemas"
import type { Telemetry } from "@assay/telemetry"
import type { FilePath, Outages, Storage } from "@assay/storage"
import type { FilesUrl } from "./datasets/files-url.ts"
import type { OpenBaseline } from "./gates/gate-references.ts"
import type { Spending } from "./spending/spending.ts"
import type { HarnessSandbox } from "./harness/sandbox/harness-sandbox.ts"
import type { ReadLabels } from "./labels/correct-scores.ts"

/** The row files of a dataset, with the storage that reads them. */
export interface OpenedDataset {
  readonly storage: Storage
  /** In code-point order; at least one. */
  readonly paths: readonly FilePath[]
  /** The row schemas, if the fileset has any. */
  readonly metadata: DatasetMetadata | undefined
  readonly pin: DatasetPin
}

export interface DatasetOptions {
  readonly signal?: AbortSignal | undefined
}

/** The dependencies of a job: the registry of a server, or a folder and the variables of a process. */
export interface JobEnvironment {
  /**
   * Opens the dataset of a `files_url`. A text is a place on the machine that runs the job, such as `./rows.csv`.
   * @throws `dataset_format`, `dataset_missing`, `datastore_unreachable`, or the condition of its storage
   */
  readonly openDataset: (dataset: FilesUrl | string, options?: DatasetOptions) => Promise<OpenedDataset>
  /** Returns the key of an endpoint; undefined if it has none. @throws `secret_not_readable` */
  readonly resolveKey: (endpoint: ApiEndpoint) => Promise<string | undefined>
  /**
   * Returns the value of a secret, for guardrails and harnesses.
   * @param url the endpoint that gets it; undefined for a harness
   * @throws `secret_not_readable`
   */
  readonly resolveSecret: (reference: string, url?: string) => Promise<string>
  /** Returns a stored guardrail configuration, by `name` or `workspace/name`. @throws `not_found` */
  readonly getGuardrail: (name: string) => Promise<GuardrailData>
  /**
   * Returns the results that a gate compares with: those of a baseline or a job of the workspace, or of a folder on the machine of a user.
   * Absent: there are none. @throws `not_found`, `bad_usage`
   */
  readonly openBaseline?: OpenBaseline | undefined
  /**
   * Reads the labels of people that a metric names: those of a fileset, or of a file on the machine of a user. Absent: there are none.
   * @throws `invalid_request`, `dataset_format`, `dataset_missing`, or the condition of the storage
   */
  readonly readLabels?: ReadLabels | undefined
  readonly inference: InferenceContext
  /** Makes a span of each row that is asked. Absent: nothing is collected. */
  readonly telemetry?: Telemetry | undefined
  /** Compiles schemas of users, and checks rows and answers with them. */
  readonly schemas: SchemaRunner
  /** Returns milliseconds since 1970, UTC. */
  readonly now: () => number
  /** Returns a number from 0 to 1. */
  readonly random: () => number
  /** Returns a new id that begins with `prefix` and a hyphen. */
  readonly newId: (prefix: string) => string
  readonly sleep: (milliseconds: number, signal?: AbortSignal) => Promise<void>
  /** Waits for storage and the database of a server. Absent: their first error counts. */
  readonly outages?: Outages | undefined
  /** A folder for only this job on a local disk. The caller creates and removes it. */
  readonly workFolder: string
  /** The folder of answers that jobs of the workspace share (`params.cache`). Absent: answers are not shared. */
  readonly responseCacheFolder?: string | undefined
  /** The budget of the workspace. Absent: it has none. */
  readonly spending?: Spending | undefined
  /** Prices of tokens. Absent: no cost is known. */
  readonly prices?: PriceTable | undefined
  /** Variables for harnesses. Absent: harnesses can't run here. */
  readonly harnessEnvironment?: Readonly<Record<string, string>> | undefined
  /** Limits of a harness, unless it sets lower ones. Absent: only its own limits apply. */
  readonly harnessLimits?: HarnessLimits | undefined
  /** Isolates harnesses from this machine. Absent: they run as the user of this process, with all its rights. */
  readonly harnessSandbox?: HarnessSandbox | undefined
}
