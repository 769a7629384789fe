import type { BigIntStats } from "node:fs"
import { isMissing, systemCode } from "../errors.ts"
import { metadataCalls } from "./metadata-calls.ts"
import { pathWithin, systemPath } from "./root.ts"

/** What exists at a place. `path` is relative to the root, with links resolved. */
export type Entry =
  | { readonly kind: "file"; readonly path: string; readonly stats: BigIntStats }
  | { readonly kind: "folder"; readonly path: string }
  | { readonly kind: "missing" | "special" | "outside" }

/**
 * Examines one place. A link inside the root is followed.
 * @param place the system path
 * @param path the path relative to the root, which is correct unless it is a link
 */
export async function lookUp(root: string, place: string, path: string): Promise<Entry> {
  try {
    const stats = metadataCalls.at(place)
    if (!stats.isSymbolicLink()) return entryOf(path, stats)
    const target = await pathWithin(root, metadataCalls.realPath(place))
    if (target === undefined) return { kind: "outside" }
    return entryOf(target, metadataCalls.at(systemPath(root, target)))
  } catch (error) {
    // A broken or circular link counts as missing.
    if (isMissing(error) || systemCode(error) === "ELOOP") return { kind: "missing" }
    throw error
  }
}

function entryOf(path: string, stats: BigIntStats): Entry {
  if (stats.isFile()) return { kind: "file", path, stats }
  return stats.isDirectory() ? { kind: "folder", path } : { kind: "special" }
}
