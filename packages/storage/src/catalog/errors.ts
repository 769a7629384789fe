import type { AssayError } from "@assay/schemas"
import { remoteError, withFacts, type RemoteTarget } from "../remote/remote-error.ts"
import type { CatalogAnswer } from "./answer.ts"
import { assetPage, type CatalogAsset } from "./asset.ts"

/** Who asks for what, for messages. */
export interface CatalogParty {
  readonly asset: CatalogAsset
  /** The reference of the key. */
  readonly secret: string
}

/** What an answer that is no success means, and what to do about it. */
export function catalogError(
  answer: Pick<CatalogAnswer, "status" | "words">,
  target: RemoteTarget,
  party: CatalogParty,
): AssayError {
  return withFacts(errorOfStatus(answer, target, party), { status: answer.status })
}

function errorOfStatus(
  { status, words }: Pick<CatalogAnswer, "status" | "words">,
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
      const what = `it is not there, or not for this key (${said}); check org, team, target, target_type and version.`
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
      const what = `the catalog answered wrongly (${said}); try again later, and check that host is the catalog's API.`
      return remoteError("upstream_failed", target, what)
    }
  }
}

export function fileMissing(target: RemoteTarget): AssayError {
  return remoteError("not_found", target, "the version has no such file; its listing shows what is there.")
}

export function readOnly(target: RemoteTarget): AssayError {
  const what = "the catalog is read-only here; write to a fileset on another storage."
  return remoteError("method_not_allowed", target, what)
}
