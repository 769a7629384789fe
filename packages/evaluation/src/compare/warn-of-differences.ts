import type { JobToCompare } from "./job-to-compare.ts"

/** What speaks against holding two jobs against each other: they read other data. */
export function warnOfDifferences(baseline: JobToCompare, job: JobToCompare): readonly string[] {
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
