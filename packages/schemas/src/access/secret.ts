import { Type, type Static } from "@sinclair/typebox"
import { Timestamp } from "../records/field-types.ts"
import { pageOf } from "../records/page.ts"

/** A secret without its value, which no operation ever returns. */
export const Secret = Type.Object(
  {
    name: Type.String(),
    workspace: Type.String(),
    description: Type.String(),
    created_at: Timestamp,
    updated_at: Timestamp,
  },
  { $id: "Secret" },
)
export type Secret = Static<typeof Secret>

const SecretValue = Type.String({ minLength: 1, maxLength: 65_536, writeOnly: true, description: "Never returned." })

export const CreateSecret = Type.Object(
  {
    name: Type.String({ pattern: "^[A-Za-z0-9_.@+\\-]+$", minLength: 1, maxLength: 255 }),
    description: Type.Optional(Type.String({ maxLength: 1000, default: "" })),
    value: SecretValue,
  },
  { $id: "CreateSecret", additionalProperties: false },
)
export type CreateSecret = Static<typeof CreateSecret>

export const UpdateSecret = Type.Object(
  {
    description: Type.Optional(Type.String({ maxLength: 1000 })),
    value: Type.Optional(SecretValue),
  },
  { $id: "UpdateSecret", additionalProperties: false },
)
export type UpdateSecret = Static<typeof UpdateSecret>

export const SecretPage = pageOf(Secret, "SecretPage")
export type SecretPage = Static<typeof SecretPage>

export const RotateEncryptionKeysResult = Type.Object(
  { rotated_secrets: Type.Integer(), success: Type.Boolean() },
  { $id: "RotateEncryptionKeysResult" },
)
export type RotateEncryptionKeysResult = Static<typeof RotateEncryptionKeysResult>

/** A reference to a secret: `name` in the workspace of the request, or `workspace/name`. Never the value itself. */
export const SecretRef = Type.String({
  $id: "SecretRef",
  pattern: "^([^/\\s]{1,63}/)?[A-Za-z0-9_.@+\\-]{1,255}$",
  description: "`<secret_name>` (in the workspace of the request) or `<workspace>/<secret_name>`.",
  examples: ["hub-token", "shared/hub-token"],
})
export type SecretRef = Static<typeof SecretRef>

export interface SecretAddress {
  readonly workspace: string
  readonly name: string
}

/** Returns the workspace and name of the secret that `ref` names if it is used in `workspace`. */
export function parseSecretRef(ref: string, workspace: string): SecretAddress {
  const slash = ref.indexOf("/")
  return slash < 0 ? { workspace, name: ref } : { workspace: ref.slice(0, slash), name: ref.slice(slash + 1) }
}
