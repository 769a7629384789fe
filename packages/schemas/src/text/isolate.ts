const RIGHT_TO_LEFT = /[\p{Script=Hebrew}\p{Script=Arabic}\p{Script=Syriac}\p{Script=Thaana}\p{Script=Nko}]/u

/** A part in quotes. An apostrophe inside a word begins none. JSON stays as it is. */
const QUOTED = /(?<![\p{L}\p{N}])'[^'\n]*'(?![\p{L}\p{N}])|“[^”\n]*”/gu

/** FIRST STRONG ISOLATE and POP DIRECTIONAL ISOLATE. Source: Unicode Standard Annex 9 */
const BEGIN = "\u2068"
const END = "\u2069"

/**
 * Puts a text with right-to-left letters between characters that isolate it, because such letters also move the numbers and signs
 * beside them. Other texts are unchanged. The text must have no controls: see `printable`.
 */
export function isolate(text: string): string {
  return RIGHT_TO_LEFT.test(text) ? `${BEGIN}${text}${END}` : text
}

/** Isolates the quoted parts of a sentence, which are texts of users. */
export function isolateQuoted(sentence: string): string {
  if (!RIGHT_TO_LEFT.test(sentence)) return sentence
  return sentence.replaceAll(QUOTED, (part) => `${part.slice(0, 1)}${isolate(part.slice(1, -1))}${part.slice(-1)}`)
}
