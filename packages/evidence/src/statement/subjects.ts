import type { DatasetPin } from "@assay/schemas"
import type { BundleSide, VerdictStatement } from "./verdict-statement.ts"

type Subject = VerdictStatement["subject"][number]

/**
 * Returns the subjects of a statement: each pinned file whose digest is known, once. Results without such a file have their rows as subjects,
 * because a statement has at least one.
 */
export function subjectsOf(sides: readonly BundleSide[]): Subject[] {
  const files = sides.flatMap(({ pins }) => pins.flatMap(subjectsOfPin))
  const unique = new Map(files.map((file) => [`${file.name}\0${file.digest.sha256}`, file]))
  if (unique.size > 0) return [...unique.values()]
  return sides.map(({ role, rows: { sha256 } }) => ({ name: `${role}/rows.jsonl`, digest: { sha256 } }))
}

function subjectsOfPin({ fileset, fileset_id, revision, files }: DatasetPin): readonly Subject[] {
  // A file of a machine is in no fileset, and the name of its folder says nothing elsewhere.
  const isLocal = fileset_id === ""
  const place = isLocal ? "" : `${fileset}${revision === null ? "" : `@${revision}`}/`
  return files.flatMap(({ path, sha256 }) => (sha256 === null ? [] : [{ name: `${place}${path}`, digest: { sha256 } }]))
}
