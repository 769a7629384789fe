import { isBuiltin } from "node:module"
import { dirname, posix } from "node:path"
import { parseSync } from "oxc-parser"
import type { Manifest } from "../reading/manifest.ts"
import { readText } from "../reading/repository.ts"

/** The modules that sources reach, from the sources of an app. */
export interface Reached {
  /** The sources, by path. */
  readonly sources: ReadonlySet<string>
  /** Each import of a module of Node, as the path of imports to it: `a.ts > b.ts > node:fs`. */
  readonly faults: readonly string[]
}

/**
 * Follows the imports of values from some sources through the sources of our packages. Imports of types only do not count: a bundle does
 * not have them. Modules of third parties are not read.
 */
export function reachFrom(
  roots: readonly string[],
  manifests: readonly Manifest[],
  read: (path: string) => string = readText,
): Reached {
  const before = new Map<string, string | undefined>(roots.map((root) => [root, undefined]))
  const faults: string[] = []
  // A map also yields the entries that are added meanwhile.
  for (const path of before.keys()) {
    for (const name of valueImports(path, read(path))) {
      if (isBuiltin(name)) faults.push([...wayTo(path, before), name].join(" > "))
      const target = resolveSource(name, path, manifests)
      if (target !== undefined && !before.has(target)) before.set(target, path)
    }
  }
  return { sources: new Set(before.keys()), faults }
}

/** Returns the sources from a root to `path`. */
function wayTo(path: string, before: ReadonlyMap<string, string | undefined>): readonly string[] {
  const from = before.get(path)
  return from === undefined ? [path] : [...wayTo(from, before), path]
}

/** Returns the modules whose values a source needs. */
function valueImports(path: string, text: string): readonly string[] {
  const { module } = parseSync(path, text)
  return [
    ...module.staticImports
      .filter(({ entries }) => entries.length === 0 || entries.some(({ isType }) => !isType))
      .map(({ moduleRequest }) => moduleRequest.value),
    ...module.staticExports.flatMap(({ entries }) =>
      entries.flatMap(({ isType, moduleRequest }) => (isType ? [] : (moduleRequest?.value ?? []))),
    ),
    ...module.dynamicImports.map(({ moduleRequest: { start, end } }) => text.slice(start + 1, end - 1)),
  ]
}

/** Returns the source of a module of ours; undefined for any other module. */
function resolveSource(name: string, from: string, manifests: readonly Manifest[]): string | undefined {
  if (name.startsWith(".")) return /\.tsx?$/.test(name) ? posix.join(dirname(from), name) : undefined
  const owner = manifests.find((one) => name === one.name || name.startsWith(`${one.name}/`))
  const entry = owner?.exports?.[`.${name.slice(owner.name.length)}`]
  const source = typeof entry === "object" ? entry["source"] : undefined
  return source === undefined ? undefined : posix.join(owner?.folder ?? "", source)
}
