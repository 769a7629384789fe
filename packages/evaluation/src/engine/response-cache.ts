import { readFile, rm, writeFile } from "node:fs/promises"
import { dirname, join } from "node:path"
import { hash } from "node:crypto"
import { createFolder } from "@assay/storage"

/** Answers that jobs share, by `responseKey`. Failures are not stored. If its disk fails, requests are sent again and no answer is lost. */
export interface ResponseCache {
  /** Reads the answer as it was written; undefined if there is none. */
  read(key: string): Promise<unknown>
  /** Writes in the background. The first answer of a key stays. */
  write(key: string, answer: unknown): void
  /** Waits until all answers are written. */
  close(): Promise<void>
}

/**
 * Opens a cache that keeps each answer in its own file below `folder`. The folder is created with the first answer. Any number of
 * jobs and processes may share it. A file that was cut off by a crash is deleted when it is read.
 */
export function openResponseCache(folder: string): ResponseCache {
  const writing = new Set<Promise<void>>()
  const pathOf = (key: string) => join(folder, key.slice(0, 2), `${key.slice(2)}.json`)
  return {
    async read(key) {
      const path = pathOf(key)
      const text = await readFile(path, "utf8").catch(() => undefined)
      if (text === undefined) return undefined
      try {
        return (JSON.parse(text) as { answer: unknown }).answer
      } catch {
        await rm(path, { force: true }).catch(() => {})
        return undefined
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

/** Writes directly to the final name: half-written JSON can't be parsed, so it is never taken for an answer. */
async function writeOnce(path: string, text: string): Promise<void> {
  const write = () => writeFile(path, text, { flag: "wx", mode: 0o600 })
  try {
    await write()
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "ENOENT") throw error
    await createFolder(dirname(path), { mode: 0o700, durable: false })
    await write()
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

/** Returns the key of an answer: SHA-256 over the endpoint and the whole request, independent of the order of its keys. */
export function responseKey({ baseUrl, model, body, repeat }: AskedRequest): string {
  const base = baseUrl.replace(/\/+$/, "").replace(/(\/chat)?\/completions$/, "")
  return hash("sha256", JSON.stringify([base, model, ordered(body), repeat]))
}

function ordered(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(ordered)
  if (typeof value !== "object" || value === null) return value
  const entries = Object.entries(value).toSorted(([a], [b]) => (a < b ? -1 : 1))
  return entries.map(([key, inner]) => [key, ordered(inner)])
}
