import type { RemoteContext } from "../remote/remote-context.ts"
import type { RemoteTarget } from "../remote/remote-error.ts"
import type { FileHistory } from "../file-history.ts"
import type { FilePath } from "../file-path.ts"
import type { ObjstoreCredentials } from "./access/credentials.ts"
import type { BucketAddress } from "./access/find-address.ts"
import type { SignRequest } from "./access/sign-request.ts"
import type { PathLocks } from "../path-locks.ts"
import type { KnownConditions } from "./writing/known-conditions.ts"

/** State shared by all operations on one bucket. */
export interface ObjstoreContext {
  readonly remote: RemoteContext
  readonly bucket: string
  readonly address: BucketAddress
  readonly sign: SignRequest
  readonly access: ObjstoreCredentials["kind"]
  readonly signatureVersion: "v4" | "v2"
  /** Values that messages must not contain. */
  readonly secrets: readonly string[]
  /** Empty, or ends with a slash, so that it never matches a neighbour with the same beginning. */
  readonly keyPrefix: string
  readonly readChunkSize: number
  /** Whether an `endpoint_url` is configured. */
  readonly hasOwnEndpoint: boolean
  readonly knownConditions: KnownConditions
  /** If undefined, replaced and deleted files are not kept. */
  readonly history: FileHistory | undefined
  readonly locks: PathLocks
}

/** Describes the operation, for messages. */
export function objstoreTarget(
  { bucket, address }: ObjstoreContext,
  operation: RemoteTarget["operation"],
  path?: FilePath | string,
): RemoteTarget {
  const location = `bucket '${bucket}' at ${address.origin}`
  return { storage: "objstore", operation, location, ...(path === undefined || path === "" ? {} : { path }) }
}
