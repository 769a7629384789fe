import { copyObject, putObject } from "./put-object.ts"
import { deleteObject, deleteObjects } from "./delete-objects.ts"
import type { Operation } from "../exchange.ts"
import { getObject } from "./get-object.ts"
import { listObjects } from "./list-objects.ts"
import { listParts, listUploads } from "./list-uploads.ts"
import { abortUpload, completeUpload, createUpload, uploadPart } from "./multipart.ts"
import { emptyAnswer } from "../objstore-answer.ts"
import type { S3Request } from "../s3-request.ts"

export interface NamedOperation {
  /** As S3 names it. */
  readonly name: string
  readonly run: Operation
}

interface Route extends NamedOperation {
  readonly method: string
  readonly target: "bucket" | "object"
  /** Required query parameters. The first matching route is used. */
  readonly needs?: readonly string[]
  /** Optional query parameters. A request with other parameters is not supported. */
  readonly takes?: readonly string[]
  /** Whether the bytes come from another object. */
  readonly copies?: boolean
}

const headBucket: Operation = ({ settings }) => emptyAnswer(200, { "x-amz-bucket-region": settings.region })

const LISTING = ["prefix", "delimiter", "max-keys", "start-after", "continuation-token", "encoding-type", "fetch-owner"]
const UPLOAD_LISTING = ["prefix", "key-marker", "upload-id-marker", "max-uploads", "encoding-type"]
const PART_LISTING = ["max-parts", "part-number-marker", "encoding-type"]

const ROUTES: readonly Route[] = [
  { name: "HeadBucket", method: "HEAD", target: "bucket", run: headBucket },
  {
    name: "ListMultipartUploads",
    method: "GET",
    target: "bucket",
    needs: ["uploads"],
    takes: UPLOAD_LISTING,
    run: listUploads,
  },
  { name: "ListObjectsV2", method: "GET", target: "bucket", needs: ["list-type"], takes: LISTING, run: listObjects },
  { name: "DeleteObjects", method: "POST", target: "bucket", needs: ["delete"], run: deleteObjects },
  { name: "ListParts", method: "GET", target: "object", needs: ["uploadId"], takes: PART_LISTING, run: listParts },
  { name: "GetObject", method: "GET", target: "object", run: getObject },
  { name: "HeadObject", method: "HEAD", target: "object", run: getObject },
  { name: "UploadPart", method: "PUT", target: "object", needs: ["partNumber", "uploadId"], run: uploadPart },
  { name: "CopyObject", method: "PUT", target: "object", copies: true, run: copyObject },
  { name: "PutObject", method: "PUT", target: "object", run: putObject },
  { name: "CreateMultipartUpload", method: "POST", target: "object", needs: ["uploads"], run: createUpload },
  { name: "CompleteMultipartUpload", method: "POST", target: "object", needs: ["uploadId"], run: completeUpload },
  { name: "AbortMultipartUpload", method: "DELETE", target: "object", needs: ["uploadId"], run: abortUpload },
  { name: "DeleteObject", method: "DELETE", target: "object", run: deleteObject },
]

/** Returns the operation of a request, or undefined if it is not supported. */
export function findOperation({ method, bucket, key, query, headers }: S3Request): NamedOperation | undefined {
  if (bucket === "") return undefined
  const target = key === "" ? "bucket" : "object"
  // Clients name the operation in `x-id`. It has no effect.
  const given = query.map(([name]) => name).filter((name) => name !== "x-id")
  return ROUTES.find(
    ({ needs = [], takes = [], copies = false, ...route }) =>
      route.method === method &&
      route.target === target &&
      copies === "x-amz-copy-source" in headers &&
      needs.every((name) => given.includes(name)) &&
      given.every((name) => needs.includes(name) || takes.includes(name)),
  )
}
