import { isAssayError } from "@assay/schemas"
import type {
  ColumnFilter,
  DatasetMetadata,
  RowPage,
  RowProfile,
  RowReport,
  RowSearchPage,
  RowTrial,
} from "@assay/schemas"
import type { FilePath, Storage } from "@assay/storage"
import type { RowIndexStore } from "../pages/row-index.ts"
import type { CompareOptions, RowComparison } from "../compare/compare-rows.ts"
import { checkRowPath, rowFormatOf } from "../rows/row-format.ts"
import type { Row } from "../rows/row.ts"
import type { JsonSchema } from "../schemas/json-schema.ts"
import { createRowFiles, type RowFiles } from "./row-files.ts"
import { createFileSearches, type SearchOptions } from "./file-searches.ts"
import type { FoundRows } from "./found-rows.ts"
import { createProfiles } from "./profiles.ts"
import type { RowQuestion } from "./row-searches.ts"
import { createSchemaTrial } from "./schema-trial.ts"
import { createTurns } from "@assay/isolation"
import type { Schemas } from "./workspace-schemas.ts"

/** An opened fileset whose rows are read. */
export interface RowFileset {
  readonly id: string
  readonly workspace: string
  readonly metadata: DatasetMetadata | undefined
  readonly storage: Storage
}

/** A file, everything below a folder, or all files, and the signal that ends the work. */
interface PathOptions {
  readonly path: string | undefined
  readonly signal: AbortSignal
}

interface PageOptions {
  readonly path: FilePath
  readonly offset: number
  readonly limit: number
  /** All of them must hold. */
  readonly filters: readonly ColumnFilter[]
  readonly signal: AbortSignal
}

/** Reads the rows of filesets for many requests: a few at a time, and each until its `signal` aborts. */
export interface RowReader {
  /** Validates every row. `maxIssues` is the maximum number of issues listed per file. */
  validate(fileset: RowFileset, options: PathOptions & { readonly maxIssues: number }): Promise<RowReport>
  /** Reads some rows of a file, or some that match, with the issues of each. */
  page(fileset: RowFileset, options: PageOptions): Promise<RowPage>
  /** Searches all rows of a file, and reads some of those that were found so far. The search goes on after the answer. */
  search(fileset: RowFileset, options: SearchOptions): Promise<RowSearchPage>
  /** Returns all rows of a file that a search finds, when it is complete. */
  find(fileset: RowFileset, options: RowQuestion & Pick<SearchOptions, "path" | "signal">): Promise<FoundRows>
  /** Checks the first 1,000 rows of a file, or of the first file with rows, with another schema. @throws `not_found`, `schema_too_costly` */
  trySchema(fileset: RowFileset, options: PathOptions & { readonly schema: JsonSchema }): Promise<RowTrial>
  /** Proposes a schema that the first `rows` rows satisfy. */
  inferSchema(fileset: RowFileset, options: PathOptions & { readonly rows: number }): Promise<JsonSchema>
  profile(fileset: RowFileset, options: PathOptions): Promise<RowProfile>
  /**
   * Compares the rows of a file in two states of a fileset. A state without the file has no rows.
   * @throws `not_found` if neither has the file; `bad_request` if the key does not name each row
   */
  compare(from: NamedState, to: NamedState, options: ComparisonOptions): Promise<RowComparison>
  /** Reads rows of several files as one list. */
  readonly files: RowFiles
}

/** A state of a fileset, and its name for messages. */
export interface NamedState {
  readonly name: string
  readonly fileset: RowFileset
}

interface ComparisonOptions extends Pick<CompareOptions, "key" | "limit"> {
  readonly path: FilePath
  readonly signal: AbortSignal
}

/** Maximum number of concurrent requests that read whole filesets, or search rows. More would slow down all requests. */
const READING_AT_A_TIME = 4
/** Maximum number of concurrent pages of Parquet files. Each is decoded in a process of its own. */
const PARQUET_PAGES_AT_A_TIME = 4

/** Creates the reader. `cores` is the number of processor cores that one request may use. */
export function createRowReader({ schemas, cores }: { readonly schemas: Schemas; readonly cores: number }): RowReader {
  let indexes: RowIndexStore | undefined
  const indexesOf = async (fileset: string) => {
    const { createMemoryRowIndexStore } = await import("../pages/row-index.ts")
    indexes ??= createMemoryRowIndexStore()
    return storeOf(fileset, indexes)
  }
  const turns = createTurns(READING_AT_A_TIME)
  const parquetTurns = createTurns(PARQUET_PAGES_AT_A_TIME)
  const files = createRowFiles({ turns, indexesOf })
  return {
    files,
    ...createFileSearches({ turns, indexesOf, schemas }),
    trySchema: createSchemaTrial({ turns, indexesOf, schemas }),
    profile: createProfiles(turns),

    async compare(from, to, { path, signal, ...options }) {
      checkRowPath(path)
      const [before, after] = [await sideOf(from), await sideOf(to)]
      if (before.file === undefined && after.file === undefined) throw before.missing
      const { compareRows } = await import("../compare/compare-rows.ts")
      const total = before.count + after.count
      return turns.run(signal, () => compareRows(before, after, { ...options, total }))

      async function sideOf({ name, fileset }: NamedState) {
        const { storage, metadata } = fileset
        const found = await storage.stat(path, { signal }).then((file) => ({ file }), missingFile)
        const count = found.file === undefined ? 0 : await files.count(fileset, found.file, signal)
        const { openRows } = await import("../reading/open-rows.ts")
        const rows = () => (found.file === undefined ? noRows() : openRows(storage, path, { metadata, signal }))
        return { ...found, name: `'${path}' at ${name}`, count, rows }
      }
    },

    async validate({ workspace, storage, metadata }, { path, maxIssues, signal }) {
      const { validateRows } = await import("../validate/validate-rows.ts")
      const runner = await schemas.of(workspace)
      const options = { storage, schemas: runner, metadata, path, maxIssues, parallel: cores, signal }
      return turns.run(signal, () => validateRows(options))
    },

    async page({ id, workspace, storage, metadata }, { path, offset, limit, filters, signal }) {
      const { readRowsPage } = await import("../pages/read-rows-page.ts")
      const checkedBy = metadata === undefined ? undefined : { metadata, schemas: await schemas.of(workspace) }
      const options = { offset, limit, filters, checkedBy, indexes: await indexesOf(id), signal }
      const readPage = () => readRowsPage(storage, path, options)
      if (rowFormatOf(path)?.encoding === "parquet") return parquetTurns.run(signal, readPage)
      return filters.length > 0 ? turns.run(signal, readPage) : readPage()
    },

    async inferSchema({ storage, metadata }, { path, rows, signal }) {
      const { inferSchema } = await import("../infer/infer-schema.ts")
      return turns.run(signal, () => inferSchema(storage, path, { rows, metadata, signal }))
    },
  }
}

/** Returns the part of `indexes` for one fileset: files of two filesets can have the same path and version. */
function storeOf(fileset: string, indexes: RowIndexStore): RowIndexStore {
  return {
    get: (key) => indexes.get(`${fileset} ${key}`),
    set: (key, index) => indexes.set(`${fileset} ${key}`, index),
  }
}

/** Returns that a state has no such file, with the error that says so. @throws other errors */
function missingFile(error: unknown): { readonly file: undefined; readonly missing: unknown } {
  if (!isAssayError(error, "not_found")) throw error
  return { file: undefined, missing: error }
}

async function* noRows(): AsyncGenerator<readonly Row[], void, undefined> {}
