import { createHash } from "node:crypto"
import { basename, dirname, extname, join, resolve } from "node:path"
import { printable } from "@assay/schemas"
import { AssayError } from "@assay/schemas/errors"
import { readRecord, readTraceRow, type TraceRow } from "@assay/traces"
import { formatEvaluation, formatRow } from "../output/format-evaluation.ts"
import { createImportNotes, type ImportNote } from "../output/import-notes.ts"
import { checkNoFiles, writeImportedFiles } from "../output/imported-file.ts"
import type { ModelAddress } from "../promptfoo/create-rows.ts"
import { noteConversation, noteSpans, type SpanCounts } from "./note-findings.ts"
import { readTraceFile } from "./read-trace-file.ts"
import { createSpanStore, type SpanStore } from "./span-store.ts"
import { createToolCollection, type ToolCollection } from "./tool-collection.ts"

export interface ImportTracesOptions {
  /** The file as the user wrote its path. */
  readonly file: string
  /** Absolute path of the working folder. */
  readonly cwd: string
  /** The evaluation file, relative to the working folder. */
  readonly out: string
  /** Undefined: the agent of the fake endpoint, because traces have no addresses. */
  readonly model: ModelAddress | undefined
  /** Whether existing files are replaced. */
  readonly force: boolean
  readonly signal: AbortSignal
}

/** The result of an import of traces. */
export interface ImportedTraces {
  /** Absolute paths. */
  readonly files: readonly string[]
  readonly rows: number
  readonly notes: readonly ImportNote[]
}

/** Bytes of a row that can be read again. */
const MAX_ROW_BYTES = 16 * 1024 * 1024
const FAKE_AGENT = "http://127.0.0.1:9000/v1#agent"

/**
 * Writes the conversations of a file with traces as rows, and an evaluation file that holds them again: the messages of the user are those of the trace,
 * and tools answer as they did. Memory holds one record, one conversation, and the positions of spans.
 * @throws `bad_document`, `not_a_row_file`, `not_found`, `output_exists`
 */
export async function importTraces(options: ImportTracesOptions): Promise<ImportedTraces> {
  const { file, cwd, out, force, model } = options
  const name = printable(file)
  const target = resolve(cwd, out)
  const rowsName = `${basename(out, extname(out))}.rows.jsonl`
  const rowsPath = join(dirname(target), rowsName)
  checkNoFiles([rowsPath, target], force)
  await using store = await createSpanStore(`${rowsPath}.spans.assay-partial`)
  const notes = createImportNotes()
  noteSpans(notes, await collect(options, store))
  const writing = { name, notes, tools: createToolCollection(), models: new Set<string>(), rows: 0, systems: 0 }
  await writeImportedFiles([{ path: rowsPath, text: rowsOf(store, writing, options.signal) }], force)
  noteModel(writing, model)
  const comments = [
    `Made of ${printable(basename(file))} by \`assay import traces\`.`,
    "The messages of users and the answers of tools are copied as they are: remove what must not be shared.",
    "same_calls: the tools are called as before, in any order. like_before: overlap of words with the last answer then.",
    "Keep these checks, change them, or replace them by what a right answer is.",
  ]
  const content = contentOf(writing, rowsName, model === undefined ? FAKE_AGENT : `${model.url}#${model.name}`)
  await writeImportedFiles([{ path: target, text: formatEvaluation(content, comments) }], force)
  return { files: [rowsPath, target], rows: writing.rows, notes: notes.list() }
}

/** Reads all spans of the file into the store. */
async function collect({ file, cwd, signal }: ImportTracesOptions, store: SpanStore): Promise<SpanCounts> {
  const name = printable(file)
  const counts: SpanCounts = {
    first: `${name}:1:1`,
    chat: 0,
    tool: 0,
    run: 0,
    event: 0,
    other: 0,
    unknown: 0,
    faults: 0,
    fault: undefined,
  }
  for await (const { location, value, fault } of readTraceFile(resolve(cwd, file), name, signal)) {
    signal.throwIfAborted()
    if (fault !== null) {
      counts.faults += 1
      counts.fault ??= { location, fault }
      continue
    }
    const { spans, unknown } = readRecord(value)
    counts.unknown += unknown
    for (const span of spans) {
      counts[span.kind] += 1
      await store.add(span, span.kind !== "other")
    }
  }
  if (counts.chat + counts.run + counts.event > 0) return counts
  throw noConversations(name, counts)
}

function noConversations(name: string, { fault, other, tool, unknown }: SpanCounts): AssayError {
  const forms = "OTLP in JSON, spans with OpenInference or gen_ai attributes, or an export of Langfuse"
  const why =
    fault !== undefined
      ? `${fault.location}: The record ${fault.fault}.`
      : other + tool > 0
        ? `${name} has ${other + tool} spans, and none of them has messages of a model: record the contents of messages in your instrumentation.`
        : `${name} has no spans: ${unknown} of its records are of no known form. Export traces as ${forms}.`
  return new AssayError("bad_document", why)
}

interface Writing {
  readonly name: string
  readonly notes: ReturnType<typeof createImportNotes>
  readonly tools: ToolCollection
  readonly models: Set<string>
  rows: number
  /** Rows with a message of the system. */
  systems: number
}

async function* rowsOf(store: SpanStore, writing: Writing, signal: AbortSignal): AsyncGenerator<string> {
  const { notes, tools, models } = writing
  const seen = new Set<string>()
  for await (const group of store.groups()) {
    signal.throwIfAborted()
    const findings = readTraceRow(group)
    const { found } = findings
    const line = found === undefined ? "" : formatRow(found.row)
    const reason = found === undefined ? "it has no message of a user" : reasonAgainst(found, line, seen)
    noteConversation(notes, {
      location: `${writing.name}, ${group.isConversation ? "conversation" : "trace"} ${printable(group.id)}`,
      reason,
      cut: group.cut,
      ...findings,
    })
    if (found === undefined || reason !== undefined) continue
    writing.rows += 1
    writing.systems += found.system === "" ? 0 : 1
    tools.add(found.turns, found.spans)
    for (const { model } of found.spans) if (model !== undefined && models.size < 20) models.add(model)
    yield line
  }
  if (writing.rows > 0) return
  throw new AssayError(
    "bad_document",
    `${writing.name} has spans of models, and none of their conversations has a message of a user.`,
  )
}

/** Returns why a conversation is not a row. */
function reasonAgainst({ row, turns, system }: TraceRow, line: string, seen: Set<string>): string | undefined {
  if (Buffer.byteLength(line) > MAX_ROW_BYTES) return `it has more than ${MAX_ROW_BYTES / 1024 / 1024} MiB`
  const asked = JSON.stringify([system, turns.map(({ user }) => user), row["tool_answers"]])
  const digest = createHash("sha256").update(asked).digest("base64")
  if (seen.has(digest)) return "it asks the same as another row"
  seen.add(digest)
  return undefined
}

function noteModel({ name, notes, models, tools }: Writing, model: ModelAddress | undefined): void {
  const named = [...models].map(printable).join(", ")
  if (model === undefined) {
    const detail = `${FAKE_AGENT}, the agent of \`assay fake-endpoint\`; give --model URL#name to ask yours`
    notes.add({ location: name, part: named === "" ? "model" : `model ${named}`, outcome: "changed", detail })
  }
  const guessed = tools.guessed()
  const detail = "parameters are the names of arguments that were used; the traces have no schema"
  if (guessed > 0) notes.add({ location: name, part: "definition of a tool", outcome: "changed", detail }, guessed)
  const leftOut = tools.leftOut()
  if (leftOut > 0)
    notes.add({ location: name, part: "tool", outcome: "left out", detail: "a file has at most 128" }, leftOut)
}

function contentOf({ tools, systems }: Writing, rowsName: string, model: string): object {
  const defined = tools.list()
  return {
    model,
    data: rowsName,
    ...(systems === 0 ? {} : { system: "{{ item.system | default('') }}" }),
    turns: "{{ item.turns }}",
    ...(defined.length === 0 ? {} : { tools: defined }),
    checks: [
      ...(defined.length === 0 ? [] : [{ calls: { any_order: "{{ item.calls }}" }, as: "same_calls" }]),
      { f1: "{{ item.output_text }}", as: "like_before" },
    ],
  }
}
