import { createHmac, randomBytes, timingSafeEqual } from "node:crypto"

/** Addresses of the host of large files. Everybody who has one may read until it expires. */
export interface SignedAddresses {
  /** Path and query at which the object can be read. */
  sign(oid: string): string
  /** Returns the object of an address, or undefined if the address is invalid or expired. */
  open(url: string): string | undefined
  /** Invalidates all issued addresses. */
  expire(): void
}

/** @param seconds for which an address is good */
export function createSignedAddresses(seconds: number): SignedAddresses {
  let key = randomBytes(32)
  const mark = (oid: string, expires: string) => createHmac("sha256", key).update(`${oid} ${expires}`).digest("hex")
  return {
    sign(oid) {
      const expires = String(Math.floor(Date.now() / 1000) + seconds)
      return `/objects/${oid}?Expires=${expires}&Signature=${mark(oid, expires)}`
    },
    open(url) {
      const { pathname, searchParams } = new URL(url, "http://localhost")
      const oid = pathname.replace("/objects/", "")
      const expires = searchParams.get("Expires") ?? ""
      const given = Buffer.from(searchParams.get("Signature") ?? "")
      const expected = Buffer.from(mark(oid, expires))
      const isOurs = given.byteLength === expected.byteLength && timingSafeEqual(given, expected)
      return isOurs && Number(expires) * 1000 > Date.now() ? oid : undefined
    },
    expire() {
      key = randomBytes(32)
    },
  }
}
