import { AssayError } from "@assay/schemas/errors"
import { parseJsonExactly } from "@assay/schemas/numbers"
import type { FetchResponse } from "./fetch.ts"
import { networkFailure } from "./network-failure.ts"
import type { CallAddress } from "./read-failure.ts"
import { readLimited } from "./read-limited.ts"

const MAX_ANSWER_BYTES = 67_108_864
const MAX_QUOTED_CHARACTERS = 100

/**
 * The JSON object that a successful response carries. Numbers of rows keep their text. Its fields are not checked: a newer server may send more.
 * @throws `bad_answer` for anything else, `server_unreachable` when the connection breaks
 */
export async function readAnswer<T>(response: FetchResponse, address: CallAddress, signal?: AbortSignal): Promise<T> {
  const { bytes, truncated } = await readLimited(response.body, MAX_ANSWER_BYTES).catch((error: unknown) => {
    throw networkFailure(error, address, signal)
  })
  if (truncated) throw badAnswer(address, `more than ${MAX_ANSWER_BYTES} bytes`)
  const text = new TextDecoder().decode(bytes)
  let value: unknown
  try {
    value = parseJsonExactly(text)
  } catch (cause) {
    throw badAnswer(address, `'${text.slice(0, MAX_QUOTED_CHARACTERS)}' instead of JSON`, cause)
  }
  if (typeof value !== "object" || value === null || Array.isArray(value)) {
    throw badAnswer(address, `'${text.slice(0, MAX_QUOTED_CHARACTERS)}' instead of an object`)
  }
  return value as T
}

function badAnswer(address: CallAddress, what: string, cause?: unknown): AssayError {
  const { method, url } = address
  return new AssayError("bad_answer", `${method} ${url} was answered with ${what}.`, { cause, context: { ...address } })
}
