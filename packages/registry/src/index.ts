export type { AuditedWrite } from "./audit/audited-write.ts"
export type { Audit, AuditQuery } from "./audit/create-audit.ts"
export type { Change } from "./changes/change.ts"
export type { CreateDocument, Document, Documents } from "./documents/documents.ts"
export type { DocumentQuery } from "./documents/search-documents.ts"
export { openRegistry } from "./open-registry.ts"
export { openEndpointPaces } from "./paces/open-endpoint-paces.ts"
export type { Registry, RegistryIntegrity } from "./registry.ts"
export type { EncryptionKey } from "./secrets/envelope.ts"
export { openSecretsRepair, type SecretsRepair, type UnreadableSecret } from "./secrets/unreadable-secrets.ts"
export {
  ENCRYPTION_KEYS_FILE,
  openEncryptionKeys,
  readEncryptionKeys,
  type EncryptionKeys,
} from "./secrets/encryption-keys.ts"
export { ensureWorkspace } from "./workspaces/ensure-workspace.ts"
export { checkNamespace } from "./workspaces/check-namespace.ts"
export type { Spent, WorkspaceBudgets } from "./workspaces/month-budgets.ts"
export type { EndedSessions } from "./ended-sessions.ts"
