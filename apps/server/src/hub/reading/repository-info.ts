import { Timestamp } from "@assay/schemas"
import { Type, type Static } from "@sinclair/typebox"

const Sibling = Type.Object({
  rfilename: Type.String(),
  size: Type.Optional(Type.Integer()),
  blobId: Type.Optional(Type.String()),
  lfs: Type.Optional(Type.Object({ sha256: Type.String(), size: Type.Integer(), pointerSize: Type.Integer() })),
})

/** A fileset as the hub describes a repository. What a hub counts, and nobody counts here, is 0. */
export const RepositoryInfo = Type.Object(
  {
    _id: Type.String(),
    id: Type.String({ description: "`{workspace}/{fileset}`" }),
    modelId: Type.String(),
    author: Type.String(),
    sha: Type.String({ description: "The commit id: 40 hex digits over all files." }),
    lastModified: Timestamp,
    createdAt: Timestamp,
    private: Type.Boolean({ description: "Whether it takes a token to see it." }),
    gated: Type.Literal(false),
    disabled: Type.Literal(false),
    downloads: Type.Integer(),
    likes: Type.Integer(),
    tags: Type.Array(Type.String()),
    description: Type.String(),
    siblings: Type.Optional(Type.Array(Sibling, { description: "With sizes and digests where `blobs` is true." })),
  },
  { $id: "HubRepository" },
)
export type RepositoryInfo = Static<typeof RepositoryInfo>
