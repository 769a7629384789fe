import type { Context } from "../../context.ts"
import type { FileAddress } from "../../file-address.ts"
import { openClient } from "../../open-client.ts"
import { createFilesetSide } from "../../transfer/fileset-side.ts"
import type { TransferSide } from "../../transfer/transfer-side.ts"
import type { SideTools } from "./run-transfer.ts"

/** Opens a fileset to read from. @throws `not_found` */
export async function openFilesetSource(
  context: Context,
  address: FileAddress,
  tools: SideTools,
): Promise<TransferSide> {
  const client = openClient(context)
  await client.filesets.get(address.workspace, address.fileset, { signal: context.signal })
  return createFilesetSide({ client, address, cache: tools.cache, pause: tools.pause, onSkip: tools.recorder.skip })
}
