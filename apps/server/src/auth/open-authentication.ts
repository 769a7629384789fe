import { performance } from "node:perf_hooks"
import {
  createCallerTokens,
  createFailureLimit,
  createSessions,
  openTokenStore,
  type CallerTokens,
  type Sessions,
} from "@assay/access"
import type { Registry } from "@assay/registry"
import { tokensFile } from "../maintenance/settings-paths.ts"
import { createIdMaker } from "../new-id.ts"
import { sessionKeyOf } from "../open-settings-registry.ts"
import type { ServerContext } from "../server-context.ts"
import { authenticateNobody, authenticateTokens, type Authenticate } from "./authenticate.ts"
import { SESSION_MS } from "./session-cookie.ts"

const MINUTE_MS = 60_000
const FAILED_TOKENS_A_MINUTE = 10

export interface Authentication {
  readonly authenticate: Authenticate
  readonly sessions: Sessions
  readonly tokens: CallerTokens
}

/** Opens the tokens and the sessions of a server, and authenticates its callers by them. */
export function openAuthentication(
  context: ServerContext,
  dataFolder: string,
  { endedSessions: ended }: Pick<Registry, "endedSessions">,
): Authentication {
  const { settings, cwd, now, randomBytes } = context
  const file = tokensFile(settings, cwd)
  const store = openTokenStore(file, now)
  const newId = createIdMaker(randomBytes)
  const tokens = createCallerTokens({ file, now, newId, randomBytes })
  const key = sessionKeyOf(context, dataFolder)
  const sessions = createSessions({ tokens: store, key, now, newId, ended, lifetimeMs: SESSION_MS })
  if (settings.ASSAY_AUTH === "off") return { authenticate: authenticateNobody, sessions, tokens }
  const failures = createFailureLimit({
    limit: FAILED_TOKENS_A_MINUTE,
    windowMs: MINUTE_MS,
    now: () => performance.now(),
  })
  return { authenticate: authenticateTokens(store, failures, sessions), sessions, tokens }
}

/** Returns the host names that requests may use; undefined: any, because callers are authenticated. */
export function allowedHostNames({ settings }: ServerContext): ReadonlySet<string> | undefined {
  return settings.ASSAY_AUTH === "off" ? new Set(["localhost", "127.0.0.1", "[::1]", settings.HOST]) : undefined
}
