/** Returns a line of evidence without what the message above it has already said, such as `task 'qa', row 0`. */
export function evidenceBeside(message: string, line: string): string {
  const end = line.indexOf(": ")
  // The message may name the model after the cause.
  const cause = line.slice(end).replace(/\.$/u, "")
  return end > 0 && cause.length > 2 && message.includes(cause) ? line.slice(0, end) : line
}
