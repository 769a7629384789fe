import process from "node:process"

/** Whether a process of this machine still runs. */
export function isProcessAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    // It runs, and belongs to somebody else.
    return error instanceof Error && "code" in error && error.code === "EPERM"
  }
}
