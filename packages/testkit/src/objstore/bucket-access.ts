import { createHash } from "node:crypto"
import { findBucket, findObject, type Buckets, type StoredObject } from "./buckets.ts"
import type { FakeObjstore } from "./start-fake-objstore.ts"
import { type GeneratedBytes, generatedContent, objectHeaders, storedContent } from "./object-content.ts"

type BucketAccess = Pick<FakeObjstore, "write" | "read" | "delete" | "objects" | "openUploads">

const PART_SIZE = 8 * 1024 * 1024

/** Access of tests to the buckets without requests. */
export function createBucketAccess(buckets: Buckets, first: string, now: () => number): BucketAccess {
  return {
    write(key, content, { bucket = first, headers = {} } = {}) {
      const object = { ...contentAndEtag(content), modified: now(), headers: objectHeaders(headers) }
      findBucket(buckets, bucket).set(key, object)
    },
    read(key, bucket = first) {
      const { content } = findObject(findBucket(buckets, bucket), key)
      return Buffer.concat([...content.read(0, content.size)])
    },
    delete: (key, bucket = first) => findBucket(buckets, bucket).delete(key),
    objects: (bucket = first) => findBucket(buckets, bucket).keys(),
    openUploads: (bucket = first) =>
      Array.from(findBucket(buckets, bucket).uploads.values(), ({ key, id, parts }) => {
        return { key, uploadId: id, parts: [...parts.keys()].toSorted((a, b) => a - b) }
      }),
  }
}

function contentAndEtag(content: string | Uint8Array | GeneratedBytes): Pick<StoredObject, "content" | "etag"> {
  if (typeof content === "string" || content instanceof Uint8Array) {
    const bytes = Buffer.from(content)
    return { content: storedContent([bytes]), etag: `"${md5(bytes)}"` }
  }
  // Reading gigabytes for a digest would take seconds. ETags of this form do not depend on the bytes.
  const parts = Math.max(1, Math.ceil(content.size / PART_SIZE))
  const etag = `"${md5(`${content.size} bytes from seed ${content.seed ?? 0}`)}-${parts}"`
  return { content: generatedContent(content), etag }
}

function md5(bytes: string | Buffer): string {
  return createHash("md5").update(bytes).digest("hex")
}
