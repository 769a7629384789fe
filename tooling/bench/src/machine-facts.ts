import { cpus, totalmem, release } from "node:os"
import process from "node:process"

/** Describes the machine of a run in one line. */
export function machineFacts(): string {
  const [cpu] = cpus()
  const gib = Math.round(totalmem() / 2 ** 30)
  return `${cpus().length} × ${cpu?.model.trim() ?? "unknown CPU"}, ${gib} GiB, Linux ${release()}, Node ${process.versions.node}`
}
