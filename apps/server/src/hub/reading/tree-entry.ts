import { enumeration, Timestamp } from "@assay/schemas"
import { Type, type Static } from "@sinclair/typebox"

/** A file or folder of a repository, as the hub lists it. */
export const TreeEntry = Type.Object(
  {
    type: enumeration(["file", "directory"]),
    oid: Type.String({ description: "40 hex digits; of a file, git's id of its LFS pointer." }),
    size: Type.Integer(),
    path: Type.String(),
    lfs: Type.Optional(
      Type.Object({
        oid: Type.String({ description: "SHA-256 of the content." }),
        size: Type.Integer(),
        pointerSize: Type.Integer(),
      }),
    ),
    lastCommit: Type.Optional(
      Type.Object({ id: Type.String(), title: Type.String(), date: Timestamp }, { description: "With `expand`." }),
    ),
  },
  { $id: "HubTreeEntry" },
)
export type TreeEntry = Static<typeof TreeEntry>
