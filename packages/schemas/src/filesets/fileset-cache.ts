import { Type, type Static } from "@sinclair/typebox"
import { enumeration } from "../records/enumeration.ts"

export const WARM_UP_STATUSES = ["idle", "warming", "done", "failed"] as const
export type WarmUpStatus = (typeof WARM_UP_STATUSES)[number]

const count = (description: string) => Type.Unsafe<number | null>({ type: ["integer", "null"], description })

/** How far the files of a fileset have been brought into the read cache. */
export const FilesetCache = Type.Object(
  {
    status: enumeration(WARM_UP_STATUSES, {
      description:
        "idle: nobody asked for it. done: every file was cached. failed: it ended with files that are not, and `error` says why.",
    }),
    files: count("Files of the fileset; null until they are counted."),
    cached_files: Type.Integer({ description: "Of these, those that the last warm-up found or left in the cache." }),
    bytes: count("Of all files together; null until they are counted."),
    cached_bytes: Type.Integer(),
    error: Type.Unsafe<string | null>({
      type: ["string", "null"],
      description: "Why files are missing, if it failed.",
    }),
  },
  { $id: "FilesetCache" },
)
export type FilesetCache = Static<typeof FilesetCache>
