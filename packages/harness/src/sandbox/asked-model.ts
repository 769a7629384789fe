import type { IncomingMessage } from "node:http"
import { findDuplicateKey, findJsonExcess, isJsonObject, parseJsonExactly } from "@assay/json"

/** A request whose model was checked: its body, or why it is refused. */
export type CheckedRequest =
  | { readonly body: Buffer }
  | { readonly refusal: { readonly status: number; readonly message: string } }

/** Bytes of a body that is read to find its model: those of the longest history of a conversation, and its tools. */
const MAX_BODY = 32 * 1024 * 1024
const DEPTH = { depth: 128, parts: 2_000_000, values: 2_000_000, keys: 50_000 }
/** Names of models in paths, as some servers have them beside the one in the body. */
const IN_PATH = /\/(?:models|deployments|engines)\/[^/]/i
/** Characters of a name that are shown. */
const MAX_SHOWN = 200

/**
 * Reads the body of a POST, and refuses it if it does not name `model`: the key of the endpoint would pay for another one, and the result would be
 * that of another one.
 * @param path the path below that of the endpoint
 */
export async function checkAskedModel(request: IncomingMessage, path: string, model: string): Promise<CheckedRequest> {
  const chunks: Buffer[] = []
  let size = 0
  for await (const chunk of request as AsyncIterable<Buffer>) {
    size += chunk.length
    // The rest is read and dropped, because a client that still writes would not see the answer.
    if (size <= MAX_BODY) chunks.push(chunk)
    else chunks.length = 0
  }
  if (size > MAX_BODY) return refused(413, `The body has more than ${MAX_BODY / 1024 / 1024} MiB.`)
  const body = Buffer.concat(chunks)
  const rule = `Only the model '${model}' can be asked here`
  if (IN_PATH.test(path)) return refused(403, `${rule}: name it in the body, and leave models out of the path.`)
  const asked = modelOf(body.toString("utf8"))
  if (asked === model) return { body }
  const what = asked === undefined ? "the body is not JSON with one 'model'" : `not '${asked.slice(0, MAX_SHOWN)}'`
  return refused(403, `${rule}: ${what}. Its name is in ASSAY_TARGET_MODEL.`)
}

function refused(status: number, message: string): CheckedRequest {
  return { refusal: { status, message } }
}

/** Returns the model of a body. Undefined: it has none, or two, of which servers disagree which one counts. */
function modelOf(text: string): string | undefined {
  if (findJsonExcess(text, DEPTH) !== undefined) return undefined
  try {
    const value = parseJsonExactly(text)
    const model = isJsonObject(value) ? value["model"] : undefined
    return typeof model === "string" && findDuplicateKey(text, value, true) === undefined ? model : undefined
  } catch {
    return undefined
  }
}
