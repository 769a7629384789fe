import { AssayError } from "@assay/schemas/errors"
import { quotePath } from "@assay/storage/paths"
import { openParquet } from "../formats/parquet/open-parquet.ts"
import { createTallySum, type RowTally } from "../checking/row-tally.ts"
import { tallyWindow } from "../validate/tally-window.ts"
import type { UploadRowsOptions } from "./check-upload-rows.ts"
import { settleUpload, type UploadCheck } from "./upload-check.ts"

/** Puts all the bytes aside, looks at the rows, and passes the bytes on from there. */
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
  const options = signal === undefined ? {} : { signal }
  try {
    await scratch.storage.write(scratch.path, bytes, options)
    const { turn = (work) => work() } = scratch
    settleUpload(check, await turn(() => tallyScratch(check, scratch)))
    // Not released: whoever takes the pieces keeps them.
    yield* (await scratch.storage.read(scratch.path, options)).bytes
  } finally {
    await scratch.storage.delete(scratch.path)
  }
}

async function tallyScratch(
  { path, runner, schemas, maxIssues, signal }: UploadCheck,
  scratch: NonNullable<UploadRowsOptions["scratch"]>,
): Promise<RowTally> {
  const sum = createTallySum(maxIssues)
  const parquet = await openParquet(scratch.storage, scratch.path, { signal })
  try {
    for await (const window of parquet.windows()) {
      sum.add(await tallyWindow(window, { path, runner, schemas, maxIssues: sum.room(), signal }))
    }
    return sum.result()
  } finally {
    await parquet.close()
  }
}

function noScratch(path: string): AssayError {
  const message = `File ${quotePath(path)} can't be checked while it is uploaded: Parquet is read from its end; store it with enforce off and validate it then.`
  return new AssayError("unsupported", message, { context: { path } })
}
