import { isBuiltin } from "node:module"
import { posix } from "node:path"
import { PACKAGES } from "../packages.ts"
import type { Manifest } from "../reading/manifest.ts"
import { sourceKind } from "../reading/source-kind.ts"
import type { SourceFile } from "../reading/source-file.ts"

/** Returns the forbidden imports of a file, each as a sentence. */
export function importFaults(source: SourceFile, manifest: Manifest, all: readonly Manifest[]): readonly string[] {
  return source.specifiers
    .map((specifier) => importFault(specifier, source, manifest, all))
    .filter((fault) => fault !== undefined)
    .map((fault) => `${source.path}: ${fault}`)
}

function importFault(
  specifier: string,
  source: SourceFile,
  manifest: Manifest,
  all: readonly Manifest[],
): string | undefined {
  if (specifier.startsWith(".")) {
    const target = posix.join(posix.dirname(source.path), specifier)
    return target.startsWith(`${manifest.folder}/`)
      ? undefined
      : `"${specifier}" leaves the package; import it by name.`
  }
  // Made by the build itself.
  if (specifier.startsWith("virtual:")) return undefined
  if (isBuiltin(specifier)) return specifier.startsWith("node:") ? undefined : `write "node:${specifier}".`
  const name = packageOf(specifier)
  if (name === manifest.name) return `"${specifier}" is this package itself.`
  const declared = { ...manifest.dependencies, ...manifest.peerDependencies, ...testOnly(source, manifest) }
  if (!(name in declared)) return `"${name}" is not declared for this kind of file in ${manifest.folder}/package.json.`
  const ours = all.find((other) => other.name === name)
  if (ours?.exports === undefined) return undefined
  const subpath = `.${specifier.slice(name.length)}`
  return subpath in ours.exports ? undefined : `${name} does not export "${subpath}".`
}

/** Returns the development dependencies for a file that is never published: tests, suites that are not exported, and sources of a bundle. */
function testOnly(source: SourceFile, manifest: Manifest): Readonly<Record<string, string>> {
  const kind = sourceKind(source.path)
  const suite = manifest.exports?.["./testing"]
  const isPublished = kind === "source" || (kind === "suite" && typeof suite === "object" && "default" in suite)
  const isBundled = PACKAGES[manifest.short]?.isBundled === true
  return isPublished && manifest.private !== true && !isBundled ? {} : (manifest.devDependencies ?? {})
}

function packageOf(specifier: string): string {
  return specifier
    .split("/")
    .slice(0, specifier.startsWith("@") ? 2 : 1)
    .join("/")
}
