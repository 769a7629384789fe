const MAX_LENGTH = 100

/** Text out of a request, short enough for a message. */
export function excerpt(text: string): string {
  return text.length > MAX_LENGTH ? `${text.slice(0, MAX_LENGTH).toWellFormed()}…` : text
}
