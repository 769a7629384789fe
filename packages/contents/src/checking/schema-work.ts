import type { DatasetMetadata } from "@assay/schemas"
import { createNumberFinder } from "@assay/schemas/numbers"
import { createRowCheckers, type RowCheckers } from "../schemas/create-row-checkers.ts"
import { listMetadataIssues } from "../schemas/list-metadata-issues.ts"
import { createSchemaSyntax } from "../schemas/compile/schema-syntax.ts"
import type { SchemaJob, SchemaJobKind, SchemaJobs } from "./schema-messages.ts"
import { checkBlock } from "./check-block.ts"
import { checkValues } from "./check-values.ts"
import { checkWindow } from "./check-window.ts"

/** Compiles row schemas and checks rows with them on the calling thread. */
export interface SchemaWork {
  /** Whether the schemas of `digest` are kept. */
  readonly knows: (digest: string) => boolean
  /** Keeps schemas, compiled when they are first used. */
  readonly learn: (digest: string, metadata: DatasetMetadata) => void
  /** @throws `invalid_request` for schemas that can't be compiled */
  readonly run: <K extends SchemaJobKind>(digest: string, job: SchemaJob<K>) => SchemaJobs[K]["answer"]
  readonly forgetAll: () => void
}

interface Known {
  readonly metadata: DatasetMetadata
  readonly checkers: RowCheckers
}

/** Datasets whose compiled schemas are kept; the one that was used longest ago goes first. */
const MAX_KNOWN = 32

export function createSchemaWork(): SchemaWork {
  const known = new Map<string, Known>()
  const syntax = createSchemaSyntax()
  const finder = createNumberFinder()

  function keep(digest: string, schemas: Known): void {
    known.delete(digest)
    known.set(digest, schemas)
    const [oldest] = known.keys()
    if (known.size > MAX_KNOWN && oldest !== undefined) known.delete(oldest)
  }

  function answer(job: SchemaJob, { metadata, checkers }: Known): SchemaJobs[SchemaJobKind]["answer"] {
    if (job.kind === "metadata") return listMetadataIssues(metadata, syntax)
    const checker = checkers.forPath(job.path)
    if (job.kind === "window") return checkWindow(job, checker)
    if (job.kind === "values") return checkValues(job.texts, checker)
    const { block, maxIssues } = job
    return { tally: checkBlock(block, { checker, maxIssues, finder }), bytes: block.bytes }
  }

  return {
    knows: (digest) => known.has(digest),
    learn: (digest, metadata) => keep(digest, { metadata, checkers: createRowCheckers(metadata) }),
    run<K extends SchemaJobKind>(digest: string, job: SchemaJob<K>) {
      const schemas = known.get(digest)
      if (schemas === undefined) throw new Error("The schemas of a job are not known")
      keep(digest, schemas)
      return answer(job as SchemaJob, schemas)
    },
    forgetAll: () => known.clear(),
  }
}
