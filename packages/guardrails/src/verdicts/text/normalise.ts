import { ENTITIES } from "../data/characters.ts"

/** Plain text that no step below would change. Nearly all answers are. */
const PLAIN = /^[\n\x20-\x25\x27-\x3b\x3d-\x5a\x5c-\x7e]*$/

/**
 * Converts an answer to plain characters: removes invisible marks, gives letters and spaces their usual width (NFKC), straightens
 * quotes, decodes HTML entities, removes tokens of chat templates, and ends lines with `\n`. Takes time linear in the text.
 */
export function normalise(text: string): string {
  if (PLAIN.test(text)) return text
  const decoded = decodeEntities(text)
  if (isAscii(decoded)) return replaceTemplateTokens(plainControls(decoded))
  // Full-width signs can form entities.
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
  // Composing letters sorts their marks, which takes quadratic time for thousands of marks in a row.
  const ordered = shown.replaceAll(/(\p{M}{30})\p{M}+/gu, "$1")
  // Signs for whole words grow up to eighteen times as long, and no verdict contains them.
  const short = ordered.replaceAll(/[\u3200-\u33ff\ufdf0-\ufdff]/g, "\u25a1")
  return plainControls(short.normalize("NFKC"))
    .replaceAll(/[\p{Cf}\p{Default_Ignorable_Code_Point}]/gu, "")
    .replaceAll(/[“”„‟«»″〝〞「」『』]/g, '"')
    .replaceAll(/[‘’‚‛‹›′´]/g, "'")
    .replaceAll(/[\p{Zs}\t✅✔☑👍🟢]/gu, " ")
    .replaceAll(/[‐‑‒−]/g, "-")
    .replaceAll("▁", "_")
}

/** How often entities are decoded. Each web page that an answer goes through escapes its ampersands once more. */
const PASSES = 4

/** Decodes HTML entities. Unknown entities are kept. */
function decodeEntities(text: string): string {
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

/** The channels of reasoning, and the one of the answer. */
const CHANNEL =
  /<\|channel\|>\s{0,3}(analysis|commentary|final)\b[^<\n]{0,80}(?:<\|message\|>)?|\b(analysis|final)<\|message\|>/gi

/** The names of speakers, which belong to the token. */
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
 * Removes the tokens of chat templates from an answer. A line ends at each token, so that the words around it are not joined. A
 * reasoning channel becomes a think block, and the final channel its end.
 */
function replaceTemplateTokens(text: string): string {
  if (!/<[|/a-z]|\[\/?INST/i.test(text)) return text
  let plain = text.replaceAll(CHANNEL, (_, name?: string, bare?: string) =>
    (name ?? bare)?.toLowerCase() === "final" ? "</think>" : "<think>",
  )
  for (const header of HEADERS) plain = plain.replaceAll(header, "\n")
  for (const token of TOKENS) plain = plain.replaceAll(token, "\n")
  return plain
}
