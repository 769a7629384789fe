import type { ExportTarget, Manifest } from "./manifest.ts"

const SOURCES = "./src/"

/**
 * Returns the manifest as it is published: without conditions and entries that lead to sources, scripts, and what only the repository needs.
 * @param dependencies what the packed files import, with versions
 */
export function publishedManifest(manifest: Manifest, dependencies: Readonly<Record<string, string>>): Manifest {
  const { devDependencies: _unused, dependencies: _all, scripts: _scripts, bundle: _bundle, ...rest } = manifest
  const { exports, imports, files: _files, ...kept } = rest
  const needed = Object.keys(dependencies).length === 0 ? {} : { dependencies }
  // Nobody imports a program.
  const opened = manifest.bin === undefined ? exports : { "./package.json": "./package.json" }
  const entries = { ...builtEntries("exports", opened), ...builtEntries("imports", imports) }
  return { ...kept, files: ["dist", "THIRD-PARTY-LICENSES.txt"], ...entries, ...needed }
}

function builtEntries(field: "exports" | "imports", entries: Manifest["exports"]) {
  const built = entries === undefined ? undefined : builtTarget(entries)
  return built === undefined ? {} : { [field]: built }
}

/** Returns what remains of a target without sources, or `undefined` if nothing does. */
function builtTarget(target: ExportTarget): ExportTarget | undefined {
  if (target === null) return target
  if (typeof target === "string") return target.startsWith(SOURCES) ? undefined : target
  const built = Object.entries(target)
    .map(([condition, inner]) => [condition, builtTarget(inner)] as const)
    .filter(([, inner]) => inner !== undefined)
  return built.length === 0 ? undefined : (Object.fromEntries(built) as ExportTarget)
}

/** Returns the built modules to which the entries of a manifest lead, from the folder of the package. */
export function entryModules({ exports = {} }: Manifest): readonly string[] {
  const modulesOf = (target: ExportTarget): readonly string[] => {
    if (target === null) return []
    if (typeof target === "string") return /^\.\/dist\/.*\.js$/.test(target) ? [target.slice(2)] : []
    return Object.values(target).flatMap(modulesOf)
  }
  return [...new Set(modulesOf(exports))]
}
