import { mkdir, readFile, rm, writeFile } from "node:fs/promises"
import { dirname, join } from "node:path"
import { hash } from "node:crypto"

/** Answers that jobs share, by `responseKey`. Failures are not put into it. A fault of its disk costs time, never an answer. */
export interface ResponseCache {
  /** The answer as it was written; undefined where there is none. */
  read(key: string): Promise<unknown>
  /** Returns at once. The first answer of a key stays. */
  write(key: string, answer: unknown): void
  /** Waits for what is being written. */
  close(): Promise<void>
}

/**
 * Keeps each answer in a file of its own below `folder`, which is made when it is needed. Any number of jobs and processes
 * may share a folder; a file that a crash has cut is no answer, and goes.
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

/** Cut JSON can't be read, so a half-written file needs no other name. */
async function writeOnce(path: string, text: string): Promise<void> {
  const write = () => writeFile(path, text, { flag: "wx", mode: 0o600 })
  try {
    await write()
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "ENOENT") throw error
    await mkdir(dirname(path), { recursive: true, mode: 0o700 })
    await write()
  }
}

export interface AskedRequest {
  /** With or without `/chat/completions` and a slash at its end: that is the same place. */
  readonly baseUrl: string
  readonly model: string
  /** All that is sent beside the model. */
  readonly body: unknown
  readonly repeat: number
}

/** What an answer is kept under: SHA-256 over where it came from and all that was asked, whatever the order of keys. */
export function responseKey({ baseUrl, model, body, repeat }: AskedRequest): string {
  const place = baseUrl.replace(/\/+$/, "").replace(/\/chat\/completions$/, "")
  return hash("sha256", JSON.stringify([place, model, ordered(body), repeat]))
}

function ordered(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(ordered)
  if (typeof value !== "object" || value === null) return value
  const entries = Object.entries(value).toSorted(([a], [b]) => (a < b ? -1 : 1))
  return entries.map(([key, inner]) => [key, ordered(inner)])
}
