import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { OPERATIONS } from "./faults/operations.ts"
import { describeFault, sweepFaults } from "./faults/sweep-faults.ts"
import { openDisk, type Disk } from "./open-disk.ts"
import { runPowerLoss } from "./power/run-power-loss.ts"
import { writeAdminToken } from "./start-on-disk.ts"

export interface DiskRunOptions {
  /** A part of the names of the operations to try. Empty: all. */
  readonly only: string
  readonly steps: number
  readonly moments: number
  readonly seed: number
  /** Starts the server of another checkout. */
  readonly checkout: string | undefined
}

/** Lets every call on the disk fail, one after the other, in every operation. */
export async function runDiskFaults({ only, checkout }: DiskRunOptions, log: (line: string) => void) {
  return withDisk(false, async (disk) => {
    writeAdminToken(disk.folder)
    const operations = OPERATIONS.filter(({ name }) => name.includes(only))
    const { faults, ...counts } = await sweepFaults({ disk, operations, checkout }, log)
    return {
      operations: operations.length,
      ...counts,
      faults: faults.map((fault) => `${fault.operation}: ${describeFault(fault)}`),
    }
  })
}

/** Lets the power fail at many moments of a run. */
export async function runDiskPowerLoss(options: DiskRunOptions, log: (line: string) => void) {
  return withDisk(true, (disk, home) => runPowerLoss(disk, home, options, log))
}

async function withDisk<T>(logs: boolean, work: (disk: Disk, home: string) => Promise<T>): Promise<T> {
  const home = mkdtempSync(join(tmpdir(), "assay-disk-"))
  const disk = openDisk(home, { logs })
  try {
    return await work(disk, home)
  } finally {
    disk.close()
    rmSync(home, { recursive: true, force: true })
  }
}
