import { createHash, hash } from "node:crypto"
import { readdir, readFile } from "node:fs/promises"
import { join } from "node:path"
import pLimit from "p-limit"
import { localFailure, type Storage, type StoredFile, systemCode } from "@assay/storage"

/** The answers of a recording: how many, and their digest. */
export interface RecordingDigest {
  /** `sha256:` and the SHA-256 of the names and contents of all answers. */
  readonly digest: string
  readonly answers: number
}

/** The name of an answer below its folder: an SHA-256 in two parts. */
const FOLDER = /^[0-9a-f]{2}$/
/** Files that are open at a time. */
const PARALLEL = 16
const ANSWER = /^[0-9a-f]{62}\.json$/

/**
 * Returns the digest of the recording in a folder: SHA-256 over a line for each answer, in the order of their names, with its name, a space and the
 * SHA-256 of its bytes. Other files do not count. A folder that does not exist has no answers.
 * @throws `local_file_failed`; the reason of the signal
 */
export async function digestRecording(folder: string, signal: AbortSignal): Promise<RecordingDigest> {
  const all = createHash("sha256")
  const limit = pLimit(PARALLEL)
  let answers = 0
  for (const outer of (await namesIn(folder)).filter((name) => FOLDER.test(name))) {
    signal.throwIfAborted()
    const names = (await namesIn(join(folder, outer))).filter((name) => ANSWER.test(name))
    const lines = await Promise.all(names.map((name) => limit(() => lineOf(folder, `${outer}/${name}`))))
    answers += lines.length
    all.update(lines.join(""))
  }
  return { digest: `sha256:${all.digest("hex")}`, answers }
}

async function namesIn(folder: string): Promise<readonly string[]> {
  try {
    return (await readdir(folder)).toSorted()
  } catch (error) {
    if (["ENOENT", "ENOTDIR"].includes(systemCode(error) ?? "")) return []
    throw localFailure(error, "read", folder)
  }
}

async function lineOf(folder: string, name: string): Promise<string> {
  const path = join(folder, name)
  const bytes = await readFile(path).catch((error: unknown) => {
    throw localFailure(error, "read", path)
  })
  return `${name} ${hash("sha256", bytes)}\n`
}

/** Returns the digest of the recording in a fileset, as `digestRecording` does. @throws the errors of the storage */
export async function digestStored(
  storage: Pick<Storage, "list" | "read">,
  signal: AbortSignal | undefined,
): Promise<RecordingDigest> {
  const all = createHash("sha256")
  let answers = 0
  for await (const file of storage.list({ signal })) {
    if (!STORED.test(file.path)) continue
    answers += 1
    all.update(`${file.path} ${file.sha256 ?? (await digestOf(file, storage, signal))}\n`)
  }
  return { digest: `sha256:${all.digest("hex")}`, answers }
}

const STORED = /^[0-9a-f]{2}\/[0-9a-f]{62}\.json$/

async function digestOf(
  { path }: StoredFile,
  { read }: Pick<Storage, "read">,
  signal: AbortSignal | undefined,
): Promise<string> {
  const digest = createHash("sha256")
  for await (const piece of (await read(path, { signal })).bytes) digest.update(piece)
  return digest.digest("hex")
}
