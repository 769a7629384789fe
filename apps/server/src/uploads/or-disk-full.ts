import { AssayError } from "@assay/schemas"

const FULL: ReadonlySet<unknown> = new Set(["ENOSPC", "EDQUOT", "EFBIG"])

/** What `work` returns. @throws `disk_full` with `message` when the system has no room */
export async function orDiskFull<T>(message: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    if (!FULL.has((error as NodeJS.ErrnoException).code)) throw error
    throw new AssayError("disk_full", message, { cause: error })
  }
}
