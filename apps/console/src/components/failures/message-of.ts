/** Returns the message of what was thrown, or the thrown value as text if it is not an error. */
export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}
