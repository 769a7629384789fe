import { Type, type Static } from "@sinclair/typebox"
import { enumeration } from "../records/field-types.ts"
import { SecretRef } from "../access/secret.ts"

export const STORAGE_TYPES = ["local", "catalog", "hub", "objstore"] as const
export type StorageType = (typeof STORAGE_TYPES)[number]

export const DEFAULT_READ_CHUNK_SIZE = 1_048_576
export const DEFAULT_WRITE_BUFFER_SIZE = 16_777_216
export const PUBLIC_CATALOG_HOST = "https://api.ngc.nvidia.com"
export const PUBLIC_HUB_ENDPOINT = "https://huggingface.co"

const closed = { additionalProperties: false } as const

const read_chunk_size = Type.Optional(
  Type.Integer({
    minimum: 1,
    maximum: 1_073_741_824,
    default: DEFAULT_READ_CHUNK_SIZE,
    description: "Maximum bytes of one piece of a read.",
  }),
)

/** Files below a folder of the server's machine. */
export const LocalStorageConfiguration = Type.Object(
  {
    type: Type.Literal("local", { default: "local" }),
    path: Type.String({ minLength: 1, description: "The folder, as an absolute path." }),
    read_chunk_size,
    write_buffer_size: Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: 1_073_741_824,
        default: DEFAULT_WRITE_BUFFER_SIZE,
        description: "Bytes buffered before they are flushed to disk. More than 1 MiB are written in pieces of 1 MiB.",
      }),
    ),
  },
  { $id: "LocalStorageConfiguration", title: "local", ...closed },
)
export type LocalStorageConfiguration = Static<typeof LocalStorageConfiguration>

/** Files of one version of an asset in an asset catalog (NGC). Read-only. */
export const CatalogStorageConfiguration = Type.Object(
  {
    type: Type.Literal("catalog"),
    org: Type.String({ minLength: 1, description: "Organization name." }),
    team: Type.String({ description: "Team name; empty for none." }),
    target: Type.String({ minLength: 1, description: "Asset name." }),
    target_type: Type.Optional(enumeration(["resource", "model"], { default: "resource" })),
    version: Type.Optional(
      Type.String({
        description: "Version id. Absent: the latest version. A stored configuration contains the resolved id.",
      }),
    ),
    original_version: Type.Optional(
      Type.String({ description: "The version that was requested, before it was resolved." }),
    ),
    api_key_secret: SecretRef,
    host: Type.Optional(
      Type.String({
        default: PUBLIC_CATALOG_HOST,
        description: "Address of the catalog service, without user name and password.",
      }),
    ),
    read_chunk_size,
  },
  { $id: "CatalogStorageConfiguration", title: "catalog", ...closed },
)
export type CatalogStorageConfiguration = Static<typeof CatalogStorageConfiguration>

/** Files of one revision of a repository on a hub (Hugging Face). Read-only. */
export const HubStorageConfiguration = Type.Object(
  {
    type: Type.Literal("hub"),
    repo_id: Type.String({ minLength: 1, description: "Repository id." }),
    repo_type: Type.Optional(enumeration(["model", "dataset", "space"], { default: "model" })),
    revision: Type.Optional(
      Type.String({
        default: "main",
        description: "Branch, tag or commit SHA. A stored configuration contains the resolved commit SHA.",
      }),
    ),
    original_revision: Type.Optional(
      Type.String({ description: "The revision that was requested, before it was resolved." }),
    ),
    token_secret: Type.Optional(SecretRef),
    endpoint: Type.Optional(
      Type.String({
        default: PUBLIC_HUB_ENDPOINT,
        description: "Address of the hub, without user name and password. It can be self-hosted.",
      }),
    ),
    read_chunk_size,
  },
  { $id: "HubStorageConfiguration", title: "hub", ...closed },
)
export type HubStorageConfiguration = Static<typeof HubStorageConfiguration>

/** Objects below a prefix of a bucket in an object store (S3). */
export const ObjstoreStorageConfiguration = Type.Object(
  {
    type: Type.Literal("objstore"),
    bucket: Type.String({ minLength: 1 }),
    prefix: Type.Optional(Type.String({ default: "", description: "All operations are relative to it." })),
    region: Type.Optional(Type.String({ description: "Absent: the default of the client library's environment." })),
    endpoint_url: Type.Optional(
      Type.String({ description: "Address of a compatible object store, without user name and password." }),
    ),
    use_sdk_auth: Type.Optional(
      Type.Boolean({
        default: false,
        description: "Use the credentials of the server's environment; for the server's default storage only.",
      }),
    ),
    access_key_id_secret: Type.Optional(SecretRef),
    secret_access_key_secret: Type.Optional(SecretRef),
    signature_version: Type.Optional(enumeration(["v4", "v2"], { default: "v4" })),
    read_chunk_size,
  },
  { $id: "ObjstoreStorageConfiguration", title: "objstore", ...closed },
)
export type ObjstoreStorageConfiguration = Static<typeof ObjstoreStorageConfiguration>

/** The four configurations, distinguished by `type`. `oneOf` with a `discriminator` makes a failure name only the chosen branch. */
const union = {
  discriminator: { propertyName: "type" },
  required: ["type"],
  oneOf: [
    LocalStorageConfiguration,
    CatalogStorageConfiguration,
    HubStorageConfiguration,
    ObjstoreStorageConfiguration,
  ],
}

/** Where the bytes of a fileset are stored: exactly one of the four. */
export type StorageConfiguration =
  | LocalStorageConfiguration
  | CatalogStorageConfiguration
  | HubStorageConfiguration
  | ObjstoreStorageConfiguration

export const StorageConfiguration = Type.Unsafe<StorageConfiguration>({
  $id: "StorageConfiguration",
  type: "object",
  ...union,
})

/** A storage configuration, or null for the default one. */
export const NullableStorageConfiguration = Type.Unsafe<StorageConfiguration | null>({
  type: ["object", "null"],
  description: "Absent or null: the server's default storage.",
  ...union,
})
