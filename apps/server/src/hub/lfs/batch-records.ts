import { AnyName } from "@assay/schemas"
import { Type, type Static } from "@sinclair/typebox"

/** A request to the batch API of Git LFS; clients add fields of their own. */
export const BatchBody = Type.Object({
  operation: Type.Optional(Type.String({ description: "`upload` or `download`." })),
  transfers: Type.Optional(Type.Array(Type.String())),
  hash_algo: Type.Optional(Type.String()),
  // git sends 100 at a time, clients of the hub 256. An oid that is not a SHA-256 is reported for its own object, if it is short.
  objects: Type.Array(Type.Object({ oid: Type.String({ maxLength: 200 }), size: Type.Integer({ minimum: 0 }) }), {
    maxItems: 1000,
  }),
})
export type BatchBody = Static<typeof BatchBody>

const Action = Type.Object({
  href: Type.String(),
  header: Type.Optional(Type.Record(AnyName, Type.String())),
})

export const BatchObject = Type.Object({
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
export type BatchObject = Static<typeof BatchObject>

/** An object without actions is there already. */
export const BatchAnswer = Type.Object(
  {
    transfer: Type.String({ description: "`multipart` is the hub's own: parts by number beside `chunk_size`." }),
    objects: Type.Array(BatchObject),
    hash_algo: Type.String(),
  },
  { $id: "HubLfsBatch" },
)
