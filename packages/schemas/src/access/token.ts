import { Type, type Static } from "@sinclair/typebox"
import { enumeration, Timestamp } from "../records/field-types.ts"
import { pageOf } from "../records/page.ts"

/** The roles of a token. Each includes the ones before it. */
export const ROLES = ["viewer", "editor", "admin"] as const
export type Role = (typeof ROLES)[number]

const MAX_GRANTS = 100
/** Ten years. */
const MAX_SECONDS = 315_360_000

/** A role in a workspace, or in all. */
export const Grant = Type.Object({
  workspace: Type.String({ minLength: 1, maxLength: 63, description: "A workspace, or `*` for all." }),
  role: enumeration(ROLES),
})
export type Grant = Static<typeof Grant>

/** A token without its value, which only the answer to its creation contains. */
export const Token = Type.Object(
  {
    id: Type.String({ examples: ["token-3QJmnh8Y1kGqvS4cQKFJ2b"] }),
    name: Type.String(),
    grants: Type.Array(Grant),
    expires_at: Type.Union([Timestamp, Type.Null()], { description: "Null: it never expires." }),
    created_at: Type.Union([Timestamp, Type.Null()], {
      description: "Null for tokens of versions that did not store it.",
    }),
  },
  { $id: "Token" },
)
export type Token = Static<typeof Token>

export const CreateToken = Type.Object(
  {
    name: Type.String({
      minLength: 1,
      maxLength: 255,
      pattern: "^[^\\u0000-\\u001F\\u007F]*$",
      description: "Purpose of the token. Names need not differ.",
    }),
    grants: Type.Array(Type.Object(Grant.properties, { additionalProperties: false }), {
      minItems: 1,
      maxItems: MAX_GRANTS,
      description: "The caller needs the role admin in each of these workspaces.",
    }),
    expires_in: Type.Optional(
      Type.Integer({ minimum: 60, maximum: MAX_SECONDS, description: "Seconds. Default: the token never expires." }),
    ),
    s3: Type.Optional(
      Type.Boolean({
        description:
          "Return an access key for clients of S3 too, which has the rights of the token and ends with it. Default: false.",
      }),
    ),
  },
  { $id: "CreateToken", additionalProperties: false },
)
export type CreateToken = Static<typeof CreateToken>

export const CreatedToken = Type.Composite(
  [
    Token,
    Type.Object({
      token: Type.String({ description: "Shown only now. The server stores a digest of it." }),
      access_key: Type.Optional(
        Type.String({ description: "With `s3`: the access key id, which is the id of the token." }),
      ),
      secret: Type.Optional(
        Type.String({ description: "With `s3`: the secret access key. Shown only now, and stored nowhere." }),
      ),
    }),
  ],
  { $id: "CreatedToken" },
)
export type CreatedToken = Static<typeof CreatedToken>

export const TokenPage = pageOf(Token, "TokenPage")
export type TokenPage = Static<typeof TokenPage>
