export type { DatabaseOptions } from "./database/open-database.ts"
export { openRegistry } from "./open-registry.ts"
export type { RegistryLog } from "./registry-context.ts"
export type { RegistryOptions } from "./registry-options.ts"
export type {
  FileListQuery,
  Files,
  FilesetQuery,
  Filesets,
  PageQuery,
  Projects,
  Registry,
  Secrets,
  VisibleWorkspaces,
  Workspaces,
} from "./registry.ts"
export type { EncryptionKey } from "./secrets/key-ring.ts"
