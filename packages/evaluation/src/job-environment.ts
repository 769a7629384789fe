import type { RowIndexStore } from "@assay/contents"
import type { DatasetMetadata, DatasetPin } from "@assay/schemas"
import type { FilePath, Outages, Storage } from "@assay/storage"
import type { Telemetry } from "@assay/telemetry"
import type { FilesUrl } from "./datasets/files-url.ts"
import type { correctScores, otherResults } from "@assay/results"
import type { HarnessPorts, ProgramSandbox } from "@assay/harness"
import type { ScoringEnvironment } from "@assay/scoring"
import type { WorkspaceSpending } from "./workspace-spending/workspace-spending.ts"

/** The row files of a dataset, with the storage that reads them. */
export interface OpenedDataset {
  readonly storage: Storage
  /** In code-point order; at least one. */
  readonly paths: readonly FilePath[]
  /** The row schemas, if the fileset has any. */
  readonly metadata: DatasetMetadata | undefined
  readonly pin: DatasetPin
  /** Keeps where rows are in a file, so that a part of it can be read. Default: in memory, for as long as the job is planned. */
  readonly rowIndexes?: RowIndexStore | undefined
}

export interface DatasetOptions {
  readonly signal?: AbortSignal | undefined
}

/** Reads the labels that a metric names. */
export type ReadLabels = Parameters<typeof correctScores>[1]["readLabels"]
export type NamedLabels = Awaited<ReturnType<ReadLabels>>

/** The dependencies of a job: the registry of a server, or a folder and the variables of a process. */
export interface JobEnvironment extends ScoringEnvironment, Omit<HarnessPorts, "resolveSecret"> {
  /**
   * Opens the dataset of a `files_url`. A text is a path on the machine that runs the job, such as `./rows.csv`.
   * @throws `dataset_format`, `dataset_missing`, `datastore_unreachable`, or the condition of its storage
   */
  readonly openDataset: (dataset: FilesUrl | string, options?: DatasetOptions) => Promise<OpenedDataset>
  /**
   * Returns the results that a gate compares with: those of a baseline or a job of the workspace, or of a folder on the machine of a user.
   * Absent: there are none. @throws `not_found`, `bad_usage`
   */
  readonly openBaseline?: Parameters<typeof otherResults.readReferences>[1]
  /**
   * Reads the labels of people that a metric names: those of a fileset, or of a file on the machine of a user. Absent: there are none.
   * @throws `invalid_request`, `dataset_format`, `dataset_missing`, or the condition of the storage
   */
  readonly readLabels?: ReadLabels | undefined
  /** Makes a span of each row that is asked. Absent: nothing is collected. */
  readonly telemetry?: Telemetry | undefined
  /** Waits for storage and the database of a server. Absent: their first error counts. */
  readonly outages?: Outages | undefined
  /** The folder of answers that jobs of the workspace share (`params.cache`), and of recorded conversations. Absent: answers are not shared. */
  readonly responseCacheFolder?: string | undefined
  /**
   * Opens what runs programs of evaluation files in a sandbox. Absent: there is none.
   * @throws `code_not_allowed` with the reason
   */
  readonly openProgramSandbox?: ((signal: AbortSignal) => Promise<ProgramSandbox>) | undefined
  /**
   * Opens what runs programs of evaluation files in containers of an image. Absent: no containers are started here.
   * @throws `code_not_allowed` if this machine can't
   */
  readonly openContainers?: ((image: string, signal: AbortSignal) => Promise<Pick<ProgramSandbox, "run">>) | undefined
  /** The budget of the workspace. Absent: it has none. */
  readonly spending?: WorkspaceSpending | undefined
}
