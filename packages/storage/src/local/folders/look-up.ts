import type { BigIntStats } from "node:fs"
import { isMissing, systemCode } from "../errors.ts"
import { quickLook } from "./quick-look.ts"
import { pathWithin, systemPath } from "./root.ts"

/** What stands at a place. `path` is where it really lies, relative to the root: links are resolved. */
export type Entry =
  | { readonly kind: "file"; readonly path: string; readonly stats: BigIntStats }
  | { readonly kind: "folder"; readonly path: string }
  | { readonly kind: "missing" | "special" | "outside" }

/**
 * Looks at one place and follows a link that stays inside the root.
 * @param place where the system finds it
 * @param path where it really lies, relative to the root, unless it is a link
 */
export async function lookUp(root: string, place: string, path: string): Promise<Entry> {
  try {
    const stats = quickLook.at(place)
    if (!stats.isSymbolicLink()) return entryOf(path, stats)
    const target = await pathWithin(root, quickLook.realPath(place))
    if (target === undefined) return { kind: "outside" }
    return entryOf(target, quickLook.at(systemPath(root, target)))
  } catch (error) {
    // A link that leads to nothing, or in a circle, is nothing.
    if (isMissing(error) || systemCode(error) === "ELOOP") return { kind: "missing" }
    throw error
  }
}

function entryOf(path: string, stats: BigIntStats): Entry {
  if (stats.isFile()) return { kind: "file", path, stats }
  return stats.isDirectory() ? { kind: "folder", path } : { kind: "special" }
}
