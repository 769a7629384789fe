/** What stands between blocks of a page, and around words of a text. */
const BLOCK =
  "p|br|div|li|ul|ol|h[1-6]|hr|table|thead|tbody|tr|td|th|html|body|pre|blockquote|section|answer|verdict|output|response|result|score|final|assessment|explanation|reason|details|summary"
const INLINE = "b|i|em|strong|u|span|code|mark|small|tt|s"
const BLOCK_TAG = new RegExp(String.raw`</?(?:${BLOCK})\s?/?>`, "gi")
const INLINE_TAG = new RegExp(String.raw`</?(?:${INLINE})\s?/?>`, "gi")
const INSIDE_WORD = new RegExp(String.raw`\p{L}(?:</?(?:${INLINE}|${BLOCK})\s?/?>){1,9}\p{L}`, "iu")
const CONFIDENCE = /<confidence>\s{0,3}(?:very |medium-)?(?:high|low|medium|[\d.]{1,8}%?)\s{0,3}<\/confidence>/gi
const FENCE = /`{3,9}(?:json[5cl]?|ya?ml|xml|html|te?xt|plaintext|markdown|md|python)?(?![\p{L}\p{N}])|`{3,9}|~{3,9}/giu

/** A text without fences and tags, of which some end a line. Undefined where a tag pulls a word apart or is none that is known. */
export function withoutMarkup(written: string): string | undefined {
  let text = written
  if (text.includes("\\"))
    text = text.replaceAll(/(?<!\\)\\+[nrt]/g, "\n").replaceAll(/(?<!\\)\\+(["'`*_#[\](){}-])/g, "$1")
  if (/```|~~~/.test(text)) text = text.replaceAll(FENCE, "\n")
  if (!text.includes("<")) return text
  const isTorn = INSIDE_WORD.test(text.replaceAll(/<br ?\/?>/gi, "\n"))
  return isTorn ? undefined : text.replaceAll(CONFIDENCE, "\n").replaceAll(BLOCK_TAG, "\n").replaceAll(INLINE_TAG, " ")
}
