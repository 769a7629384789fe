import type { Context } from "../../context.ts"
import type { JsonOption } from "../action.ts"
import { print } from "../print.ts"
import { findTokensFile } from "./find-tokens-file.ts"

/** `assay token revoke <id>` */
export async function revokeToken(context: Context, id: string, options: JsonOption): Promise<void> {
  const { file } = await findTokensFile(context)
  const server = await import("@assay/server")
  const record = await server.revokeToken({ file }, id)
  await print(context, options, record, () => `revoked ${record.id} (${record.name})\n`)
}
