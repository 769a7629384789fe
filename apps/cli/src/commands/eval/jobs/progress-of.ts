import type { ShownProgress } from "../screen/format-evaluation-progress.ts"

/** Progress as an event of a server tells it; undefined where it tells no rows. */
export function progressOf(data: Readonly<Record<string, unknown>>): ShownProgress | undefined {
  const processed = data["processed"] ?? data["samples_processed"]
  const total = data["total"] ?? data["samples_total"]
  if (typeof processed !== "number") return undefined
  const { means, tokens } = data
  const failed = data["failed"] ?? data["samples_failed"]
  return {
    processed,
    total: typeof total === "number" ? total : null,
    failed: typeof failed === "number" ? failed : 0,
    means: numbersOf(means),
    tokens: { prompt: numbersOf(tokens)["prompt"] ?? 0, completion: numbersOf(tokens)["completion"] ?? 0 },
  }
}

function numbersOf(value: unknown): Readonly<Record<string, number>> {
  if (typeof value !== "object" || value === null) return {}
  return Object.fromEntries(
    Object.entries(value).filter((entry): entry is [string, number] => typeof entry[1] === "number"),
  )
}
