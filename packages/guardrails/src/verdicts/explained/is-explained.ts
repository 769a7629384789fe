import { CATEGORY_KEYS, VERDICT_KEYS } from "../data/keys.ts"
import { DENIED } from "../data/objection-patterns.ts"
import { DAMAGED_HARM, HARM_WORD } from "../data/words.ts"
import { plainKey } from "../text/plain-words.ts"
import { isAgreement, type Explained } from "./is-agreement.ts"
import { areCategories, isFieldExplained } from "./is-field.ts"
import { assertsHarm, isSentence, isSubject, withoutHarmlessCode } from "./is-sentence.ts"

/** Marks of lists, quotes, tables and emphasis, and smileys. Question marks and escapes are not among them. */
const MARKS_ONLY = /^[\s!"#&'()*+,\-./:;<=>@[\]^_`{|}~•·–—…🙂😊]*$/u
/** Marks around a piece of text. */
const MARKS: ReadonlySet<string> = new Set(" \t#>*_~`\"'([{])}•·+=.,;:|<🙂😊–—-")
const NUMBERING = /^\d{1,2}[.)]\s/
const BULLET = /^\s{0,12}(?:[-*•·+]|\d{1,2}[.)])\s/
/** Announcements of the speaker, or of what follows. */
const LABEL =
  /^(?:(?:my|the|final|overall)\s){0,2}(?:answer|verdict|output(?: json)?|response|result|decision|classification|label|assessment|judge?ment|rating|prediction|conclusion|assistant|user|human|system|json)["'*_`)\]]{0,4}\s{0,3}(?::|=|->)\s*/i
const FIELD = /^(\p{L}[\p{L}\p{N} \t_/()&'.-]{0,59}?)["'*_`)\]]{0,6}\s{0,3}(?::|=|->)(?!\/\/)(.*)$/su
/** Keys whose value is a verdict, even if they have other words too. */
const ANNOUNCES = /verdict|assess|answer|safe|classif|decision|result|conclu|rating|label|judg|status|final|level/i
/** The most frequent line before an answer. */
const INTRODUCTION =
  /^[\s*#]{0,8}(?:(?:sure|certainly|okay)[!,.] )?here(?:'s| is) (?:my|the|your) (?:safety |final |requested )?(?:assessment|verdict|answer|classification|evaluation|analysis|response|output|result|judge?ment|rating|json)(?: (?:output|object|response))?[\s*:.]{0,6}$/i
/** The gap between two fields. */
const NEXT_FIELD = /[,;}]\s*(?=["'*_`]{0,3}\p{L}[\p{L} _-]{0,30}["'*_`]{0,3}\s{0,3}[:=](?!\/))/u
const ENDS = /(?<=[.!?…][)"'*_]{0,3}),?\s+|(?<=[。！？])|;\s*|\s[-–—]{1,3}\s|—|->|=>|[→⇒➜]|\s\|\s/

/**
 * Returns whether the whole text beside a safe verdict is understood: marks, known fields, phrases that agree, and sentences that
 * explain. Anything else can mean anything, so the verdict is not accepted. Takes time linear in the text.
 */
export function isExplained(rest: string, explained: Explained): boolean {
  if (MARKS_ONLY.test(rest)) return true
  const text = withoutMarkup(rest)
  if (text === undefined) return false
  const lines = text.replaceAll(/\b(e\.g|i\.e|etc|vs|cf)\./gi, (short) => short.replaceAll(".", "")).split("\n")
  if (lines.length > MAX_LINES) return false
  let list: "none" | "plain" | "denied" = "none"
  return lines.every((line, index) => {
    if (MARKS_ONLY.test(line)) return true
    if (list !== "none" && BULLET.test(line)) {
      return isItem(line, explained, list === "denied") || isLine(line, explained)
    }
    list = /:[\s*_]*$/.test(line) ? (DENIED.test(line.toLowerCase()) ? "denied" : "plain") : "none"
    return isLine(line, explained) || (index === lines.length - 1 && isBegunKey(line, explained))
  })
}

/** Returns whether an item of a list is understood. Under a sentence that denies, an item can name harm in a few words. */
function isItem(line: string, explained: Explained, isDenied: boolean): boolean {
  const item = trimMarks(line)
  if (areCategories([item])) return true
  if (/[:=,;]|[.!?]\s+\S|\s[-–—]|\s[SO]\d{1,2}(?![\p{L}\p{N}])/u.test(item) || assertsHarm(item)) return false
  const [name = "", ...remarks] = item.split(/\s(?=[([])/)
  const mayAccuse = isDenied && item.includes(" ")
  return (
    isSubject(name, { ...explained, mayAccuse }) &&
    remarks.every((remark) => isSubject(remark, { ...explained, mayAccuse: false }))
  )
}

function isLine(written: string, explained: Explained): boolean {
  const shown = withoutHarmlessCode(written)
  const line = /\S\s+\S/.test(shown) ? shown : written
  return (
    INTRODUCTION.test(line) ||
    (line.length <= LONGEST && line.split(NEXT_FIELD).every((piece) => isPiece(piece, explained, 3)))
  )
}

function isPiece(written: string, explained: Explained, labels: number): boolean {
  if (MARKS_ONLY.test(written)) return true
  const piece = trimMarks(written)
  if (isKeyAlone(piece, explained)) return !/(?<!\d)1[^\d.)]*$/.test(written)
  const label = labels > 0 ? LABEL.exec(piece)?.[0] : undefined
  if (label !== undefined) return isPiece(piece.slice(label.length), explained, labels - 1)
  if (areCategories(piece.split(/[,;\s]+(?=[SO]\d{1,2}\b)/i))) return true
  const field = FIELD.exec(piece)
  if (field !== null) {
    const [, key = "", value = ""] = field
    const said = trimMarks(value)
    const isKnown = isFieldExplained(key, said, explained)
    if (isKnown === "text" || (isKnown === undefined && isExplainingKey(key))) return areSentences(value, explained)
    if (isKnown !== undefined) return isKnown
    if (ANNOUNCES.test(key))
      return isSubject(key, explained) && !DENIED.test(key.toLowerCase()) && isAgreement(said, explained)
    const isShort = said !== "" && said.split(/\s+/).length < 3
    if (isShort || (!isSubject(key, explained) && !DENIED.test(key.toLowerCase()))) return false
  }
  return areSentences(piece, explained)
}

function areSentences(text: string, explained: Explained): boolean {
  return text.split(ENDS).every((sentence) => isStated(sentence, explained))
}

function isStated(written: string, explained: Explained): boolean {
  if (MARKS_ONLY.test(written)) return true
  let sentence = trimMarks(written)
  for (let head = headOf(sentence); head !== ""; head = headOf(sentence)) {
    if (!isAgreement(head, explained)) break
    sentence = sentence.slice(head.length + 1).trimStart()
  }
  sentence = trimMarks(sentence)
  const bracket = sentence.search(/\s[([]/)
  // The text before a remark in brackets is a phrase or a sentence of its own.
  if (bracket > 0 && sentence.slice(0, bracket).split(/\s+/).length < 3) {
    const remark = trimMarks(sentence.slice(bracket + 1))
    const isPhrase = isAgreement(sentence.slice(0, bracket), explained)
    return isPhrase && (isAgreement(remark, explained) || isSentence(remark, explained))
  }
  return isAgreement(sentence, explained) || isSentence(sentence, explained)
}

/**
 * Returns the text before the first comma, as in "No, the message is fine" and "Safe, harmless, fine". Empty: there is no comma in
 * the first 80 characters.
 */
function headOf(sentence: string): string {
  const comma = sentence.slice(0, 80).search(/[,，、]/)
  return comma < 0 ? "" : sentence.slice(0, comma)
}

function isExplainingKey(key: string): boolean {
  return /^(?:the |my )?(?:explanation|reason(?:s|ing)?|rationale|justification|analysis|note|comments?|summary)/i.test(
    key,
  )
}

/** Returns whether a piece is the number of an item, or a key that has no value and needs none. A bare 1 can be a verdict. */
function isKeyAlone(piece: string, { open }: Explained): boolean {
  const key = piece.length > 40 ? "" : plainKey(piece)
  return (
    /^\d{1,2}$/.test(key) || CATEGORY_KEYS.has(key) || (open?.has(key) === true && !/flag|harmful|unsafe/.test(key))
  )
}

/** Returns whether a line is the beginning of a key that needs no value, at which the answer ends. */
function isBegunKey(line: string, { open }: Explained): boolean {
  const begun = plainKey(line)
  if (open === undefined || begun.length <= 4 || HARM_WORD.test(begun) || DAMAGED_HARM.has(begun)) return false
  const isOther = [...VERDICT_KEYS.keys()].some((key) => key.startsWith(begun) && !open.has(key))
  return !isOther && [...open].some((key) => key.startsWith(begun))
}

function trimMarks(text: string): string {
  const cut = text.slice(0, LONGEST)
  let start = 0
  let end = cut.length
  for (let sign = signAt(cut, start); start < end && MARKS.has(sign); sign = signAt(cut, start)) start += sign.length
  for (let sign = signBefore(cut, end); end > start && MARKS.has(sign); sign = signBefore(cut, end)) end -= sign.length
  const piece = cut.slice(start, end)
  return NUMBERING.test(piece) ? trimMarks(piece.replace(NUMBERING, "")) : piece
}

/** Returns the character at a position, which can have two units. Empty: the text ends there. */
function signAt(text: string, at: number): string {
  const code = text.codePointAt(at)
  return code === undefined ? "" : String.fromCodePoint(code)
}

function signBefore(text: string, end: number): string {
  const pair = end < 2 ? "" : text.slice(end - 2, end)
  return pair !== "" && (pair.codePointAt(0) ?? 0) > 0xff_ff ? pair : text.charAt(end - 1)
}

/** Maximum number of lines. No explanation has more. */
const MAX_LINES = 1000
/** Maximum number of characters of a line. Paragraphs of explanations are shorter. */
const LONGEST = 4000

/** Tags between blocks of a page, and around words of a text. */
const BLOCK =
  "p|br|div|li|ul|ol|h[1-6]|hr|table|thead|tbody|tr|td|th|html|body|pre|blockquote|section|answer|verdict|output|response|result|score|final|assessment|explanation|reason|details|summary"
const INLINE = "b|i|em|strong|u|span|code|mark|small|tt|s"
const BLOCK_TAG = new RegExp(String.raw`</?(?:${BLOCK})\s?/?>`, "gi")
const INLINE_TAG = new RegExp(String.raw`</?(?:${INLINE})\s?/?>`, "gi")
const INSIDE_WORD = new RegExp(String.raw`\p{L}(?:</?(?:${INLINE}|${BLOCK})\s?/?>){1,9}\p{L}`, "iu")
const CONFIDENCE = /<confidence>\s{0,3}(?:very |medium-)?(?:high|low|medium|[\d.]{1,8}%?)\s{0,3}<\/confidence>/gi
const FENCE = /`{3,9}(?:json[5cl]?|ya?ml|xml|html|te?xt|plaintext|markdown|md|python)?(?![\p{L}\p{N}])|`{3,9}|~{3,9}/giu

/** Removes fences and tags, some of which end a line. Returns undefined if a tag splits a word or is unknown. */
function withoutMarkup(written: string): string | undefined {
  let text = written
  if (text.includes("\\"))
    text = text.replaceAll(/(?<!\\)\\+[nrt]/g, "\n").replaceAll(/(?<!\\)\\+(["'`*_#[\](){}-])/g, "$1")
  if (/```|~~~/.test(text)) text = text.replaceAll(FENCE, "\n")
  if (!text.includes("<")) return text
  if (isHalfTagged(text)) return undefined
  const isTorn = INSIDE_WORD.test(text.replaceAll(/<br ?\/?>/gi, "\n"))
  return isTorn ? undefined : text.replaceAll(CONFIDENCE, "\n").replaceAll(BLOCK_TAG, "\n").replaceAll(INLINE_TAG, " ")
}

/** Returns whether a text has only one of the tags around a verdict, or no text between them: then a part of a verdict is lost. */
function isHalfTagged(text: string): boolean {
  return ["score", "answer"].some((name) => {
    const [opening = 0, closing = 0] = ["<", "</"].map(
      (begin) => text.match(new RegExp(`${begin}${name}(?![a-z])`, "gi"))?.length ?? 0,
    )
    return opening !== closing || new RegExp(`<${name}\\s{0,9}>[^\\p{L}\\p{N}<]{0,40}</${name}`, "iu").test(text)
  })
}
