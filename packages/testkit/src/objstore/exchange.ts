import type { Bucket, Buckets } from "./buckets.ts"
import type { ObjstoreSettings } from "./fake-objstore-options.ts"
import type { FaultsAtHand } from "./faults.ts"
import type { ObjstoreAnswer } from "./objstore-answer.ts"
import type { S3Request } from "./s3-request.ts"
import type { ReceivedBody } from "./receive-body.ts"

/** The input of an operation. */
export interface Exchange {
  readonly request: S3Request
  readonly bucket: Bucket
  /** All buckets: the source of a copy can be in another one. */
  readonly buckets: Buckets
  readonly settings: ObjstoreSettings
  readonly faults: FaultsAtHand
  /** Reads the whole body and compares it with its digests. */
  readonly receive: () => Promise<ReceivedBody>
}

/** One operation of S3. @throws `ObjstoreError` as a refusal */
export type Operation = (exchange: Exchange) => ObjstoreAnswer | Promise<ObjstoreAnswer>
