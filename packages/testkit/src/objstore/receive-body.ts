import { createHash } from "node:crypto"
import type { IncomingMessage, ServerResponse } from "node:http"
import type { ObjstoreSettings } from "./fake-objstore-options.ts"
import type { FaultsAtHand } from "./faults.ts"
import { type ObjectContent, discardedContent, storedContent } from "./object-content.ts"
import { ObjstoreError, notImplemented } from "./objstore-answer.ts"
import type { S3Request } from "./s3-request.ts"
import type { Pace } from "./send-answer.ts"

export interface ReceivedBody {
  readonly content: ObjectContent
  /** Hex. */
  readonly md5: string
  text(): string
}

const MAXIMUM_SIZE = 5 * 1024 ** 3
const SHA256 = /^[0-9a-f]{64}$/
const MD5 = /^[A-Za-z0-9+/]{22}==$/
/** Maximum size of documents, which are read even if the bytes of objects are discarded. */
const MAXIMUM_DOCUMENT = 1024 * 1024

/** Reads a body to its end and compares it with its length, `Content-MD5` and `x-amz-content-sha256`. */
export async function receiveBody(
  request: S3Request,
  body: AsyncIterable<Buffer>,
  settings: ObjstoreSettings,
): Promise<ReceivedBody> {
  const { headers } = request
  const sha256 = headers["x-amz-content-sha256"] ?? "UNSIGNED-PAYLOAD"
  checkHead(headers, sha256, settings)
  const hashes = { md5: createHash("md5"), sha256: SHA256.test(sha256) ? createHash("sha256") : undefined }
  const pieces: Buffer[] = []
  let size = 0
  for await (const piece of body) {
    size += piece.length
    hashes.md5.update(piece)
    hashes.sha256?.update(piece)
    if (!settings.discardUploads || size <= MAXIMUM_DOCUMENT) pieces.push(piece)
  }
  const md5 = hashes.md5.digest()
  const announced = headers["content-md5"]
  if (announced !== undefined && announced !== md5.toString("base64")) {
    throw new ObjstoreError(400, "BadDigest", "The Content-MD5 you specified did not match what we received.", {
      details: { ExpectedDigest: announced, CalculatedDigest: md5.toString("base64") },
    })
  }
  const computed = hashes.sha256?.digest("hex")
  if (computed !== undefined && computed !== sha256) {
    const message = "The provided 'x-amz-content-sha256' header does not match what was computed."
    const details = { ClientComputedContentSHA256: sha256, S3ComputedContentSHA256: computed }
    throw new ObjstoreError(400, "XAmzContentSHA256Mismatch", message, { details })
  }
  return {
    content: settings.discardUploads ? discardedContent(size) : storedContent(pieces),
    md5: md5.toString("hex"),
    text: () => Buffer.concat(pieces).toString(),
  }
}

/** Refuses unsupported bodies before the first byte. */
function checkHead(headers: S3Request["headers"], sha256: string, { awsChunked }: ObjstoreSettings): void {
  const framed = sha256.startsWith("STREAMING-")
  if (framed && awsChunked === "refuse") throw notImplemented("x-amz-content-sha256")
  if (!framed && sha256 !== "UNSIGNED-PAYLOAD" && !SHA256.test(sha256)) {
    const message = "x-amz-content-sha256 must be UNSIGNED-PAYLOAD, or a valid sha256 value."
    throw new ObjstoreError(400, "InvalidArgument", message, { details: { ArgumentName: "x-amz-content-sha256" } })
  }
  const length = headers["content-length"]
  if (length === undefined && !framed) {
    throw new ObjstoreError(411, "MissingContentLength", "You must provide the Content-Length HTTP header.")
  }
  if (Number(length ?? 0) > MAXIMUM_SIZE) {
    throw new ObjstoreError(400, "EntityTooLarge", "Your proposed upload exceeds the maximum allowed object size.", {
      details: { ProposedSize: length ?? "", MaxSizeAllowed: String(MAXIMUM_SIZE) },
    })
  }
  const md5 = headers["content-md5"]
  if (md5 !== undefined && !MD5.test(md5)) {
    throw new ObjstoreError(400, "InvalidDigest", "The Content-MD5 you specified is not valid.")
  }
}

interface Uploading {
  readonly faults: FaultsAtHand
  readonly pace: Pace
  /** Called with the number of bytes of each received piece. */
  readonly onReceived: (bytes: number) => void
}

/** Yields the body of a request as it arrives. A client that sent `Expect: 100-continue` continues when the first piece is read. */
export async function* uploadPieces(
  raw: IncomingMessage,
  response: ServerResponse,
  { faults, pace, onReceived }: Uploading,
): AsyncIterable<Buffer> {
  if (raw.headers.expect?.toLowerCase() === "100-continue") response.writeContinue()
  const limit = faults("cut-upload")?.after ?? Infinity
  let received = 0
  for await (const piece of raw as AsyncIterable<Buffer>) {
    received += piece.length
    onReceived(piece.length)
    if (received >= limit) {
      response.destroy()
      throw new Error(`The connection was closed after ${limit} bytes, as planned.`)
    }
    await pace.wait(piece.length)
    yield piece
  }
}
