// Entry of `@assay/registry/tokens`: bearer tokens, their grants, and the rights of callers. It loads no database.
export { createFailureLimit, type FailureLimit } from "./tokens/failure-limit.ts"
export {
  EVERYONE,
  includesRole,
  NOBODY,
  requireRole,
  requireRoleAnywhere,
  requireRoleEverywhere,
  roleIn,
  secretRightsOf,
  visibleWorkspaces,
  type Caller,
} from "./tokens/grant.ts"
export { createCallerTokens, type CallerTokens } from "./tokens/caller-tokens.ts"
export {
  createToken,
  listTokens,
  revokeToken,
  type CreateToken,
  type TokenContext,
  type TokenRecord,
} from "./tokens/manage-tokens.ts"
export { createSessions, type SessionOptions, type Sessions } from "./tokens/sessions.ts"
export { openTokenStore, type TokenStore } from "./tokens/token-store.ts"
