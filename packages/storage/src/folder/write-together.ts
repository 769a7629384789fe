import { copyFile, realpath, rename, rm, writeFile } from "node:fs/promises"
import { dirname } from "node:path"
import { createFolder } from "../create-folder.ts"
import { isMissing } from "../local/errors.ts"
import { localFailure } from "./local-failure.ts"

/** A file of this machine, by its absolute path. Null: there will be none. */
export interface FileText {
  readonly path: string
  readonly text: string | null
}

interface StagedFile {
  readonly path: string
  /** The new file. Undefined: the file is removed. */
  readonly partial: string | undefined
  /** A copy of the file as it is. Undefined: there is none. */
  readonly former: string | undefined
}

/**
 * Writes and removes files that belong together. They are written beside their places and then renamed; an error leaves all of them as they were.
 * Missing folders are created. Links are followed.
 * @throws what `localFailure` returns
 */
export async function writeTogether(files: readonly FileText[]): Promise<void> {
  const staged: StagedFile[] = []
  const changed: StagedFile[] = []
  try {
    for (const file of files) await onDisk(file.path, async () => void staged.push(await stage(file)))
    for (const file of staged) {
      changed.push(file)
      await onDisk(file.path, () => publish(file))
    }
  } catch (error) {
    for (const file of changed.toReversed()) await takeBack(file)
    throw error
  } finally {
    const names = files.flatMap(({ path }) => [path]).concat(staged.map(({ path }) => path))
    for (const name of new Set(names)) await removeStaged(name)
  }
}

const partialOf = (path: string) => `${path}.assay-partial`
const formerOf = (path: string) => `${path}.assay-former`

async function stage({ path: named, text }: FileText): Promise<StagedFile> {
  await createFolder(dirname(named), { durable: false })
  const path = await orMissing(realpath(named), named)
  const former = formerOf(path)
  const hasFormer = await orMissing(
    copyFile(path, former).then(() => true),
    false,
  )
  const partial = text === null ? undefined : partialOf(path)
  if (partial !== undefined) await writeFile(partial, text ?? "")
  return { path, partial, former: hasFormer ? former : undefined }
}

async function publish({ path, partial }: StagedFile): Promise<void> {
  if (partial === undefined) await rm(path, { force: true })
  else await rename(partial, path)
}

async function takeBack({ path, former }: StagedFile): Promise<void> {
  await (former === undefined ? rm(path, { force: true }) : rename(former, path)).catch(() => {})
}

async function removeStaged(path: string): Promise<void> {
  for (const name of [partialOf(path), formerOf(path)]) await rm(name, { force: true }).catch(() => {})
}

async function orMissing<T>(work: Promise<T>, missing: T): Promise<T> {
  try {
    return await work
  } catch (error) {
    if (isMissing(error)) return missing
    throw error
  }
}

async function onDisk(path: string, work: () => Promise<void>): Promise<void> {
  try {
    await work()
  } catch (error) {
    throw localFailure(error, "write", path)
  }
}
