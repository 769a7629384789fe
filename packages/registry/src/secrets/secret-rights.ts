/**
 * Returns whether a caller may use the secrets of a workspace by reference. Called only for workspaces other than the
 * fileset's own: whoever may use a fileset may use the secrets that it names in its workspace.
 */
export type SecretRights = (workspace: string) => boolean
