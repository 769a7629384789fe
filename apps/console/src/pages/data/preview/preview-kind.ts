/** How a file is shown before somebody opens it. */
export type PreviewKind = "rows" | "markdown" | "json" | "image" | "text"

const ROW_FILE = /\.(?:jsonl|ndjson|json|csv|tsv|parquet)(?:\.(?:gz|zst))?$/iu

/** Returns whether the rows of a file can be shown. */
export function hasRows(path: string): boolean {
  return ROW_FILE.test(path)
}

/** Pictures that browsers draw. An SVG is a program: the server sends it as text, and it is shown as text. */
const IMAGE = /\.(?:avif|bmp|gif|ico|jpe?g|png|webp)$/iu

/** Returns how a file is shown, by its name. Bytes that are not text are found out when they are read. */
export function previewKind(path: string): PreviewKind {
  if (/\.json$/iu.test(path)) return "json"
  if (hasRows(path)) return "rows"
  if (IMAGE.test(path)) return "image"
  return /\.(?:md|markdown)$/iu.test(path) ? "markdown" : "text"
}

/** Returns the text of the first bytes of a file, of which the last character can be cut. Undefined: the bytes are not UTF-8 text. */
export function textOfStart(bytes: Uint8Array): string | undefined {
  if (bytes.includes(0)) return undefined
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes, { stream: true })
  } catch {
    return undefined
  }
}
