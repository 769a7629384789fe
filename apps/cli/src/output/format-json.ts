/** What `--json` prints: one document, indented, with a line end. */
export function formatJson(value: unknown): string {
  return `${JSON.stringify(value, null, 2)}\n`
}
