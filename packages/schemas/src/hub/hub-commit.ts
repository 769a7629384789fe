import { Type } from "@sinclair/typebox"
import { enumeration } from "../records/field-types.ts"
import { numberField } from "../records/number-field.ts"

/** A request for the upload mode of files. */
export const HubPreuploadBody = Type.Object({
  files: Type.Array(
    Type.Object({
      path: Type.String(),
      size: Type.Optional(numberField("bytes")),
      sample: Type.Optional(Type.String({ description: "The first 512 bytes, as base64." })),
    }),
  ),
})

/** The upload mode of each file. */
export const HubPreuploadAnswer = Type.Object(
  {
    files: Type.Array(
      Type.Object({
        path: Type.String(),
        uploadMode: enumeration(["regular", "lfs"]),
        shouldIgnore: Type.Literal(false),
        oid: Type.Optional(Type.String({ description: "SHA-256 of the existing file, if the upload mode is `lfs`." })),
      }),
    ),
  },
  { $id: "HubPreupload" },
)

/** Longer than any valid path. The path rules report paths that are too long. */
const Path = Type.String({ maxLength: 2048 })
const MAX_TITLE = 10_000

/** The values of the lines of a commit, by their key. Clients add fields of their own. */
export const HUB_COMMIT_LINES = {
  header: Type.Object({
    summary: Type.Optional(Type.String({ maxLength: MAX_TITLE })),
    parentCommit: Type.Optional(Type.String({ maxLength: 200 })),
  }),
  file: Type.Object({ path: Path, content: Type.String(), encoding: Type.Optional(Type.String()) }),
  lfsFile: Type.Object({
    path: Path,
    oid: Type.String({ pattern: "^[0-9a-f]{64}$" }),
    algo: Type.Optional(Type.String()),
  }),
  deletedFile: Type.Object({ path: Path }),
  deletedFolder: Type.Object({ path: Path }),
}

/** The response to a commit. */
export const HubCommitAnswer = Type.Object(
  { success: Type.Literal(true), commitOid: Type.String(), commitUrl: Type.String(), hookOutput: Type.String() },
  { $id: "HubCommitAnswer" },
)
