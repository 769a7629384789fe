import process from "node:process"

/** Returns whether a process of this machine is running. */
export function isProcessAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    // The process is running and belongs to another user.
    return error instanceof Error && "code" in error && error.code === "EPERM"
  }
}
