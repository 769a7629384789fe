import { Type } from "@sinclair/typebox"
import { Value } from "@sinclair/typebox/value"
import type { Segment } from "@assay/job-store"
import { AssayError, printable } from "@assay/schemas"
import { isAssayError } from "@assay/schemas/errors"
import type { StoredFile } from "@assay/storage"
import type { JobLogLine, JobProgress, PlanOutcome } from "@assay/results"
import type { ConditionFindings } from "./condition-findings.ts"
import { quoteForShell } from "./quote-for-shell.ts"
import { listFiles, readJson, type RunStore, runFiles, shardOfFile, writeJson } from "./run-store.ts"

/** How a shard ended whose rows are published. */
export type ShardEnd =
  | Extract<PlanOutcome["end"], { readonly kind: "finished" | "budget" }>
  /** More rows of all shards had failed than may, so the rest was not asked. */
  | { readonly kind: "share" }
  /** All gates of these tasks were decided by the rows of all shards, so the rest of them was not asked. */
  | { readonly kind: "gates"; readonly tasks: readonly string[] }

/** A shard whose rows are published. The record `done/00007.json` of a run. */
export interface ShardRecord {
  readonly index: number
  /** Segments by task, in the order of its rows. */
  readonly segments: readonly { readonly task: string; readonly segment: Segment }[]
  readonly progress: Pick<JobProgress, "processed" | "failed" | "tokens">
  readonly end: ShardEnd
  /** Events that are in no row, such as requests that were sent again. */
  readonly findings: ConditionFindings
  /** Warnings and errors of its log. */
  readonly log: readonly (JobLogLine & { readonly at: number })[]
  /** Milliseconds since 1970, UTC. */
  readonly finished_at: number
}

const RecordFrame = Type.Object({
  index: Type.Integer({ minimum: 0 }),
  segments: Type.Array(Type.Object({ task: Type.String(), segment: Type.Object({ path: Type.String() }) })),
  end: Type.Union([
    Type.Object({ kind: Type.Union([Type.Literal("finished"), Type.Literal("budget"), Type.Literal("share")]) }),
    Type.Object({ kind: Type.Literal("gates"), tasks: Type.Array(Type.String()) }),
  ]),
  findings: Type.Object({}),
  log: Type.Array(Type.Object({})),
})

/** Publishes the record of a shard, in one step. Returns false if another process of the shard did so before. */
export async function publishRecord(store: RunStore, record: ShardRecord): Promise<boolean> {
  try {
    await writeJson(store, runFiles.done(record.index), record, { isNew: true })
    return true
  } catch (error) {
    if (isAssayError(error, "precondition_failed")) return false
    throw error
  }
}

/** Reads the record of a shard. Undefined if its rows are not published. @throws `content_damaged` */
export async function readShardRecord(store: RunStore, index: number): Promise<ShardRecord | undefined> {
  const path = runFiles.done(index)
  const found = await readJson(store, path).catch((error: unknown) => {
    throw isAssayError(error, "bad_document") ? shardDamaged(store, index, `${path} is not JSON`, error) : error
  })
  if (found === undefined) return undefined
  if (Value.Check(RecordFrame, found) && found.index === index) return found as unknown as ShardRecord
  throw shardDamaged(store, index, `${path} is not its record`)
}

/** Returns the error of a shard whose files do not contain what was written, with what helps: to ask its rows again. */
export function shardDamaged({ location }: RunStore, index: number, what: string, cause?: unknown): AssayError {
  const run = printable(quoteForShell(location))
  const message = `The rows of shard ${index} of the run ${printable(location)} are damaged: ${what}.`
  const remedy = `Remove ${runFiles.done(index)} from the run, and ask the rows of the shard again: assay eval shard ${run} --index ${index}.`
  return new AssayError("content_damaged", message, { cause, context: { remedy, shard: index } })
}

/** Returns the indexes of the shards whose rows are published, ascending. */
export async function listDone(store: RunStore, signal?: AbortSignal): Promise<readonly number[]> {
  return (await listRecords(store, signal)).map(({ path }) => shardOfFile(path)).toSorted((a, b) => a - b)
}

/** Lists the files of the records of shards. A record is found by its name, so a file with another name is ignored. */
export async function listRecords(store: RunStore, signal?: AbortSignal): Promise<readonly StoredFile[]> {
  return (await listFiles(store, "done/", signal)).filter(({ path }) => /^done\/\d{5,9}\.json$/.test(path))
}
