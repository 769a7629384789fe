import type { DatasetPin } from "@assay/schemas"

/** A line for each dataset that is not what an earlier run of the job read: answers of both stand side by side. */
export function changedPins(before: readonly DatasetPin[], now: readonly DatasetPin[]): string[] {
  return now.flatMap((pin) => {
    const known = before.find(({ files_url }) => files_url === pin.files_url)
    if (known === undefined || contentOf(known) === contentOf(pin)) return []
    return [
      `Dataset ${pin.files_url} has changed since the job began: rows that were answered before are not asked again.`,
    ]
  })
}

function contentOf({ fileset_id, revision, files }: DatasetPin): string {
  return JSON.stringify([
    fileset_id,
    revision,
    files.map(({ path, size, sha256, etag }) => [path, size, sha256 ?? etag]),
  ])
}
