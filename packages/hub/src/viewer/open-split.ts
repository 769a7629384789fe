import type { JsonSchema, RowFileset, RowReader } from "@assay/contents"
import { createSchemaChooser, rowFormatOf } from "@assay/contents"
import { AssayError, type DatasetMetadata, isAssayError, printable } from "@assay/schemas"
import type { StoredFile } from "@assay/storage"
import { LRUCache } from "lru-cache"
import { type Feature, featuresOf } from "./features.ts"
import { CONFIG, listSplits, type Splits } from "./splits.ts"

/** A dataset whose rows are read: the fileset, and its id as clients write it. */
export interface ViewedDataset {
  readonly dataset: string
  readonly fileset: RowFileset
  readonly reader: RowReader
  readonly signal: AbortSignal
}

/** The rows of a split: those of its files, one after another. */
export interface OpenedSplit {
  readonly name: string
  readonly files: readonly StoredFile[]
  readonly features: readonly Feature[]
  /** Decides the types of CSV fields. */
  readonly metadata: DatasetMetadata | undefined
}

/** Number of rows from which the types of columns are inferred. */
const INFERRED_ROWS = 1000
const MAX_SHOWN_NAME = 100

/** Checks the name of a subset. @throws `not_found` */
export function checkConfig(config: string | undefined): void {
  if (config === undefined || config === CONFIG) return
  const shown = printable(config.slice(0, MAX_SHOWN_NAME))
  throw new AssayError("not_found", `There is no subset '${shown}': every dataset here has one, '${CONFIG}'.`)
}

/** Returns the splits of a dataset. @throws `not_found` if `name` is given and is none of them */
export async function splitsOf({ fileset, signal, dataset }: ViewedDataset, name?: string): Promise<Splits> {
  const splits = await listSplits(fileset.storage, signal)
  if (name === undefined || splits.has(name)) return splits
  const known = splits.size === 0 ? "no file with rows" : `only ${[...splits.keys()].slice(0, 20).join(", ")}`
  const message = `'${dataset}' has no split '${printable(name.slice(0, MAX_SHOWN_NAME))}', ${known}.`
  throw new AssayError("not_found", message)
}

/** Opens splits, and remembers the types of their columns by the version of their first file. */
export function createOpenSplit(): (viewed: ViewedDataset, splits: Splits, name: string) => Promise<OpenedSplit> {
  const inferred = new LRUCache<string, JsonSchema>({ max: 200 })
  return async (viewed, splits, name) => {
    const files = splits.get(name) ?? []
    const [first] = files
    const { metadata } = viewed.fileset
    const schema = first === undefined ? {} : await inferOnce(inferred, viewed, first)
    const isCsv = first !== undefined && ["csv", "tsv"].includes(rowFormatOf(first.path)?.encoding ?? "")
    const chosen = first === undefined || metadata === undefined ? undefined : createSchemaChooser(metadata)(first.path)
    // A field of CSV has a type only by a schema.
    if (!isCsv || chosen !== undefined)
      return { name, files, features: featuresOf((isCsv ? chosen?.schema : undefined) ?? schema), metadata }
    return { name, files, features: featuresOf(schema), metadata: { ...metadata, schema } }
  }
}

async function inferOnce(
  inferred: LRUCache<string, JsonSchema>,
  { fileset, reader, signal }: ViewedDataset,
  { path, etag }: StoredFile,
): Promise<JsonSchema> {
  const key = etag === null ? undefined : JSON.stringify([fileset.id, path, etag, fileset.metadata?.csv])
  const known = key === undefined ? undefined : inferred.get(key)
  if (known !== undefined) return known
  const schema = await reader
    .inferSchema(fileset, { path, rows: INFERRED_ROWS, signal })
    .catch((error: unknown): JsonSchema => {
      // A file without rows that can be read has no columns.
      if (isAssayError(error, "invalid_request")) return {}
      throw error
    })
  if (key !== undefined) inferred.set(key, schema)
  return schema
}
