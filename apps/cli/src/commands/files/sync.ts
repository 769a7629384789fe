import { resolve, sep } from "node:path"
import { AssayError } from "@assay/schemas/errors"
import type { Context } from "../../context.ts"
import { parseFileAddress } from "../../file-address.ts"
import { isFolderName } from "../../is-folder-name.ts"
import { createFolderSide } from "../../transfer/folder-side.ts"
import type { TransferSide } from "../../transfer/transfer-side.ts"
import { checkFolder } from "./check-folder.ts"
import { openFilesetSource } from "./open-fileset-source.ts"
import { openFilesetTarget } from "./open-fileset-target.ts"
import { openFolderTarget } from "./open-folder-target.ts"
import { runTransfer, type SideTools, type TransferFlags } from "./run-transfer.ts"

export interface SyncOptions extends TransferFlags {
  readonly delete?: boolean
}

/** `assay sync <from> <to>` */
export async function sync(context: Context, from: string, to: string, options: SyncOptions): Promise<void> {
  if (isFolderName(from) && isFolderName(to)) checkApart(context, from, to)
  await runTransfer(context, {
    verbs: ["synced", "sync"],
    where: ({ target }) => `to ${target.name}`,
    flags: options,
    delete: options.delete === true,
    open: async (tools) => ({
      source: await openSource(context, from, tools),
      target: isFolderName(to)
        ? openFolderTarget(context, to, tools, options)
        : await openFilesetTarget(context, parseFileAddress(to, context), tools, options),
    }),
  })
}

async function openSource(context: Context, from: string, tools: SideTools): Promise<TransferSide> {
  if (!isFolderName(from)) return openFilesetSource(context, parseFileAddress(from, context), tools)
  const root = resolve(context.cwd, from)
  checkFolder(root)
  return createFolderSide({ root, name: from, cache: tools.cache, onSkip: tools.recorder.skip })
}

/** @throws `bad_usage` where one folder holds the other: what is written would be found and written again */
function checkApart({ cwd }: Context, from: string, to: string): void {
  const [a, b] = [resolve(cwd, from) + sep, resolve(cwd, to) + sep]
  if (a.startsWith(b) || b.startsWith(a)) {
    throw new AssayError("bad_usage", `'${from}' and '${to}' lie inside each other: sync two folders that stand apart.`)
  }
}
