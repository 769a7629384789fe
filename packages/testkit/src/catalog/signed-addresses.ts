import { createHmac, randomUUID } from "node:crypto"
import type { CatalogRequest } from "./catalog-request.ts"
import type { CatalogSettings } from "./fake-catalog-options.ts"

export interface SignedAddresses {
  /** The path and query at which the file host gives the file, for a while. */
  sign(path: string): string
  /** What is wrong with the address that was asked for, as S3 calls it; undefined where it is good. */
  fault(request: CatalogRequest): string | undefined
}

/** Addresses that carry their own right to be read. */
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
