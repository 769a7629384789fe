import { SAFE_METHODS } from "@assay/http/node"
import type { AuditedWrite, Registry } from "@assay/registry"
import { type Caller, NOBODY } from "@assay/access"
import { OPERATIONS } from "@assay/openapi"
import type { FastifyInstance, FastifyRequest, onResponseHookHandler, preSerializationHookHandler } from "fastify"
import { callerOf, type Access } from "../auth/access.ts"
import { changeOf } from "../changes/change-of.ts"
import { S3_PREFIX } from "../s3/s3-request.ts"
import { HUB_PREFIX } from "../hub/hub-address.ts"

/** The part of a response that names the written record. */
interface Subject {
  readonly workspace?: unknown
  /** The workspace of an evaluation job. */
  readonly namespace?: unknown
  readonly name?: unknown
  readonly id?: unknown
}

const SUBJECT = "auditSubject"

/**
 * Records each write of a caller who is known, when its response has been sent: who, from where, what, when and with which status, never
 * values or bodies. Requests that store nothing, such as a check of a message, leave no record. Announces each write that succeeded.
 */
export function recordWrites(app: FastifyInstance, { audit, changes }: Pick<Registry, "audit" | "changes">): void {
  app.decorateRequest(SUBJECT, null)
  app.addHook("onRoute", (route) => {
    const method = String(route.method)
    const operation = OPERATIONS[`${method} ${addressOf(route.url)}`]
    if (operation === undefined || !(operation.writes ?? !SAFE_METHODS.has(method))) return
    const kind = route.schema?.tags?.[0] ?? ""
    const { access: rule } = (route.config ?? {}) as { access?: Access }
    const onResponse: onResponseHookHandler = (request, reply, done) => {
      const caller = callerOf(request)
      if (caller !== NOBODY) {
        const subject = subjectOf(request, rule, reply.statusCode)
        const status = reply.statusCode
        const what = { method, action: operation.id, kind, ...subject, status, request: request.id }
        audit.record({ ...whoOf(caller), address: request.ip, door: doorOf(route.url, request), ...what })
        if (status < 400) changes.announce(changeOf({ kind, ...subject }))
      }
      done()
    }
    if (!isNamed(route.url, rule)) route.preSerialization = [noteSubject, route.preSerialization ?? []].flat()
    route.onResponse = [onResponse, route.onResponse ?? []].flat()
  })
}

function whoOf({ id, name, person }: Caller): Pick<AuditedWrite, "token" | "token_name" | "subject"> {
  return { token: person === undefined ? id : null, token_name: name, subject: person?.subject ?? null }
}

/** Returns how a request came. A browser says which page sent a write; programs name a token in a header, or say nothing. */
function doorOf(url: string, { headers }: FastifyRequest): string {
  if (url.startsWith(S3_PREFIX)) return "s3"
  if (url.startsWith(HUB_PREFIX) || url.startsWith("/v1/hf/")) return "hub"
  const isPage = headers.origin !== undefined || headers["sec-fetch-site"] !== undefined
  return isPage && headers.authorization === undefined ? "console" : "api"
}

/** Returns the address of a route as the API description writes it, which has the routes of the hub once. */
function addressOf(url: string): string {
  return url
    .replace(/^\/v1\/hf\b/, HUB_PREFIX)
    .replace(/(.)\/$/, "$1")
    .replace("*", "{path}")
    .replaceAll(/:(\w+)/g, "{$1}")
}

/** Returns whether the address of a route names all that it writes. */
function isNamed(url: string, rule: Access | undefined): boolean {
  const hasWorkspace = /\/:ws\b/.test(url) || (rule?.scope === "workspace" && rule.workspace !== undefined)
  return hasWorkspace && /\/:(name|id)\b/.test(url)
}

const noteSubject: preSerializationHookHandler = (request, _reply, payload, done) => {
  if (typeof payload === "object" && payload !== null) request.setDecorator(SUBJECT, payload)
  done(null, payload)
}

function subjectOf(
  request: FastifyRequest,
  rule: Access | undefined,
  status: number,
): Pick<AuditedWrite, "workspace" | "name" | "fileset"> {
  const params = (request.params ?? {}) as Readonly<Record<string, string | undefined>>
  const sent = request.getDecorator<Subject | null>(SUBJECT) ?? {}
  // The name in the body of a request that failed could be anything, even a secret in the wrong field.
  const asked = status < 400 ? ((request.body ?? {}) as { name?: unknown; organization?: unknown }) : {}
  const given = rule?.scope === "workspace" ? rule.workspace : undefined
  const repository = params["repo"]?.replace(/\.git$/, "")
  const name =
    params["name"] ?? params["id"] ?? repository ?? text(sent.name) ?? text(sent.id) ?? text(asked.name) ?? null
  const path = params["*"] ?? params["oid"]
  // A file that is sent in parts begins here.
  const isUpload = request.routeOptions.url?.endsWith("/uploads") === true
  return {
    workspace:
      params["ws"] ?? given ?? text(sent.workspace) ?? text(sent.namespace) ?? text(asked.organization) ?? null,
    name: path === undefined || name === null ? name : `${name}/${path}`,
    ...(name !== null && (path !== undefined || isUpload) ? { fileset: name } : {}),
  }
}

function text(value: unknown): string | undefined {
  return typeof value === "string" ? value : undefined
}
