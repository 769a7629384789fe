import { open, stat } from "node:fs/promises"
import { join } from "node:path"
import { AssayError, printable } from "@assay/schemas"
import type { SlurmJobId } from "./slurm-job-id.ts"

/** The names of output files, as sbatch fills them in: number of the shard, and of the job. */
export const formatLogPattern = Object.freeze({
  /** @param offset number of the shard that has the index 0 in the array */
  shard: (offset: number) => `%5a${offset === 0 ? "" : `+${offset}`}-%A.out`,
  merge: "merge-%j.out",
})

/**
 * Returns the folder of the output files as a part of a pattern of sbatch.
 * @throws `bad_usage` for a path with a backslash, with which Slurm fills in no pattern
 */
export function escapeLogFolder(folder: string): string {
  if (!folder.includes("\\")) return folder.replaceAll("%", "%%")
  const message = `Slurm can't write output files into '${printable(folder)}': set \`log_folder\` in the profile to a path without a backslash.`
  throw new AssayError("bad_usage", message)
}

/** The end of a file that is read. */
const MAX_BYTES = 1024 * 1024
const PART = 64 * 1024

/**
 * Reads the output file of a shard of a submission, to which each start of its process appends: its last MiB. Empty if there is none.
 * @param arrays the jobs of the shards
 */
export async function* readShardLogs(
  folder: string,
  arrays: readonly SlurmJobId[],
  shard: number,
  signal: AbortSignal,
): AsyncGenerator<string, void, void> {
  for (const { job, offset } of arrays) {
    if (shard < offset) continue
    const path = join(folder, fileOf(shard, { job, offset }))
    const info = await stat(path).catch(() => undefined)
    if (info?.isFile() !== true) continue
    const from = Math.max(0, info.size - MAX_BYTES)
    if (from > 0) yield `… (${from} bytes of ${path} are left out)\n`
    yield* readText(path, from, signal)
  }
}

/** Returns the name that sbatch makes of the pattern. */
function fileOf(shard: number, { job, offset }: Pick<SlurmJobId, "job" | "offset">): string {
  const index = String(shard - offset).padStart(5, "0")
  return formatLogPattern.shard(offset).replace("%5a", index).replace("%A", job)
}

async function* readText(path: string, from: number, signal: AbortSignal): AsyncGenerator<string, void, void> {
  const file = await open(path).catch(() => undefined)
  if (file === undefined) return
  const decoder = new TextDecoder()
  try {
    const bytes = Buffer.alloc(PART)
    // A file that still grows is read to the limit.
    for (let at = from; at < from + MAX_BYTES;) {
      signal.throwIfAborted()
      const { bytesRead } = await file.read(bytes, 0, Math.min(PART, from + MAX_BYTES - at), at)
      if (bytesRead === 0) break
      at += bytesRead
      yield decoder.decode(bytes.subarray(0, bytesRead), { stream: true })
    }
    yield decoder.decode()
  } finally {
    await file.close()
  }
}
