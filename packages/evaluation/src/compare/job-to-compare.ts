import type { DatasetPin, EvaluationConfigBody, EvaluationResult, EvaluationRow } from "@assay/schemas"

/** The parts of a job that a comparison needs. */
export interface JobToCompare {
  readonly id: string
  /** The name that messages use. */
  readonly name: string
  readonly result: EvaluationResult
  /** Says which scores are expenses. */
  readonly config?: Pick<EvaluationConfigBody, "params" | "tasks" | "type">
  readonly pins?: readonly DatasetPin[]
  /** Reads every row in the order of writing. Each call starts from the beginning. */
  readonly rows: (signal?: AbortSignal) => AsyncIterable<readonly EvaluationRow[]>
}

/** Returns a warning for each dataset that two jobs read differently. */
export function datasetWarnings(baseline: JobToCompare, job: JobToCompare): readonly string[] {
  const others = new Map((job.pins ?? []).map((pin) => [pin.files_url, pin]))
  return (baseline.pins ?? []).flatMap((pin) => {
    const other = others.get(pin.files_url)
    if (other === undefined) {
      return [`'${baseline.name}' read ${pin.files_url}, '${job.name}' did not: rows are paired by their number.`]
    }
    const versions = new Map(other.files.map((file) => [file.path, versionOf(file)]))
    const changed = pin.files.filter((file) => versions.get(file.path) !== versionOf(file)).map(({ path }) => path)
    if (changed.length === 0 && pin.files.length === other.files.length) return []
    const what = changed.length === 0 ? "other files" : `other bytes in ${changed.slice(0, 3).join(", ")}`
    return [`${pin.files_url} had ${what} when '${job.name}' read it than for '${baseline.name}'.`]
  })
}

function versionOf({ sha256, etag, size }: { sha256: string | null; etag: string | null; size: number }): string {
  return sha256 ?? etag ?? String(size)
}
