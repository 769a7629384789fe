import { ObjstoreError } from "./objstore-error.ts"
import { parameter, type S3Request } from "./s3-request.ts"
import { encodePath } from "./percent-encoding.ts"

/** How names are written into a listing: as they are, or percent-encoded with a plus for a space, as S3 does it. */
export function encoder(request: S3Request): (name: string) => string {
  const encoding = parameter(request, "encoding-type")
  if (encoding === undefined) return (name) => name
  if (encoding === "url") return (name) => encodePath(name).replaceAll("%20", "+")
  throw invalidArgument("encoding-type", encoding, "Invalid Encoding Method specified in Request")
}

/** How much a page may hold: up to 1,000. */
export function pageLimit(request: S3Request, name: "max-keys" | "max-uploads" | "max-parts"): number {
  const text = parameter(request, name)
  if (text === undefined) return 1000
  if (/^\d{1,9}$/.test(text)) return Math.min(1000, Number(text))
  throw invalidArgument(name, text, `Provided ${name} not an integer or within integer range`)
}

export function invalidArgument(name: string, value: string, message: string): ObjstoreError {
  return new ObjstoreError(400, "InvalidArgument", message, { details: { ArgumentName: name, ArgumentValue: value } })
}
