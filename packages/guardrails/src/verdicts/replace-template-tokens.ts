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
