import { AssayError, DEFAULT_READ_CHUNK_SIZE, type ObjstoreStorageConfiguration } from "@assay/schemas"
import { S3Client } from "@aws-sdk/client-s3"
import type { RemoteStorageContext, OpenedStorage } from "../open-storage.ts"
import { createPathLocks } from "../path-locks.ts"
import { STORAGE_CAPABILITIES } from "../storage.ts"
import { findCredentials, type ObjstoreCredentials } from "./access/credentials.ts"
import { findAddress, findRegion, type BucketAddress } from "./access/find-address.ts"
import { createSignerV2, createSignerV4, type SignRequest } from "./access/sign-request.ts"
import type { ObjstoreContext } from "./context.ts"
import { deleteFile } from "./delete.ts"
import { keepingObject, openKeptBytes } from "./kept-bytes.ts"
import { listFiles, listLevel } from "./list.ts"
import { readFile, statFile } from "./read.ts"
import { writeFile } from "./write.ts"

/**
 * Opens the files below a prefix of a bucket. Nothing is requested yet. Addresses, region, ambient credentials and
 * signatures come from the AWS SDK. Requests are sent here, because the SDK takes ten times as long, has its own time
 * limits and hides headers. There are no folders: `a` and `a/b` can both be files. SHA-256 is stored as metadata of the
 * object; for a file of several parts, the caller must announce it. Parts that a killed process uploaded stay invisible
 * until the bucket's rule for incomplete uploads removes them.
 * @throws `storage_not_allowed`; `secret_not_readable`; `upstream_refused` for a secret that is not a key;
 * `upstream_misconfigured`
 */
export async function openObjstoreStorage(
  config: ObjstoreStorageConfiguration,
  remote: RemoteStorageContext,
  signal?: AbortSignal,
): Promise<OpenedStorage> {
  signal?.throwIfAborted()
  const configuration = {
    prefix: "",
    use_sdk_auth: false,
    signature_version: "v4",
    read_chunk_size: DEFAULT_READ_CHUNK_SIZE,
    ...config,
  } as const
  const store = await connect(configuration, remote)
  return {
    configuration,
    storage: {
      type: "objstore",
      capabilities: STORAGE_CAPABILITIES.objstore,
      stat: (path, options = {}) => statFile(store, path, options.signal),
      list: (options = {}) => listFiles(store, options),
      level: (options) => listLevel(store, options),
      read: (path, options = {}) => readFile(store, path, options),
      write: (path, bytes, options = {}) => writeFile(store, path, bytes, options),
      delete: (path, { signal, change } = {}) =>
        keepingObject(store, { path, isDeleted: true, change, signal }, () => deleteFile(store, path, signal)),
      kept: openKeptBytes(store),
    },
  }
}

type Filled = ObjstoreStorageConfiguration &
  Required<Pick<ObjstoreStorageConfiguration, "prefix" | "signature_version" | "read_chunk_size">>

async function connect(config: Filled, remote: RemoteStorageContext): Promise<ObjstoreContext> {
  const credentials = await findCredentials(config, remote)
  const region = await findRegion(config)
  const client = new S3Client({ region, ...(credentials.kind === "secrets" ? { credentials } : {}) })
  const address = findAddress(client, config, region)
  return {
    remote,
    bucket: config.bucket,
    address,
    sign: await signerFor(client, {
      version: config.signature_version,
      access: credentials.kind,
      address,
      now: remote.now,
    }),
    access: credentials.kind,
    signatureVersion: config.signature_version,
    secrets: credentials.kind === "secrets" ? [credentials.secretAccessKey, credentials.accessKeyId] : [],
    keyPrefix: keyPrefix(config.prefix),
    readChunkSize: config.read_chunk_size,
    hasOwnEndpoint: config.endpoint_url !== undefined,
    knownConditions: remote.knownConditions ?? new Map(),
    history: remote.history,
    locks: createPathLocks(),
  }
}

interface SigningOptions {
  readonly version: Filled["signature_version"]
  readonly access: ObjstoreCredentials["kind"]
  readonly address: BucketAddress
  readonly now: () => number
}

async function signerFor(client: S3Client, { version, access, address, now }: SigningOptions): Promise<SignRequest> {
  if (access === "anonymous") return async ({ headers }) => headers
  return version === "v2"
    ? createSignerV2(() => client.config.credentials(), now)
    : createSignerV4(client, address, now)
}

/** Returns the prefix of keys, with a trailing slash. Without the slash, `ds1` would also match `ds10`. */
function keyPrefix(prefix: string): string {
  if (!prefix.isWellFormed()) {
    const message =
      "The `prefix` of the object storage has an unpaired surrogate, which is not a character; leave it out."
    throw new AssayError("storage_not_allowed", message, { context: { storage: "objstore" } })
  }
  return prefix === "" || prefix.endsWith("/") ? prefix : `${prefix}/`
}
