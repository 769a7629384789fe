import { Type, type Static } from "@sinclair/typebox"
import { orNull, Timestamp } from "../records/field-types.ts"
import { pageOf } from "../records/page.ts"
import { Fileset, FilesetName } from "./fileset.ts"

const RestorableUntil = Type.Union([Timestamp, Type.Null()], {
  description: "Until then the trash has it, and it can be restored. Null: it is deleted for good.",
})

/** A deleted fileset. */
export const RemovedFileset = Type.Object(
  {
    ...Fileset.properties,
    restorable_until: RestorableUntil,
  },
  { $id: "RemovedFileset" },
)
export type RemovedFileset = Static<typeof RemovedFileset>

/** A deleted evaluation job. */
export const RemovedJob = Type.Object({ id: Type.String(), restorable_until: RestorableUntil }, { $id: "RemovedJob" })
export type RemovedJob = Static<typeof RemovedJob>

/** A deleted fileset or evaluation job in the trash. */
export const TrashEntry = Type.Object(
  {
    id: Type.String({
      description: "The id of the fileset or job, which it keeps.",
      examples: ["fileset-3QJmnh8Y1kGqvS4cQKFJ2b"],
    }),
    kind: Type.Union([Type.Literal("fileset"), Type.Literal("job")]),
    workspace: Type.String(),
    name: Type.String({ description: "The name that it had. Another fileset may have it now. Of a job: its id." }),
    description: Type.String(),
    removed_at: Timestamp,
    removed_by: Type.String({ description: "Who deleted it; empty: nobody signed in." }),
    removed_until: Type.String({ ...Timestamp, description: "When it is deleted for good." }),
    bytes: orNull<number>(
      "integer",
      "The bytes on the server that this frees, with former versions of files; null if not known.",
    ),
  },
  { $id: "TrashEntry" },
)
export type TrashEntry = Static<typeof TrashEntry>

const Bytes = Type.Integer({ description: "Known bytes of all entries, also those on other pages." })

export const TrashPage = Type.Object({ ...pageOf(TrashEntry, "").properties, bytes: Bytes }, { $id: "TrashPage" })
export type TrashPage = Static<typeof TrashPage>

export const RestoreTrash = Type.Object(
  {
    name: Type.Optional(
      Type.String({ ...FilesetName, description: "The name that the fileset gets. Default: the one that it had." }),
    ),
  },
  { $id: "RestoreTrash", additionalProperties: false },
)
export type RestoreTrash = Static<typeof RestoreTrash>

export const EmptiedTrash = Type.Object(
  {
    filesets: Type.Integer({ description: "Number of filesets that were deleted for good." }),
    jobs: Type.Integer({ description: "Number of evaluation jobs that were deleted for good." }),
    bytes: Type.Integer({ description: "Their known bytes." }),
  },
  { $id: "EmptiedTrash" },
)
export type EmptiedTrash = Static<typeof EmptiedTrash>
