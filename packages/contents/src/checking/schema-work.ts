import type { DatasetMetadata } from "@assay/schemas"
import { createNumberFinder, type NumberFinder } from "@assay/json"
import { LRUCache } from "lru-cache"
import { readJson } from "../formats/json/read-json.ts"
import { rowsOfWindow, type RowsText } from "../formats/parquet/process/parquet-messages.ts"
import { visitRows } from "../reading/visit-rows.ts"
import type { RowBlock } from "../rows/row-block.ts"
import { anyColumns } from "../schemas/column-types.ts"
import { createSchemaSyntax } from "../schemas/compile/create-ajv.ts"
import { listMetadataIssues } from "../schemas/list-metadata-issues.ts"
import { createRowCheckers, type RowCheckers, type RowChecker, type RowFault } from "../schemas/row-checker.ts"
import { createRowTally, type RowTally } from "./row-tally.ts"
import type { SchemaJob, SchemaJobKind, SchemaJobs } from "./schema-messages.ts"
import { selectRows } from "./select-rows.ts"

/** Compiles row schemas and checks rows with them on the calling thread. */
export interface SchemaWork {
  /** Returns whether the schemas with this digest are kept. */
  readonly knows: (digest: string) => boolean
  /** Keeps schemas. Each is compiled when it is first used. */
  readonly learn: (digest: string, metadata: DatasetMetadata) => void
  /** @throws `invalid_request` for schemas that can't be compiled */
  readonly run: <K extends SchemaJobKind>(digest: string, job: SchemaJob<K>) => SchemaJobs[K]["answer"]
  readonly forgetAll: () => void
}

interface Known {
  readonly metadata: DatasetMetadata
  readonly checkers: RowCheckers
}

/** Number of datasets whose compiled schemas are kept. The least recently used one is dropped first. */
const MAX_KNOWN = 32

export function createSchemaWork(): SchemaWork {
  const known = new LRUCache<string, Known>({ max: MAX_KNOWN })
  const syntax = createSchemaSyntax()
  const finder = createNumberFinder()

  function answer(job: SchemaJob, { metadata, checkers }: Known): SchemaJobs[SchemaJobKind]["answer"] {
    if (job.kind === "metadata") return listMetadataIssues(metadata, syntax)
    const checker = checkers.forPath(job.path)
    if (job.kind === "window") return checkWindow(job, checker)
    if (job.kind === "values") return checkValues(job.texts, checker)
    if (job.kind === "select") {
      return { selected: selectRows(job.part, job.selection, { checker, finder }), bytes: job.part.block?.bytes }
    }
    const { block, maxIssues } = job
    return { tally: checkBlock(block, { checker, maxIssues, finder }), bytes: block.bytes }
  }

  return {
    knows: (digest) => known.has(digest),
    learn: (digest, metadata) => void known.set(digest, { metadata, checkers: createRowCheckers(metadata) }),
    run<K extends SchemaJobKind>(digest: string, job: SchemaJob<K>) {
      const schemas = known.get(digest)
      if (schemas === undefined) throw new Error("The schemas of a job are not known")
      return answer(job as SchemaJob, schemas)
    },
    forgetAll: () => known.clear(),
  }
}

export interface BlockCheck {
  readonly checker: RowChecker | undefined
  readonly maxIssues: number
  /** Can be reused for any number of blocks. */
  readonly finder: NumberFinder
}

/** Checks the rows of one block against the schema of their file. */
export function checkBlock(block: RowBlock, { checker, maxIssues, finder }: BlockCheck): RowTally {
  const tally = createRowTally(checker, maxIssues)
  visitRows(block, { typesOf: checker?.columns ?? anyColumns, kept: "value", finder }, tally.add)
  return tally.result()
}

/** Rows of a Parquet file, as the Parquet reader returns them. */
export interface RowWindow extends RowsText {
  readonly maxIssues: number
}

/** Checks the rows of one window of a Parquet file. */
function checkWindow({ maxIssues, ...window }: RowWindow, checker: RowChecker | undefined): RowTally {
  const tally = createRowTally(checker, maxIssues)
  for (const row of rowsOfWindow(window, "value")) tally.add(row)
  return tally.result()
}

/** Checks values, each given as JSON text. The result is null for a valid value. */
function checkValues(
  texts: readonly string[],
  checker: RowChecker | undefined,
): readonly (readonly RowFault[] | null)[] {
  return texts.map((text) => {
    const { row, fault, hasExact } = { hasExact: false, ...readJson(text, "value") }
    if (fault !== null) return [{ pointer: "", message: fault }]
    return checker === undefined || checker.isValid(row, hasExact) ? null : checker.listFaults(row, hasExact)
  })
}
