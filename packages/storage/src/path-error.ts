import type { AssayError } from "@assay/schemas"

/** Codes of the system that another path in the settings avoids. */
const OF_THE_PATH: ReadonlySet<unknown> = new Set(["EACCES", "EPERM", "EROFS"])

/** Returns the code of the error for a folder or file of the settings that can't be opened. `failure`: what the disk is to blame for. */
export function pathErrorCode(failure: AssayError | undefined): "bad_settings" | "disk_full" | "local_file_failed" {
  if (failure === undefined || OF_THE_PATH.has(failure.context["system_code"])) return "bad_settings"
  return failure.code === "disk_full" ? "disk_full" : "local_file_failed"
}
