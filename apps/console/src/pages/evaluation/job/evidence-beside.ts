/** Returns a line of evidence without what the message above it has already said, such as `task 'qa', row 0`. */
export function evidenceBeside(message: string, line: string): string {
  const end = line.indexOf(": ")
  return end > 0 && message.endsWith(line.slice(end)) ? line.slice(0, end) : line
}
