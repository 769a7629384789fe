import type { ErrorCode, ValidationIssue } from "@assay/schemas"
import type { RowsText } from "../formats/parquet/process/parquet-messages.ts"
import type { RowBlock } from "../rows/row-block.ts"
import type { RowFault } from "../schemas/row-checker.ts"
import type { RowTally } from "./row-tally.ts"
import type { RowPart, RowSelection, SelectedRows } from "./select-rows.ts"

/** The jobs that a thread does with the row schemas of a dataset, and the answer to each. */
export interface SchemaJobs {
  /** Compiles every schema. The answer has one issue per fault. Each `loc` is relative to the metadata. */
  readonly metadata: { readonly ask: object; readonly answer: readonly ValidationIssue[] }
  /** Checks a block of text. Its bytes are transferred to the thread, and back with the answer. */
  readonly block: {
    readonly ask: { readonly path: string; readonly block: RowBlock; readonly maxIssues: number }
    readonly answer: { readonly tally: RowTally; readonly bytes: Uint8Array<ArrayBuffer> }
  }
  /**
   * Checks rows of a Parquet file, given as the JSON text of an array. A string in the array means a row that
   * can't be read.
   */
  readonly window: {
    readonly ask: RowsText & { readonly path: string; readonly maxIssues: number }
    readonly answer: RowTally
  }
  /** Selects rows of a part of a file. The bytes of a block are transferred to the thread, and back with the answer. */
  readonly select: {
    readonly ask: { readonly path: string; readonly part: RowPart; readonly selection: RowSelection }
    readonly answer: { readonly selected: SelectedRows; readonly bytes: Uint8Array<ArrayBuffer> | undefined }
  }
  /** Checks values, each given as JSON text. The answer is null for a valid value. */
  readonly values: {
    readonly ask: { readonly path: string; readonly texts: readonly string[] }
    readonly answer: readonly (readonly RowFault[] | null)[]
  }
}

export type SchemaJobKind = keyof SchemaJobs
export type SchemaJob<K extends SchemaJobKind = SchemaJobKind> = {
  readonly [Kind in K]: { readonly kind: Kind } & SchemaJobs[Kind]["ask"]
}[K]

export type ToSchemaThread =
  | { readonly kind: "job"; readonly digest: string; readonly job: SchemaJob }
  /** The metadata that the thread requested, as JSON: exact numbers can't be sent. */
  | { readonly kind: "source"; readonly metadata: string }

export type FromSchemaThread =
  | { readonly kind: "ready" }
  /** The thread needs the metadata of its job. */
  | { readonly kind: "want" }
  | { readonly kind: "done"; readonly answer: SchemaJobs[SchemaJobKind]["answer"] }
  | { readonly kind: "failed"; readonly code: ErrorCode | null; readonly message: string }
