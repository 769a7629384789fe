import { resolve } from "node:path"
import { analyzeCheckpoint, openLocalCheckpoint, type AnalyzeCheckpointOptions } from "@assay/checkpoints"
import { formatModelSpec } from "@assay/reports/terminal"
import { openFilesetStorage, parseFilesetAddress } from "@assay/transfer"
import type { Context } from "../../context.ts"
import { isLocal } from "../../is-folder-name.ts"
import { defaultWorkspace, openClient } from "../../open-client.ts"
import type { JsonOption } from "../action.ts"
import { print } from "../print.ts"

/** Runs `assay model analyze <checkpoint>`. */
export async function analyzeModel(context: Context, checkpoint: string, options: JsonOption): Promise<void> {
  const { signal } = context
  const { spec, warnings } = await analyzeCheckpoint({ ...(await openCheckpoint(context, checkpoint)), signal })
  await print(context, options, { ...spec, warnings }, () => formatModelSpec(spec, warnings))
}

async function openCheckpoint(context: Context, written: string): Promise<AnalyzeCheckpointOptions> {
  if (isLocal(context, written)) return openLocalCheckpoint(resolve(context.cwd, written))
  const { workspace, fileset } = parseFilesetAddress(written, defaultWorkspace(context))
  const client = openClient(context)
  const record = await client.filesets.get(workspace, fileset, { signal: context.signal })
  return { storage: openFilesetStorage(client, record), metadata: record.metadata.model, names: [record.name] }
}
