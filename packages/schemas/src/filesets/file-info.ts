import { Type, type Static } from "@sinclair/typebox"
import { orNull, Timestamp } from "../records/field-types.ts"

const CACHE_STATUSES = ["cached", "caching", "not_cached", "not_cacheable"] as const
export type CacheStatus = (typeof CACHE_STATUSES)[number]

/** One file of a fileset. */
export const FileInfo = Type.Object(
  {
    path: Type.String({ description: "Relative path within the fileset." }),
    size: Type.Integer({ description: "Bytes." }),
    file_url: Type.String({ description: "The address of its bytes, percent-encoded by segment." }),
    file_ref: Type.String({ description: "`<workspace>/<fileset>#<path>`." }),
    cache_status: Type.Unsafe<CacheStatus | null>({ type: ["string", "null"], enum: [...CACHE_STATUSES, null] }),
    etag: Type.Unsafe<string | null>({
      type: ["string", "null"],
      description: "As in the header, including the quotes.",
    }),
    sha256: Type.Unsafe<string | null>({
      type: ["string", "null"],
      description: "Lower-case hex; null if the backend does not know it without reading the file.",
    }),
    updated_at: Type.Unsafe<string | null>({ ...Timestamp, type: ["string", "null"] }),
  },
  { $id: "File", title: "File" },
)
export type FileInfo = Static<typeof FileInfo>

/** A folder of a listing of one level. */
export const FileFolder = Type.Object(
  {
    path: Type.String({ description: "Relative path within the fileset, with a slash at its end." }),
    files: orNull<number>(
      "integer",
      "Number of files below it; null if they were not counted, because the folders of the page have too many.",
    ),
    bytes: orNull<number>("integer", "Number of their bytes; null if `files` is."),
  },
  { $id: "FileFolder" },
)
export type FileFolder = Static<typeof FileFolder>

export const FileList = Type.Object(
  {
    data: Type.Array(FileInfo),
    folders: Type.Optional(
      Type.Array(FileFolder, { description: "With `recursive=false`: the folders of this page, in code-point order." }),
    ),
    searched: Type.Optional(
      Type.Integer({ description: "With `contains`: the number of files that were looked at for this page." }),
    ),
    next_page_token: Type.Optional(Type.String({ description: "Absent on the last page." })),
  },
  { $id: "FileList" },
)
export type FileList = Static<typeof FileList>

/** Returns the URL path of a file's bytes on the server. */
export function fileUrl(workspace: string, fileset: string, path: string): string {
  const encoded = path.split("/").map(encodeURIComponent).join("/")
  return `/apis/files/v2/workspaces/${encodeURIComponent(workspace)}/filesets/${encodeURIComponent(fileset)}/-/${encoded}`
}
