import { readSync } from "node:fs"
import type { FileHandle } from "node:fs/promises"
import type { JudgedPrompt } from "./judged-prompt.ts"

/** Where a line of a journal stands, in bytes. */
export interface JournalPlace {
  readonly offset: number
  readonly length: number
}

const CHUNK = 1 << 20
const KEY = /^\{"key":"([\w-]{22})","judged":\{/
const NEWLINE = 10

/** The places of a journal's lines by key, the last of each. A tail without a line's end is cut off. */
export async function indexJournal(handle: FileHandle): Promise<Map<string, JournalPlace>> {
  const places = new Map<string, JournalPlace>()
  const chunk = Buffer.alloc(CHUNK)
  let rest = Buffer.alloc(0)
  let offset = 0
  let position = 0
  for (;;) {
    const { bytesRead } = await handle.read(chunk, 0, CHUNK, position)
    if (bytesRead === 0) break
    position += bytesRead
    const bytes = Buffer.concat([rest, chunk.subarray(0, bytesRead)])
    let start = 0
    for (let end = bytes.indexOf(NEWLINE); end !== -1; end = bytes.indexOf(NEWLINE, start)) {
      const key = KEY.exec(bytes.toString("latin1", start, Math.min(end, start + 64)))?.[1]
      if (key !== undefined) places.set(key, { offset: offset + start, length: end - start })
      start = end + 1
    }
    offset += start
    rest = bytes.subarray(start)
  }
  if (rest.length > 0) await handle.truncate(offset)
  return places
}

/** The answer at a place, or undefined where the line is broken. */
export function readEntry(fd: number, { offset, length }: JournalPlace): JudgedPrompt | undefined {
  const bytes = Buffer.alloc(length)
  if (readSync(fd, bytes, 0, length, offset) !== length) return undefined
  try {
    const { judged } = JSON.parse(bytes.toString()) as { judged?: Partial<JudgedPrompt> }
    const isWhole =
      typeof judged?.outcome === "string" &&
      typeof judged.is_let_through === "boolean" &&
      typeof judged.latency_ms === "number" &&
      typeof judged.calls?.made === "number"
    return isWhole ? (judged as JudgedPrompt) : undefined
  } catch {
    return undefined
  }
}
