import { mkdir, readdir, rename, rm } from "node:fs/promises"
import { join } from "node:path"
import { spawn } from "node:child_process"
import { once } from "node:events"
import { isRunning, readAttemptRecord, writeAttemptRecord } from "./attempt-record.ts"
import { endLeftHarness } from "./end-left-harness.ts"

const FOLDER = "harness"
/** The prefix of a folder's name until the folder has its record. */
const NEW = "."

/**
 * Creates the folder of a new attempt below the work folder of a job. First ends the processes of earlier attempts and removes their
 * folders, so that an attempt never sees files of another one.
 */
export async function openAttempt(workFolder: string, run: string): Promise<string> {
  await endAttempts(workFolder, async () => true)
  const folder = join(workFolder, FOLDER, run)
  const unnamed = join(workFolder, FOLDER, NEW + run)
  await mkdir(unnamed, { recursive: true, mode: 0o700 })
  await writeAttemptRecord(unnamed, run, null)
  await rename(unnamed, folder)
  return folder
}

/** Ends the harnesses of a job whose runner is gone. */
export async function endLeftHarnesses(workFolder: string): Promise<void> {
  await endAttempts(workFolder, async (folder) => {
    const record = await readAttemptRecord(folder)
    return record !== undefined && !(await isRunning(record.runner))
  })
}

/** Removes the work folder of a job, and ends the harnesses that still run there. */
export async function removeJobFolder(workFolder: string): Promise<void> {
  await endAttempts(workFolder, async () => true)
  await removeTree(workFolder)
}

async function endAttempts(workFolder: string, isLeft: (folder: string) => Promise<boolean>): Promise<void> {
  const names = await readdir(join(workFolder, FOLDER)).catch(() => [])
  for (const name of names) {
    const folder = join(workFolder, FOLDER, name)
    if (!(await isLeft(folder))) continue
    const record = await readAttemptRecord(folder)
    if (record !== undefined) await endLeftHarness(record)
    await removeTree(folder)
  }
}

/** Gives rights to closed folders first. `rm` also handles paths that are longer than the system accepts in one call. */
const SCRIPT = 'chmod -R u+rwX -- "$1" 2>/dev/null; rm -rf -- "$1"'

/** Removes a folder that a user's command has written to, whatever it created there. Links are removed, not followed. */
async function removeTree(path: string): Promise<void> {
  try {
    await rm(path, { recursive: true, force: true })
  } catch {
    const child = spawn("/bin/sh", ["-c", SCRIPT, "remove", path], { env: {}, stdio: "ignore" })
    await Promise.race([once(child, "close"), once(child, "error")])
  }
}
