import { visibleWorkspaces } from "@assay/access"
import { clientSignal } from "@assay/http/node"
import { bucketName, listObjects, parseListRequest, s3Error, writeObjectList } from "@assay/s3"
import type { Fileset } from "@assay/schemas"
import type { FastifyReply, FastifyRequest } from "fastify"
import { callerOf } from "../auth/access.ts"
import { registryOf } from "../auth/secret-rights.ts"
import type { Services } from "../services.ts"
import { sendDocument, sendXml } from "./s3-answer.ts"
import { parametersOf, requireBucketRole, type S3Exchange } from "./s3-request.ts"

/** Regions mean nothing here. Clients that ask for one sign with it. */
const REGION = "us-east-1"
const PAGE = 100
const MAX_BUCKETS = 10_000

/** Lists the filesets that the sender may see, by the names of their buckets. */
export async function listBuckets(
  { registry }: Services,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  parametersOf(request, [])
  const caller = callerOf(request)
  const found: Fileset[] = []
  for (let page = 1; found.length < MAX_BUCKETS; page += 1) {
    const query = { page, page_size: PAGE, sort: "name" } as const
    const { data } = await registry.filesets.list(undefined, query, visibleWorkspaces(caller))
    found.push(...data)
    if (data.length < PAGE) break
  }
  const buckets = found.map(({ workspace: ws, name, created_at }) => ({
    Name: bucketName({ ws, name }),
    CreationDate: created_at,
  }))
  return sendXml(reply, "ListAllMyBucketsResult", {
    Owner: { ID: caller.id ?? "local", DisplayName: caller.name },
    Buckets: { Bucket: buckets.toSorted((a, b) => (a.Name < b.Name ? -1 : 1)) },
  })
}

export async function headBucket(exchange: S3Exchange): Promise<FastifyReply> {
  const { services, ws, name, reply } = exchange
  requireBucketRole(exchange, "viewer")
  await services.registry.filesets.get(ws, name)
  return reply.header("x-amz-bucket-region", REGION).send("")
}

const LISTING = [
  "list-type",
  "prefix",
  "delimiter",
  "marker",
  "max-keys",
  "encoding-type",
  "continuation-token",
  "start-after",
  // Owners are not known, and left out.
  "fetch-owner",
]
const UPLOADS = ["uploads", "max-uploads", "key-marker", "upload-id-marker"]

/** Parameters of a GET of a bucket. */
export const BUCKET_PARAMETERS = ["location", "versioning", ...LISTING, ...UPLOADS]

/** Sends the response to a GET of a bucket that does not ask for uploads. */
export async function readBucket(exchange: S3Exchange): Promise<FastifyReply> {
  const { services, request, reply, bucket, ws, name, query } = exchange
  requireBucketRole(exchange, "viewer")
  if (query["location"] !== undefined || query["versioning"] !== undefined) {
    await services.registry.filesets.get(ws, name)
    return sendXml(reply, query["location"] === undefined ? "VersioningConfiguration" : "LocationConstraint", "")
  }
  const other = UPLOADS.find((parameter) => query[parameter] !== undefined)
  if (other !== undefined) throw s3Error("InvalidArgument", `${other} belongs to lists of uploads (?uploads).`)
  const listing = parseListRequest(query)
  const { files } = registryOf(services, request)
  const signal = clientSignal(reply.raw)
  // Finds out whether the bucket exists, which a listing that needs no file does not.
  if (listing.limit === 0 || listing.prefix !== "") await services.registry.filesets.get(ws, name)
  const page = await listObjects((options) => files.walk(ws, name, { ...options, signal }), listing)
  return sendDocument(reply, writeObjectList(bucket, listing, page))
}
