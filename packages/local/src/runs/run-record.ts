import { rename, writeFile } from "node:fs/promises"
import { join } from "node:path"
import { Type, type Static } from "@sinclair/typebox"
import { Value } from "@sinclair/typebox/value"
import { JobGate, printable } from "@assay/schemas"
import { AssayError } from "@assay/schemas/errors"
import { localFailure, readRegularFile, systemCode } from "@assay/storage"

const RunRecord = Type.Object({
  /** Id of the job. */
  id: Type.String(),
  /** Digest of everything that decides what models are asked. A run is resumed only if the digest is the same. */
  digest: Type.String(),
  status: Type.Union([
    Type.Literal("RUNNING"),
    Type.Literal("COMPLETED"),
    Type.Literal("FAILED"),
    Type.Literal("CANCELLED"),
  ]),
  /** Number of the attempt, counted from 1. */
  attempt: Type.Integer(),
  /** Id of the process that ran the last attempt. */
  pid: Type.Integer(),
  /** Absolute path of the evaluation file. Null for stdin. */
  file: Type.Union([Type.String(), Type.Null()]),
  /** The number of the job in the file, from 0. Absent: the first. */
  cell: Type.Optional(Type.Integer({ minimum: 0 })),
  /** Values that replaced those of the file. */
  overrides: Type.Object({
    limit: Type.Optional(Type.Number()),
    parallelism: Type.Optional(Type.Number()),
    maxFail: Type.Optional(Type.Number()),
    gates: Type.Optional(Type.Array(JobGate)),
  }),
  /** Absolute path of the file with the prices of models. */
  prices: Type.Optional(Type.String()),
  /** The id of the job whose outputs are scored. Absent: the run asks the target. */
  rescored_from: Type.Optional(Type.String()),
  /** Absolute path of the folder with recorded answers. */
  recording: Type.Optional(Type.String()),
  /** Whether the last attempt sent nothing: a request without a recorded answer failed it. Absent: it asked. */
  is_replay_only: Type.Optional(Type.Boolean()),
  /** The recording as the user named it. Absent: it is that of the data folder. */
  recording_name: Type.Optional(Type.String()),
  /** Milliseconds since 1970, UTC. */
  created_at: Type.Number(),
  /** One sentence about the end of the last attempt. */
  message: Type.Optional(Type.String()),
  /** Whether every row was asked when the last attempt ended. */
  is_asked: Type.Optional(Type.Boolean()),
  /** The number of shards of a run that was cut. Absent: one process ran it. */
  shards: Type.Optional(Type.Integer({ minimum: 1 })),
  /** Percentage of the rows that were done. */
  progress: Type.Optional(Type.Union([Type.Number(), Type.Null()])),
})
/** The record of a run of this machine. Its rows are in the journal. */
export type RunRecord = Static<typeof RunRecord>

const NAME = "run.json"

/** Reads the record of a folder. Undefined if the folder does not contain a run. */
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
    // For example, a power failure truncated the file. Without the record there is no run to resume.
    return undefined
  }
}

/** The record of a run that can be continued, because its file can be read again. */
export type FileRun = RunRecord & { readonly file: string }

/** Reads the record of a run to continue. `name` is the folder as the user wrote it. @throws `bad_document` if it can't be continued */
export async function readFileRun(folder: string, name: string): Promise<FileRun> {
  const record = await readRunRecord(folder)
  if (record === undefined) throw cannotRun(name, "does not contain a run of 'assay eval run'")
  const { file } = record
  if (record.shards !== undefined) {
    throw cannotRun(name, "was cut into shards, and its plan is missing: cut the job again")
  }
  if (record.rescored_from !== undefined) {
    throw cannotRun(
      name,
      "was computed from the outputs of another job: repeat 'assay eval rescore', which continues it",
    )
  }
  if (file === null) throw cannotRun(name, "was run from stdin, which is not kept: run it again")
  return { ...record, file }
}

function cannotRun(name: string, why: string): AssayError {
  const remedy =
    "Name the folder of a run of this machine that can be continued, or begin it again: assay eval run FILE."
  return new AssayError("bad_document", `'${printable(name)}' ${why}.`, { context: { remedy } })
}

/** Writes the record atomically. */
export async function writeRunRecord(folder: string, record: RunRecord): Promise<void> {
  const file = join(folder, NAME)
  try {
    await writeFile(`${file}.new`, `${JSON.stringify(record, null, 2)}\n`)
    await rename(`${file}.new`, file)
  } catch (error) {
    throw localFailure(error, "write", file)
  }
}
