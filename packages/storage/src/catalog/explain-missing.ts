import type { AssayError } from "@assay/schemas"
import { farError, type FarTarget } from "../far/far-target.ts"
import { assetPath } from "./asset.ts"
import type { CatalogClient } from "./client.ts"
import { catalogPages, entriesOf } from "./pages.ts"

/** Versions that a message names at the most. */
const MOST_NAMED = 8

/** What a 404 below an asset means: that the asset is not there, or the version, and which versions are. */
export async function explainMissing(
  client: CatalogClient,
  version: string,
  target: FarTarget,
  signal?: AbortSignal,
): Promise<AssayError> {
  for await (const page of catalogPages(client, `${assetPath(client.asset)}/versions`, target, signal)) {
    if (page.status === 404) return assetMissing(client, target)
    if (page.status !== 200) return client.error(page, target)
    const ids = entriesOf(page, "Versions").map(({ versionId }) => `'${String(versionId)}'`)
    const others = ids.length > MOST_NAMED ? `${ids.slice(0, MOST_NAMED).join(", ")} and more` : ids.join(", ")
    const has = ids.length === 0 ? "it has none" : `it has ${others}`
    return farError("upstream_missing", target, `there is no version '${version}' (${has}); name one that is there.`)
  }
  return assetMissing(client, target)
}

export function assetMissing({ asset, secret }: CatalogClient, target: FarTarget): AssayError {
  const { kind, org, team } = asset
  const where = team === undefined ? `org '${org}'` : `team '${team}' of org '${org}'`
  const what = `${where} has no such ${kind} that the key in secret '${secret}' may see; check org, team, target, and target_type (resource or model).`
  return farError("upstream_missing", target, what)
}
