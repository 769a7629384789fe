import { createHmac, randomUUID } from "node:crypto"
import { type CatalogAnswer, fileAnswer } from "./catalog-answer.ts"
import { type CatalogRequest, storedPath } from "./catalog-routes.ts"
import type { CatalogSettings } from "./fake-catalog-options.ts"

/** Answers one request for bytes at a signed address, as an object store does. */
export function answerFileHost(
  { assets }: CatalogSettings,
  addresses: SignedAddresses,
  request: CatalogRequest,
): CatalogAnswer {
  const fault = addresses.fault(request)
  if (fault !== undefined) return denied(fault)
  for (const asset of assets) {
    for (const version of asset.versions) {
      for (const [path, bytes] of Object.entries(version.files)) {
        if (storedPath(asset, version, path) === request.path) return fileAnswer(path, bytes)
      }
    }
  }
  // A store does not reveal missing keys to callers without the right to list.
  return denied("AccessDenied")
}

function denied(code: string): CatalogAnswer {
  const text = `<?xml version="1.0"?><Error><Code>AccessDenied</Code><Message>${code}</Message></Error>`
  return { status: 403, headers: { "content-type": "application/xml" }, body: Buffer.from(text) }
}

export interface SignedAddresses {
  /** Returns the path and query of the file on the file host, valid for a limited time. */
  sign(path: string): string
  /** Returns the error code of S3 for a bad address, or undefined for a good one. */
  fault(request: CatalogRequest): string | undefined
}

/** Addresses that contain the right to read them. */
export function createSignedAddresses({ addressSeconds, now }: CatalogSettings): SignedAddresses {
  const secret = randomUUID()
  const signature = (path: string, expires: string) =>
    createHmac("sha256", secret).update(`${path}\n${expires}`).digest("base64url")
  return {
    sign(path) {
      const expires = String(now() + addressSeconds * 1000)
      return `${path}?Expires=${expires}&Signature=${signature(path, expires)}`
    },
    fault({ path, query, headers }) {
      const expires = query.get("Expires") ?? ""
      if (headers.authorization !== undefined) return "Only one auth mechanism allowed"
      if (query.get("Signature") !== signature(path, expires)) return "SignatureDoesNotMatch"
      return Number(expires) > now() ? undefined : "Request has expired"
    },
  }
}
