export { type AccessKey, type AccessKeys, createAccessKey, createAccessKeys } from "./access-keys.ts"
export { type CallerTokens, createCallerTokens } from "./caller-tokens.ts"
export { createFailureLimit, type FailureLimit } from "./failure-limit.ts"
export {
  type Caller,
  EVERYONE,
  includesRole,
  NOBODY,
  requireRole,
  requireRoleAnywhere,
  requireRoleEverywhere,
  roleIn,
  secretRightsOf,
  visibleWorkspaces,
} from "./grant.ts"
export { createHolders } from "./holders.ts"
export {
  createToken,
  type CreateToken,
  listTokens,
  revokeToken,
  type TokenContext,
  type TokenRecord,
} from "./manage-tokens.ts"
export type { GrantRule } from "./oidc/grant-rules.ts"
export { createIdentityProvider, type IdentityProvider } from "./oidc/identity-provider.ts"
export { createSessions, type Sessions } from "./sessions.ts"
export { openTokenStore, type TokenStore } from "./token-store.ts"
export { createXetTokens, type XetGrant, type XetRight, type XetTokens } from "./xet-tokens.ts"
