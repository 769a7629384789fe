import { checkDeleteConditions, clientSignal, factsOf, hasConditions } from "@assay/http/node"
import { type BeginChecksum, readDeletion, s3Error, s3ErrorCode, s3ErrorMessage, s3Etag } from "@assay/s3"
import { type AssayError, CreateFileset, isAssayError } from "@assay/schemas"
import { compileCheck } from "@assay/validation"
import { forEachParallel, parseFilePath } from "@assay/storage"
import type { FastifyReply } from "fastify"
import { registryOf } from "../auth/secret-rights.ts"
import { logServerError } from "../errors/error-handler.ts"
import { toAssayError } from "../errors/error-response.ts"
import { isFolderKey } from "./folder-objects.ts"
import { receiveDocument } from "./receive-body.ts"
import { sendXml } from "./s3-answer.ts"
import { requireBucketRole, type S3Exchange } from "./s3-request.ts"

/** Creates a fileset on the default storage. Its configuration names a region, which means nothing here. */
export async function createBucket(exchange: S3Exchange): Promise<FastifyReply> {
  const { services, request, reply, bucket, ws, name } = exchange
  requireBucketRole(exchange, "editor")
  const checked = compileCheck(CreateFileset)({ name })
  if (!checked.valid) {
    const message = `'${name.slice(0, 100)}' can't be the name of a fileset: 1 to 255 of A-Z, a-z, 0-9, _, . and -.`
    throw s3Error("InvalidBucketName", message)
  }
  await registryOf(services, request).filesets.create(ws, checked.value, { signal: clientSignal(reply.raw) })
  return reply.header("location", `/${bucket}`).send("")
}

/** Deletes a fileset without files, as S3 deletes only empty buckets. */
export async function deleteBucket(exchange: S3Exchange): Promise<FastifyReply> {
  const { services, request, reply, bucket, ws, name } = exchange
  requireBucketRole(exchange, "editor")
  const { files, filesets } = registryOf(services, request)
  for await (const _ of files.walk(ws, name, { signal: clientSignal(reply.raw) })) {
    throw s3Error(
      "BucketNotEmpty",
      `The bucket '${bucket}' has files. Delete them first, or delete the fileset itself.`,
    )
  }
  await filesets.remove(ws, name)
  return reply.code(204).send()
}

/** Files that one request deletes at the same time. */
const PARALLEL = 8

/** Deletes the files that a document names. A file that does not exist counts as deleted, as S3 has it. */
export async function deleteObjects(exchange: S3Exchange, begin: BeginChecksum): Promise<FastifyReply> {
  const { services, request, reply, ws, name } = exchange
  requireBucketRole(exchange, "editor")
  const { files } = registryOf(services, request)
  const { id: filesetId } = await files.openWritable(ws, name)
  const { objects, isQuiet } = readDeletion(await receiveDocument(exchange, begin))
  const faults = new Map<number, AssayError>()
  await forEachParallel(objects.entries(), PARALLEL, async ([index, { key, etag }]) => {
    const conditions = etag === undefined ? {} : { "if-match": etag }
    await removeObject(exchange, key, { filesetId, conditions }).catch((error: unknown) => {
      const fault = toAssayError(error, request)
      logServerError(fault, request)
      faults.set(index, fault)
    })
  })
  const results = objects.map(({ key: Key }, index) => ({ Key, fault: faults.get(index) }))
  return sendXml(reply, "DeleteResult", {
    Deleted: isQuiet ? [] : results.flatMap(({ Key, fault }) => (fault === undefined ? { Key } : [])),
    Error: results.flatMap(({ Key, fault }) =>
      fault === undefined ? [] : { Key, Code: s3ErrorCode(fault), Message: s3ErrorMessage(fault) },
    ),
  })
}

interface RemoveOptions {
  /** The fileset that is meant. Default: the one that has the name now. */
  readonly filesetId?: string
  /** Header fields with conditions, which are checked just before. Default: none. */
  readonly conditions?: Parameters<typeof checkDeleteConditions>[0]
}

/**
 * Deletes a file, or does nothing if it does not exist.
 * @throws `bad_path`; `not_found` if the fileset does not exist; `precondition_failed`
 */
export async function removeObject(
  { services, request, ws, name }: S3Exchange,
  key: string,
  { filesetId, conditions = {} }: RemoveOptions,
): Promise<void> {
  const { files, filesets } = registryOf(services, request)
  if (isFolderKey(key)) {
    parseFilePath(key.slice(0, -1))
    await filesets.get(ws, name)
    return
  }
  const path = parseFilePath(key)
  try {
    if (hasConditions(conditions)) {
      const facts = factsOf(await files.stat(ws, name, path))
      checkDeleteConditions(conditions, { ...facts, etag: s3Etag(facts.etag) })
    }
    await files.remove(ws, name, path, { filesetId })
  } catch (error) {
    if (!isAssayError(error, "not_found") || !("path" in error.context)) throw error
  }
}
