import { Type, type Static } from "@sinclair/typebox"
import { CustomFields, orNull, Timestamp, enumeration } from "../records/field-types.ts"
import { pageOf } from "../records/page.ts"
import { Metadata } from "./metadata.ts"
import { DEFAULT_SIGNATURE_PATH, SIGNATURE_MODES, SignatureStatus } from "./signature-status.ts"
import { NullableStorageConfiguration, StorageConfiguration } from "./storage-configuration.ts"

export const PURPOSES = ["dataset", "generic", "model"] as const
export type Purpose = (typeof PURPOSES)[number]

export const FILESET_SORTS = ["created_at", "-created_at", "name", "-name"] as const
export type FilesetSort = (typeof FILESET_SORTS)[number]

export const MAX_FILESET_PAGE_SIZE = 100

/** The size of a fileset, as last known. No storage is read for it. */
export const FilesetUsage = Type.Object(
  {
    files: Type.Integer({ description: "Number of files." }),
    bytes: Type.Integer({ description: "Bytes of all files." }),
    kept_bytes: Type.Optional(
      Type.Integer({
        description: "Bytes of replaced and deleted files that the history keeps besides. Absent: none.",
      }),
    ),
  },
  { $id: "FilesetUsage" },
)
export type FilesetUsage = Static<typeof FilesetUsage>

export const FILESET_INCLUDES = ["usage"] as const
export type FilesetInclude = (typeof FILESET_INCLUDES)[number]

const signatureFields = {
  signature: Type.Optional(
    enumeration(SIGNATURE_MODES, {
      description:
        "For storage with files: whether somebody who is trusted has signed them (OpenSSF Model Signing). required: the creation fails if not, and each file is " +
        "compared with its signed digest when it is read whole. report: `signature_status` says what was found.",
    }),
  ),
  signature_path: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 1024,
      // No default of the schema, which would fill it in where no signature is asked for.
      description: `Path of the signature in the fileset. Default: ${DEFAULT_SIGNATURE_PATH}.`,
    }),
  ),
}

/** A named collection of files. Every field is always present, except `usage` and those of a signature. */
export const Fileset = Type.Object(
  {
    id: Type.String({ examples: ["fileset-3QJmnh8Y1kGqvS4cQKFJ2b"] }),
    name: Type.String(),
    workspace: Type.String({ description: "The workspace that owns it." }),
    description: Type.String(),
    purpose: enumeration(PURPOSES),
    storage: StorageConfiguration,
    metadata: Metadata,
    custom_fields: CustomFields,
    project: Type.String(),
    created_at: Timestamp,
    updated_at: Timestamp,
    usage: Type.Optional(
      Type.Union([FilesetUsage, Type.Null()], {
        description:
          "With `include=usage`: number of files and bytes, as last known. Exact on the server's default file system; elsewhere from the last " +
          "complete listing. Null if not known.",
      }),
    ),
    ...signatureFields,
    signature_status: Type.Optional(SignatureStatus),
  },
  { $id: "Fileset" },
)
export type Fileset = Static<typeof Fileset>

export const FilesetName = Type.String({
  pattern: "^(?!\\.{1,2}$)[A-Za-z0-9_.\\-]+$",
  minLength: 1,
  maxLength: 255,
  examples: ["reviews"],
})

export const CreateFileset = Type.Object(
  {
    name: FilesetName,
    description: Type.Optional(Type.String({ maxLength: 1000, default: "" })),
    project: Type.Optional(Type.String({ maxLength: 255, default: "" })),
    storage: Type.Optional(NullableStorageConfiguration),
    purpose: Type.Optional(enumeration(PURPOSES, { default: "generic" })),
    metadata: Type.Optional(Metadata),
    custom_fields: Type.Optional(CustomFields),
    cache: Type.Optional(
      Type.Boolean({ description: "Fill the read cache in the background; external storage only." }),
    ),
    ...signatureFields,
  },
  { $id: "CreateFileset", additionalProperties: false },
)
export type CreateFileset = Static<typeof CreateFileset>

/** A given key replaces the whole value; null empties it. The storage can't change. */
export const UpdateFileset = Type.Object(
  {
    name: Type.Optional(
      Type.String({
        ...FilesetName,
        description:
          "A new name. Files stay where they are, reads in progress continue, and the old name becomes free.",
      }),
    ),
    description: Type.Optional(Type.Union([Type.String({ maxLength: 1000 }), Type.Null()])),
    project: Type.Optional(Type.Union([Type.String({ maxLength: 255 }), Type.Null()])),
    purpose: Type.Optional(enumeration(PURPOSES)),
    metadata: Type.Optional(Type.Union([Metadata, Type.Null()])),
    custom_fields: Type.Optional(Type.Union([CustomFields, Type.Null()])),
  },
  { $id: "UpdateFileset", additionalProperties: false },
)
export type UpdateFileset = Static<typeof UpdateFileset>

export const FilesetPage = pageOf(Fileset, "FilesetPage")
export type FilesetPage = Static<typeof FilesetPage>

const WARM_UP_STATUSES = ["idle", "warming", "done", "failed"] as const
export type WarmUpStatus = (typeof WARM_UP_STATUSES)[number]

/** The progress of filling the read cache with the files of a fileset. */
export const FilesetCache = Type.Object(
  {
    status: enumeration(WARM_UP_STATUSES, {
      description:
        "idle: not requested. done: every file was cached. failed: some files were not cached, and `error` says why.",
    }),
    files: orNull<number>("integer", "Number of files; null until they are counted."),
    cached_files: Type.Integer({ description: "Files that were in the cache at the end of the last warm-up." }),
    bytes: orNull<number>("integer", "Bytes of all files; null until they are counted."),
    cached_bytes: Type.Integer(),
    error: orNull<string>("string", "Why files are missing, if the status is failed."),
  },
  { $id: "FilesetCache" },
)
export type FilesetCache = Static<typeof FilesetCache>
