import { listFilesetNames } from "@assay/client"
import { type Fileset, printable } from "@assay/schemas"
import { AssayError, isAssayError } from "@assay/schemas/errors"
import type { Context } from "./context.ts"
import { openClient } from "./open-client.ts"

/** Returns a fileset that a file names as `workspace/name`. If no server is named and none answers, the message says what to write. */
async function getFilesetOfServer(context: Context, workspace: string, name: string): Promise<Fileset> {
  try {
    return await openClient(context).filesets.get(workspace, name, { signal: context.signal })
  } catch (error) {
    if ((context.env["ASSAY_URL"] ?? "") !== "" || !isAssayError(error, "server_unreachable")) throw error
    const shown = printable(`${workspace}/${name}`)
    const remedy = `Give --server (or set ASSAY_URL), or write ./${shown} for files of this machine.`
    const message = `'${shown}' is a fileset of a server, and no server is named`
    throw new AssayError("server_unreachable", message, { cause: error, context: { remedy } })
  }
}

/** Returns how jobs that run in this process read filesets of a server. */
export function filesetsOfServer(context: Context) {
  const getFileset = (workspace: string, name: string) => getFilesetOfServer(context, workspace, name)
  return {
    getFileset,
    listNames: (workspace: string) => listFilesetNames(openClient(context), workspace, context.signal),
    openStorage: async (workspace: string, name: string) => {
      const { openFilesetStorage } = await import("@assay/transfer")
      return openFilesetStorage(openClient(context), await getFileset(workspace, name))
    },
  }
}
