import type { FakeBucket } from "./fake-objstore-options.ts"
import type { ObjectContent } from "./object-content.ts"
import { ObjstoreError } from "./objstore-answer.ts"

export interface StoredObject {
  readonly content: ObjectContent
  /** With its quotes. */
  readonly etag: string
  /** Milliseconds since 1970, UTC. */
  readonly modified: number
  /** Headers of the object: content type and metadata of the user. */
  readonly headers: Readonly<Record<string, string>>
}

export interface UploadedPart {
  readonly content: ObjectContent
  /** With its quotes. */
  readonly etag: string
  readonly modified: number
}

/** A multipart upload that was neither completed nor aborted. */
export interface MultipartUpload {
  readonly id: string
  readonly key: string
  readonly started: number
  readonly headers: Readonly<Record<string, string>>
  readonly parts: Map<number, UploadedPart>
}

export interface Bucket {
  readonly name: string
  readonly publicRead: boolean
  readonly uploads: Map<string, MultipartUpload>
  get(key: string): StoredObject | undefined
  set(key: string, object: StoredObject): void
  delete(key: string): void
  /** In the order of their UTF-8 bytes. */
  keys(): readonly string[]
}

export type Buckets = ReadonlyMap<string, Bucket>

export function createBucket(name: string, { publicRead = false }: FakeBucket): Bucket {
  const objects = new Map<string, StoredObject>()
  let sorted: readonly string[] | undefined
  return {
    name,
    publicRead,
    uploads: new Map(),
    get: (key) => objects.get(key),
    set(key, object) {
      if (!objects.has(key)) sorted = undefined
      objects.set(key, object)
    },
    delete(key) {
      if (objects.delete(key)) sorted = undefined
    },
    keys() {
      sorted ??= sortedByBytes(objects.keys())
      return sorted
    },
  }
}

/** Returns the bucket of a name. @throws `NoSuchBucket` */
export function findBucket(buckets: Buckets, name: string): Bucket {
  const bucket = buckets.get(name)
  if (bucket !== undefined) return bucket
  throw new ObjstoreError(404, "NoSuchBucket", "The specified bucket does not exist", { details: { BucketName: name } })
}

/** Returns the object of a key. @throws `NoSuchKey` */
export function findObject(bucket: Bucket, key: string): StoredObject {
  const object = bucket.get(key)
  if (object !== undefined) return object
  throw new ObjstoreError(404, "NoSuchKey", "The specified key does not exist.", { details: { Key: key } })
}

/** Returns the open upload of a key and id. @throws `NoSuchUpload` */
export function findUpload(bucket: Bucket, key: string, id: string): MultipartUpload {
  const upload = bucket.uploads.get(id)
  if (upload?.key === key) return upload
  const message =
    "The specified upload does not exist. The upload ID may be invalid, or the upload may have been aborted or completed."
  throw new ObjstoreError(404, "NoSuchUpload", message, { details: { UploadId: id } })
}

function sortedByBytes(keys: Iterable<string>): readonly string[] {
  return Array.from(keys, (key) => ({ key, bytes: Buffer.from(key) }))
    .toSorted((a, b) => Buffer.compare(a.bytes, b.bytes))
    .map(({ key }) => key)
}
