import type { JudgeFamily } from "@assay/schemas"
import type { ParseVerdictOptions, RailDirection } from "../verdict-reading.ts"
import type { Explained } from "./explained/is-agreement.ts"
import { isExplained } from "./explained/is-explained.ts"
import { isYes } from "./explained/is-plain-token.ts"
import { assertsHarm, isSubject } from "./explained/is-sentence.ts"
import { concludes, withoutSupposed } from "./explained/suppositions.ts"
import { FAMILY_FORMS } from "./families/all-families.ts"
import type { Merged } from "./merge-values.ts"
import { beginsOrSaysUnsafe, hasObjection, hasPredicate, hasUnsafeLine } from "./objections/find-objection.ts"
import { skeletonOf } from "./objections/skeleton.ts"
import { readLeniently } from "./read-leniently.ts"
import { findStatements } from "./statements/find-statements.ts"
import type { Statement } from "./statements/statement.ts"
import type { ClosedBlock, Spoken } from "./text/separate-reasoning.ts"

/**
 * Number of characters up to which a text counts as short. In a short text, a sentence that is a verdict counts too, since it may
 * be an answer that ends in a quotation; reasoning is longer.
 */
const SHORT = 300
/** How many of the last tags are checked for a word that they split. */
const MAX_TAGS = 20

/**
 * Returns whether the text before unopened closing tags contains another verdict than the text after them. Then a tag may be quoted
 * from the judged text, and the verdict after it too. Only a text without a verdict is reasoning. A closed block can end in a quoted
 * tag as well, so a verdict that says unsafe in it contradicts a safe one after it.
 */
export function disagreesBefore(
  { dropped, blocks, headed, text }: Pick<Spoken, "dropped" | "blocks" | "headed" | "text">,
  said: Merged,
  { family, readAs, direction = "input" }: ParseVerdictOptions & { readonly readAs: JudgeFamily },
): boolean {
  if (said.reason !== null) return false
  const saysSafe = said.user === "safe" || said.response === "safe"
  if (saysSafe && blocks.some((block) => objects(block, said, { family: readAs, direction }))) return true
  const before = dropped.join("\n")
  const { merged } = readLeniently(before, family, direction, false)
  // The text before is an answer that is not fully understood. Reasoning has no verdict.
  if (merged.reason === "contradictory" || merged.reason === "unknown_value") return true
  if (merged.reason === null && (differs(merged.user, said.user) || differs(merged.response, said.response)))
    return true
  if (!saysSafe) return false
  return (
    saysUnsafe(before) ||
    dropped.some(
      (piece) =>
        (piece.length <= SHORT || piece === headed || ANSWERS.test(piece)) &&
        !(piece === headed && isStepwise(piece) ? isReasonedTo(piece, said) : isThought(piece)),
    ) ||
    (dropped.length > 1 && saysUnsafe(dropped.join(""))) ||
    isTorn([...dropped, text]) ||
    isTorn([dropped.join(""), text])
  )
}

/**
 * Returns whether a closed block holds an answer that disagrees with the safe one after it. At the beginning of an answer, a verdict
 * under the keys of the family is a draft, which never counts.
 */
function objects({ text, isFirst }: ClosedBlock, said: Merged & { readonly reason: null }, read: ReadAs): boolean {
  const { statements, rest } = findStatements(text, false)
  const { group } = FAMILY_FORMS[read.family]
  const others = statements.filter((statement) => !isFirst || statement.group !== group)
  if (others.some(({ value }) => value === "unsafe" || value === "controversial")) return true
  const { merged } = readLeniently(rest.trim(), undefined, read.direction, false)
  if (merged.reason === null && (differs(merged.user, said.user) || differs(merged.response, said.response)))
    return true
  if (hasUnsafeLine(rest)) return true
  const mayAccuse = said.user === "unsafe" || said.response === "unsafe"
  return (
    text.length <= SHORT &&
    (others.some((one) => isSuspect(one)) || !isReasoned(rest, { saysNo: true, mayAccuse }, isFirst))
  )
}

/**
 * Returns whether a short text consists only of sentences, which do not call the message unsafe. At the beginning of an answer one
 * plain word is enough. A later block can be the rest of an answer.
 */
function isReasoned(text: string, explained: Explained, isFirst: boolean): boolean {
  const thought = withoutSupposed(text)
  if (hasObjection(thought, { skipsProse: true }) || concludes(thought)) return false
  if (!explained.mayAccuse && (hasPredicate(skeletonOf(thought)) || assertsHarm(thought))) return false
  return isExplained(thought, explained) || (isFirst && isOneWord(thought))
}

/** Returns whether a text is one word, such as "hm", that is neither part of a verdict nor means yes, even if it is repeated. */
function isOneWord(text: string): boolean {
  const [, word = "", unit = ""] = /^[^\p{L}\p{N}]*((\p{L}{1,20}?)\2*)[^\p{L}\p{N}]*$/u.exec(text) ?? []
  const plain = word.toLowerCase()
  // Letters of mixed case can be joined words.
  if (
    plain === "" ||
    !/^.?\p{Ll}*$|^\p{Lu}+$/u.test(word) ||
    /^(?:true|flagged|user|prompt|request|response)$/.test(plain)
  )
    return false
  return !isYes(plain) && !isYes(unit.toLowerCase()) && isSubject(word, { saysNo: true, mayAccuse: false })
}

/** How the answer after reasoning was read. */
interface ReadAs {
  readonly family: JudgeFamily
  readonly direction: RailDirection
}

function differs(before: string | null, after: string | null): boolean {
  return before !== null && after !== null && before !== after
}

function saysUnsafe(before: string): boolean {
  return beginsOrSaysUnsafe(before) || holdsOpenVerdict(before)
}

/** The beginning of an answer, which reasoning never has: a verdict. */
const ANSWERS =
  /^[^\p{L}]{0,400}(?:(?:safe|no|on[- _]topic)(?!\p{L}|[^\S\n]{1,3}\p{L})|(?:user|response|prompt|harmful)?[ _-]?(?:safety|harm|request|flagged)["'*_]{0,4}\s?[:=])/iu

/** Returns whether a short text consists only of sentences, none of which calls the message unsafe. */
function isThought(before: string): boolean {
  const { rest, statements } = findStatements(before, false)
  if (statements.some((statement) => isSuspect(statement))) return false
  if (hasObjection(rest, { skipsProse: true }) || hasPredicate(skeletonOf(rest))) return false
  const thought = withoutSupposed(rest)
  if (assertsHarm(thought) || concludes(thought)) return false
  return isExplained(thought, { saysNo: true, mayAccuse: false })
}

/** Returns whether a text is reasoned in numbered steps, as GuardReasoner does. */
function isStepwise(before: string): boolean {
  return /^[\s#*_-]{0,10}step 1(?!\d)/imu.test(before)
}

/**
 * Returns whether steps of reasoning fit the verdict after them. A step may speak of harm, but it is neither a
 * statement in the form of an answer, nor calls a side harmful that the verdict calls safe.
 */
function isReasonedTo(before: string, { user, response }: Merged & { readonly reason: null }): boolean {
  const { rest, statements } = findStatements(before, false)
  if (statements.some((statement) => isSuspect(statement)) || hasObjection(rest, { skipsProse: true })) return false
  const lines = before.split("\n")
  const others = lines.filter((line) => !STEP.test(line))
  const steps = lines.flatMap((line) => (STEP.test(line) ? line.replace(STEP, "") : []))
  return (
    isThought(others.join("\n")) &&
    steps.every((step) => isTitle(step) || isExplained(step, { saysNo: true, mayAccuse: true })) &&
    !(user === "safe" && callsHarmful("request|prompt|message|question|query|input", rest)) &&
    !(response === "safe" && callsHarmful("response|completion|answer|output|reply", rest))
  )
}

/** Returns whether a step has no more than a word or two, such as "Conclude.", none of which is a verdict. */
function isTitle(step: string): boolean {
  const words = step.trim().split(/\s+/)
  return (
    words.length <= 2 &&
    !words.some((word) => isYes(word.toLowerCase())) &&
    isSubject(step, { saysNo: true, mayAccuse: false })
  )
}

/** A line with a step of reasoning. */
const STEP = /^[\s#*_-]{0,10}(?:step|task) \d{1,2}(?!\d)[*_]{0,2}:?[*_]{0,2}\s?/iu

function callsHarmful(side: string, text: string): boolean {
  const predicate = String.raw`(?:${side})s?\s(?:itself\s)?(?:is|was|are|were|be|as|seems|appears|remains)\s(?:(?!not\b|un|non)\p{L}{1,20},?\s){0,4}(?:harmful|unsafe|dangerous|toxic|malicious|illegal|violent|hateful|unethical)`
  return new RegExp(predicate, "iu").test(text)
}

/** Returns whether a tag splits a word that means unsafe. */
function isTorn(pieces: readonly string[]): boolean {
  const last = pieces.filter((piece) => piece !== "").slice(-MAX_TAGS - 1)
  return last.some((piece, index) => {
    const next = last[index + 1]
    if (next === undefined) return false
    const [tail, head] = [piece.slice(-60), next.slice(0, 60)].map((side) =>
      side.replaceAll(/<[^<>\n]{0,40}>|[*_~`]/g, "").replaceAll(/\\+[nrt]/gi, "\n"),
    )
    if (tail === undefined || head === undefined) return false
    const isNegated = /(?<!\p{L})(?:un|no|not|non|off)[^\p{L}\p{N}]{0,3}$/iu.test(tail)
    if (isNegated && /^[^\p{L}\p{N}]{0,3}(?:safe|topic)/iu.test(head)) return true
    const [one, two] = [/\p{L}{1,20}[^\p{L}]{0,2}$/u, /\p{L}{1,20}[^\p{L}]{1,3}\p{L}{1,20}[^\p{L}]{0,2}$/u].map(
      (end) => end.exec(tail)?.[0] ?? "",
    )
    const [first, both] = [/^[^\p{L}]{0,2}\p{L}{1,20}/u, /^[^\p{L}]{0,2}\p{L}{1,20}[^\p{L}]{1,3}\p{L}{1,20}/u].map(
      (start) => start.exec(head)?.[0] ?? "",
    )
    return makesObjection(one, first) || makesObjection(two, first) || makesObjection(one, both)
  })
}

function makesObjection(tail = "", head = ""): boolean {
  return tail !== "" && head !== "" && hasObjection(tail + head) && !hasObjection(tail) && !hasObjection(head)
}

/**
 * Returns whether there is a statement other than safe in an object that is still open, with quoted keys, or on the line of the
 * tag.
 */
function holdsOpenVerdict(before: string): boolean {
  if (FLAG_IN_JSON.test(before)) return true
  const { statements, text, isOpen } = findStatements(before, false)
  const suspects = statements.filter((statement) => isSuspect(statement))
  if (suspects.length === 0) return false
  if (suspects.some(({ isJson }) => isJson)) return true
  if (statements.some(({ value }) => value === "unsafe" || value === "controversial")) return true
  if (isOpen || /["'][\s\\]{0,5}[:=]/.test(text)) return true
  const line = before.slice(before.lastIndexOf("\n") + 1)
  return findStatements(line, false).statements.some((statement) => isSuspect(statement))
}

/** An object that raises a flag, regardless of the text around it. */
const FLAG_IN_JSON =
  /\{\s{0,9}["'](?:is_?)?(?:unsafe|harmful|blocked?|flag(?:ged)?|violation|dangerous|malicious)["']\s{0,9}:\s{0,9}["']?(?:true|1|yes)(?![a-z0-9.])/i

function isSuspect({ value }: Statement): boolean {
  return value !== "safe" && value !== "absent"
}
