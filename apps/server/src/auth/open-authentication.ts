import { performance } from "node:perf_hooks"
import {
  createAccessKeys,
  createCallerTokens,
  createFailureLimit,
  createHolders,
  createSessions,
  createXetTokens,
  openTokenStore,
  type AccessKeys,
  type CallerTokens,
  type FailureLimit,
  type IdentityProvider,
  type Sessions,
  type XetTokens,
} from "@assay/access"
import type { Registry } from "@assay/registry"
import { tokensFile } from "../settings/settings-paths.ts"
import { createIdMaker } from "../new-id.ts"
import { accessKeysKeysOf, sessionKeyOf } from "../open-settings-registry.ts"
import type { ServerContext } from "../server-context.ts"
import { authenticateNobody, authenticateTokens, type Authenticate } from "./authenticate.ts"
import { announceProvider, openIdentityProvider } from "./open-identity-provider.ts"
import { SESSION_MS } from "./session-cookie.ts"

const MINUTE_MS = 60_000
const FAILED_TOKENS_A_MINUTE = 10
/** Clients ask for a new token when one ends. */
const XET_TOKEN_MS = 60 * MINUTE_MS

export interface Authentication {
  readonly authenticate: Authenticate
  readonly sessions: Sessions
  readonly tokens: CallerTokens
  readonly xetTokens: XetTokens
  /** The access keys of S3 clients. */
  readonly accessKeys: AccessKeys
  /** The callers whose tokens or signatures were wrong. */
  readonly failures: FailureLimit
  /** The company's identity provider. Undefined: there is none. */
  readonly identityProvider: IdentityProvider | undefined
}

/** Opens the tokens and the sessions of a server, and authenticates its callers by them. */
export function openAuthentication(
  context: ServerContext,
  dataFolder: string,
  registry: Pick<Registry, "endedSessions" | "secrets">,
): Authentication {
  const { settings, cwd, now, randomBytes } = context
  const file = tokensFile(settings, cwd)
  const store = openTokenStore(file, now)
  const newId = createIdMaker(randomBytes)
  const keys = accessKeysKeysOf(context, dataFolder)
  const tokens = createCallerTokens({ file, now, newId, randomBytes }, keys[0])
  const accessKeys = createAccessKeys({ tokens: store, keys, now })
  const key = sessionKeyOf(context, dataFolder)
  const identityProvider = openIdentityProvider(context, registry, key)
  if (identityProvider !== undefined) announceProvider(identityProvider, context)
  const holders = createHolders(store, identityProvider?.people)
  const { endedSessions: ended } = registry
  const sessions = createSessions({ holders, key, now, newId, ended, lifetimeMs: SESSION_MS })
  const takesTokens = settings.ASSAY_AUTH !== "off"
  const xetTokens = createXetTokens({ holders, key, now, lifetimeMs: XET_TOKEN_MS, takesTokens })
  const failures = createFailureLimit({
    limit: FAILED_TOKENS_A_MINUTE,
    windowMs: MINUTE_MS,
    now: () => performance.now(),
  })
  const authenticate = takesTokens
    ? authenticateTokens({ store, sessions, provider: identityProvider, failures })
    : authenticateNobody
  return { authenticate, sessions, tokens, xetTokens, accessKeys, failures, identityProvider }
}

/** Returns the host names that requests may use; undefined: any, because callers are authenticated. */
export function allowedHostNames({ settings }: ServerContext): ReadonlySet<string> | undefined {
  return settings.ASSAY_AUTH === "off" ? new Set(["localhost", "127.0.0.1", "[::1]", settings.HOST]) : undefined
}
