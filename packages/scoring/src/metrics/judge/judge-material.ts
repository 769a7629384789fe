/**
 * Writes the material of a question as JSON, so that no text in it can end its own part. Angle brackets are escaped too: the parts of
 * a prompt are between tags.
 */
export function material(parts: Readonly<Record<string, unknown>>): string {
  return JSON.stringify(parts, null, 1)
    .replaceAll("<", String.raw`\u003c`)
    .replaceAll(">", String.raw`\u003e`)
}
