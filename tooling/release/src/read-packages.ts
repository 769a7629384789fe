import { existsSync, globSync, readFileSync } from "node:fs"
import { dirname, join, sep } from "node:path"
import type { Manifest, Package } from "./manifest.ts"

/** Reads the packages of a repository, sorted by their folders. */
export function readPackages(root: string): readonly Package[] {
  return globSync(
    ["packages/*/package.json", "apps/*/package.json", "tooling/*/package.json", "examples/package.json"],
    {
      cwd: root,
    },
  )
    .filter((path) => existsSync(join(root, path)))
    .map((path) => path.split(sep).join("/"))
    .toSorted()
    .map((path) => {
      const manifest: Manifest = JSON.parse(readFileSync(join(root, path), "utf8"))
      return { folder: dirname(path), manifest }
    })
}

/** Returns the packages that are not private, each after all packages that it needs. */
export function publishOrder(packages: readonly Package[]): readonly Package[] {
  const byName = new Map(packages.filter(isPublishable).map((one) => [one.manifest.name, one]))
  const ordered = new Set<Package>()
  const visit = (one: Package): void => {
    if (ordered.has(one)) return
    for (const name of Object.keys({ ...one.manifest.dependencies, ...one.manifest.peerDependencies })) {
      const needed = byName.get(name)
      if (needed !== undefined) visit(needed)
    }
    ordered.add(one)
  }
  for (const one of byName.values()) visit(one)
  return [...ordered]
}

function isPublishable({ folder, manifest }: Package): boolean {
  return manifest.private !== true && !folder.startsWith("tooling/")
}
