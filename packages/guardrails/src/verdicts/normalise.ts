import { decodeEntities } from "./decode-entities.ts"
import { replaceTemplateTokens } from "./replace-template-tokens.ts"

/** Plain text that no step below would change, which is what nearly all answers are. */
const PLAIN = /^[\n\x20-\x25\x27-\x3b\x3d-\x5a\x5c-\x7e]*$/

/**
 * Brings an answer to plain characters: marks that nobody sees are out, letters and blanks in their usual width (NFKC), quotes
 * straight, HTML entities decoded, tokens of chat templates out, lines ended by `\n`. Takes time linear in the text.
 */
export function normalise(text: string): string {
  if (PLAIN.test(text)) return text
  const decoded = decodeEntities(text)
  if (isAscii(decoded)) return replaceTemplateTokens(plainControls(decoded))
  // Signs of full width may have been entities.
  return replaceTemplateTokens(plainControls(decodeEntities(plainLetters(decoded))))
}

function isAscii(text: string): boolean {
  return /^[\0-\x7f]*$/.test(text)
}

function plainControls(text: string): string {
  return text.replaceAll(/\r\n?|[\v\f\x85\u2028\u2029]/g, "\n").replaceAll(/(?![\n\t])\p{Cc}/gu, "")
}

function plainLetters(text: string): string {
  const shown = text.replaceAll(/[\p{Cf}\p{Default_Ignorable_Code_Point}]/gu, "")
  // Marks are put in order when letters are composed, which takes quadratic time where thousands follow each other.
  const ordered = shown.replaceAll(/(\p{M}{30})\p{M}+/gu, "$1")
  // Signs for whole words grow up to eighteen times as long, and no verdict is written in them.
  const short = ordered.replaceAll(/[\u3200-\u33ff\ufdf0-\ufdff]/g, "\u25a1")
  return plainControls(short.normalize("NFKC"))
    .replaceAll(/[\p{Cf}\p{Default_Ignorable_Code_Point}]/gu, "")
    .replaceAll(/[“”„‟«»″〝〞「」『』]/g, '"')
    .replaceAll(/[‘’‚‛‹›′´]/g, "'")
    .replaceAll(/[\p{Zs}\t✅✔☑👍🟢]/gu, " ")
    .replaceAll(/[‐‑‒−]/g, "-")
    .replaceAll("▁", "_")
}
