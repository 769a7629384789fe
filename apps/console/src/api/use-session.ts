import type { Session } from "@assay/schemas"
import { useQuery } from "@tanstack/react-query"
import { useClient } from "./use-client.ts"

export const SESSION_KEY = ["session"]
/** The stream of changes renews the cookie, and ends when a token is revoked. */
const FRESH_MS = 300_000

/** Returns who the user is for the server; undefined until it is known. */
export function useSession(): Session | undefined {
  const client = useClient()
  return useQuery({
    queryKey: SESSION_KEY,
    queryFn: ({ signal }) => client.service.session({ signal }),
    staleTime: FRESH_MS,
  }).data
}

/** Returns the name of the person or the token, which drafts are kept for. Empty where the server has no auth. */
export function useAuthor(): string {
  const { user = null, token = null } = useSession() ?? {}
  return user?.name ?? token ?? ""
}

/** The rights of the user. The console only hides what they do not allow; the server enforces them. */
export interface Rights {
  /** Whether records of a workspace may be changed. Without a workspace: of any. */
  readonly mayEdit: (workspace?: string) => boolean
  /** Whether secrets of a workspace may be managed. Without a workspace: in any. */
  readonly mayAdmin: (workspace?: string) => boolean
  /** Whether workspaces may be created and removed. */
  readonly mayAdminAll: boolean
}

/** Returns what the user may do. Until that is known, everything is offered. */
export function useRights(): Rights {
  return rightsOf(useSession())
}

export function rightsOf(session: Pick<Session, "grants"> | undefined): Rights {
  const has = (roles: readonly string[], workspace: string | undefined) =>
    session === undefined ||
    session.grants.some(
      (grant) =>
        roles.includes(grant.role) &&
        (workspace === undefined || grant.workspace === "*" || grant.workspace === workspace),
    )
  return {
    mayEdit: (workspace) => has(["editor", "admin"], workspace),
    mayAdmin: (workspace) => has(["admin"], workspace),
    mayAdminAll: has(["admin"], "*"),
  }
}
