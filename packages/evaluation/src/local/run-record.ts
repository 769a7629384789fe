import { rename, writeFile } from "node:fs/promises"
import { join } from "node:path"
import { Type, type Static } from "@sinclair/typebox"
import { Value } from "@sinclair/typebox/value"
import { readRegularFile } from "@assay/storage/paths"
import { localFailure, systemCode } from "@assay/storage/paths"

const RunRecord = Type.Object({
  /** Of the job. */
  id: Type.String(),
  /** Stands for everything that decides what is asked: a run goes on only where it is the same. */
  digest: Type.String(),
  status: Type.Union([
    Type.Literal("RUNNING"),
    Type.Literal("COMPLETED"),
    Type.Literal("FAILED"),
    Type.Literal("CANCELLED"),
  ]),
  /** Rounds, from 1. */
  attempt: Type.Integer(),
  /** Of the process that ran it last. */
  pid: Type.Integer(),
  /** The file that it was started from, absolute; null for stdin. */
  file: Type.Union([Type.String(), Type.Null()]),
  /** Options that win over the file. */
  overrides: Type.Object({
    limit: Type.Optional(Type.Number()),
    parallelism: Type.Optional(Type.Number()),
    maxFail: Type.Optional(Type.Number()),
  }),
  /** Milliseconds since 1970, UTC. */
  created_at: Type.Number(),
  /** How the last round ended, in a sentence, and how many of a hundred rows were done. */
  message: Type.Optional(Type.String()),
  progress: Type.Optional(Type.Union([Type.Number(), Type.Null()])),
})
/** What is known of a run on this machine, beside its journal. */
export type RunRecord = Static<typeof RunRecord>

const NAME = "run.json"

/** The record in a folder; undefined where it holds no run. */
export async function readRunRecord(folder: string): Promise<RunRecord | undefined> {
  let text: string
  try {
    text = await readRegularFile(join(folder, NAME))
  } catch (error) {
    if (["ENOENT", "ENOTDIR"].includes(systemCode(error) ?? "")) return undefined
    throw localFailure(error, "read", join(folder, NAME))
  }
  try {
    const record: unknown = JSON.parse(text)
    return Value.Check(RunRecord, record) ? record : undefined
  } catch {
    // Cut off by a power failure, say: without it there is no run to go on with.
    return undefined
  }
}

/** Whole or not at all. */
export async function writeRunRecord(folder: string, record: RunRecord): Promise<void> {
  const file = join(folder, NAME)
  try {
    await writeFile(`${file}.new`, `${JSON.stringify(record, null, 2)}\n`)
    await rename(`${file}.new`, file)
  } catch (error) {
    throw localFailure(error, "write", file)
  }
}
