import { createHmac, randomUUID } from "node:crypto"
import type { CatalogRequest } from "./catalog-request.ts"
import type { CatalogSettings } from "./fake-catalog-options.ts"

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
