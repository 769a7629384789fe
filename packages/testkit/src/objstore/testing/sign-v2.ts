import { createHmac } from "node:crypto"
import type { RawRequest } from "./ask-raw.ts"
import type { S3Account } from "./connect-s3.ts"

/** Signs a request. `resource` is the path with the signed query parameters, in the spelling of the protocol. */
export function signV2(
  { accessKeyId, secretAccessKey }: S3Account,
  request: RawRequest,
  resource: string,
  date: string,
): RawRequest {
  const { method, headers = {} } = request
  const amz = Object.entries(headers)
    .filter(([name]) => name.startsWith("x-amz-"))
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, value]) => `${name}:${value}\n`)
  const given = headers["x-amz-date"] === undefined ? date : ""
  const lines = [method, headers["content-md5"] ?? "", headers["content-type"] ?? "", given, amz.join("") + resource]
  const signature = createHmac("sha1", secretAccessKey).update(lines.join("\n")).digest("base64")
  const dated = given === "" ? {} : { date }
  return { ...request, headers: { ...headers, ...dated, authorization: `AWS ${accessKeyId}:${signature}` } }
}
