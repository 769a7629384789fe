import type { HubPreuploadAnswer, HubPreuploadBody } from "@assay/schemas"
import type { Static } from "@sinclair/typebox"
import type { Revision } from "@assay/filesets"

/** Text files up to this size are sent within the commit. */
const MAX_REGULAR_BYTES = 10_485_760

/** Decides for each file of a future commit whether it is sent within the commit or through LFS. */
export async function uploadModes(
  tree: Revision,
  files: Static<typeof HubPreuploadBody>["files"],
): Promise<Static<typeof HubPreuploadAnswer>["files"]> {
  const modes: Static<typeof HubPreuploadAnswer>["files"] = []
  for (const { path, size = 0, sample = "" } of files) {
    const isRegular = size <= MAX_REGULAR_BYTES && isText(Buffer.from(sample, "base64"))
    const oid = isRegular ? null : (await tree.get(path))?.sha256
    modes.push({
      path,
      uploadMode: isRegular ? "regular" : "lfs",
      shouldIgnore: false,
      ...(typeof oid === "string" ? { oid } : {}),
    })
  }
  return modes
}

/** Returns whether the beginning of a file looks like text: UTF-8 without control characters except white space. */
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
