import { type FileHandle, open, rm } from "node:fs/promises"
import { dirname } from "node:path"
import { AssayError } from "@assay/schemas/errors"
import { createFolder, localFailure } from "@assay/storage"
import type { ObservedSpan, SpanGroup } from "@assay/traces"

/** Spans that wait until the whole file is read, because spans of a conversation can be anywhere in it. */
export interface SpanStore {
  /** Remembers the conversation of a trace, and the span if it `isKept`. @throws `bad_document` if there are too many */
  add(span: ObservedSpan, isKept: boolean): Promise<void>
  /** Reads the groups in the order of their first spans. */
  groups(): AsyncGenerator<SpanGroup>
  [Symbol.asyncDispose](): Promise<void>
}

/** Spans of a file, whose positions are in memory. */
const MAX_SPANS = 4_000_000
/** Spans and bytes of one conversation. */
const MAX_GROUP_SPANS = 20_000
const MAX_GROUP_BYTES = 64 * 1024 * 1024
const FLUSH_BYTES = 1024 * 1024

/** Creates a store whose spans are in a temporary file, so that memory holds only their positions. */
export async function createSpanStore(path: string): Promise<SpanStore> {
  const file = await createFolder(dirname(path), { durable: false })
    // It has the texts of the traces, which may be private.
    .then(() => open(path, "w+", 0o600))
    .catch((error: unknown) => {
      throw localFailure(error, "write", path)
    })
  const traces = createNames()
  const conversations = createNames()
  /** The conversation of each trace. */
  const ofTrace = new Map<number, number>()
  const entries: Entry[] = []
  const writer = createWriter(file)
  return {
    async add(span, isKept) {
      const trace = traces.of(span.trace)
      const conversation = span.conversation === undefined ? undefined : conversations.of(span.conversation)
      if (conversation !== undefined && !ofTrace.has(trace)) ofTrace.set(trace, conversation)
      if (!isKept) return
      if (entries.length >= MAX_SPANS) {
        throw new AssayError(
          "bad_document",
          `The file has more than ${MAX_SPANS} spans of conversations; split it, and import the parts.`,
        )
      }
      entries.push({ ...(await writer.write(Buffer.from(JSON.stringify(span)))), trace, conversation })
    },
    async *groups() {
      await writer.flush()
      for (const group of groupEntries(entries, ofTrace)) {
        const id =
          group.conversation === undefined ? traces.nameOf(group.trace) : conversations.nameOf(group.conversation)
        yield { id, isConversation: group.conversation !== undefined, ...(await readSpans(file, group.entries)) }
      }
    },
    async [Symbol.asyncDispose]() {
      await file.close()
      await rm(path, { force: true })
    },
  }
}

interface Piece {
  readonly offset: number
  readonly length: number
}

interface Entry extends Piece {
  readonly trace: number
  readonly conversation: number | undefined
}

interface EntryGroup {
  readonly conversation: number | undefined
  readonly trace: number
  readonly entries: Entry[]
}

function groupEntries(entries: readonly Entry[], ofTrace: ReadonlyMap<number, number>): Iterable<EntryGroup> {
  const groups = new Map<string, EntryGroup>()
  for (const entry of entries) {
    const conversation = entry.conversation ?? ofTrace.get(entry.trace)
    const key = conversation === undefined ? `t${entry.trace}` : `c${conversation}`
    const group = groups.get(key) ?? { conversation, trace: entry.trace, entries: [] }
    groups.set(key, group)
    group.entries.push(entry)
  }
  return groups.values()
}

async function readSpans(file: FileHandle, entries: readonly Entry[]): Promise<Pick<SpanGroup, "spans" | "cut">> {
  const spans: ObservedSpan[] = []
  let bytes = 0
  for (const { offset, length } of entries) {
    bytes += length
    if (spans.length >= MAX_GROUP_SPANS || bytes > MAX_GROUP_BYTES) break
    const { buffer } = await file.read(Buffer.allocUnsafe(length), 0, length, offset)
    spans.push(JSON.parse(buffer.toString("utf8")) as ObservedSpan)
  }
  return { spans, cut: entries.length - spans.length }
}

interface Writer {
  readonly write: (bytes: Buffer) => Promise<Piece>
  readonly flush: () => Promise<void>
}

/** Writes pieces one after the other, many at a time. */
function createWriter(file: FileHandle): Writer {
  let waiting: Buffer[] = []
  let size = 0
  let end = 0
  const flush = async () => {
    const bytes = Buffer.concat(waiting)
    waiting = []
    size = 0
    if (bytes.length > 0) await file.writeFile(bytes)
  }
  return {
    flush,
    async write(bytes) {
      const piece = { offset: end, length: bytes.length }
      end += bytes.length
      size += bytes.length
      waiting.push(bytes)
      if (size >= FLUSH_BYTES) await flush()
      return piece
    },
  }
}

interface Names {
  readonly of: (name: string) => number
  readonly nameOf: (number: number) => string
}

/** Gives names numbers, which take less memory in millions of entries. */
function createNames(): Names {
  const numbers = new Map<string, number>()
  const names: string[] = []
  return {
    of(name) {
      const known = numbers.get(name)
      if (known !== undefined) return known
      names.push(name)
      numbers.set(name, names.length - 1)
      return names.length - 1
    },
    nameOf: (number) => names[number] ?? "",
  }
}
