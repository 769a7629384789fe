import { oursAmong, type Manifest } from "../reading/manifest.ts"
import { PACKAGES, type Place } from "../packages.ts"

/** Returns the dependencies of a manifest that the table of floors forbids, each as a sentence. */
export function manifestFaults(
  manifest: Manifest,
  places: Readonly<Record<string, Place>> = PACKAGES,
): readonly string[] {
  const place = places[manifest.short]
  if (place === undefined) return [`${manifest.name} has no place in tooling/checks/src/packages.ts.`]
  const atRunTime = { ...manifest.dependencies, ...manifest.peerDependencies, ...bundled(manifest, place) }
  const upward = oursAmong(atRunTime)
    .filter((name) => place.mayImport !== "all" && !place.mayImport.includes(name))
    .filter((name) => place.serves?.includes(name) !== true)
    .map((name) => `${manifest.name} may not depend on @assay/${name}.`)
  const foreign = Object.keys(manifest.dependencies ?? {})
    .filter((name) => !name.startsWith("@assay/") && place.thirdParty?.includes(name) === false)
    .map((name) => `${manifest.name} may not depend on ${name}.`)
  const above = oursAmong(manifest.devDependencies)
    .filter((name) => isAbove(places[name], place))
    .map((name) => `${manifest.name} may not test with @assay/${name}, which stands above it.`)
  return [...upward, ...foreign, ...above]
}

/** Returns the dependencies of development that the published files contain. Those for tests and tools are not among them. */
function bundled({ devDependencies }: Manifest, place: Place): Readonly<Record<string, string>> {
  if (place.isBundled !== true) return {}
  const isOnFloor = (name: string) => typeof PACKAGES[name]?.floor === "number"
  return Object.fromEntries(
    oursAmong(devDependencies)
      .filter(isOnFloor)
      .map((name) => [`@assay/${name}`, "workspace:*"]),
  )
}

function isAbove(other: Place | undefined, place: Place): boolean {
  return typeof other?.floor === "number" && typeof place.floor === "number" && other.floor > place.floor
}
