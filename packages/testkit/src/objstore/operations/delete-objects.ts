import { checkWriteConditions } from "./conditions.ts"
import type { Operation } from "../exchange.ts"
import { ObjstoreError, emptyAnswer, xmlAnswer } from "../objstore-answer.ts"
import { elements, elementText } from "../xml.ts"

const MAXIMUM_KEYS = 1000

/** `DeleteObject`. Deleting a missing object succeeds. */
export const deleteObject: Operation = ({ request: { key, headers }, bucket, settings }) => {
  checkWriteConditions(headers, bucket.get(key), settings)
  bucket.delete(key)
  return emptyAnswer(204)
}

/** `DeleteObjects`: at most 1,000 keys. It requires `Content-MD5`, like servers without newer checksums. */
export const deleteObjects: Operation = async ({ request, bucket, receive }) => {
  if (request.headers["content-md5"] === undefined) {
    throw new ObjstoreError(400, "InvalidRequest", "Missing required header for this request: Content-MD5")
  }
  const document = (await receive()).text()
  const keys = elements(document, "Object").map((object) => elementText(object, "Key"))
  if (keys.length === 0 || keys.length > MAXIMUM_KEYS || !keys.every((key) => key !== undefined && key !== "")) {
    const message = "The XML you provided was not well-formed or did not validate against our published schema"
    throw new ObjstoreError(400, "MalformedXML", message)
  }
  const deleted = keys.filter((key) => key !== undefined)
  for (const key of deleted) bucket.delete(key)
  const isQuiet = elementText(document, "Quiet") === "true"
  return xmlAnswer("DeleteResult", { Deleted: isQuiet ? [] : deleted.map((key) => ({ Key: key })) })
}
