/** A field that validation refuses. */
export interface StatusCause {
  readonly reason: "FieldValueInvalid" | "FieldValueRequired" | "FieldValueNotSupported" | "FieldValueForbidden"
  readonly message: string
  readonly field: string
}

/** An answer that is not an object: a `Status` with a code. */
export interface StatusAnswer {
  readonly code: number
  readonly reason: string
  readonly message: string
  readonly details?: object
}

/** Returns the body of a `Status`. */
export function statusBody({ code, reason, message, details }: StatusAnswer): object {
  return {
    kind: "Status",
    apiVersion: "v1",
    metadata: {},
    status: "Failure",
    message,
    reason,
    ...(details === undefined ? {} : { details }),
    code,
  }
}

/** The answers of a real API server to requests that it refuses, word by word. */
export const refuse = Object.freeze({
  unauthorized: (): StatusAnswer => ({ code: 401, reason: "Unauthorized", message: "Unauthorized" }),
  forbidden: (verb: string, resource: string, group: string, namespace: string): StatusAnswer => ({
    code: 403,
    reason: "Forbidden",
    message: `${group === "" ? resource : `${resource.split("/")[0]}.${group}`} is forbidden: User "system:serviceaccount:${namespace}:tester" cannot ${verb} resource "${resource}" in API group "${group}" in the namespace "${namespace}"`,
    details: { kind: resource, ...(group === "" ? {} : { group }) },
  }),
  missing: (kind: string, group: string, name: string): StatusAnswer => ({
    code: 404,
    reason: "NotFound",
    message: `${group === "" ? kind : `${kind}.${group}`} "${name}" not found`,
    details: { name, kind, ...(group === "" ? {} : { group }) },
  }),
  noPath: (): StatusAnswer => ({
    code: 404,
    reason: "NotFound",
    message: "the server could not find the requested resource",
    details: {},
  }),
  exists: (kind: string, group: string, name: string): StatusAnswer => ({
    code: 409,
    reason: "AlreadyExists",
    message: `${group === "" ? kind : `${kind}.${group}`} "${name}" already exists`,
    details: { name, kind, group },
  }),
  bad: (message: string): StatusAnswer => ({ code: 400, reason: "BadRequest", message }),
  method: (): StatusAnswer => ({
    code: 405,
    reason: "MethodNotAllowed",
    message: "the server does not allow this method on the requested resource",
  }),
  invalid: (kind: string, group: string, name: string, causes: readonly StatusCause[]): StatusAnswer => {
    const all = causes.map(({ field, message }) => `${field}: ${message}`)
    return {
      code: 422,
      reason: "Invalid",
      message: `${kind}.${group} "${name}" is invalid: ${all.length === 1 ? all[0] : `[${all.join(", ")}]`}`,
      details: { name, group, kind, causes },
    }
  },
  busy: (): StatusAnswer => ({
    code: 429,
    reason: "TooManyRequests",
    message: "the server has received too many requests and has asked us to try again later",
    details: { retryAfterSeconds: 1 },
  }),
  unavailable: (): StatusAnswer => ({
    code: 503,
    reason: "ServiceUnavailable",
    message: "the server is currently unable to handle the request",
  }),
})
