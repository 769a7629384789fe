import { open, readdir, stat } from "node:fs/promises"
import { join } from "node:path"
import { AssayError, printable } from "@assay/schemas"

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

/** The end of a file that is read, and the number of files: those of the last submissions. */
const MAX_BYTES = 1024 * 1024
const MAX_FILES = 20
const PART = 64 * 1024

/**
 * Reads the output files of a shard, in the order in which they were last written: one file for each submission, to which each start of the
 * process appends. Reads the last MiB of the last 20 files. Empty if there are none.
 */
export async function* readShardLogs(
  folder: string,
  shard: number,
  signal: AbortSignal,
): AsyncGenerator<string, void, void> {
  const files = await filesOfShard(folder, shard)
  for (const { path, size } of files.slice(-MAX_FILES)) {
    const from = Math.max(0, size - MAX_BYTES)
    if (from > 0) yield `… (${from} bytes of ${path} are left out)\n`
    yield* readText(path, from, signal)
  }
}

interface LogFile {
  readonly path: string
  readonly size: number
  readonly writtenAt: number
}

async function filesOfShard(folder: string, shard: number): Promise<readonly LogFile[]> {
  const names = await readdir(folder).catch(() => [])
  const found: LogFile[] = []
  for (const name of names) {
    const [, index, offset = "0"] = /^(\d{5,7})(?:\+(\d{1,7}))?-\d+\.out$/.exec(name) ?? []
    if (index === undefined || Number(index) + Number(offset) !== shard) continue
    const path = join(folder, name)
    const info = await stat(path).catch(() => undefined)
    if (info?.isFile() === true) found.push({ path, size: info.size, writtenAt: info.mtimeMs })
  }
  return found.toSorted((a, b) => a.writtenAt - b.writtenAt || (a.path < b.path ? -1 : 1))
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
