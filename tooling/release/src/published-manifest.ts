import type { ExportTarget, Manifest } from "./manifest.ts"

const SOURCES = "./src/"

/**
 * Returns the manifest as it is published: without conditions and entries that lead to sources, scripts, and dependencies for development.
 * The tarball contains none of what these need.
 */
export function publishedManifest(manifest: Manifest): Manifest {
  const { devDependencies: _unused, scripts: _scripts, exports, imports, ...kept } = manifest
  return { ...kept, ...builtEntries("exports", exports), ...builtEntries("imports", imports) }
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
