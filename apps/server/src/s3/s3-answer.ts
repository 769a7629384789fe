import { writeXml, type XmlFields } from "@assay/s3"
import type { FastifyReply } from "fastify"

/** Sends a document of S3. */
export function sendXml(reply: FastifyReply, root: string, fields: XmlFields | string): FastifyReply {
  return sendDocument(reply, writeXml(root, fields))
}

export function sendDocument(reply: FastifyReply, document: string): FastifyReply {
  return reply.type("application/xml").send(document)
}
