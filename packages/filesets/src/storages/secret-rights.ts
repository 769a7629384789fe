import { AssayError, type SecretAddress } from "@assay/schemas"

/**
 * Returns whether a caller may use the secrets of a workspace by reference. Called only for workspaces other than the
 * fileset's own: whoever may use a fileset may use the secrets that it names in its workspace.
 */
export type SecretRights = (workspace: string) => boolean

/**
 * Returns a text that changes as soon as one of the secrets gets a new value.
 * @throws `secret_not_readable` if a secret is missing
 */
export type SecretVersions = (secrets: readonly SecretAddress[]) => Promise<string>

/** The rights of the server itself: it may use the secrets of every workspace. */
export const ALL_SECRETS: SecretRights = () => true

/**
 * Checks that a caller may use the secrets that a fileset in the workspace `home` names. A caller who may use the fileset may
 * use the secrets of `home`.
 * @throws `secret_not_readable`
 */
export function checkSecretRights(secrets: readonly SecretAddress[], home: string, rights: SecretRights): void {
  for (const { workspace, name } of secrets) {
    if (workspace !== home && !rights(workspace)) throw secretNotReadable(workspace, name)
  }
}

/** Returns an error that does not reveal whether the secret is missing or the caller may not use it. */
export function secretNotReadable(workspace: string, name: string, cause?: unknown): AssayError {
  const message = `Secret not found: '${workspace}/${name}'. Create it, or name one that you may use.`
  return new AssayError("secret_not_readable", message, { context: { workspace, secret: name }, cause })
}
