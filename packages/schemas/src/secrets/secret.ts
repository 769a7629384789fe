import { Type, type Static } from "@sinclair/typebox"
import { pageOf } from "../records/page.ts"
import { Timestamp } from "../records/timestamp.ts"

/** A secret without its value: no operation ever answers with the value. */
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
    name: Type.String({ pattern: "^[A-Za-z0-9_.\\-]+$", minLength: 1, maxLength: 255 }),
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
