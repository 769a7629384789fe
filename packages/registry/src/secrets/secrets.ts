import type {
  CreateSecret,
  RotateEncryptionKeysResult,
  Secret,
  SecretAddress,
  SecretPage,
  UpdateSecret,
} from "@assay/schemas"
import type { SortedQuery, VisibleWorkspaces } from "@assay/database"

interface RemoveSecretOptions {
  /** Default false. */
  readonly force?: boolean
  /** Default: all. */
  readonly visible?: VisibleWorkspaces
}

export interface Secrets {
  /** @param options `owner`: the id of the job that the secret is made for. The secret is removed with the job. */
  create(workspace: string, body: CreateSecret, options?: { readonly owner?: string }): Promise<Secret>
  list(workspace: string, query: SortedQuery): Promise<SecretPage>
  get(workspace: string, name: string): Promise<Secret>
  update(workspace: string, name: string, body: UpdateSecret): Promise<Secret>
  /** @throws `in_use` while anything names it, unless `force`. The message names the visible uses and counts the others. */
  remove(workspace: string, name: string, options?: RemoveSecretOptions): Promise<void>
  /** Returns the id of the job that a secret was made for, or undefined. */
  ownerOf(workspace: string, name: string): Promise<string | undefined>
  /** Removes the secrets that were made for a job. */
  removeOwned(owner: string): Promise<void>
  /** Seals the data keys of all secrets with the newest key-encryption key, or of none. @throws `encryption_key_missing` */
  rotateEncryptionKeys(): Promise<RotateEncryptionKeysResult>
  /** Returns the value of a secret. Only for adapters: no route returns it. @throws `secret_not_readable` */
  resolve(workspace: string, name: string): Promise<string>
  /** Returns a text that changes as soon as one of the secrets gets a new value. @throws `secret_not_readable` if one is missing */
  versions(secrets: readonly SecretAddress[]): Promise<string>
}
