import { fileAnswer, type CatalogAnswer } from "./catalog-answer.ts"
import type { CatalogRequest } from "./catalog-request.ts"
import { storedPath } from "./catalog-routes.ts"
import type { CatalogSettings } from "./fake-catalog-options.ts"
import type { SignedAddresses } from "./signed-addresses.ts"

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
