import { CONFUSABLES, LETTER_SIGNS } from "../data/characters.ts"

/**
 * Writes a normalised text as a reader sees it: in lower case, without accents, with Latin letters for characters that look like
 * them. It serves to find objections to a verdict, never to find a verdict.
 */
export function skeletonOf(text: string): string {
  const decoded = text.includes("\\u") ? text.replaceAll(/\\u([\da-f]{4})/gi, decodeUnit) : text
  const lower = decoded.toLowerCase().replaceAll(/(?<!\\)\\+[nrt]/g, "\n")
  const letters = isAscii(lower)
    ? lower
    : Array.from(lower.normalize("NFKD").replaceAll(/\p{M}/gu, ""), letterOf).join("")
  return letters.replaceAll(/(?<=[a-z])(?:[@$](?=[a-z])|[0345])/g, (sign) => LETTER_SIGNS[sign] ?? sign)
}

function letterOf(sign: string): string {
  return CONFUSABLES.get(sign) ?? sign
}

function decodeUnit(_: string, digits: string): string {
  return String.fromCodePoint(Number.parseInt(digits, 16))
}

function isAscii(text: string): boolean {
  return /^[\0-\x7f]*$/.test(text)
}

/** Also removes tags and marks inside words, which split or hide a word. */
export function withoutMarksInWords(skeleton: string): string {
  return skeleton
    .replaceAll(/<!--[^<>]{0,80}-->|<[^<>\n]{0,40}>|\[\/?[a-z]{1,12}\]|◁\/?[a-z]{1,12}▷/gi, "")
    .replaceAll(/[*_~`\\-]{2,8}/g, "")
    .replaceAll(/(?<=[a-z])[^a-z0-9\s]{1,2}(?=[a-z])/gi, "")
}
