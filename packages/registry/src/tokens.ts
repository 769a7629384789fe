// Entry of `@assay/registry/tokens`: bearer tokens, their grants, and the rights of callers. It loads no database.
export { createFailureLimit, type FailureLimit } from "./tokens/failure-limit.ts"
export {
  EVERYONE,
  includesRole,
  NOBODY,
  requireRole,
  requireRoleEverywhere,
  roleIn,
  ROLES,
  secretRightsOf,
  visibleWorkspaces,
  type Caller,
  type Grant,
  type Role,
} from "./tokens/grant.ts"
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
