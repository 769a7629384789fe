import { createChecksums } from "@assay/s3"
import { AssayError } from "@assay/schemas"
import { Type } from "@sinclair/typebox"
import type { FastifyContextConfig, FastifyReply, FastifyRequest } from "fastify"
import { access, type Access } from "../auth/access.ts"
import type { App } from "../http/app.ts"
import { streamBodies } from "../http/body-parsers.ts"
import type { Services } from "../services.ts"
import { openQueries } from "../validation/request-validator.ts"
import { listBuckets } from "./bucket-reading.ts"
import { sendS3Error } from "./s3-errors.ts"
import { bucketOperations, objectOperations, S3_METHODS, type S3Operation } from "./s3-operations.ts"
import { installSignatures, parametersOf } from "./s3-request.ts"

/** The signature identifies the sender. Logs show only the pattern of a URL, because presigned URLs contain a signature. */
const config: FastifyContextConfig & { readonly access: Access; readonly logPattern: boolean } = {
  ...access({ scope: "public" }),
  logPattern: true,
}
const tags = ["s3"]

const bucket = Type.String({ description: "`{workspace}.{fileset}`." })
const BucketParameters = Type.Object({ bucket })
const ObjectParameters = Type.Object({ bucket, "*": Type.String({ description: "Path of the file." }) })

/**
 * Defines the S3 endpoint: filesets as buckets for unmodified clients of S3, whose endpoint is the URL of this scope, in path style.
 * Parameters that name other parts of S3 are refused by name.
 */
export function s3Routes(app: App, services: Services): void {
  openQueries(app)
  streamBodies(app, ["aws-chunked"])
  app.setErrorHandler(sendS3Error)
  app.setNotFoundHandler((request) => {
    throw new AssayError("method_not_allowed", `There is no ${request.method} of '${request.url.slice(0, 100)}' in S3.`)
  })
  installSignatures(app, services)
  const list = { tags, summary: "List the filesets that the caller may see, as buckets" }
  for (const [url, hide] of [
    ["", false],
    ["/", true],
  ] as const) {
    app.get(url, { config, schema: { ...list, hide }, prefixTrailingSlash: "slash" }, (request, reply) =>
      listBuckets(services, request, reply),
    )
  }
  const begin = createChecksums()
  const [ofBuckets, ofObjects] = [bucketOperations(begin), objectOperations(begin)]
  for (const method of S3_METHODS) {
    const [own, below] = [ofBuckets[method], ofObjects[method]]
    const ofBucket = (request: FastifyRequest, reply: FastifyReply) => run(services, own, { request, reply })
    const described = { tags, summary: own.summary, params: BucketParameters }
    const consumes = method === "PUT" || method === "POST" ? { consumes: ["application/octet-stream"] } : {}
    app.route({ method, url: "/:bucket", config, schema: { ...described, ...consumes }, handler: ofBucket, ...ownHead })
    app.route({ method, url: "/:bucket/", config, schema: { ...described, hide: true }, handler: ofBucket, ...ownHead })
    app.route({
      method,
      url: "/:bucket/*",
      config,
      schema: { tags, summary: below.summary, params: ObjectParameters, ...consumes },
      handler: (request, reply) => run(services, below, { request, reply }),
      ...ownHead,
    })
  }
}

const ownHead = { exposeHeadRoute: false } as const

async function run(
  services: Services,
  { parameters, run: work }: S3Operation,
  { request, reply }: { readonly request: FastifyRequest; readonly reply: FastifyReply },
): Promise<FastifyReply> {
  const query = parametersOf(request, parameters)
  const { bucket: name, ...fileset } = request.params as { bucket: string; ws: string; name: string }
  reply.header("x-amz-request-id", request.id)
  return work({ services, request, reply, query, bucket: name, ...fileset })
}
