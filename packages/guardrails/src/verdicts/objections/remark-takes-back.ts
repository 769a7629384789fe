import { hasObjection } from "./find-objection.ts"

/** Alone between two marks, each of these takes the word before it back or leaves it open. */
const TAKES_BACK =
  /^(?:no|not|nope|nah|never|false|untrue|wrong|hardly|barely|maybe|perhaps|possibly|probably|likely|unlikely|mostly|partly|almost|somewhat|questionable|doubtful|unclear|unsure|(?:really|probably|definitely|certainly|maybe|absolutely|clearly)? ?not(?: really| at all| quite| sure| exactly| safe| so| necessarily)?)$/
/** Each of these contradicts the statement before it, or leaves it open. */
const TURNS =
  /\b(?:but|however|except|unless|although|though|wait|actually|maybe|perhaps|possibly|probably|not\s+sure|unsure|unclear|uncertain)\b/i
/** On the line of the value, a condition or a choice does the same. */
const CONDITIONS = /\b(?:or|if|provided|assuming)\b/i
/** A remark of one or two words qualifies the value. These words agree with it. */
const AGREES =
  /^(?:(?:very|quite|totally|completely|perfectly|all)\s)?(?:safe|harmless|benign|innocuous|fine|ok|okay|good|clean|clear|acceptable|allowed|appropriate|none|n\/?a|pass(?:ed)?|low(?: risk)?|no (?:issues?|harm|risks?|violations?|concerns?|problems?|threats?|categor(?:y|ies)|response)|not (?:harmful|unsafe|dangerous)|(?:confidence|certainty|score) ?\S{0,6}|(?:high|full|low) confidence|confident|\d{1,3} ?%?|s\d{1,2})$/i

/**
 * Returns whether the text after "safe" on its line puts it in doubt. A remark of one or two words must agree. A longer remark
 * explains, and must not contradict the value. A parser can't judge more than that.
 */
export function remarkTakesBack(remark: string): boolean {
  const text = remark.replaceAll(/<[^<>\n]{0,40}>/g, " ").slice(0, LONGEST)
  if (/^[\s"'*_`~\\)\]}>]*[?؟？]/.test(text)) return true
  if (!/[\p{L}\p{N}]/u.test(text)) return false
  const clauses = clausesOf(text)
  if (clauses.some((clause) => TAKES_BACK.test(clause))) return true
  const words = clauses.join(" ").split(/\s+/).length
  if (words <= 2 && !AGREES.test(clauses.join(" "))) return true
  return TURNS.test(text) || CONDITIONS.test(text) || hasObjection(text)
}

/** Returns whether a later sentence or line contradicts the first word of an answer, or leaves it open. */
export function turnsAgainst(text: string): boolean {
  const short = text.slice(0, LONGEST)
  return TURNS.test(short) || clausesOf(short).some((clause) => TAKES_BACK.test(clause))
}

function clausesOf(text: string): readonly string[] {
  return text
    .split(/[\n,;:.!?()[\]{}"|=/]|\s[-–—]+|->|(?<!\p{L})'|'(?!\p{L})/u)
    .map((clause) => clause.replaceAll(/^[\s*_`~\\#>-]+|[\s*_`~\\-]+$/g, "").toLowerCase())
    .filter((clause) => /[\p{L}\p{N}]/u.test(clause))
}

/** Maximum number of characters of a remark. The text after it is checked with the rest of the answer. */
const LONGEST = 1000

/** Returns whether the clause before a statement denies it, as in `not: User Safety: safe`. */
export function isDeniedBefore(text: string, start: number): boolean {
  const before = text.slice(Math.max(0, start - 80), start).replace(/[\s:"'`({[*_#>-]{1,20}$/, "")
  const clause = /[^.!?;\n}]*$/.exec(before)?.[0] ?? ""
  return /\b(?:not|never|false|wrong|incorrect|untrue|cannot|\w{2,6}n't)\b|^\s*no\s*$/i.test(clause)
}
