import { chown, mkdir, writeFile } from "node:fs/promises"
import { join } from "node:path"
import type { FilePath } from "@assay/storage"
import type { HarnessSandbox, SandboxedRun } from "./harness-sandbox.ts"
import { GROUP, PASSWD } from "./sandbox-layout.ts"

export interface PrepareSandboxOptions extends Pick<SandboxedRun, "command" | "endpointSocket"> {
  /** Of the caller's own, and empty. */
  readonly folder: string
  /** The file that the command is to write: its folder is made. */
  readonly results?: FilePath
}

/** Makes the folders of a run below `folder`, which belong to whoever runs the command. */
export async function prepareSandbox(
  { owner }: HarnessSandbox,
  { folder, results, ...run }: PrepareSandboxOptions,
): Promise<SandboxedRun> {
  const [work, temporary, setup] = [join(folder, "work"), join(folder, "tmp"), join(folder, "setup")]
  const parents = results?.split("/").slice(0, -1) ?? []
  const inside = parents.map((_, index) => join(work, ...parents.slice(0, index + 1)))
  for (const path of [work, temporary, ...inside]) {
    await mkdir(path, { recursive: true, mode: 0o700 })
    if (owner !== undefined) await chown(path, owner.uid, owner.gid)
  }
  await mkdir(join(setup, "root"), { recursive: true })
  await writeFile(join(setup, "passwd"), PASSWD, { mode: 0o644 })
  await writeFile(join(setup, "group"), GROUP, { mode: 0o644 })
  return { ...run, work, temporary, setup }
}
