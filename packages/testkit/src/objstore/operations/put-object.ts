import { checkWriteConditions } from "./conditions.ts"
import type { Operation } from "../exchange.ts"
import { objectHeaders } from "../object-content.ts"
import { emptyAnswer } from "../objstore-answer.ts"

/** `PutObject`: what was there before is there until the last byte has arrived and been found right. */
export const putObject: Operation = async ({ request: { key, headers }, bucket, settings, receive }) => {
  const kept = objectHeaders(headers)
  checkWriteConditions(headers, bucket.get(key), settings)
  const { content, md5 } = await receive()
  // Once more: another write may have come first.
  checkWriteConditions(headers, bucket.get(key), settings)
  const etag = `"${md5}"`
  bucket.set(key, { content, etag, modified: settings.now(), headers: kept })
  return emptyAnswer(200, { etag })
}
