import { oursAmong, type Manifest } from "../reading/manifest.ts"
import { PACKAGES, type Place } from "../packages.ts"

/** Returns the dependencies of a manifest that the table of floors forbids, each as a sentence. */
export function manifestFaults(
  manifest: Manifest,
  places: Readonly<Record<string, Place>> = PACKAGES,
): readonly string[] {
  const place = places[manifest.short]
  if (place === undefined) return [`${manifest.name} has no place in tooling/checks/src/packages.ts.`]
  const atRunTime = { ...manifest.dependencies, ...manifest.peerDependencies }
  const upward = oursAmong(atRunTime)
    .filter((name) => place.mayImport !== "all" && !place.mayImport.includes(name))
    .map((name) => `${manifest.name} may not depend on @assay/${name}.`)
  const foreign = Object.keys(manifest.dependencies ?? {})
    .filter((name) => !name.startsWith("@assay/") && place.thirdParty?.includes(name) === false)
    .map((name) => `${manifest.name} may not depend on ${name}.`)
  const above = oursAmong(manifest.devDependencies)
    .filter((name) => isAbove(places[name], place))
    .map((name) => `${manifest.name} may not test with @assay/${name}, which stands above it.`)
  return [...upward, ...foreign, ...above]
}

function isAbove(other: Place | undefined, place: Place): boolean {
  return typeof other?.floor === "number" && typeof place.floor === "number" && other.floor > place.floor
}
