import { link, readFile, rename, rm, stat, unlink, writeFile } from "node:fs/promises"
import { dirname, join } from "node:path"
import { hash } from "node:crypto"
import { createFolder, localFailure, systemCode } from "@assay/storage"

/** Answers that jobs share, by `responseKey`. Failures are not stored. If its disk fails, requests are sent again and no answer is lost. */
export interface ResponseCache {
  /**
   * Reads the answer as it was written; undefined if there is none, or only one that was written before a time (milliseconds since 1970).
   * @throws if `isNeeded`: `local_file_failed` for an answer that can't be read; it counts as missing otherwise
   */
  read(key: string, options?: ReadOptions): Promise<unknown>
  /** Writes in the background. The first answer of a key stays. */
  write(key: string, answer: unknown): void
  /**
   * Writes an answer and waits until the end of this process can't lose it. Returns the answer that stands: that of another process if it was
   * faster, unless `replaces` is set, or that answer was written before a time (milliseconds since 1970). @throws `local_file_failed`, `disk_full`
   */
  keep(key: string, answer: unknown, options: KeepOptions): Promise<unknown>
  /** Waits until all answers are written. */
  close(): Promise<void>
}

interface ReadOptions {
  readonly since?: number | undefined
  readonly isNeeded?: boolean | undefined
}

interface KeepOptions {
  readonly replaces: boolean
  readonly before?: number | undefined
}

/**
 * Opens a cache that keeps each answer in its own file below `folder`. The folder is created with the first answer. Any number of
 * jobs and processes may share it. A file that was cut off by a crash is deleted when it is read.
 */
export function openResponseCache(folder: string): ResponseCache {
  const writing = new Set<Promise<void>>()
  const pathOf = (key: string) => join(folder, key.slice(0, 2), `${key.slice(2)}.json`)
  return {
    async read(key, { since, isNeeded } = {}) {
      const path = pathOf(key)
      return (await isOlder(path, since)) ? undefined : readAnswer(path, isNeeded)
    },
    async keep(key, answer, { replaces, before }) {
      const path = pathOf(key)
      try {
        // An older answer is replaced and not removed first, so that it is still there if the disk fails.
        const isFirst = await writeAside(path, JSON.stringify({ answer }), replaces || (await isOlder(path, before)))
        return isFirst ? answer : ((await readAnswer(path)) ?? answer)
      } catch (error) {
        throw localFailure(error, "write", path)
      }
    },
    write(key, answer) {
      const work = writeOnce(pathOf(key), JSON.stringify({ answer })).catch(() => {})
      writing.add(work)
      void work.then(() => writing.delete(work))
    },
    async close() {
      await Promise.all(writing)
    },
  }
}

/** Returns whether a file was written before a time. A file that does not exist was not. */
async function isOlder(path: string, time: number | undefined): Promise<boolean> {
  if (time === undefined) return false
  const found = await stat(path).catch(() => undefined)
  return found !== undefined && found.mtimeMs < time
}

async function readAnswer(path: string, isNeeded = false): Promise<unknown> {
  const whenFailing = (error: unknown): undefined => {
    if (isNeeded && !isMissing(error)) throw localFailure(error, "read", path)
  }
  // To read a pipe would never end.
  if ((await stat(path).catch(whenFailing))?.isFile() !== true) return undefined
  const text = await readFile(path, "utf8").catch(whenFailing)
  if (text === undefined) return undefined
  try {
    return (JSON.parse(text) as { answer: unknown }).answer
  } catch {
    await rm(path, { force: true }).catch(() => {})
    return undefined
  }
}

const isMissing = (error: unknown) => ["ENOENT", "ENOTDIR"].includes(systemCode(error) ?? "")

/** Writes a file under another name first, so that no other process reads a part of it. Returns false if the file exists and is not replaced. */
async function writeAside(path: string, text: string, replaces: boolean): Promise<boolean> {
  const aside = await inFolderOf(path, () => createAside(path, text))
  try {
    if (replaces) await rename(aside, path)
    else {
      await link(aside, path)
      // Not `rm`, which looks at the file twice: an answer costs little more than its files.
      await unlink(aside)
    }
    return true
  } catch (error) {
    await rm(aside, { force: true })
    if (systemCode(error) === "EEXIST") return false
    throw error
  }
}

/** Files beside an answer that processes have left when they were killed, at most. */
const MAX_ASIDE = 1000

/** Creates a file beside another one that no other process writes. */
async function createAside(path: string, text: string): Promise<string> {
  for (let number = 1; ; number += 1) {
    const aside = `${path}.${number}`
    try {
      await writeFile(aside, text, { flag: "wx", mode: 0o600 })
      return aside
    } catch (error) {
      if (systemCode(error) !== "EEXIST") {
        // A full disk leaves a part of it.
        await rm(aside, { force: true }).catch(() => {})
        throw error
      }
      if (number === MAX_ASIDE) throw error
    }
  }
}

/** Writes directly to the final name: half-written JSON can't be parsed, so it is never taken for an answer. */
function writeOnce(path: string, text: string): Promise<void> {
  return inFolderOf(path, () => writeFile(path, text, { flag: "wx", mode: 0o600 }))
}

/** Writes a file. If its folder does not exist, creates the folder and writes again. */
async function inFolderOf<T>(path: string, write: () => Promise<T>): Promise<T> {
  try {
    return await write()
  } catch (error) {
    if (systemCode(error) !== "ENOENT") throw error
    await createFolder(dirname(path), { mode: 0o700, durable: false })
    return write()
  }
}

export interface AskedRequest {
  /** A `/chat/completions`, a `/completions` or a slash at the end makes no difference. */
  readonly baseUrl: string
  readonly model: string
  /** Everything that is sent besides the model. */
  readonly body: unknown
  readonly repeat: number
}

/** Returns the key of an answer: SHA-256 over the endpoint and the whole request, independent of the order of the keys of objects. */
export function responseKey({ baseUrl, model, body, repeat }: AskedRequest): string {
  const base = baseUrl.replace(/\/+$/, "").replace(/(\/chat)?\/completions$/, "")
  return hash("sha256", JSON.stringify([base, model, ordered(body), repeat]))
}

function ordered(value: unknown): unknown {
  if (Array.isArray(value)) {
    const items: readonly unknown[] = value
    const all = items.map(ordered)
    // A list that looks like the entries of an object is marked: `[]` is not `{}`.
    return items.every(isLikeEntry) ? { list: all } : all
  }
  if (typeof value !== "object" || value === null) return value
  const entries = Object.entries(value).toSorted(([a], [b]) => (a < b ? -1 : 1))
  return entries.map(([key, inner]) => [key, ordered(inner)])
}

function isLikeEntry(value: unknown): boolean {
  return Array.isArray(value) && value.length === 2 && typeof value[0] === "string"
}
