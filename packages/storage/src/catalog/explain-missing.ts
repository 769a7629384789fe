import type { AssayError } from "@assay/schemas"
import { remoteError, type RemoteTarget } from "../remote/remote-error.ts"
import { assetPath } from "./asset.ts"
import type { CatalogClient } from "./client.ts"
import { catalogPages, entriesOf } from "./pages.ts"

/** Versions that a message names at the most. */
const MAX_NAMED = 8

/** What a 404 below an asset means: that the asset is not there, or the version, and which versions are. */
export async function explainMissing(
  client: CatalogClient,
  version: string,
  target: RemoteTarget,
  signal?: AbortSignal,
): Promise<AssayError> {
  for await (const page of catalogPages(client, `${assetPath(client.asset)}/versions`, target, signal)) {
    if (page.status === 404) return assetMissing(client, target)
    if (page.status !== 200) return client.error(page, target)
    const ids = entriesOf(page, "Versions").map(({ versionId }) => `'${String(versionId)}'`)
    const others = ids.length > MAX_NAMED ? `${ids.slice(0, MAX_NAMED).join(", ")} and more` : ids.join(", ")
    const has = ids.length === 0 ? "it has none" : `it has ${others}`
    return remoteError("upstream_missing", target, `there is no version '${version}' (${has}); name one that is there.`)
  }
  return assetMissing(client, target)
}

export function assetMissing({ asset, secret }: CatalogClient, target: RemoteTarget): AssayError {
  const { kind, org, team } = asset
  const where = team === undefined ? `org '${org}'` : `team '${team}' of org '${org}'`
  const what = `${where} has no such ${kind} that the key in secret '${secret}' may see; check org, team, target, and target_type (resource or model).`
  return remoteError("upstream_missing", target, what)
}
