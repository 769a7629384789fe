import type { JudgeFamily, UnreadableReason, Verdict } from "@assay/schemas"
import type { JudgeMessage, ParseVerdictOptions, VerdictReading } from "../verdict-reading.ts"
import { categoryOf } from "./categories.ts"
import { disagreesBefore } from "./disagrees-before.ts"
import { readExactly } from "./read-exactly.ts"
import { type LenientReading, readLeniently } from "./read-leniently.ts"
import { isJson } from "./statements/json-regions.ts"
import { jsonStatements } from "./statements/json-statements.ts"
import { separateReasoning, type Spoken } from "./text/separate-reasoning.ts"
import { messageText, type MessageText } from "./text/message-text.ts"
import { normalise } from "./text/normalise.ts"

/** Maximum number of characters of an answer. No judge needs more, and a model that never stops must not keep a server busy. */
const LONGEST = 2 ** 18

/** Reverses the direction of text, so that a reader sees another word than the one that is written. */
const TURNED = /[\u202D\u202E]/

/** How many characters of an unreadable answer are shown. */
const SHOWN = 4000

/**
 * Reads a judge's answer: a verdict, or the reason why there is none. It never throws, takes time linear in the answer, and guesses
 * nothing: an answer that is truncated, unknown or contradictory is unreadable, so that the policy of the rail decides. A verdict
 * about one side says nothing about the other; see `readingForDirection`.
 */
export function parseVerdict(answer: string | JudgeMessage, options: ParseVerdictOptions = {}): VerdictReading {
  try {
    const message = messageText(answer)
    const isPlain = !message.isRefusal && !message.isFiltered && !message.isCut && message.reasoning === null
    const exact = isPlain ? readExactly(message.text, options.family, options.direction ?? "input") : undefined
    return exact === undefined ? readSlowly(message, options) : { ...exact, unreadable: null }
  } catch {
    // The properties of the answer throw when they are read, or its text is too large for the engine.
    return unreadable("no_verdict", "", options.family ?? null)
  }
}

/** Reads any answer. For an exact answer, the result equals that of `readExactly`. */
export function readSlowly(message: MessageText, options: ParseVerdictOptions): VerdictReading {
  const { family } = options
  const { text, isCut } = message
  if (text.length > LONGEST) return unreadable("no_verdict", text, family ?? null)
  if (message.isFiltered) return unreadable("content_filter", text, family ?? null)
  if (message.isRefusal) return unreadable("refusal", text, family ?? null)
  const spoken = withoutReasoning(unquoted(normalise(text).trim()))
  const reasoning = message.reasoning ?? (spoken.reasoning === "" ? null : spoken.reasoning)
  if (spoken.isUnclosed) return unreadable("reasoning_only", text, family ?? null)
  if (spoken.text.trim() === "") {
    const isThought = message.reasoning !== null || spoken.reasoning !== null
    return unreadable(isThought ? "reasoning_only" : "empty", text, family ?? null)
  }
  const read = readSpoken(spoken.text, options, isCut)
  if (read.merged.reason !== null || read.family === null) {
    return unreadable(read.merged.reason ?? "no_verdict", text, read.family)
  }
  const { family: readAs } = read
  const saysSafe = read.merged.user === "safe" || read.merged.response === "safe"
  if (saysSafe && TURNED.test(text)) return unreadable("contradictory", text, readAs)
  const hasDropped = spoken.dropped.length + spoken.blocks.length > 0
  if (hasDropped && disagreesBefore(spoken, read.merged, { ...options, readAs })) {
    return unreadable("contradictory", text, readAs)
  }
  const verdict: Verdict = {
    user_safety: read.merged.user,
    response_safety: read.merged.response,
    categories: [...new Set(read.categories)].map((raw) => categoryOf(raw, readAs)),
    reading: "lenient",
    ...(read.score === undefined ? {} : { score: read.score }),
    ...(reasoning === null ? {} : { reasoning }),
    raw: text,
  }
  return { verdict, unreadable: null, family: readAs }
}

/**
 * Reads an answer without its reasoning. A word at the very end of a cut answer is not known to be whole: `No` may be the beginning of
 * `Not safe`. So a safe verdict that needs it is truncated. An unsafe verdict stays unsafe, whatever follows.
 */
function readSpoken(
  text: string,
  { family, direction = "input" }: ParseVerdictOptions,
  isCut: boolean,
): LenientReading {
  const read = readLeniently(text, family, direction, isCut)
  const [word = ""] = isCut && read.merged.reason === null ? (LAST_WORD.exec(text.slice(-MAX_WORD)) ?? []) : []
  if (word === "" || read.merged.reason !== null) return read
  const { merged } = readLeniently(text.slice(0, text.length - word.length), family, direction, isCut)
  const before = merged.reason === null ? merged : { user: null, response: null }
  const needsWord = (["user", "response"] as const).some(
    (side) => read.merged.reason === null && read.merged[side] === "safe" && before[side] !== "safe",
  )
  return needsWord ? { ...read, merged: { reason: "truncated" } } : read
}

const MAX_WORD = 100
const LAST_WORD = /[\p{L}\p{N}\p{M}]+$/u

/** Removes reasoning, unless the answer is a JSON object with a verdict: tags in its strings are quoted from the judged text. */
function withoutReasoning(text: string): Spoken {
  const isVerdict = /^[{[]/.test(text) && isJson(text) && jsonStatements(text).statements.length > 0
  return isVerdict ? { text, reasoning: null, isUnclosed: false, dropped: [], blocks: [] } : separateReasoning(text)
}

/** Decodes an answer that is a JSON string. */
function unquoted(text: string): string {
  if (!text.startsWith('"') || !text.endsWith('"') || text.length < 2) return text
  try {
    return String(JSON.parse(text)).trim()
  } catch {
    return text
  }
}

function unreadable(reason: UnreadableReason, raw: string, family: JudgeFamily | null): VerdictReading {
  return { verdict: null, unreadable: { reason, raw: raw.slice(0, SHOWN) }, family }
}
