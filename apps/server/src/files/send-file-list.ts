import type { OutgoingBytes } from "@assay/http/node"
import type { FileListing } from "@assay/filesets"
import type { FastifyReply } from "fastify"
import { sendPieces } from "../http/send-pieces.ts"

/** About the size in bytes of the batch that is sent and of those by which the client may be behind others. */
const HELD_BYTES = 262_144

const HEADERS = { "content-type": "application/json; charset=utf-8" }

/**
 * Sends a `FileList` while it is being listed. A batch is listed after the client, or a faster one with the same listing, took
 * the one before. An error before the
 * first batch gets its own status. A later error breaks the connection.
 */
export async function sendFileList(
  batches: FileListing,
  reply: FastifyReply,
  outgoing: OutgoingBytes,
): Promise<FastifyReply> {
  const pieces = formatFileList(batches)
  if (reply.request.method === "HEAD") {
    let length = 0
    for await (const piece of pieces) length += Buffer.byteLength(piece)
    // Fastify would replace the length by that of the empty body.
    reply.hijack()
    reply.raw.writeHead(200, {
      ...(reply.getHeaders() as Record<string, string>),
      ...HEADERS,
      "content-length": length,
    })
    reply.raw.end()
    return reply
  }
  outgoing.hold(reply.raw, HELD_BYTES)
  return sendPieces(reply, pieces, HEADERS)
}

/** Formats a listing as the JSON text of a `FileList`, one piece for each batch. */
export async function* formatFileList(batches: FileListing): AsyncGenerator<string, void, undefined> {
  let separator = ""
  let start = '{"data":['
  try {
    for (;;) {
      const { done, value } = await batches.next()
      if (done === true) {
        yield start + (value === undefined ? "]}" : `],"next_page_token":${JSON.stringify(value)}}`)
        return
      }
      if (value === "") continue
      yield start + separator + value
      start = ""
      separator = ","
    }
  } finally {
    await batches.return(undefined)
  }
}
