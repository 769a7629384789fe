import type { Bucket, Buckets } from "./buckets.ts"
import type { ObjstoreSettings } from "./fake-objstore-options.ts"
import type { FaultsAtHand } from "./faults.ts"
import type { ObjstoreAnswer } from "./objstore-answer.ts"
import type { S3Request } from "./s3-request.ts"
import type { ReceivedBody } from "./receive-body.ts"

/** What an operation is given to work with. */
export interface Exchange {
  readonly request: S3Request
  readonly bucket: Bucket
  /** All of them: a copy may come from another one. */
  readonly buckets: Buckets
  readonly settings: ObjstoreSettings
  readonly faults: FaultsAtHand
  /** The whole body, checked against the digests that were sent with it. */
  readonly receive: () => Promise<ReceivedBody>
}

/** One operation of S3. Throws an `ObjstoreError` to refuse. */
export type Operation = (exchange: Exchange) => ObjstoreAnswer | Promise<ObjstoreAnswer>
