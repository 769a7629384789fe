import { getHeapStatistics } from "node:v8"
import { parentPort } from "node:worker_threads"
import type { DatasetMetadata } from "@assay/schemas"
import { isAssayError } from "@assay/schemas/errors"
import { createRowCheckers, type RowCheckers } from "../schemas/create-row-checkers.ts"
import { listMetadataIssues } from "../schemas/list-metadata-issues.ts"
import { createSchemaSyntax } from "../schemas/schema-syntax.ts"
import type {
  FromSchemaThread,
  SchemaJob,
  SchemaJobKind,
  SchemaJobs,
  ToSchemaThread,
} from "../threads/schema-messages.ts"
import { checkBlock } from "./check-block.ts"
import { checkValues } from "./check-values.ts"
import { checkWindow } from "./check-window.ts"

// The whole of a thread: what it keeps between jobs lives here.
interface Known {
  readonly metadata: DatasetMetadata
  readonly checkers: RowCheckers
}

/** Datasets whose compiled schemas are kept; the one that was used longest ago goes first. */
const MAX_KNOWN = 32
/** Bytes of heap from which nothing is kept: a job must not reach its limit because of those before it. */
const MAX_KEPT_HEAP = 128 * 1024 * 1024
const known = new Map<string, Known>()
const syntax = createSchemaSyntax()
let wanted = (_metadata: DatasetMetadata) => {}

function send(message: FromSchemaThread, transferList: readonly ArrayBuffer[] = []): void {
  parentPort?.postMessage(message, transferList)
}

async function findKnown(digest: string): Promise<Known> {
  if (getHeapStatistics().used_heap_size > MAX_KEPT_HEAP) known.clear()
  let found = known.get(digest)
  if (found === undefined) {
    const metadata = await new Promise<DatasetMetadata>((resolve) => {
      wanted = resolve
      send({ kind: "want" })
    })
    found = { metadata, checkers: createRowCheckers(metadata) }
  }
  known.delete(digest)
  known.set(digest, found)
  const [oldest] = known.keys()
  if (known.size > MAX_KNOWN && oldest !== undefined) known.delete(oldest)
  return found
}

function doJob(job: SchemaJob, { metadata, checkers }: Known): SchemaJobs[SchemaJobKind]["answer"] {
  if (job.kind === "metadata") return listMetadataIssues(metadata, syntax)
  const checker = checkers.forPath(job.path)
  if (job.kind === "window") return checkWindow(job, checker)
  if (job.kind === "values") return checkValues(job.texts, checker)
  return { tally: checkBlock(job.block, checker, job.maxIssues), bytes: job.block.bytes }
}

async function answer(digest: string, job: SchemaJob): Promise<void> {
  try {
    const done = doJob(job, await findKnown(digest))
    send({ kind: "done", answer: done }, job.kind === "block" ? [job.block.bytes.buffer] : [])
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error)
    send({ kind: "failed", code: isAssayError(error) ? error.code : null, message })
  }
}

parentPort?.on("message", (message: ToSchemaThread) => {
  if (message.kind === "source") wanted(message.metadata)
  else void answer(message.digest, message.job)
})
send({ kind: "ready" })
