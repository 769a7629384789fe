import type { Filter, GuardrailData, Pagination, RecordSort, SecretAddress } from "@assay/schemas"

/** A guardrail configuration in the database. */
export interface StoredGuardrail {
  readonly id: string
  readonly name: string
  readonly workspace: string
  readonly project: string
  readonly description: string
  readonly data: GuardrailData
  readonly created_at: string
  readonly updated_at: string
}

export interface GuardrailQuery {
  readonly page: number
  readonly page_size: number
  readonly sort?: RecordSort
  readonly filter?: Filter | undefined
}

/** The guardrail configurations of all workspaces in the database. */
export interface GuardrailStore {
  /** @throws `already_exists`; `invalid_request` if there is no such workspace */
  create(
    workspace: string,
    body: {
      readonly name: string
      readonly description?: string
      readonly project?: string
      readonly data: GuardrailData
    },
  ): Promise<StoredGuardrail>
  /** `leading` is the number of configurations that come first and are counted with the others. */
  list(
    workspace: string,
    query: GuardrailQuery & { readonly leading: number },
  ): Promise<{ readonly data: readonly StoredGuardrail[]; readonly pagination: Pagination }>
  /** @throws `not_found` */
  get(workspace: string, name: string): Promise<StoredGuardrail>
  /** @throws `not_found` */
  update(
    workspace: string,
    name: string,
    body: { readonly description?: string | null; readonly project?: string | null; readonly data?: GuardrailData },
  ): Promise<StoredGuardrail>
  /** @throws `not_found` */
  remove(workspace: string, name: string): Promise<StoredGuardrail>
}

/** Returns whether a caller may use the secrets of a workspace by reference. */
export type SecretRights = (workspace: string) => boolean

/** The secrets that models of guardrails name. */
export interface GuardrailSecrets {
  /**
   * Checks that a caller may use the secrets that something in `workspace` names.
   * @throws `secret_not_readable`
   */
  checkRights(secrets: readonly SecretAddress[], workspace: string, rights: SecretRights): void
  /** Returns a text that changes with the value of each secret. @throws `secret_not_readable` if a secret is missing */
  versions(secrets: readonly SecretAddress[]): Promise<string>
  /** @throws `secret_not_readable` */
  resolve(workspace: string, name: string): Promise<string>
}

/** The rights of the sender of a request. */
export interface CallerRights {
  /** @throws `not_found` if the caller may not see the workspace */
  readonly checkSees: (workspace: string) => void
  readonly usesSecretsOf: SecretRights
}
