import { existsSync, mkdirSync } from "node:fs"
import { resolve } from "node:path"
import type { Context } from "../../context.ts"
import { createFolderSide } from "../../transfer/folder-side.ts"
import { localFailure } from "../../transfer/local-failure.ts"
import { asEmpty } from "../../transfer/as-empty.ts"
import type { TransferSide } from "../../transfer/transfer-side.ts"
import type { SideTools } from "./run-transfer.ts"

/** Opens a folder to write into, made where it is missing; a dry run makes nothing and takes a missing one for empty. */
export function openFolderTarget(
  { cwd }: Context,
  folder: string,
  { cache }: SideTools,
  { dryRun }: { readonly dryRun?: boolean },
): TransferSide {
  const root = resolve(cwd, folder)
  const side = createFolderSide({ root, name: folder, cache, onSkip: ignore })
  if (dryRun === true) return existsSync(root) ? side : asEmpty(side)
  try {
    mkdirSync(root, { recursive: true })
  } catch (error) {
    throw localFailure(error, "write", root)
  }
  return side
}

/** What a target holds that can't travel is in nobody's way. */
function ignore(): void {}
