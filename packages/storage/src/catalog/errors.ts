import type { AssayError } from "@assay/schemas"
import { remoteError, withFacts, type RemoteTarget } from "../remote/remote-error.ts"
import type { ApiResponse } from "./api-response.ts"
import { assetPage, assetPath, type CatalogAsset } from "./asset.ts"
import type { CatalogClient } from "./client.ts"
import { catalogPages, entriesOf } from "./pages.ts"

/** The asset and the key's reference, for messages. */
export interface CatalogParty {
  readonly asset: CatalogAsset
  /** The reference of the key. */
  readonly secret: string
}

/** Converts an unsuccessful response to an error that says what to do. */
export function catalogError(
  answer: Pick<ApiResponse, "status" | "words">,
  target: RemoteTarget,
  party: CatalogParty,
): AssayError {
  return withFacts(errorOfStatus(answer, target, party), { status: answer.status })
}

function errorOfStatus(
  { status, words }: Pick<ApiResponse, "status" | "words">,
  target: RemoteTarget,
  { asset, secret }: CatalogParty,
): AssayError {
  const said = words === "" ? String(status) : `${status}: ${words}`
  switch (status) {
    case 400: {
      const what = `the catalog does not understand the request (${said}); check host, org, team, target and version.`
      return remoteError("upstream_misconfigured", target, what)
    }
    case 401: {
      const what = `the catalog refuses the key in secret '${secret}' (${said}); set the secret to a key that is valid.`
      return remoteError("upstream_refused", target, what)
    }
    case 403: {
      const group = asset.team === undefined ? `org '${asset.org}'` : `team '${asset.team}' of org '${asset.org}'`
      const what = `the key in secret '${secret}' may not read there (${said}); use a key with access to ${group}, or correct org and team.`
      return remoteError("upstream_refused", target, what)
    }
    case 404: {
      const what = `it does not exist, or this key has no access to it (${said}); check org, team, target, target_type and version.`
      return remoteError("upstream_missing", target, what)
    }
    case 412: {
      const what = `its licence is not accepted (${said}); accept it with the account of the key at ${assetPage(asset)}.`
      return remoteError("upstream_gated", target, what)
    }
    case 429: {
      const what = `the catalog asks for fewer requests (${said}); try again later.`
      return remoteError("upstream_failed", target, what)
    }
    default: {
      const what = `the catalog gave an unexpected response (${said}); try again later, and check that host is the catalog's API.`
      return remoteError("upstream_failed", target, what)
    }
  }
}

export function fileMissing(target: RemoteTarget): AssayError {
  return remoteError("not_found", target, "the version has no such file; its listing shows which files exist.")
}

export function readOnly(target: RemoteTarget): AssayError {
  const what = "the catalog is read-only here; write to a fileset on another storage."
  return remoteError("method_not_allowed", target, what)
}

/** Maximum number of versions that a message names. */
const MAX_NAMED = 8

/** Explains a 404 below an asset: the asset is missing, or the version, and then which versions exist. */
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
    return remoteError("upstream_missing", target, `there is no version '${version}' (${has}); name an existing one.`)
  }
  return assetMissing(client, target)
}

export function assetMissing({ asset, secret }: CatalogClient, target: RemoteTarget): AssayError {
  const { kind, org, team } = asset
  const where = team === undefined ? `org '${org}'` : `team '${team}' of org '${org}'`
  const what = `${where} has no such ${kind} that the key in secret '${secret}' may see; check org, team, target, and target_type (resource or model).`
  return remoteError("upstream_missing", target, what)
}
