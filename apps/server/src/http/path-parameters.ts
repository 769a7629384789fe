import { Type } from "@sinclair/typebox"

/** Path parameters. Loose on purpose: a name that can't exist is answered like one that does not. */
export const WorkspaceParameters = Type.Object({ ws: Type.String() })
export const NamedParameters = Type.Object({ ws: Type.String(), name: Type.String() })
/** `*` is the path as the router decodes it; the routes read it from the address itself. */
export const FileParameters = Type.Object({
  ws: Type.String(),
  name: Type.String(),
  "*": Type.String({ description: "Path of the file within the fileset; slashes as they are or as %2F." }),
})
export const UploadParameters = Type.Object({ ws: Type.String(), name: Type.String(), id: Type.String() })
