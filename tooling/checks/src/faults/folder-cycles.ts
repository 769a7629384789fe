import { dirname, posix } from "node:path"
import { parseSync } from "oxc-parser"
import { readText } from "../reading/repository.ts"

/** One import of a value from another folder of the same package. */
export interface FolderImport {
  readonly from: string
  readonly to: string
  /** `file -> file`, for the message. */
  readonly edge: string
}

/**
 * Returns the value imports between the folders of packages. `src/a/b/file.ts` belongs to `src/a`. A file directly in `src` belongs to no
 * folder. Imports of types only do not count: they do not exist at run time.
 */
export function folderImports(
  paths: readonly string[],
  read: (path: string) => string = readText,
): readonly FolderImport[] {
  return paths.flatMap((path) => {
    const from = folderOf(path)
    if (from === undefined) return []
    const { module } = parseSync(path, read(path))
    const values = [
      ...module.staticImports
        .filter((found) => found.entries.length === 0 || found.entries.some((entry) => !entry.isType))
        .map((found) => found.moduleRequest.value),
      ...module.staticExports.flatMap(({ entries }) =>
        entries.filter((entry) => !entry.isType).flatMap((entry) => entry.moduleRequest?.value ?? []),
      ),
    ]
    return values
      .filter((name) => name.startsWith("."))
      .map((name) => posix.join(dirname(path), name))
      .flatMap((target) => {
        const to = folderOf(target)
        return to === undefined || to === from ? [] : [{ from, to, edge: `${path} -> ${target}` }]
      })
  })
}

/** Returns the groups of folders that reach each other, each with the imports that connect them. */
export function folderCycles(imports: readonly FolderImport[]): readonly string[] {
  const targets = new Map<string, Set<string>>()
  for (const { from, to } of imports) targets.set(from, (targets.get(from) ?? new Set()).add(to))
  const reached = new Map([...targets.keys()].map((folder) => [folder, reach(folder, targets)]))
  const tied = ({ from, to }: FolderImport) => reached.get(to)?.has(from) === true
  const groups = new Map<string, Set<string>>()
  for (const { from, to, edge } of imports.filter(tied)) {
    const members = [...(reached.get(from) ?? [])].filter((other) => reached.get(other)?.has(from) === true)
    const name = members.toSorted().join(", ")
    groups.set(name, (groups.get(name) ?? new Set()).add(`${from} -> ${to}: ${edge}`))
  }
  return [...groups].map(([name, edges]) => [name, ...[...edges].toSorted()].join("\n  "))
}

function reach(start: string, targets: ReadonlyMap<string, ReadonlySet<string>>): ReadonlySet<string> {
  const seen = new Set<string>()
  const open = [start]
  for (let folder = open.pop(); folder !== undefined; folder = open.pop())
    for (const next of targets.get(folder) ?? [])
      if (!seen.has(next)) {
        seen.add(next)
        open.push(next)
      }
  return seen
}

function folderOf(path: string): string | undefined {
  return /^((?:packages|apps)\/[^/]+\/src\/[^/]+)\/./.exec(path)?.[1]
}
