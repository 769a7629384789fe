import { type BeginChecksum, s3Error } from "@assay/s3"
import type { FastifyReply } from "fastify"
import { BUCKET_PARAMETERS, headBucket, readBucket } from "./bucket-reading.ts"
import { createBucket, deleteBucket, deleteObjects } from "./bucket-writing.ts"
import { abortMultipart, completeMultipart, createMultipart, listMultiparts, listParts, putPart } from "./multipart.ts"
import { getObject, headObject } from "./object-reading.ts"
import { copyObject, deleteObject, putObject } from "./object-writing.ts"
import type { S3Exchange } from "./s3-request.ts"

export const S3_METHODS = ["GET", "HEAD", "PUT", "POST", "DELETE"] as const

/** The operations of a method, of which the parameters of a request choose one. */
export interface S3Operation {
  readonly summary: string
  readonly parameters: readonly string[]
  readonly run: (exchange: S3Exchange) => Promise<FastifyReply>
}

export type S3Operations = Readonly<Record<(typeof S3_METHODS)[number], S3Operation>>

/** Returns the operations on buckets. */
export function bucketOperations(begin: BeginChecksum): S3Operations {
  return {
    GET: {
      summary: "List files as objects; with `location`, `versioning` or `uploads`, what these name",
      parameters: BUCKET_PARAMETERS,
      run: (exchange) => (exchange.query["uploads"] === undefined ? readBucket(exchange) : listMultiparts(exchange)),
    },
    HEAD: { summary: "Check that a bucket exists", parameters: [], run: headBucket },
    PUT: { summary: "Create a fileset", parameters: [], run: createBucket },
    DELETE: { summary: "Delete a fileset that has no files", parameters: [], run: deleteBucket },
    POST: {
      summary: "Delete the files that a document names (`delete`)",
      parameters: ["delete"],
      run(exchange) {
        if (exchange.query["delete"] !== undefined) return deleteObjects(exchange, begin)
        throw s3Error("NotImplemented", "A POST of a form to a bucket is not implemented here; send a PUT.")
      },
    },
  }
}

/** Returns the operations on objects. */
export function objectOperations(begin: BeginChecksum): S3Operations {
  return {
    GET: {
      summary: "Read a file, whole or a range; with `uploadId`, list the parts of an upload",
      parameters: ["uploadId", "max-parts", "part-number-marker", "encoding-type"],
      run: (exchange) => (exchange.query["uploadId"] === undefined ? getObject(exchange) : listParts(exchange)),
    },
    HEAD: { summary: "Get the facts of a file as header fields", parameters: [], run: headObject },
    PUT: {
      summary:
        "Write a file, or a part of an upload (`partNumber`, `uploadId`), from the body or from `x-amz-copy-source`",
      parameters: ["partNumber", "uploadId"],
      run(exchange) {
        const { query, request } = exchange
        if (query["partNumber"] !== undefined || query["uploadId"] !== undefined) return putPart(exchange, begin)
        return request.headers["x-amz-copy-source"] === undefined ? putObject(exchange, begin) : copyObject(exchange)
      },
    },
    DELETE: {
      summary: "Delete a file, or an upload in parts (`uploadId`)",
      parameters: ["uploadId"],
      run: (exchange) => (exchange.query["uploadId"] === undefined ? deleteObject(exchange) : abortMultipart(exchange)),
    },
    POST: {
      summary: "Begin an upload in parts (`uploads`), or join its parts (`uploadId`)",
      parameters: ["uploads", "uploadId"],
      run(exchange) {
        if (exchange.query["uploadId"] !== undefined) return completeMultipart(exchange, begin)
        if (exchange.query["uploads"] !== undefined) return createMultipart(exchange)
        throw s3Error("NotImplemented", "A POST of an object needs the parameter uploads or uploadId.")
      },
    },
  }
}
