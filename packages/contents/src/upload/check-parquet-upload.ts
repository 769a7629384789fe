import { AssayError } from "@assay/schemas/errors"
import { quotePath } from "@assay/storage/paths"
import { tallyParquet } from "../validate/tally-parquet.ts"
import type { UploadRowsOptions } from "./check-upload-rows.ts"
import { settleUpload, type UploadCheck } from "./upload-check.ts"

/** Stores all bytes in the scratch storage, checks the rows, and then yields the bytes from there. */
export async function* checkParquetUpload(
  bytes: AsyncIterable<Uint8Array>,
  check: UploadCheck,
  scratch: UploadRowsOptions["scratch"],
): AsyncGenerator<Uint8Array, void, undefined> {
  const { path, isRejecting, signal } = check
  if (scratch === undefined) {
    if (isRejecting) throw noScratch(path)
    yield* bytes
    return
  }
  try {
    await scratch.storage.write(scratch.path, bytes, { signal })
    const { turn = (work) => work() } = scratch
    settleUpload(check, await turn(() => tallyParquet(scratch.storage, scratch.path, check)))
    // Pieces are not released, because the consumer keeps them.
    yield* (await scratch.storage.read(scratch.path, { signal })).bytes
  } finally {
    await scratch.storage.delete(scratch.path)
  }
}

function noScratch(path: string): AssayError {
  const message = `File ${quotePath(path)} can't be checked while it is uploaded: Parquet is read from its end; store it with enforce off and validate it then.`
  return new AssayError("unsupported", message, { context: { path } })
}
