import type { HubPreuploadAnswer, HubPreuploadBody } from "@assay/schemas"
import type { Static } from "@sinclair/typebox"
import type { Revision } from "../revisions/revisions.ts"

/** Text files up to this size are sent within the commit. */
const MAX_REGULAR_BYTES = 10_485_760

/** Decides for each file of a future commit whether it is sent within the commit or through LFS. */
export function uploadModes(
  tree: Revision,
  files: Static<typeof HubPreuploadBody>["files"],
): Static<typeof HubPreuploadAnswer>["files"] {
  return files.map(({ path, size = 0, sample = "" }) => {
    const isRegular = size <= MAX_REGULAR_BYTES && isText(Buffer.from(sample, "base64"))
    const oid = isRegular ? null : tree.get(path)?.sha256
    return {
      path,
      uploadMode: isRegular ? ("regular" as const) : ("lfs" as const),
      shouldIgnore: false as const,
      ...(typeof oid === "string" ? { oid } : {}),
    }
  })
}

/** Whether the beginning of a file looks like text: UTF-8 without control characters except white space. */
function isText(sample: Uint8Array): boolean {
  try {
    // Decoded as a stream, because the sample can end within a character.
    const text = new TextDecoder("utf-8", { fatal: true }).decode(sample, { stream: true })
    // oxlint-disable-next-line no-control-regex -- the control characters are intended
    return !/[\u0000-\u0008\u000e-\u001a\u001c-\u001f\u007f]/.test(text)
  } catch {
    return false
  }
}
