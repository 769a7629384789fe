import { removeSecrets } from "@assay/inference"

const MAX_LINES = 5
const MAX_CHARACTERS = 500
/** Secrets are looked for before a line is cut, or half of one would stay at its end; but not in megabytes. */
const MAX_READ = 8192

/** Distinct lines that show a condition. */
export interface Evidence {
  add(line: string, place?: string): void
  list(): readonly string[]
}

/** Keeps the first five that differ in more than their place; one line each, of 500 characters, secrets removed. */
export function createEvidence(): Evidence {
  const lines = new Map<string, string>()
  return {
    add(line, place) {
      if (lines.size >= MAX_LINES) return
      const clean = evidenceLine(line)
      if (clean === "" || lines.has(clean)) return
      lines.set(clean, place === undefined ? clean : `${place}: ${clean}`)
    },
    list: () => [...lines.values()],
  }
}

/** A text as one line that may be shown. */
export function evidenceLine(text: string, most = MAX_CHARACTERS): string {
  const line = removeSecrets(text.slice(0, MAX_READ)).replace(/\s+/g, " ").trim()
  return line.length > most ? `${line.slice(0, most)}…` : line
}
