import type { ObjstoreAnswer } from "./objstore-answer.ts"
import { ObjstoreError } from "./objstore-error.ts"
import { formatErrorXml } from "./xml.ts"

/** The document of an error; what is no `ObjstoreError` is a fault of the fake itself. */
export function errorAnswer(error: unknown, resource: string, requestId: string): ObjstoreAnswer {
  const { status, code, message, details, headers } =
    error instanceof ObjstoreError ? error : new ObjstoreError(500, "InternalError", String(error))
  const body = formatErrorXml({ Code: code, Message: message, ...details, Resource: resource, RequestId: requestId })
  return { status, headers: { "content-type": "application/xml", ...headers }, body }
}
