import { Type } from "@sinclair/typebox"
import type { FilePath, StoredFile } from "@assay/storage"
import type { ConditionFindings } from "./condition-findings.ts"
import { listFiles, readJson, readRecord, type RunStore, runFiles, shardOfFile, writeJson } from "./run-store.ts"

/** A process of a shard that could not ask all of its rows. The record `failures/00007-1.json` of a run. */
export interface ShardFailure {
  readonly index: number
  /** From 1. The next process of the shard asks the failed rows again. */
  readonly attempt: number
  /** Milliseconds since 1970, UTC. */
  readonly at: number
  readonly code: string
  readonly message: string
  readonly findings: ConditionFindings
}

const FailureFrame = Type.Object({
  index: Type.Integer({ minimum: 0 }),
  attempt: Type.Integer({ minimum: 1 }),
  at: Type.Number(),
  code: Type.String(),
  message: Type.String(),
  findings: Type.Object({}),
})

/** Records that a process of a shard has failed. */
export async function noteFailure(store: RunStore, failure: ShardFailure): Promise<void> {
  const { index, attempt, at, code, message, findings } = failure
  await writeJson(store, runFiles.failure(index, attempt), { index, attempt, at, code, message, findings })
}

/** Returns how often a process of the shard has failed. */
export async function countFailures(store: RunStore, index: number): Promise<number> {
  let count = 0
  while ((await readJson(store, runFiles.failure(index, count + 1))) !== undefined) count++
  return count
}

/** Lists the file of the last failure of each shard that has one, such as `failures/00007-12.json`. */
export async function listLastFailures(store: RunStore, signal?: AbortSignal): Promise<readonly StoredFile[]> {
  const attemptOf = (path: string) => Number(/-(\d+)\.json$/.exec(path)?.[1] ?? 0)
  const last = new Map<number, StoredFile>()
  for (const file of await listFiles(store, "failures/", signal)) {
    const index = shardOfFile(file.path)
    const before = last.get(index)
    if (before === undefined || attemptOf(file.path) > attemptOf(before.path)) last.set(index, file)
  }
  return [...last.values()]
}

/** Reads the failure of a process from its file. Undefined if it is not one. */
export async function readFailure(store: RunStore, path: FilePath): Promise<ShardFailure | undefined> {
  return (await readRecord(store, path, FailureFrame)) as ShardFailure | undefined
}
