import type { SpanKind, TraceFindings } from "@assay/traces"
import type { ImportNotes, ImportOutcome } from "../output/import-notes.ts"

/** How many spans of each kind a file has. */
export interface SpanCounts extends Record<SpanKind, number> {
  /** The location of the first record. */
  readonly first: string
  /** Records, or parts of them, that have no span. */
  unknown: number
  /** Records that can't be read. */
  faults: number
  fault: { readonly location: string; readonly fault: string } | undefined
}

/** Notes what was read. */
export function noteSpans(notes: ImportNotes, counts: SpanCounts): void {
  const { first: location, fault } = counts
  const add = (count: number, part: string, outcome: ImportOutcome, detail: string) => {
    if (count > 0) notes.add({ location, part, outcome, detail }, count)
  }
  add(counts.chat, "request to a model", "mapped", "turns, calls and answers")
  add(counts.event, "messages in events", "mapped", "turns, calls and answers")
  add(counts.tool, "call of a tool", "mapped", "answers of tools")
  add(counts.other, "other span", "left out", "it has no messages of a conversation")
  add(counts.unknown, "other record", "left out", "it is not a span of a known form")
  if (fault !== undefined) {
    notes.add(
      { location: fault.location, part: "record", outcome: "left out", detail: `it ${fault.fault}`.slice(0, 200) },
      counts.faults,
    )
  }
}

export interface NotedConversation extends TraceFindings {
  readonly location: string
  /** Why it is not a row. Undefined: it is one. */
  readonly reason: string | undefined
  /** Spans that were not read. */
  readonly cut: number
}

/** Notes what became of a conversation and its spans. */
export function noteConversation(notes: ImportNotes, found: NotedConversation): void {
  const { location, reason } = found
  const add = (count: number, part: string, outcome: ImportOutcome, detail: string) => {
    if (count > 0) notes.add({ location, part, outcome, detail }, count)
  }
  add(1, "conversation", reason === undefined ? "mapped" : "left out", reason ?? "a row")
  add(found.ofSteps, "trace without requests", "changed", "the input and output of its outermost step are a turn")
  add(found.steps, "step of an agent", "left out", "its requests to models are there")
  add(found.twice, "span, again", "left out", "the file has it twice")
  add(found.retries, "request, again", "left out", "it was sent again, or from an earlier point on")
  add(found.others, "request of a helper", "left out", "it has another prompt than the conversation")
  add(found.greetings, "answer before a message", "left out", "a conversation begins with its user")
  add(found.unanswered, "call without an answer", "changed", "the tool answers with an error")
  add(found.lost, "part without text", "changed", "a mark such as [image]")
  add(found.cutTurns, "turn", "left out", "a conversation has at most 100")
  add(found.cut, "span of a long conversation", "left out", "at most 20000 spans and 64 MiB of one are read")
}
