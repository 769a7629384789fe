import { oursAmong, type Manifest } from "../reading/manifest.ts"
import { PACKAGES, type PackageRule } from "../packages.ts"

/** Returns the dependencies of a manifest that the table of floors forbids, each as a sentence. */
export function manifestFaults(
  manifest: Manifest,
  rules: Readonly<Record<string, PackageRule>> = PACKAGES,
): readonly string[] {
  const rule = rules[manifest.short]
  if (rule === undefined) return [`${manifest.name} has no line in tooling/checks/src/packages.ts.`]
  const atRunTime = { ...manifest.dependencies, ...manifest.peerDependencies, ...bundled(manifest, rule) }
  const upward = oursAmong(atRunTime)
    .filter((name) => rule.mayImport !== "all" && !rule.mayImport.includes(name))
    .filter((name) => rule.serves?.includes(name) !== true)
    .map((name) => `${manifest.name} may not depend on @assay/${name}.`)
  const foreign = Object.keys(manifest.dependencies ?? {})
    .filter((name) => !name.startsWith("@assay/") && rule.thirdParty?.includes(name) === false)
    .map((name) => `${manifest.name} may not depend on ${name}.`)
  const above = oursAmong(manifest.devDependencies)
    .filter((name) => isAbove(rules[name], rule))
    .map((name) => `${manifest.name} may not test with @assay/${name}, which stands above it.`)
  return [...upward, ...foreign, ...above]
}

/** Returns the dependencies of development that the published files contain. Those for tests and tools are not among them. */
function bundled({ devDependencies }: Manifest, rule: PackageRule): Readonly<Record<string, string>> {
  if (rule.isBundled !== true) return {}
  const isOnFloor = (name: string) => typeof PACKAGES[name]?.floor === "number"
  return Object.fromEntries(
    oursAmong(devDependencies)
      .filter(isOnFloor)
      .map((name) => [`@assay/${name}`, "workspace:*"]),
  )
}

function isAbove(other: PackageRule | undefined, rule: PackageRule): boolean {
  return typeof other?.floor === "number" && typeof rule.floor === "number" && other.floor > rule.floor
}
