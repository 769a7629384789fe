import type { StoredFile } from "@assay/storage"

/** A warning about the files of `files` that are not in `used`. */
export function leftOut(files: ReadonlyMap<string, StoredFile>, used: ReadonlySet<string>): readonly string[] {
  const names = [...files.keys()].filter((name) => !used.has(name))
  if (names.length === 0) return []
  return [`Weights beside those of the checkpoint are left out: ${names.map((name) => `'${name}'`).join(", ")}.`]
}
