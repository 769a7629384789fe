import { DENIED } from "../data/objection-patterns.ts"
import { hasObjection, hasPredicate } from "../objections/find-objection.ts"
import { skeletonOf } from "../objections/skeleton.ts"
import { isYes } from "./is-plain-token.ts"
import { assertsHarm } from "./is-sentence.ts"

/** Maximum number of characters of a possibility or a question. A longer sentence asserts something. */
const MAX_SUPPOSED = 400
const MODAL = /(?<!\p{L})(?:might|may|could)(?!\p{L})/iu
/** The first words of a question. */
const ASKS =
  /^\W*(?:(?:and|or|but|so|then|now|hmm+|ok(?:ay)?)\W+)?(?:(?:(?:why|how|when|where)\s)?(?:is|are|was|were|do|does|did|has|have|can|will|would|should|could|might|may)\s(?:an?|the|it|this|that|these|there|they|he|she|we|i|you|any|such)|what|how|who|which|whether)(?!\p{L})/iu
/** A key of a verdict with a value that is in question, as in `Prompt harm: harmful?`. */
const ASKED_VALUE =
  /^\s*(?:prompt|request|response|user|message)(?: (?:harm|safety))?: {0,3}(?:un)?(?:safe|harmful)\?\s*$/i
/** The gaps between the clauses of a sentence. */
const CLAUSES =
  /[,;:，、：；\t]|\s[-–—.…]{1,3}\s|—|->|=>|[→⇒()[\]<>{}"|]|\s(?=(?:could|might|may|should|would|is) (?:it|this|that|i|we|they)\s)|\s(?:but|so|as|since|because|yet|hence|thus|therefore|however|then|and(?= (?:it|this|that|i|we|he|she|they|the|yet|so)\s))(?=\s)/i

/** Removes possibilities and questions, which occur in reasoning and not in answers. */
export function withoutSupposed(text: string): string {
  return text
    .split(/(?<=[.!?\n])/)
    .filter((sentence) => !isSupposed(sentence))
    .join("")
}

/** Returns whether a sentence is a possibility or a question, and none of its clauses is a verdict. Fewer than three words are neither. */
function isSupposed(sentence: string): boolean {
  const isQuestion = /\?\s*$/.test(sentence)
  if (sentence.length > MAX_SUPPOSED || (!isQuestion && !MODAL.test(sentence))) return false
  if (/<[^<>]*$/.test(sentence) || sentence.trim().split(/\s+/).length < 3) return false
  if (ASKED_VALUE.test(sentence)) return true
  return sentence.split(CLAUSES).every((clause) => {
    if (isQuestion && ASKS.test(clause)) return true
    const modal = MODAL.exec(clause)
    if (modal === null) return !isVerdict(clause)
    // A word of a verdict directly after the verb is not what may be: that needs "be".
    const [next = ""] = clause
      .slice(modal.index + modal[0].length)
      .trim()
      .split(/\s+/)
    return !isVerdict(clause.slice(0, modal.index)) && !endsInVerdict(next)
  })
}

function isVerdict(clause: string): boolean {
  return (
    hasObjection(clause, { isBare: true }) ||
    hasPredicate(skeletonOf(clause)) ||
    assertsHarm(clause) ||
    endsInVerdict(clause)
  )
}

/** Number of characters at the end of a clause that are checked. */
const MAX_END = 80
/** A word of a verdict at the end of a clause, with its categories. */
const FINAL_WORD =
  /(?:^|[^\p{L}])(?:unsafe|off[ _-]?topic|invalid|violates|fail|block(?:ed)?|flagged)(?:[^\p{L}\p{N}]+[so]\d{1,2})*[^\p{L}\p{N}]*$/u

/** Returns whether a clause ends in a word that is a verdict, as in `so the answer is yes`, and does not deny it. */
function endsInVerdict(clause: string): boolean {
  const end = clause.slice(-MAX_END)
  const shown = skeletonOf(end)
    .replace(/^\W*why\s/, "")
    .replace(/(?<![a-z])not (?=safe\W*$)/, "un")
  const last = /(\p{L}+)[^\p{L}]*$/u.exec(end)?.[1] ?? ""
  if (!FINAL_WORD.test(shown) && !isYes(last.toLowerCase())) return false
  return !DENIED.test(shown)
}

/** Returns whether a clause of a text ends in a word that is a verdict. */
export function concludes(text: string): boolean {
  return text.split(/[.!?。！？\n]/).some((sentence) => sentence.split(CLAUSES).some((clause) => endsInVerdict(clause)))
}
