/** What names a secret. */
export interface SecretUse {
  readonly kind:
    | "default storage"
    | "fileset"
    | "guardrail configuration"
    | "evaluation target"
    | "evaluation configuration"
    | "evaluation job"
  /** Empty for the default storage, which belongs to no workspace. */
  readonly workspace: string
  /** Of a job its id. */
  readonly name: string
}
