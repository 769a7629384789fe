import { Type, type Static } from "@sinclair/typebox"
import { Timestamp, enumeration } from "../records/field-types.ts"
import { FilesetName } from "../filesets/fileset.ts"

const Sibling = Type.Object({
  rfilename: Type.String(),
  size: Type.Optional(Type.Integer()),
  blobId: Type.Optional(Type.String()),
  lfs: Type.Optional(Type.Object({ sha256: Type.String(), size: Type.Integer(), pointerSize: Type.Integer() })),
})

/** A fileset as the hub describes a repository. Counters that only a hub has are 0. */
export const HubRepository = Type.Object(
  {
    _id: Type.String(),
    id: Type.String({ description: "`{workspace}/{fileset}`" }),
    modelId: Type.String(),
    author: Type.String(),
    sha: Type.String({ description: "The commit id: 40 hex digits over all files." }),
    lastModified: Timestamp,
    createdAt: Timestamp,
    private: Type.Boolean({ description: "Whether a token is required to see it." }),
    gated: Type.Literal(false),
    disabled: Type.Literal(false),
    downloads: Type.Integer(),
    likes: Type.Integer(),
    tags: Type.Array(Type.String(), {
      description: "`key:text` for the project and for each custom field with a text.",
    }),
    description: Type.String(),
    siblings: Type.Optional(Type.Array(Sibling, { description: "With sizes and digests if `blobs` is true." })),
  },
  { $id: "HubRepository" },
)
export type HubRepository = Static<typeof HubRepository>

/** A repository in a list. Its commit and its files are present if they were asked for. */
export const HubListedRepository = Type.Object(
  { ...HubRepository.properties, sha: Type.Optional(HubRepository.properties.sha) },
  { $id: "HubListedRepository" },
)
export type HubListedRepository = Static<typeof HubListedRepository>

/** A file or folder of a repository, as the hub lists it. */
export const HubTreeEntry = Type.Object(
  {
    type: enumeration(["file", "directory"]),
    oid: Type.String({ description: "40 hex digits; for a file, git's id of its LFS pointer." }),
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
export type HubTreeEntry = Static<typeof HubTreeEntry>

const Ref = Type.Object({ name: Type.String(), ref: Type.String(), targetCommit: Type.String() })

/** The branch and the tags of a repository. */
export const HubRefs = Type.Object(
  { branches: Type.Array(Ref), tags: Type.Array(Ref), converts: Type.Array(Ref), pullRequests: Type.Array(Ref) },
  { $id: "HubRefs" },
)

/** A commit in the history of a repository. */
export const HubCommit = Type.Object(
  {
    id: Type.String(),
    title: Type.String(),
    message: Type.String(),
    authors: Type.Array(Type.Object({ user: Type.String() }), {
      description: "The name of the token that committed; empty if it is not on record.",
    }),
    date: Timestamp,
  },
  { $id: "HubCommit" },
)

export const HubTagBody = Type.Object({
  tag: Type.String({ minLength: 1, maxLength: 200 }),
  message: Type.Optional(Type.Unsafe<string | null>({ type: ["string", "null"], maxLength: 10_000 })),
})

export const HubSquashBody = Type.Object({
  message: Type.Optional(Type.Unsafe<string | null>({ type: ["string", "null"], maxLength: 10_000 })),
})

/** Names a repository in a request. */
export const HubRepositoryBody = Type.Object({
  name: FilesetName,
  organization: Type.Optional(
    Type.Unsafe<string | null>({ type: ["string", "null"], description: "The workspace; absent: `default`." }),
  ),
  type: Type.Optional(
    Type.Unsafe<string | null>({
      type: ["string", "null"],
      // It becomes part of the repository's URL.
      pattern: "^[a-z]{1,32}$",
      description: "`model` or `dataset` becomes the purpose of the fileset.",
    }),
  ),
})

/** A request to create a repository. */
export const NewHubRepositoryBody = Type.Intersect([
  HubRepositoryBody,
  Type.Object({
    files: Type.Optional(
      Type.Array(Type.Object({ path: Type.String(), content: Type.String(), encoding: Type.Optional(Type.String()) }), {
        description: "First files of the repository.",
      }),
    ),
  }),
])

/** The response to the creation of a repository. */
export const NewHubRepository = Type.Object(
  { url: Type.String(), id: Type.String(), name: Type.String() },
  { $id: "HubNewRepository" },
)

const RepositoryId = Type.String({
  maxLength: 400,
  examples: ["default/weights"],
  description: "`{workspace}/{fileset}`",
})

/** A request to rename a repository. */
export const MoveHubRepositoryBody = Type.Object({
  fromRepo: RepositoryId,
  toRepo: RepositoryId,
  type: HubRepositoryBody.properties.type,
})

/** Settings of a repository. A setting that this hub does not have is refused by its name. */
export const HubSettingsBody = Type.Object(
  {
    private: Type.Optional(Type.Boolean({ description: "What `private` of the repository says already." })),
    visibility: Type.Optional(enumeration(["public", "private", "protected"])),
    gated: Type.Optional(Type.Union([Type.Literal(false), Type.String({ maxLength: 40 })])),
  },
  { additionalProperties: true },
)
