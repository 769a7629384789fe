import { hash } from "node:crypto"
import { readSync } from "node:fs"
import { type FileHandle, open } from "node:fs/promises"
import { AssayError, messageOf } from "@assay/schemas"
import type { JudgedPrompt } from "./asking/judged-prompt.ts"
import type { LabelledPrompt } from "./prompts/labelled-prompt.ts"

/** Stores answers, so that an interrupted calibration does not ask again, and what the answers were asked for. */
export interface CalibrationJournal {
  read(key: string): JudgedPrompt | undefined
  /** Appends an answer. It may return before the answer is on disk. @throws `local_file_failed` of an earlier write */
  append(key: string, judged: JudgedPrompt): void
  /** Appends what is asked and decided before it is: the same text is kept once. @throws `local_file_failed` of an earlier write */
  appendPlan(plan: string): void
  /** Returns the plans, the oldest first. */
  plans(): readonly string[]
  /** Waits until everything that was appended is on disk. */
  flush(): Promise<void>
  close(): Promise<void>
}

/**
 * Returns the key of an answer: 22 characters of base64url. The label is not part of it, so corrected labels need no new
 * answers.
 * @param digest the digest of the candidate
 */
export function journalKey(digest: string, row: LabelledPrompt, repeat: number): string {
  const asked = JSON.stringify([digest, row.prompt, row.response ?? null, repeat])
  return hash("sha256", asked, "base64url").slice(0, 22)
}

/** The range of a line in a journal, in bytes. */
interface LineRange {
  readonly offset: number
  readonly length: number
}

/** Bytes that are read at once. */
const CHUNK = 1 << 20
/** Earlier plans of a file with more are forgotten. */
const MAX_PLANS = 100
const KEY = /^\{"key":"([\w-]{22})","judged":\{/
const NEWLINE = 10
/** Milliseconds between two writes. */
const BATCH_MS = 100

/**
 * Opens a journal in a file of JSON lines and creates the file if it is missing, in a folder that exists. Lines are written and synced in batches,
 * about 10 per second. A last line that a crash has cut is dropped. Only one process may have the file open.
 * @throws `local_file_failed`
 */
export async function openFileJournal(path: string): Promise<CalibrationJournal> {
  const failed = (cause: unknown) =>
    new AssayError("local_file_failed", `The journal ${path} can't be used: ${messageOf(cause)}.`, { cause })
  const handle = await openFile(path).catch((cause: unknown) => {
    throw failed(cause)
  })
  const index = await indexJournal(handle).catch(async (cause: unknown) => {
    await handle.close()
    throw failed(cause)
  })

  const plans = index.plans.flatMap((range) => readPlan(handle.fd, range) ?? [])
  const writer = createLineWriter(handle, failed)
  return {
    read(key) {
      const range = index.answers.get(key)
      return range === undefined ? undefined : readEntry(handle.fd, range)
    },
    append: (key, judged) => writer.add({ key, judged }),
    appendPlan(plan) {
      if (plans.includes(plan)) return
      writer.add({ plan })
      plans.push(plan)
    },
    plans: () => plans,
    flush: writer.flush,
    async close() {
      try {
        await writer.flush()
      } finally {
        await handle.close()
      }
    },
  }
}

interface LineWriter {
  /** @throws the failure of an earlier write */
  readonly add: (line: object) => void
  /** Waits until all lines are on disk. */
  readonly flush: () => Promise<void>
}

/** Writes lines of JSON in batches, each of which is synced. */
function createLineWriter(handle: FileHandle, failed: (cause: unknown) => AssayError): LineWriter {
  let lines: string[] = []
  let timer: NodeJS.Timeout | undefined
  let writing: Promise<void> = Promise.resolve()
  let failure: AssayError | undefined

  const append = async (batch: string, before: Promise<void>) => {
    await before
    try {
      await handle.appendFile(batch)
      await handle.datasync()
    } catch (cause) {
      failure ??= failed(cause)
    }
  }
  const write = () => {
    clearTimeout(timer)
    timer = undefined
    if (lines.length === 0) return
    const batch = lines.join("")
    lines = []
    writing = append(batch, writing)
  }
  return {
    add(line) {
      if (failure !== undefined) throw failure
      lines.push(`${JSON.stringify(line)}\n`)
      timer ??= setTimeout(write, BATCH_MS)
    },
    async flush() {
      write()
      await writing
      if (failure !== undefined) throw failure
    },
  }
}

/** Refuses anything but a regular file: a pipe opens at once, and reading it would wait for its other end. */
async function openFile(path: string): Promise<FileHandle> {
  const handle = await open(path, "a+")
  if ((await handle.stat()).isFile()) return handle
  await handle.close()
  throw new Error("it is not a regular file")
}

/** The lines of a journal: the last answer of each key, and the plans. */
interface JournalIndex {
  readonly answers: Map<string, LineRange>
  readonly plans: LineRange[]
}

/** Finds the lines. A last line without a line feed is cut off. */
async function indexJournal(handle: FileHandle): Promise<JournalIndex> {
  const answers = new Map<string, LineRange>()
  const plans: LineRange[] = []
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
      const head = bytes.toString("latin1", start, Math.min(end, start + 64))
      const range = { offset: offset + start, length: end - start }
      const key = KEY.exec(head)?.[1]
      if (key !== undefined) answers.set(key, range)
      else if (head.startsWith('{"plan":"')) plans.push(range)
      start = end + 1
    }
    offset += start
    rest = bytes.subarray(start)
  }
  if (rest.length > 0) await handle.truncate(offset)
  return { answers, plans: plans.slice(-MAX_PLANS) }
}

/** Reads the plan at a range. Returns undefined if the line is damaged. */
function readPlan(fd: number, { offset, length }: LineRange): string | undefined {
  const bytes = Buffer.alloc(length)
  if (readSync(fd, bytes, 0, length, offset) !== length) return undefined
  try {
    const { plan } = JSON.parse(bytes.toString()) as { plan?: unknown }
    return typeof plan === "string" ? plan : undefined
  } catch {
    return undefined
  }
}

/** Reads the answer at a range. Returns undefined if the line is damaged. */
function readEntry(fd: number, { offset, length }: LineRange): JudgedPrompt | undefined {
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
