import { Value } from "@sinclair/typebox/value"
import { networkReason } from "@assay/http"
import { AssayError, cutMiddle, printable } from "@assay/schemas"
import { StatusObject } from "./api-objects.ts"

/** The request to an API server, for its error messages. */
export interface Operation {
  /** As in a role: `create`, `get`, `list` or `delete`. */
  readonly verb: "create" | "get" | "list" | "delete"
  /** As in a role: `jobs`, `pods` or `pods/log`. */
  readonly resource: "jobs" | "pods" | "pods/log"
  readonly namespace: string
  readonly name?: string | undefined
  /** Address of the API server, without credentials. */
  readonly server: string
}

/** Causes of a refusal that a message names. */
const MAX_CAUSES = 5
const MAX_SAID = 500

/** Converts the answer of an API server that refused a request. `status` and `reason` are in the context. */
export function refusal(operation: Operation, status: number, text: string): AssayError {
  const said = parseStatus(text)
  return new AssayError("executor_failed", explain(operation, status, said), {
    context: { status, reason: printable(cutMiddle(said.reason ?? "", 100)), operation: describe(operation) },
  })
}

/** Converts an error of a connection. */
export function noConnection(operation: Operation, error: unknown): AssayError {
  const message = `The API server ${operation.server} can't be reached to ${describe(operation)}: ${printable(cutMiddle(networkReason(error), MAX_SAID))}. Check the server of the kubeconfig and the network, and try again later.`
  return new AssayError("executor_failed", message, { context: { operation: describe(operation) } })
}

/** Returns the status of a refusal. Undefined for other errors. */
export function statusOf(error: unknown): number | undefined {
  const status = error instanceof AssayError ? error.context["status"] : undefined
  return typeof status === "number" ? status : undefined
}

function explain(operation: Operation, status: number, said: StatusObject): string {
  const { verb, resource, namespace, server } = operation
  const what = describe(operation)
  const words = quote(said.message)
  if (status === 401) {
    return `The API server ${server} does not accept the credentials of the kubeconfig (401) to ${what}: log in again, and check with \`kubectl auth whoami\`.`
  }
  if (status === 403 && said.message !== undefined && !/cannot \w+ resource/.test(said.message)) {
    return `The cluster does not allow to ${what} (403)${words}. Change the profile or the policy that refuses it.`
  }
  if (status === 403) {
    const group = resource === "jobs" ? "batch" : ""
    return `The user of the kubeconfig may not ${what} (403): allow the verb '${verb}' on the resource '${resource}' of the API group '${group}' in the namespace '${namespace}' with a Role.`
  }
  if (status === 404 && said.details?.kind === "namespaces") {
    return `The cluster has no namespace '${namespace}' (404): create it, or name another one with \`namespace\` of the profile.`
  }
  if (status === 404) return `There is nothing to ${what} (404)${words}.`
  if (status === 409 && verb === "create")
    return `The cluster can't ${what}, because it exists already (409)${words}. Cancel it, or wait for its end.`
  if (status === 422) return `The cluster refuses to ${what} (422): ${causesOf(said)}. Correct the profile.`
  if (status === 429) return `The API server ${server} has too many requests to ${what} (429): try again later.`
  if (status >= 500) return `The API server ${server} failed to ${what} (${status})${words}: try again later.`
  return `The API server ${server} refused to ${what} (${status})${words}.`
}

function describe({ verb, resource, namespace, name }: Operation): string {
  const one = { jobs: "Job", pods: "pod", "pods/log": "log of the pod" }[resource]
  const what = name === undefined ? resource : `the ${one} '${printable(name)}'`
  return `${verb === "get" ? "read" : verb} ${what} in the namespace '${printable(namespace)}'`
}

function causesOf({ details, message }: StatusObject): string {
  const causes = (details?.causes ?? []).map(({ field, message: why }) =>
    [field, why].filter((part) => part !== undefined && part !== "").join(": "),
  )
  const more = causes.length > MAX_CAUSES ? `; and ${causes.length - MAX_CAUSES} more` : ""
  const all =
    causes.length === 0 ? (message ?? "it does not say why") : `${causes.slice(0, MAX_CAUSES).join("; ")}${more}`
  return printable(cutMiddle(all, 2 * MAX_SAID))
}

function quote(message: string | undefined): string {
  return message === undefined || message === "" ? "" : `: ${printable(cutMiddle(message, MAX_SAID))}`
}

/** Parses the answer of a server that refused. A proxy in between answers with a page of HTML, which says nothing. */
function parseStatus(text: string): StatusObject {
  try {
    const value: unknown = JSON.parse(text)
    return Value.Check(StatusObject, value) ? value : {}
  } catch {
    return {}
  }
}
