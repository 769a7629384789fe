import { checkWriteConditions } from "./conditions.ts"
import type { Operation } from "../exchange.ts"
import { objectHeaders } from "../object-content.ts"
import { emptyAnswer } from "../objstore-answer.ts"

/** `PutObject`. The old object stays until the last byte has arrived and was checked. */
export const putObject: Operation = async ({ request: { key, headers }, bucket, settings, receive }) => {
  const kept = objectHeaders(headers)
  checkWriteConditions(headers, bucket.get(key), settings)
  const { content, md5 } = await receive()
  // Check again: another write may have finished first.
  checkWriteConditions(headers, bucket.get(key), settings)
  const etag = `"${md5}"`
  bucket.set(key, { content, etag, modified: settings.now(), headers: kept })
  return emptyAnswer(200, { etag })
}
