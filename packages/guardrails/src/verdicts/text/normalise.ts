import { ENTITIES } from "../data/entities.ts"

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

/** An answer that went through web pages has its ampersands escaped too, once for each. */
const PASSES = 4

/** Replaces HTML entities by what they stand for. Unknown ones stay as they are. */
export function decodeEntities(text: string): string {
  let decoded = text
  for (let pass = 0; pass < PASSES && decoded.includes("&"); pass += 1) {
    decoded = decoded.replaceAll(/&(?:#(\d{1,7})|#[xX]([\da-fA-F]{1,6})|([A-Za-z]{2,16}));/g, decodeOne)
  }
  return decoded
}

function decodeOne(entity: string, decimal?: string, hexadecimal?: string, name?: string): string {
  if (name !== undefined) return ENTITIES[name] ?? entity
  const point = decimal === undefined ? Number.parseInt(hexadecimal ?? "", 16) : Number(decimal)
  return point <= 0x10_ff_ff ? String.fromCodePoint(point) : entity
}

/** Channels in which a model thinks aloud, and the one in which it answers. */
const CHANNEL =
  /<\|channel\|>\s{0,3}(analysis|commentary|final)\b[^<\n]{0,80}(?:<\|message\|>)?|\b(analysis|final)<\|message\|>/gi

/** Who speaks: the name belongs to the token. */
const HEADERS = [
  /<\|start_header_id\|>[^<\n]{0,40}<\|end_header_id\|>/gi,
  /<\|header_start\|>[^<\n]{0,40}<\|header_end\|>/gi,
  /<\|start_of_role\|>[^<\n]{0,40}<\|end_of_role\|>/gi,
  /<\|im_start\|>[ ]?(?:assistant|model|system|user)?/gi,
  /<\|start\|>[ ]?assistant\b/gi,
  /<start_of_turn>[ ]?(?:model|user)?/gi,
] as const

const TOKENS = [/<\|[^<>|\n]{1,40}\|>/gi, /<\/?(?:s|bos|eos|pad|unk|end_of_turn)>/gi, /\[\/?INST\]/g] as const

/**
 * Takes the tokens of chat templates out of an answer; a line ends where one stood, so that words beside it do not grow
 * together. A channel of thoughts becomes a think block, the final one its end.
 */
export function replaceTemplateTokens(text: string): string {
  if (!/<[|/a-z]|\[\/?INST/i.test(text)) return text
  let plain = text.replaceAll(CHANNEL, (_, name?: string, bare?: string) =>
    (name ?? bare)?.toLowerCase() === "final" ? "</think>" : "<think>",
  )
  for (const header of HEADERS) plain = plain.replaceAll(header, "\n")
  for (const token of TOKENS) plain = plain.replaceAll(token, "\n")
  return plain
}
