import { s3Error } from "./s3-error.ts"

/** A fileset, which clients of S3 see as a bucket. */
export interface BucketFileset {
  readonly ws: string
  readonly name: string
}

/**
 * Returns the name of the bucket of a fileset: `workspace.fileset`. If the workspace has a dot, or the fileset two hyphens in a row, the two
 * are joined by `--`, which no workspace contains. So no two filesets have the same bucket.
 */
export function bucketName({ ws, name }: BucketFileset): string {
  return ws.includes(".") || name.includes("--") ? `${ws}--${name}` : `${ws}.${name}`
}

/** Parses the name of a bucket. @throws `NoSuchBucket` if it can't be the name of one */
export function parseBucketName(bucket: string): BucketFileset {
  const hyphens = bucket.indexOf("--")
  const [end, width] = hyphens < 0 ? [bucket.indexOf("."), 1] : [hyphens, 2]
  const [ws, name] = [bucket.slice(0, Math.max(end, 0)), bucket.slice(end + width)]
  if (ws !== "" && name !== "") return { ws, name }
  const message = `There is no bucket '${bucket.slice(0, 100)}': buckets are filesets, named workspace.fileset, such as default.reviews.`
  throw s3Error("NoSuchBucket", message)
}
