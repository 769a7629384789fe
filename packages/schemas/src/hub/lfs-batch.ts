import { Type, type Static } from "@sinclair/typebox"
import { numberField } from "../records/number-field.ts"
import { AnyName, enumeration } from "../records/field-types.ts"

/** A request to the batch API of Git LFS. Clients add fields of their own. */
export const LfsBatchBody = Type.Object({
  operation: enumeration(["upload", "download"]),
  transfers: Type.Optional(Type.Array(Type.String())),
  // git names the full branch, such as `refs/heads/main`. Clients of the hub name `main`.
  ref: Type.Optional(Type.Union([Type.Object({ name: Type.String() }), Type.Null()])),
  hash_algo: Type.Optional(Type.String()),
  // git sends 100 objects at a time, clients of the hub 256. A short oid that is not a SHA-256 fails only its own object.
  objects: Type.Array(Type.Object({ oid: Type.String({ maxLength: 200 }), size: numberField("bytes") }), {
    maxItems: 1000,
  }),
})

const Action = Type.Object({
  href: Type.String(),
  header: Type.Optional(Type.Record(AnyName, Type.String())),
})

export const LfsBatchObject = Type.Object({
  oid: Type.String(),
  size: Type.Integer(),
  actions: Type.Optional(
    Type.Object({
      upload: Type.Optional(Action),
      verify: Type.Optional(Action),
      download: Type.Optional(Action),
    }),
  ),
  error: Type.Optional(Type.Object({ code: Type.Integer(), message: Type.String() })),
})
export type LfsBatchObject = Static<typeof LfsBatchObject>

/** The response of the batch API. An object without actions already exists. */
export const LfsBatchAnswer = Type.Object(
  {
    transfer: Type.String({
      description: "`multipart` is the hub's own transfer: URLs of parts by number, and `chunk_size`. `xet`: chunks.",
    }),
    objects: Type.Array(LfsBatchObject),
    hash_algo: Type.String(),
  },
  { $id: "HubLfsBatch" },
)
