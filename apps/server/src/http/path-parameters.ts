import { Type } from "@sinclair/typebox"

/** Path parameters. Loose on purpose: a name that can't exist is answered like one that does not. */
export const WorkspaceParameters = Type.Object({ ws: Type.String() })
export const NamedParameters = Type.Object({ ws: Type.String(), name: Type.String() })
export const UploadParameters = Type.Object({ ws: Type.String(), name: Type.String(), id: Type.String() })
