/** Cuts a text to at most `limit` UTF-16 units. The last unit of a text that was cut is an ellipsis. */
export function cutText(text: string, limit: number): string {
  return text.length <= limit ? text : `${text.slice(0, limit - 1).toWellFormed()}…`
}

/** Puts a text on one line and keeps at most its first `limit` UTF-16 units, with an ellipsis after them if it was cut. */
export function cutLine(text: string, limit: number): string {
  const line = text.replaceAll(/\s+/g, " ").trim()
  return line.length <= limit ? line : `${line.slice(0, limit)}…`
}

/** Cuts a text to at most `limit` UTF-16 units. An ellipsis replaces its middle, so that the ends of similar names tell them apart. */
export function cutMiddle(text: string, limit: number): string {
  if (text.length <= limit) return text
  const tail = Math.floor((limit - 1) / 2)
  const end = tail === 0 ? "" : text.slice(-tail)
  return `${text.slice(0, limit - 1 - tail).toWellFormed()}…${end.toWellFormed()}`
}
