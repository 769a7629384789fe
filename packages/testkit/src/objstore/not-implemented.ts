import { ObjstoreError } from "./objstore-error.ts"

/** Refuses a header that asks for more than this server can do. */
export function notImplemented(header: string): ObjstoreError {
  const message = "A header you provided implies functionality that is not implemented."
  return new ObjstoreError(501, "NotImplemented", message, { details: { Header: header } })
}
