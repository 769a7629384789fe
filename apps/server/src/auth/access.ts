import type { Role } from "@assay/schemas"
import { type Caller, NOBODY, requireRole, requireRoleAnywhere, requireRoleEverywhere } from "@assay/access"
import type { FastifyInstance, FastifyRequest } from "fastify"
import type { Authenticate, Authorization } from "./authenticate.ts"

/**
 * The right that a route requires of its caller: a role in the workspace of the path (`{ws}`) or in the workspace named here, a role in
 * all workspaces, a role in at least one, any valid token, or nothing.
 */
export type Access =
  | { readonly scope: "workspace"; readonly role: Role; readonly workspace?: string }
  | { readonly scope: "everywhere"; readonly role: Role }
  | { readonly scope: "anywhere"; readonly role: Role }
  | { readonly scope: "any" }
  | { readonly scope: "public" }

/** Returns the route config with an access rule. Every described route needs one. Other routes require a valid token. */
export function access(rule: Access, authorization: Authorization = {}): RouteAccess {
  return { access: rule, authorization }
}

interface RouteAccess {
  readonly access: Access
  readonly authorization: Authorization
}

const CALLER = "caller"

/** Returns the sender of `request`. */
export function callerOf(request: FastifyRequest): Caller {
  return request.getDecorator<Caller | null>(CALLER) ?? NOBODY
}

/** Names the sender of a request whose route identifies it itself. */
export function setCaller(request: FastifyRequest, caller: Caller): void {
  request.setDecorator(CALLER, caller)
}

const OTHER: RouteAccess = { access: { scope: "any" }, authorization: {} }

function ruleOf(request: FastifyRequest): RouteAccess {
  return { ...OTHER, ...(request.routeOptions.config as Partial<RouteAccess>) }
}

function checkRights(request: FastifyRequest, rule: Access, caller: Caller): void {
  setCaller(request, caller)
  if (rule.scope === "everywhere") requireRoleEverywhere(caller, rule.role)
  if (rule.scope === "anywhere") requireRoleAnywhere(caller, rule.role)
  if (rule.scope !== "workspace") return
  const { ws } = request.params as { ws: string }
  requireRole(caller, rule.workspace ?? ws, rule.role)
}

/**
 * Checks the token and the rights of each request before reading its body. Addresses without a route need a token too, except
 * those of `isPage`: a browser gets a page there, on which its user can sign in.
 */
export function installAccess(
  app: FastifyInstance,
  authenticate: Authenticate,
  isPage: (request: FastifyRequest) => boolean,
): void {
  app.decorateRequest(CALLER, null)
  app.addHook("onRoute", ({ method, url, schema, config }) => {
    if (schema === undefined || schema.hide === true) return
    if ((config as { access?: Access } | undefined)?.access === undefined)
      throw new Error(`The route ${String(method)} ${url} has no access rule; add access(…) to its config.`)
  })
  // Uses callbacks: without authentication, the hook never has to wait.
  app.addHook("onRequest", (request, _reply, done) => {
    const { access: rule, authorization } = ruleOf(request)
    if (rule.scope === "public" || (request.is404 && isPage(request))) return done()
    const check = (caller: Caller) => {
      try {
        checkRights(request, rule, caller)
      } catch (error) {
        done(error as Error)
        return
      }
      done()
    }
    const caller = authenticate(request, authorization)
    if (caller instanceof Promise) caller.then(check, done)
    else check(caller)
  })
}
