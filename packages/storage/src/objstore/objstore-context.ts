import type { RemoteContext } from "../remote/remote-context.ts"
import type { RemoteTarget } from "../remote/remote-error.ts"
import type { FilePath } from "../file-path.ts"
import type { ObjstoreCredentials } from "./credentials.ts"
import type { BucketAddress } from "./find-address.ts"
import type { SignRequest } from "./sign-request.ts"
import type { KnownConditions } from "./takes-condition.ts"

/** What all operations on one bucket share. */
export interface ObjstoreContext {
  readonly remote: RemoteContext
  readonly bucket: string
  readonly address: BucketAddress
  readonly sign: SignRequest
  readonly access: ObjstoreCredentials["kind"]
  readonly signatureVersion: "v4" | "v2"
  /** What must not be shown, whatever a server says. */
  readonly secrets: readonly string[]
  /** Empty, or ends with a slash, so that no neighbour that begins alike is ever meant. */
  readonly keyPrefix: string
  readonly readChunkSize: number
  /** Whether it is another store than the cloud's own. */
  readonly hasOwnEndpoint: boolean
  readonly knownConditions: KnownConditions
}

/** What is being done, for messages. */
export function objstoreTarget(
  { bucket, address }: ObjstoreContext,
  operation: RemoteTarget["operation"],
  path?: FilePath | string,
): RemoteTarget {
  const place = `bucket '${bucket}' at ${address.origin}`
  return { storage: "objstore", operation, place, ...(path === undefined || path === "" ? {} : { path }) }
}
