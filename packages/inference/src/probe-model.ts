import { type Fetch, networkReason, readLimited } from "@assay/http"
import { createHttpFetch } from "@assay/http/node"
import { fieldsOf, listOf } from "@assay/json"
import { nearestNames, printable } from "@assay/schemas"

/** Milliseconds for the answer of an endpoint. */
const PATIENCE = 5000
const MAX_LIST_BYTES = 4 * 1024 * 1024
const SHOWN_NAMES = 10

export interface ProbeContext {
  /** Default: a connection of this process. */
  readonly fetch?: Fetch | undefined
  readonly signal: AbortSignal
}

export interface ProbedModel {
  readonly url: string
  readonly name: string
  /** The value of the key. Undefined: none is sent. */
  readonly key?: string | undefined
}

/** The facts that an endpoint reports about a model. */
export interface ModelProbe {
  /** Why the model can probably not be asked, as a sentence with what to do. Undefined: nothing speaks against it. */
  readonly fault?: string
  readonly needsKey: boolean
}

/** Asks an endpoint for its models, to find a wrong address or name before a run does. Many endpoints list none, which is not a fault. */
export async function probeModel(context: ProbeContext, { url, name, key }: ProbedModel): Promise<ModelProbe> {
  const { host } = new URL(url)
  const list = `${url.replace(/\/+$/, "").replace(/\/(?:chat\/)?completions$/, "")}/models`
  const signal = AbortSignal.any([context.signal, AbortSignal.timeout(PATIENCE)])
  const fetch: Fetch = context.fetch ?? createHttpFetch({ idleTimeout: PATIENCE })
  const headers: Record<string, string> = key === undefined ? {} : { authorization: `Bearer ${key}` }
  try {
    const { status, body } = await fetch(list, { method: "GET", headers, signal, redirect: "manual" })
    const { bytes } = await readLimited(body, MAX_LIST_BYTES)
    if (status === 401 || status === 403)
      return { needsKey: true, ...(key === undefined ? {} : { fault: `${host} refuses the key (status ${status}).` }) }
    if (status >= 500)
      return { needsKey: false, fault: `${host} answers with status ${status}: is the address right, and is it ready?` }
    const fault = status === 200 ? nameFault(host, name, namesIn(bytes)) : undefined
    return { needsKey: false, ...(fault === undefined ? {} : { fault }) }
  } catch (error) {
    context.signal.throwIfAborted()
    return { needsKey: false, fault: `Nothing answers at ${host}: ${networkReason(error)}.` }
  }
}

function namesIn(bytes: Uint8Array): readonly string[] {
  try {
    const { data } = fieldsOf(JSON.parse(Buffer.from(bytes).toString()))
    return listOf(data).flatMap((one) => {
      const { id } = fieldsOf(one)
      return typeof id === "string" ? [id] : []
    })
  } catch {
    return []
  }
}

function nameFault(host: string, name: string, names: readonly string[]): string | undefined {
  if (names.length === 0 || names.includes(name)) return undefined
  const near = nearestNames(name, names, SHOWN_NAMES)
  const shown = [...near, ...names.filter((one) => !near.includes(one))].slice(0, SHOWN_NAMES).map(printable)
  const more = names.length > SHOWN_NAMES ? `, and ${names.length - SHOWN_NAMES} more` : ""
  return `${host} lists no model '${printable(name)}'. It has ${shown.join(", ")}${more}.`
}
