import { dirname, posix } from "node:path"
import { parseSync } from "oxc-parser"
import { readText } from "../reading/repository.ts"

/** One import from another folder of the same package. */
export interface FolderImport {
  readonly from: string
  readonly to: string
  /** Whether it imports types only, which do not exist at run time. */
  readonly isType: boolean
  /** `file -> file`, for the message. */
  readonly edge: string
}

/**
 * Returns the imports between the folders of packages. `src/a/b/file.ts` belongs to `src/a`. A file directly in `src` belongs to no
 * folder.
 */
export function folderImports(
  paths: readonly string[],
  read: (path: string) => string = readText,
): readonly FolderImport[] {
  return paths.flatMap((path) => {
    const from = folderOf(path)
    if (from === undefined) return []
    return importedFiles(path, read).flatMap(({ target, isType }) => {
      const to = folderOf(target)
      return to === undefined || to === from ? [] : [{ from, to, isType, edge: `${path} -> ${target}` }]
    })
  })
}

function importedFiles(path: string, read: (path: string) => string) {
  const { module } = parseSync(path, read(path))
  const found = [
    ...module.staticImports.map(({ moduleRequest, entries }) => ({
      name: moduleRequest.value,
      isType: entries.length > 0 && entries.every((entry) => entry.isType),
    })),
    ...module.staticExports.flatMap(({ entries }) =>
      entries.flatMap(({ moduleRequest, isType }) =>
        moduleRequest === null ? [] : [{ name: moduleRequest.value, isType }],
      ),
    ),
  ]
  return found
    .filter(({ name }) => name.startsWith("."))
    .map(({ name, isType }) => ({ target: posix.join(dirname(path), name), isType }))
}

/** Returns the groups of folders that reach each other by values, each with the imports that connect them. */
export function folderCycles(imports: readonly FolderImport[]): readonly string[] {
  const values = imports.filter(({ isType }) => !isType)
  const reached = reachedBy(values)
  const tied = ({ from, to }: FolderImport) => reached.get(to)?.has(from) === true
  const groups = new Map<string, Set<string>>()
  for (const { from, to, edge } of values.filter(tied)) {
    const members = [...(reached.get(from) ?? [])].filter((other) => reached.get(other)?.has(from) === true)
    const name = members.toSorted().join(", ")
    groups.set(name, (groups.get(name) ?? new Set()).add(`${from} -> ${to}: ${edge}`))
  }
  return [...groups].map(([name, edges]) => [name, ...[...edges].toSorted()].join("\n  "))
}

/** Returns the pairs of folders of which the first imports types of the second, which reaches it by values. Each is an arrow up. */
export function typesUp(imports: readonly FolderImport[]): readonly string[] {
  const reached = reachedBy(imports.filter(({ isType }) => !isType))
  const up = imports.filter(({ from, to, isType }) => isType && reached.get(to)?.has(from) === true)
  return [...new Set(up.map(({ from, to }) => `${from} -> ${to}`))]
}

function reachedBy(imports: readonly FolderImport[]): ReadonlyMap<string, ReadonlySet<string>> {
  const targets = new Map<string, Set<string>>()
  for (const { from, to } of imports) targets.set(from, (targets.get(from) ?? new Set()).add(to))
  return new Map([...targets.keys()].map((folder) => [folder, reach(folder, targets)]))
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
