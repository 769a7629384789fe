/** A text of at most `limit` UTF-16 units, with an ellipsis where it was cut. */
export function cutText(text: string, limit: number): string {
  return text.length <= limit ? text : `${text.slice(0, limit - 1).toWellFormed()}…`
}
